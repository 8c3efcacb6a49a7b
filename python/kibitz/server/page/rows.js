// What a search says of each move: share of the visits as a bar, mean utility with its error as a whisker.

import { el, plural, svg } from "./dom.js";
import { capital, eventWords, moveWords, number } from "./words.js";

const REASONS = {
  stop: "Stopped",
  ms: "The time was used up",
  clock: "The share of the clock was used up",
  iterations: "The iterations were done",
  nodes: "The nodes were used up",
  bytes: "The memory was used up",
  single: "There is only one legal move",
  exact: "Every world was solved",
  proven: "The worth of the position is proven",
  policy: "The playing policy chose",
  fallback: "Nothing could be searched; this is the game’s own suggestion",
};

/** How far the axis of utility reaches: 0 to 1 where everything lies there, else what is needed. */
function axisOf(rows, known = null) {
  if (known) return known;
  const ends = rows
    .filter((row) => row.mean !== null)
    .flatMap((row) => [row.mean - 2 * (row.se ?? 0), row.mean + 2 * (row.se ?? 0)]);
  const low = Math.min(0, ...ends);
  const high = Math.max(1, ...ends);
  return low >= -0.05 && high <= 1.05 ? [0, 1] : [Math.floor(low), Math.ceil(high)];
}

/** A table of moves that is kept up while the engine thinks; its rows stay where they are in the document. */
export class Rows {
  #place;
  #game;
  #onMove;
  #rows = new Map(); // move -> parts of its row
  #body = null;
  #axis = null;

  /** @param onMove called with a move when it is to be played; null: rows only tell */
  constructor(place, { game, you, onMove = null, axis = null }) {
    this.#place = place;
    this.#game = game;
    this.#onMove = onMove;
    this.you = you;
    this.axis = axis;
  }

