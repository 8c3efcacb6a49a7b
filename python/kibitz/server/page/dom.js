// Elements without a framework. Text is always set as text, never as markup; no styles are set, only classes.

const SVG = "http://www.w3.org/2000/svg";

export const $ = (id) => document.getElementById(id);

/** An element with attributes, listeners under `on`, and children: nodes, texts, or null for none. */
export function el(name, attributes = {}, ...children) {
  return build(document.createElement(name), attributes, children);
}

/** The same for drawings. */
export function svg(name, attributes = {}, ...children) {
  return build(document.createElementNS(SVG, name), attributes, children);
}

function build(node, { on = {}, ...attributes }, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
  }
  for (const [type, listener] of Object.entries(on)) node.addEventListener(type, listener);
  node.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""),
  );
  return node;
}

/** The options of a select, [value, label] each; what was chosen stays chosen if it is still there. */
export function fill(select, pairs, chosen = select.value) {
  select.replaceChildren(...pairs.map(([value, label]) => el("option", { value }, label)));
  const values = pairs.map(([value]) => String(value));
  if (values.includes(String(chosen))) select.value = String(chosen);
}

/** Shows a sentence in its place, or takes it away when there is none. */
export function say(place, sentence = "") {
  place.textContent = sentence;
  place.hidden = sentence === "" && place.classList.contains("error");
}

/** Shows what went wrong, where it belongs. What was given up on purpose is no fault. */
export function complain(place, error) {
  if (error?.name === "AbortError") return;
  say(place, error?.message || String(error));
}

let clearing = 0;

/** Tells a screen reader; a repeated sentence is read again. */
export function announce(sentence) {
  const live = $("live");
  clearTimeout(clearing);
  live.textContent = live.textContent === sentence ? `${sentence}\u00a0` : sentence;
  clearing = setTimeout(() => {
    live.textContent = "";
  }, 10_000);
}

/** Redraws a place. The keyboard stays: on the same move, else on the first one, else on the place. */
export function redraw(place, ...children) {
  const held = place.contains(document.activeElement) ? document.activeElement : null;
  const key = held?.dataset.move;
  place.replaceChildren(...children);
  if (!held) return;
  const same = [...place.querySelectorAll("[data-move]")].find(
    (node) => node.dataset.move === key && !node.disabled,
  );
  const next =
    same ?? place.querySelector("[data-move]:not([disabled])") ?? place.querySelector("[tabindex]");
  next?.focus();
}

/** Left and right (up and down) go from one button to the next inside a place, beside Tab. */
export function walkable(place) {
  place.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    const buttons = [...place.querySelectorAll("button[data-move]:not([disabled])")];
    const here = buttons.indexOf(document.activeElement);
    if (here < 0) return;
    event.preventDefault();
    event.stopPropagation();
    buttons[(here + step + buttons.length) % buttons.length].focus();
  });
}

export const plural = (count, one, many = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
