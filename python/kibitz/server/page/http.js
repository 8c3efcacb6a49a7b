// Requests to the server that this page came from. What it refuses comes as its own sentence.

import { $, say } from "./dom.js";

const KEY = "kibitz token";

/** A refusal: the server's sentence, its kind, and the HTTP status. */
export class Refused extends Error {
  constructor(message, { kind = "", status = 0 } = {}) {
    super(message);
    this.name = "Refused";
    this.kind = kind;
    this.status = status;
  }
}

let token = takeToken();
let asking = null;

/** The token in force, "" if there is none. */
export const currentToken = () => token;

/** A token in the address is kept for this tab and taken out of it, so that it is in no shared link. */
function takeToken() {
  const address = new URL(location.href);
  const given = address.searchParams.get("token");
  if (given === null) return sessionStorage.getItem(KEY) ?? "";
  sessionStorage.setItem(KEY, given);
  address.searchParams.delete("token");
  history.replaceState(null, "", address);
  return given;
}

/** Asks for the token once, however many requests wait for it. */
function askToken(why) {
  asking ??= new Promise((resolve) => {
    const form = $("token-form");
    say($("token-why"), why);
    form.hidden = false;
    $("token").focus();
    form.addEventListener(
      "submit",
      (event) => {
        event.preventDefault();
        token = $("token").value.trim();
        sessionStorage.setItem(KEY, token);
        $("token").value = "";
        form.hidden = true;
        asking = null;
        resolve();
      },
      { once: true },
    );
  });
  return asking;
}

/** One request; the answer is JSON. Waits for a token where one is demanded. */
export async function call(method, path, body = undefined, { signal } = {}) {
  for (;;) {
    const used = token;
    const response = await send(method, path, body, used, signal);
    const text = await response.text();
    const answer = parsed(text);
    if (response.status === 401) {
      if (used === token) await askToken(answer?.error?.message ?? "The server wants to know who is asking.");
      continue;
    }
    if (response.ok) return answer;
    const error = answer?.error;
    throw new Refused(error?.message ?? `The server answered with status ${response.status}.`, {
      kind: error?.data?.kind,
      status: response.status,
    });
  }
}

async function send(method, path, body, used, signal) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (used) headers.Authorization = `Bearer ${used}`;
  try {
    return await fetch(path, {
      method,
      headers,
      signal,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      credentials: "same-origin",
      referrerPolicy: "no-referrer",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("The server can’t be reached. Nothing is lost; try again.", { kind: "unreachable" });
  }
}

function parsed(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}
