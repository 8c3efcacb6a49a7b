// A record in a link: behind the #, which browsers never send; the page sends it when the link is opened.

const PREFIX = "#record=";
const MOST = 64_000; // letters of a link that messengers and browsers still pass on whole

/** The address that opens a record; null where it would be too long to be passed on. */
export function linkTo(record) {
  const link = `${location.origin}${location.pathname}${PREFIX}${base64url(JSON.stringify(record))}`;
  return link.length > MOST ? null : link;
}

/** The record in an address, as text; null if there is none. Throws a sentence if it is damaged. */
export function recordIn(hash) {
  if (!hash.startsWith(PREFIX)) return null;
  try {
    return decode(hash.slice(PREFIX.length));
  } catch {
    throw new Error(
      "The record in this link is damaged: it is not base64url of UTF-8 text. Ask for the link again.",
    );
  }
}

/** UTF-8 in URL-safe Base64 without padding. */
export function base64url(text) {
  const bytes = new TextEncoder().encode(text);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function decode(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

/** Saves a record as a file. */
export function download(record, name) {
  const address = URL.createObjectURL(
    new Blob([`${JSON.stringify(record, null, 2)}\n`], { type: "application/json" }),
  );
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
