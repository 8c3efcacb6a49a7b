// A table as one seat knows it, from the scene that the server sends: zones with cards, grids and facts.

import { el } from "./dom.js";

const COLORS = new Set(["blue", "green", "pink", "yellow", "red", "black", "white", "gray", "gold", "plain"]);
const FACES = new Set(["up", "down", "hidden"]);
const ROLES = new Set(["hand", "trick", "table", "tasks", "board", "facts", "record"]);

/**
 * The whole scene.
 *
 * @param scene as the server sends it
 * @param options.onMove called with a move when its card or cell is chosen; without it nothing can be chosen
 * @param options.legal the moves that may be chosen
 */
export function drawScene(scene, { onMove = null, legal = [] } = {}) {
  const play = { onMove, legal: new Set(onMove ? legal : []) };
  return el(
    "section",
    { class: "scene", "aria-label": scene.title },
    el(
      "header",
      {},
      el("h2", { tabindex: "-1" }, scene.title),
      scene.subtitle ? el("p", { class: "subtitle" }, scene.subtitle) : null,
      el("p", { class: "unseen" }, scene.alt),
    ),
    el("div", { class: "zones" }, ...scene.zones.map((zone) => drawZone(zone, play))),
    scene.notes.length
      ? el("ul", { class: "notes" }, ...scene.notes.map((note) => el("li", {}, note)))
      : null,
    scene.text
      ? el("details", { class: "as-text" }, el("summary", {}, "As text"), el("pre", {}, scene.text))
      : null,
  );
}

function drawZone(zone, play) {
  const role = ROLES.has(zone.role) ? zone.role : "table";
  const classes = ["zone", `zone-${role}`, zone.own ? "own" : "", zone.active ? "active" : ""];
  return el(
    "section",
    { class: classes.filter(Boolean).join(" "), "aria-label": zoneName(zone) },
    el(
      "h3",
      {},
      el("span", {}, zone.label),
      zone.own && !/\byou(r)?\b/i.test(zone.label) ? el("span", { class: "badge" }, "you") : null,
      zone.active ? el("span", { class: "badge badge-turn" }, "to act") : null,
    ),
    zone.cards?.length
      ? el("ul", { class: "cards" }, ...zone.cards.map((card) => el("li", {}, drawCard(card, play))))
      : null,
    zone.grid ? drawGrid(zone.grid, zone.label, play) : null,
    zone.facts?.length ? drawFacts(zone.facts) : null,
    isEmpty(zone) ? el("p", { class: "nothing" }, "nothing here") : null,
  );
}

const zoneName = (zone) => [zone.label, zone.active ? "to act" : ""].filter(Boolean).join(", ");
const isEmpty = (zone) => !zone.cards?.length && !zone.grid && !zone.facts?.length;

function drawFacts(facts) {
  return el(
    "dl",
    { class: "facts" },
    ...facts.map((fact) => el("div", {}, el("dt", {}, fact.name), el("dd", {}, fact.value))),
  );
}

function drawCard(card, play) {
  const color = COLORS.has(card.color) ? card.color : "plain";
  const face = FACES.has(card.face) ? card.face : "hidden";
  const long = card.text.length > 2 ? " long" : "";
  const inside = [
    el("span", { class: "pip", "aria-hidden": "true" }, face === "hidden" ? "" : card.text),
    card.suit && face !== "hidden" ? el("span", { class: "suit", "aria-hidden": "true" }, card.suit) : null,
    card.count > 1 ? el("span", { class: "count", "aria-hidden": "true" }, `×${card.count}`) : null,
    card.marks.length ? el("span", { class: "marks", "aria-hidden": "true" }, card.marks.join(" ")) : null,
  ];
  const classes = `card ${face} c-${color}${long}${card.count > 1 ? " many" : ""}`;
  const label = card.label || card.text || "a hidden card";
  if (card.move !== null && play.legal.has(card.move)) {
    return el(
      "button",
      {
        type: "button",
        class: classes,
        "aria-label": `Play ${label}`,
        title: label,
        "data-move": card.move,
        on: { click: () => play.onMove(card.move) },
      },
      ...inside,
    );
  }
  return el("span", { class: classes, role: "img", "aria-label": label, title: label }, ...inside);
}

function drawGrid(grid, label, play) {
  const wide = grid.columns > 5 ? " wide" : "";
  return el(
    "table",
    { class: `grid${wide}`, "aria-label": label },
    el(
      "tbody",
      {},
      ...grid.cells.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, drawCell(cell, play))))),
    ),
  );
}

function drawCell(cell, play) {
  if (cell === null) return el("span", { class: "cell empty", "aria-hidden": "true" });
  const color = COLORS.has(cell.color) ? cell.color : "plain";
  const marked = cell.marks.length ? " marked" : "";
  const classes = `cell c-${color}${marked}`;
  if (cell.move !== null && play.legal.has(cell.move)) {
    return el(
      "button",
      {
        type: "button",
        class: classes,
        "aria-label": `Play ${cell.label}`,
        "data-move": cell.move,
        on: { click: () => play.onMove(cell.move) },
      },
      cell.text,
    );
  }
  return el("span", { class: classes, role: "img", "aria-label": cell.label || cell.text }, cell.text);
}
