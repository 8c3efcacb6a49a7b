// Utility over the game: a line for each side, a band where it is known, dots with the marks.

import { el, svg } from "./dom.js";
import { number } from "./words.js";

const HEIGHT = 230;
const EDGE = { left: 40, right: 62, top: 22, bottom: 28 };
const KINDS = 6; // line styles; more sides than that share them

export class Graph {
  #place;
  #onPick;
  #data = null;
  #at = 0;
  #cursor = null;
  #scale = null;

  /** @param onPick called with the number of events when a point of the game is chosen */
  constructor(place, onPick) {
    this.#place = place;
    this.#onPick = onPick;
    new ResizeObserver(() => this.#draw()).observe(place);
  }

  /**
   * @param data.length events of the game
   * @param data.series `{label, points: [{n, mean, low, high, mark, text}]}` each; n: events after the move
   */
  show(data) {
    this.#data = data;
    this.#draw();
  }

  clear() {
    this.#data = null;
    this.#place.replaceChildren();
  }

  /** Moves the line that says where in the game the reader is. */
  cursor(n) {
    this.#at = n;
    if (!this.#cursor) return;
    const x = this.#scale.x(n);
    this.#cursor.setAttribute("x1", x);
    this.#cursor.setAttribute("x2", x);
  }

  #draw() {
    const width = this.#place.clientWidth;
    if (!this.#data || width === 0 || (this.#scale?.width === width && this.#scale.data === this.#data))
      return;
    const { series, length } = this.#data;
    const points = series.flatMap((each) => each.points);
    if (!points.length) {
      this.#place.replaceChildren();
      return;
    }
    const held = this.#place.contains(document.activeElement) ? document.activeElement.dataset.n : null;
    this.#scale = scaleOf(points, length, width, this.#data);
    const { x, y, low, high } = this.#scale;
    this.#cursor = svg("line", { class: "graph-cursor", y1: EDGE.top - 6, y2: HEIGHT - EDGE.bottom });
    const drawing = svg(
      "svg",
      {
        class: "graph",
        viewBox: `0 0 ${width} ${HEIGHT}`,
        height: HEIGHT,
        role: "group",
        "aria-label": summary(series),
        on: { click: (event) => this.#pick(event) },
      },
      ticks(low, high).map((value) => [
        svg("line", {
          class: "graph-grid",
          x1: EDGE.left,
          x2: width - EDGE.right,
          y1: y(value),
          y2: y(value),
        }),
        svg(
          "text",
          { class: "graph-tick", x: EDGE.left - 6, y: y(value) + 4, "text-anchor": "end" },
          value.toFixed(high - low > 3 ? 0 : 2).replace("-", "−"),
        ),
      ]),
      svg("text", { class: "graph-tick", x: EDGE.left, y: HEIGHT - 8 }, "start"),
      svg(
        "text",
        { class: "graph-tick", x: width - EDGE.right, y: HEIGHT - 8, "text-anchor": "end" },
        `event ${length}`,
      ),
      this.#cursor,
      series.map((each, index) => band(each, index, x, y)),
      series.map((each, index) => line(each, index, x, y)),
      labels(series, x, y),
      series.map((each, index) => this.#dots(each, index, x, y)),
    );
    this.#place.replaceChildren(
      drawing,
      el(
        "p",
        { class: "hint" },
        "Utility of the moves played, from what the seat could know; 95 % band where two were compared.",
      ),
    );
    this.cursor(this.#at);
    if (held) this.#place.querySelector(`[data-n="${held}"]`)?.focus();
  }

  #dots({ points, label }, index, x, y) {
    let marked = 0;
    return points.map(({ n, mean, mark, text }) => {
      const place = { cx: x(n), cy: y(mean) };
      if (!mark)
        return svg(
          "circle",
          { class: `graph-dot side-${index % KINDS}`, r: 2.5, ...place },
          svg("title", {}, text),
        );
      const beside = marked++ % 2 ? 19 : -10; // below and above in turn, so that neighbours stay apart
      const choose = (event) => {
        if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        this.#onPick(n);
      };
      return svg(
        "g",
        {
          class: "graph-mark",
          tabindex: 0,
          role: "button",
          "data-n": n,
          "aria-label": `${label}, ${mark}: ${text}`,
          on: { click: choose, keydown: choose },
        },
        svg("title", {}, text),
        svg("circle", { class: "graph-ring", r: 12, ...place }),
        svg("circle", { class: `graph-dot side-${index % KINDS}`, r: 5.5, ...place }),
        svg("text", { x: x(n), y: y(mean) + beside, "text-anchor": "middle" }, mark),
      );
    });
  }

  #pick(event) {
    const box = event.currentTarget.getBoundingClientRect();
    const { width, left, span } = this.#scale;
    const place = ((event.clientX - box.left) / box.width) * width;
    this.#onPick(Math.round(Math.min(1, Math.max(0, (place - left) / span)) * this.#data.length));
  }
}

function scaleOf(points, length, width, data) {
  const ends = points.flatMap((point) => [point.mean, point.low ?? point.mean, point.high ?? point.mean]);
  let low = Math.min(...ends);
  let high = Math.max(...ends);
  if (low >= 0 && high <= 1) [low, high] = [0, 1];
  else [low, high] = [low - 0.05 * (high - low), high + 0.05 * (high - low) + 1e-9];
  const span = width - EDGE.left - EDGE.right;
  const tall = HEIGHT - EDGE.top - EDGE.bottom;
  return {
    data,
    width,
    low,
    high,
    span,
    left: EDGE.left,
    x: (n) => round(EDGE.left + (span * n) / Math.max(1, length)),
    y: (value) => round(EDGE.top + tall * (1 - (value - low) / (high - low))),
  };
}

const round = (value) => Math.round(value * 10) / 10;

function ticks(low, high) {
  const step =
    [0.25, 0.5, 1, 2, 5, 10, 20, 50, 100].find((each) => (high - low) / each <= 5) ?? (high - low) / 4;
  const first = Math.ceil(low / step) * step;
  return Array.from(
    { length: Math.floor((high - first) / step + 1e-9) + 1 },
    (_, index) => first + index * step,
  );
}

function band({ points }, index, x, y) {
  if (!points.some(({ low, high }) => low !== null && high !== null && high > low)) return null;
  const above = points.map((point) => `${x(point.n)},${y(point.high ?? point.mean)}`);
  const below = points.map((point) => `${x(point.n)},${y(point.low ?? point.mean)}`).reverse();
  return svg("polygon", {
    class: `graph-band side-${index % KINDS}`,
    points: [...above, ...below].join(" "),
  });
}

function line({ points }, index, x, y) {
  return svg("polyline", {
    class: `graph-line side-${index % KINDS}`,
    points: points.map(({ n, mean }) => `${x(n)},${y(mean)}`).join(" "),
  });
}

/** Each line's name at its end, moved apart where they would lie on each other. */
function labels(series, x, y) {
  const ends = series
    .map(({ label, points }, index) => ({ label, index, last: points.at(-1) }))
    .filter(({ last }) => last)
    .map((each) => ({ ...each, at: y(each.last.mean) + 4 }))
    .sort((a, b) => a.at - b.at);
  for (let index = 1; index < ends.length; index += 1)
    ends[index].at = Math.max(ends[index].at, ends[index - 1].at + 14);
  const over = Math.max(0, (ends.at(-1)?.at ?? 0) - (HEIGHT - EDGE.bottom + 4));
  return ends.map(({ label, index, last, at }) =>
    svg("text", { class: `graph-name side-${index % KINDS}`, x: x(last.n) + 7, y: at - over }, label),
  );
}

function summary(series) {
  const sides = series
    .filter(({ points }) => points.length)
    .map(({ label, points }) => `${label} from ${number(points[0].mean)} to ${number(points.at(-1).mean)}`);
  const marked = series.flatMap(({ points }) => points).filter(({ mark }) => mark).length;
  return `Utility over the game: ${sides.join("; ")}. Marked moves: ${marked}.`;
}