  /** Shows rows, best first: {move, visits, mean, se}. */
  show(rows) {
    if (!this.#body) this.#build();
    const visits = rows.reduce((sum, row) => sum + row.visits, 0);
    this.#axis = axisOf(rows, this.axis);
    const wanted = [];
    for (const [rank, row] of rows.entries()) {
      const parts = this.#rows.get(row.move) ?? this.#row(row.move);
      this.#update(parts, row, rank, visits);
      wanted.push(parts.row);
    }
    const shown = [...this.#body.children];
    if (wanted.length !== shown.length || wanted.some((row, index) => row !== shown[index])) {
      const held = document.activeElement;
      this.#body.replaceChildren(...wanted);
      if (this.#body.contains(held)) held.focus();
    }
  }

  clear() {
    this.#place.replaceChildren();
    this.#rows.clear();
    this.#body = null;
  }

  #build() {
    this.#body = el("tbody");
    this.#place.replaceChildren(
      el(
        "table",
        { class: "rows" },
        el("caption", { class: "unseen" }, "The engine’s moves, best first"),
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", { scope: "col" }, "Move"),
            el("th", { scope: "col" }, "Share of visits"),
            el("th", { scope: "col" }, "Mean utility ± standard error"),
          ),
        ),
        this.#body,
      ),
    );
  }

  #row(move) {
    const words = capital(moveWords(this.#game, move));
    const code = words.toLowerCase() === move.toLowerCase() ? null : el("code", {}, move);
    const name = this.#onMove
      ? el(
          "button",
          {
            type: "button",
            class: "as-move",
            "data-move": move,
            title: "Play this move",
            on: { click: () => this.#onMove(move) },
          },
          words,
        )
      : el("span", {}, words);
    const share = svg("rect", { class: "bar-fill", x: 0, y: 0, height: "100%", width: 0, rx: 3 });
    const shareText = el("span", { class: "figure" });
    const zero = svg("line", { class: "axis", y1: 0, y2: "100%" });
    const whisker = svg("line", { class: "whisker", y1: "50%", y2: "50%" });
    const ends = [0, 1].map(() => svg("line", { class: "whisker", y1: "25%", y2: "75%" }));
    const dot = svg("circle", { class: "mean", cy: "50%", r: 4.5 });
    const meanText = el("span", { class: "figure" });
    const row = el(
      "tr",
      {},
      el("th", { scope: "row" }, name, code),
      el(
        "td",
        {},
        svg(
          "svg",
          { class: "bar", "aria-hidden": "true" },
          svg("rect", { class: "bar-back", width: "100%", height: "100%", rx: 3 }),
          share,
        ),
        shareText,
      ),
      el(
        "td",
        {},
        svg(
          "svg",
          { class: "bar", "aria-hidden": "true" },
          svg("rect", { class: "bar-back", width: "100%", height: "100%", rx: 3 }),
          zero,
          whisker,
          ...ends,
          dot,
        ),
        meanText,
      ),
    );
    const parts = { row, share, shareText, zero, whisker, ends, dot, meanText };
    this.#rows.set(move, parts);
    return parts;
  }

  #update(parts, { visits, mean, se }, rank, all) {
    parts.row.classList.toggle("best", rank === 0);
    const share = all ? visits / all : 0;
    parts.share.setAttribute("width", `${(100 * share).toFixed(2)}%`);
    parts.shareText.textContent = percent(share);
    parts.shareText.title = plural(visits, "visit");
    const known = mean !== null && mean !== undefined;
    const error = known ? (se ?? 0) : 0;
    for (const node of [parts.dot, parts.whisker, ...parts.ends]) node.classList.toggle("gone", !known);
    parts.zero.setAttribute("x1", this.#x(0));
    parts.zero.setAttribute("x2", this.#x(0));
    if (known) {
      parts.dot.setAttribute("cx", this.#x(mean));
      parts.whisker.setAttribute("x1", this.#x(mean - error));
      parts.whisker.setAttribute("x2", this.#x(mean + error));
      for (const [index, end] of parts.ends.entries()) {
        const x = this.#x(mean + (index ? error : -error));
        end.setAttribute("x1", x);
        end.setAttribute("x2", x);
      }
    }
    parts.meanText.textContent = known && se ? `${number(mean, se)} ± ${number(se, se)}` : number(mean);
  }

  /** Where a utility lies on the axis; a little room is left at both ends for the dot. */
  #x(utility) {
    const [low, high] = this.#axis;
    const share = Math.min(1, Math.max(0, (utility - low) / (high - low)));
    return `${(3 + 94 * share).toFixed(2)}%`;
  }
}

const percent = (share) =>
  share > 0 && share < 0.001 ? "< 0.1 %" : `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;

/** The principal line in words, as a list. */
export function lineWords(game, line, you) {
  if (!line?.length) return null;
  return el(
    "div",
    { class: "line" },
    el("h3", {}, "What may follow"),
    el("ol", {}, ...line.map((event) => el("li", {}, eventWords(game, event, you)))),
  );
}

/** How much was done so far, as a sentence. */
export function workWords({ ms, iterations, worlds }) {
  const seconds = (ms / 1000).toFixed(1);
  const drawn = worlds > 0 ? `, ${plural(worlds, "world")} drawn` : "";
  return `${plural(iterations, "iteration")} in ${seconds} s${drawn}`;
}

/** What the engine found and why it ended, as sentences. */
export function verdict(game, result) {
  const [best, next] = result.moves ?? [];
  const move = `“${capital(moveWords(game, result.move))}”`;
  const parts = [`${REASONS[result.reason] ?? "The search ended"}: ${workWords(result)}.`];
  if (result.forced) parts.unshift(`${move} is forced.`);
  else if (best?.mean === null || best?.mean === undefined) parts.unshift(`The engine plays: ${move}.`);
  else if (!next || next.mean === null || next.mean === undefined) parts.unshift(`${move} is best.`);
  else parts.unshift(`${move} is best${lead(game, best, next)}.`);
  return parts.join(" ");
}

function lead(game, best, next) {
  const words = moveWords(game, next.move);
  const gap = best.mean - next.mean;
  const error = Math.hypot(best.se ?? 0, next.se ?? 0);
  if (gap <= 1.96 * error) return `, though “${words}” is as good as far as the search can tell`;
  return `, ahead of “${words}” by ${number(gap, error)}`;
}
