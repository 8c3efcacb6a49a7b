// Play: a game against the engine. The server keeps the cards; this page is told what the seat may see.

import { $, announce, complain, el, fill, redraw, say, walkable } from "./dom.js";
import { game, games, seatPairs } from "./games.js";
import { call } from "./http.js";
import { optionFields, optionValues } from "./options.js";
import { lineWords, Rows, verdict, workWords } from "./rows.js";
import { drawScene } from "./scene.js";
import { Thinking } from "./thinking.js";
import { capital, eventWords, moveWords, turnWords } from "./words.js";

const KEY = "kibitz table";
const HINT_MS = 1500;
const AGAIN = 3000; // ms until a server that can't be reached is asked again

const thinking = new Thinking("hint");
let table = null; // the state last told
let info = null; // of the game in the form
let polling = null; // AbortController of the request that waits for the others
let busy = false; // a move is on its way
let reviewing = async () => {};

export async function setup({ review }) {
  reviewing = review;
  $("play-form").addEventListener("submit", (event) => {
    event.preventDefault();
    deal();
  });
  $("play-game").addEventListener("change", () => choose($("play-game").value));
  $("play-players").addEventListener("change", seats);
  $("play-undo").addEventListener("click", undo);
  $("play-hint").addEventListener("click", hint);
  $("play-leave").addEventListener("click", leaveTable);
  $("play-review").addEventListener("click", reviewGame);
  walkable($("play-scene"));
  walkable($("play-moves"));
  const list = await games();
  fill(
    $("play-game"),
    list.map(({ slug, name }) => [slug, name]),
    list.some(({ slug }) => slug === "kami") ? "kami" : list[0].slug,
  );
  await choose($("play-game").value);
  await resume();
}

async function choose(slug) {
  try {
    const found = await game(slug);
    if ($("play-game").value !== slug) return; // another one was chosen meanwhile
    info = found;
    say($("play-summary"), `${capital(info.summary)}.`);
    fill(
      $("play-players"),
      info.players.map((count) => [count, String(count)]),
      info.default_players,
    );
    $("play-options").replaceChildren(...optionFields(info));
    $("play-more").hidden = $("play-options").childElementCount === 0;
    seats();
    $("play-form").dataset.game = slug;
  } catch (error) {
    fault("play-error", error);
  }
}

function seats() {
  fill($("play-seat"), seatPairs(Number($("play-players").value)));
}

function fault(place, error) {
  complain($(place), error);
  $(place).hidden = error?.name === "AbortError";
}

const address = (rest = "") => `/v1/tables/${encodeURIComponent(table.id)}${rest}`;

async function deal() {
  say($("play-error"));
  try {
    const players = Number($("play-players").value);
    const options = optionValues($("play-options"), info);
    const state = await call("POST", "/v1/tables", {
      game: info.slug,
      options: players === info.default_players ? options : { ...options, players },
      seat: Number($("play-seat").value),
      bots: { ms: Number($("play-ms").value) },
    });
    sit(state);
    $("play-turn").focus({ preventScroll: true });
    $("play-work").scrollIntoView({ block: "start" });
  } catch (error) {
    fault("play-error", error);
  }
}

/** Back to the table that this tab was playing at, if it still stands. */
async function resume() {
  const id = sessionStorage.getItem(KEY);
  if (!id) return;
  try {
    sit(await call("GET", `/v1/tables/${encodeURIComponent(id)}`));
  } catch {
    sessionStorage.removeItem(KEY);
  }
}

function sit(state) {
  polling?.abort();
  table = null;
  for (const key of ["n", "state"]) delete $("play-work").dataset[key];
  sessionStorage.setItem(KEY, state.id);
  $("play-form").hidden = true;
  $("play-work").hidden = false;
  $("play-log").replaceChildren();
  take(state);
}

/** Shows a new state of the table and waits for the next one if it is not this seat's turn. */
function take(state) {
  const before = table;
  table = state;
  const { scene, legal, over, seat, turn } = state;
  const slug = state.game;
  forgetAdvice();
  redraw($("play-scene"), drawScene(scene, { onMove: move, legal }));
  const mine = legal.length > 0;
  Object.assign($("play-work").dataset, { n: state.n, state: over ? "over" : mine ? "mine" : "waiting" });
  say($("play-turn"), over ? "The game is over" : `${turnWords(turn, seat)}${mine ? "" : "…"}`);
  $("play-turn").classList.toggle("waiting", !over && !mine);
  const choices = legal.map((each) =>
    el(
      "li",
      {},
      el(
        "button",
        { type: "button", "data-move": each, on: { click: () => move(each) } },
        capital(moveWords(slug, each)),
      ),
    ),
  );
  const held = $("play-moves").contains(document.activeElement) || document.activeElement === $("play-turn");
  redraw(
    $("play-moves"),
    mine ? el("ul", { class: "choices", "aria-label": "Your legal moves" }, ...choices) : "",
  );
  // The keyboard waits at the heading while the others move, and then is back at the moves.
  if (held) ($("play-moves").querySelector("button") ?? $("play-turn")).focus();
  $("play-hint").hidden = !mine;
  $("play-undo").disabled = !state.events.some((event) => event.startsWith(`${seat}:`));
  $("play-review").hidden = !over;
  say($("play-result"), over ? result(state) : "");
  $("play-result").hidden = !over;
  const fresh = log(before, state);
  const news = fresh
    .filter((event) => !event.startsWith(`${seat}:`))
    .map((event) => `${eventWords(slug, event, seat)}.`);
  announce([...news, over ? result(state) : mine ? `Your move. ${scene.alt}` : ""].join(" ").trim());
  if (!over && !mine) wait();
}

