// What a review says of single moves: sentences, marks, a line for each seat, and points for the graph.

import { el } from "./dom.js";
import { capital, eventWords, moveWords, number } from "./words.js";

const MARKS = { "?!": "doubt", "?": "mistake", "??": "blunder" };

/** A decision in sentences. */
export function sentence(game, decision, you) {
  const { mark, forced, move, best, loss, low, high, seat } = decision;
  const who = seat === you ? "You" : `Seat ${seat}`;
  const played = `${mark ? `${mark} ` : ""}${who} played “${moveWords(game, move)}”.`;
  if (forced) return `${played} It was the only legal move.`;
  if (best === move) return `${played} The engine would have done the same.`;
  const range = low === null ? "" : ` (95 %: ${number(low)} to ${number(high)})`;
  const better = `The engine prefers “${moveWords(game, best)}”`;
  return `${played} ${better}; the move played loses ${number(loss)}${range}.`;
}

/** What stands behind a marked move in the list: the mark and the better move. */
export function marking(game, decision) {
  if (!decision?.mark) return [];
  return [
    el("strong", { class: `mark mark-${MARKS[decision.mark] ?? "doubt"}` }, decision.mark),
    el("small", {}, `better: ${moveWords(game, decision.best)}`),
  ];
}

/** A row for each seat: how often it did as the engine would, what it lost, how many of each mark. */
export function summaryTable(summary) {
  const row = ({ seat, free, agreed, loss, marks }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, `seat ${seat}`),
      el("td", {}, `${agreed} of ${free}`),
      el("td", {}, number(loss)),
      ...Object.values(marks).map((count) => el("td", {}, count)),
    );
  const names = Object.keys(summary[0]?.marks ?? {});
  const head = ["Seat", "As the engine", "Lost", ...names].map((name) => el("th", { scope: "col" }, name));
  return el(
    "table",
    { class: "summary" },
    el("caption", { class: "unseen" }, "The review by seat"),
    el("thead", {}, el("tr", {}, ...head)),
    el("tbody", {}, ...summary.map(row)),
  );
}

/** Lines for the graph: one for a crew that wins and loses together, else one for each seat. */
export function seriesOf(game, decisions, { together, you }) {
  const free = decisions.filter(({ forced, mean }) => !forced && mean !== null && mean !== undefined);
  const points = (list) => list.map((each) => pointOf(game, each, you));
  if (together) return [{ label: "crew", points: points(free) }];
  const seats = [...new Set(free.map(({ seat }) => seat))].sort((a, b) => a - b);
  return seats.map((seat) => ({
    label: `seat ${seat}`,
    points: points(free.filter((each) => each.seat === seat)),
  }));
}

function pointOf(game, { index, seat, move, best, low, high, mark, mean, best_mean: top }, you) {
  const compared = move !== best && low !== null;
  const words = `${capital(eventWords(game, `${seat}:${move}`, you))}, ${number(mean)}`;
  return {
    n: index + 1, // the event itself has been played there
    mean,
    mark,
    text: mark ? `${words}; better: ${moveWords(game, best)}` : words,
    low: compared ? top - high : null,
    high: compared ? top - low : null,
  };
}