/** Adds what happened since to the log, the latest on top; all of it anew after an undo. */
function log(before, { events, game: slug, seat }) {
  const known =
    before && before.events.every((event, index) => events[index] === event) ? before.events.length : 0;
  const fresh = events.slice(known);
  const items = fresh.map((event) =>
    el("li", { class: event.startsWith(`${seat}:`) ? "mine" : "" }, eventWords(slug, event, seat)),
  );
  if (known === 0) $("play-log").replaceChildren(...items.reverse());
  else $("play-log").prepend(...items.reverse());
  return before ? fresh : [];
}

/** Who won, from each seat's share of the win, and what the rule book counts. */
function result({ returns, score, seat }) {
  const counted = score.length ? ` Score: ${score.join(" to ")}.` : "";
  return `${wonWords(returns, seat)}${counted}`;
}

function wonWords(returns, seat) {
  if (Math.max(...returns) === 0) return "Nobody won.";
  if (returns[seat] === 0) return "You lost.";
  if (returns[seat] === 1) return "You won.";
  return returns.every((share) => share === returns[seat]) ? "A draw." : "You share the win.";
}

async function wait() {
  polling?.abort();
  const own = new AbortController();
  polling = own;
  const id = table.id;
  while (!own.signal.aborted && table?.id === id) {
    try {
      const state = await call("GET", address(`?after=${table.n}`), undefined, { signal: own.signal });
      if (own.signal.aborted || table?.id !== id) return;
      say($("play-fault"));
      if (state.n !== table.n || state.legal.length || state.over) {
        take(state); // waits again by itself
        return;
      }
    } catch (error) {
      if (error.name === "AbortError" || own.signal.aborted) return;
      fault("play-fault", error);
      if (error.kind !== "unreachable" && error.status !== 503) return;
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }
}

async function move(chosen) {
  await change(() => call("POST", address("/moves"), { n: table.n, move: chosen }));
}

async function undo() {
  await change(() => call("POST", address("/undo"), {}));
}

/** A request that changes the table; one at a time. A stale one brings the state up to date. */
async function change(request) {
  if (busy) return;
  busy = true;
  polling?.abort();
  say($("play-fault"));
  try {
    take(await request());
  } catch (error) {
    fault("play-fault", error);
    if (error.status === 409) await refresh();
    else if (!table.over && !table.legal.length) wait();
  } finally {
    busy = false;
  }
}

async function refresh() {
  try {
    take(await call("GET", address()));
  } catch (error) {
    fault("play-fault", error);
  }
}

function forgetAdvice() {
  thinking.stop();
  $("play-advice").hidden = true;
  $("play-rows").replaceChildren();
  $("play-hint").disabled = false;
}

/** What the engine would do here, from what this seat knows and nothing else. */
async function hint() {
  const asked = table;
  const { view } = asked;
  $("play-advice").hidden = false;
  $("play-hint").disabled = true;
  say($("play-advice-status"), "Thinking…");
  const rows = new Rows($("play-rows"), { game: view.game, you: view.seat });
  try {
    const found = await thinking.start(
      view,
      { ms: HINT_MS },
      {
        info: (each) => {
          if (table !== asked) return;
          rows.show(each.moves);
          say($("play-advice-status"), `Thinking: ${workWords(each)}.`);
        },
      },
    );
    if (table !== asked || !found) return;
    rows.show(found.moves);
    const line = lineWords(view.game, found.moves[0]?.line, view.seat);
    if (line) $("play-rows").append(line);
    const sentence = verdict(view.game, found);
    say($("play-advice-status"), sentence);
    announce(sentence);
  } catch (error) {
    if (table === asked) say($("play-advice-status"), error.message);
  } finally {
    if (table === asked) $("play-hint").disabled = false;
  }
}

async function leaveTable() {
  polling?.abort();
  thinking.stop();
  const gone = address();
  const over = table.over;
  table = null;
  sessionStorage.removeItem(KEY);
  $("play-work").hidden = true;
  $("play-form").hidden = false;
  $("play-game").focus();
  announce(over ? "" : "You left the table.");
  try {
    await call("DELETE", gone);
  } catch {
    // The server ends tables that nobody asks for by itself.
  }
}

async function reviewGame() {
  say($("play-fault"));
  try {
    await reviewing(await call("GET", address("/record")), table.seat);
  } catch (error) {
    fault("play-fault", error);
  }
}
