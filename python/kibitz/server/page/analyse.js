// Analyse: any position from one seat, the engine's moves while it thinks, and steps along the legal moves.

import { $, announce, complain, el, fill, plural, redraw, say, walkable } from "./dom.js";
import { examples, game, games, seatPairs } from "./games.js";
import { call } from "./http.js";
import { lineWords, Rows, verdict, workWords } from "./rows.js";
import { drawScene } from "./scene.js";
import { Thinking } from "./thinking.js";
import { capital, moveWords, turnWords } from "./words.js";

const TOLD = 4000; // ms between two announcements of a changed favourite

const thinking = new Thinking("analyse");
let trail = []; // positions from the first one shown to the present one
let rows = null;
let told = { at: 0, move: null };

const here = () => trail.at(-1);

export async function setup() {
  $("analyse-form").addEventListener("submit", (event) => {
    event.preventDefault();
    read();
  });
  $("analyse-game").addEventListener("change", () => choose($("analyse-game").value));
  $("analyse-example").addEventListener("change", takeExample);
  $("analyse-deal").addEventListener("click", deal);
  $("analyse-back").addEventListener("click", back);
  $("analyse-go").addEventListener("click", think);
  $("analyse-stop").addEventListener("click", () => thinking.stop());
  walkable($("analyse-scene"));
  walkable($("analyse-next"));
  const list = await games();
  fill(
    $("analyse-game"),
    list.map(({ slug, name }) => [slug, name]),
    list.some(({ slug }) => slug === "kami") ? "kami" : list[0].slug,
  );
  await choose($("analyse-game").value);
}

async function choose(slug) {
  try {
    const [info, all] = await Promise.all([game(slug), examples()]);
    if ($("analyse-game").value !== slug) return; // another one was chosen meanwhile
    fill($("analyse-seat"), [["", "to move"], ...seatPairs(Math.max(...info.players))]);
    const shipped = all.filter(([of]) => of === slug);
    fill(
      $("analyse-example"),
      [
        ["", shipped.length ? "choose one" : "none; deal a new one"],
        ...shipped.map(([, each], index) => [index, each.about ?? each.name]),
      ],
      "",
    );
    $("analyse-example").disabled = shipped.length === 0;
  } catch (error) {
    complain($("analyse-error"), error);
  }
}

async function takeExample() {
  const shipped = (await examples()).filter(([of]) => of === $("analyse-game").value);
  const chosen = shipped[$("analyse-example").value];
  if (!chosen) return;
  $("analyse-text").value = chosen[1].text.trim();
  $("analyse-seat").value = "";
  say($("analyse-error"));
}

async function read() {
  const text = $("analyse-text").value.trim();
  const seat = $("analyse-seat").value;
  if (!text) {
    say($("analyse-error"), "There is no position yet: choose an example, paste one, or deal a new one.");
    $("analyse-error").hidden = false;
    return;
  }
  await open({
    text,
    ...(isJson(text) ? {} : { game: $("analyse-game").value }),
    ...(seat === "" ? {} : { seat: Number(seat) }),
  });
}

const isJson = (text) => /^[[{]/.test(text);

/** Shows a position anew; also called from the other activities. */
export async function open(question) {
  say($("analyse-error"));
  try {
    const found = await call("POST", "/v1/position", question);
    await begin({ ...found, asked: question.seat ?? null });
    $("analyse-text").value = question.text;
    return true;
  } catch (error) {
    complain($("analyse-error"), error);
    $("analyse-error").hidden = false;
    return false;
  }
}

async function begin(position) {
  await thinking.stop();
  const slug = position.view.game;
  if ($("analyse-game").value !== slug) {
    $("analyse-game").value = slug;
    await choose(slug);
  }
  trail = [position];
  $("analyse-work").hidden = false;
  show();
  $("analyse-scene").querySelector("h2")?.focus({ preventScroll: true });
  $("analyse-work").scrollIntoView({ block: "start" });
}

/** A new deal from the seat chosen, played by bots up to that seat's first decision. */
async function deal() {
  say($("analyse-error"));
  const button = $("analyse-deal");
  button.disabled = true;
  try {
    const seat = Number($("analyse-seat").value || 0);
    let state = await call("POST", "/v1/tables", { game: $("analyse-game").value, seat, bots: { ms: 50 } });
    const address = `/v1/tables/${encodeURIComponent(state.id)}`;
    while (!state.over && !state.legal.length) state = await call("GET", `${address}?after=${state.n}`);
    await call("DELETE", address);
    const { view, scene, turn, legal } = state;
    $("analyse-text").value = JSON.stringify(view, null, 1);
    await begin({ kind: "view", document: view, view, scene, turn, legal, seat, record: null, asked: null });
  } catch (error) {
    complain($("analyse-error"), error);
    $("analyse-error").hidden = false;
  } finally {
    button.disabled = false;
  }
}

function show() {
  const position = here();
  const { scene, legal, view, turn } = position;
  redraw($("analyse-scene"), drawScene(scene, { onMove: follow, legal }));
  $("analyse-back").disabled = trail.length < 2;
  rows?.clear();
  rows = new Rows($("analyse-rows"), { game: view.game, you: view.seat, onMove: follow });
  $("analyse-line").replaceChildren();
  say($("analyse-fault"));
  $("analyse-go").disabled = legal.length === 0;
  say(
    $("analyse-status"),
    legal.length
      ? `Seat ${view.seat} has ${plural(legal.length, "legal move")}.`
      : `${turnWords(turn)}; seat ${view.seat} has nothing to decide.`,
  );
  showNext(position);
  announce(scene.alt);
}

/** The ways on from here: the legal moves, or a field for what another seat or chance did. */
function showNext({ legal, view, turn }) {
  const parts = [];
  if (legal.length) {
    const buttons = legal.map((move) =>
      el(
        "li",
        {},
        el(
          "button",
          { type: "button", "data-move": move, on: { click: () => follow(move) } },
          capital(moveWords(view.game, move)),
        ),
      ),
    );
    parts.push(el("h3", {}, "Play a move to go on"), el("ul", { class: "choices" }, ...buttons));
  } else if (!turn.over) {
    const input = el("input", {
      id: "analyse-event",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: `${turn.by}:…`,
    });
    const form = el(
      "form",
      {
        class: "row",
        on: {
          submit: (event) => {
            event.preventDefault();
            if (input.value.trim()) advance(input.value.trim().split(/\s*,\s*/));
          },
        },
      },
      el(
        "label",
        { class: "field grow" },
        `${turnWords(turn)}: what happened? (seat:move, several with commas)`,
        input,
      ),
      el("button", { type: "submit" }, "Go on"),
    );
    const grammar = el("p", { class: "hint" });
    game(view.game)
      .then((info) => say(grammar, `${info.grammar}.`))
      .catch(() => {});
    parts.push(
      el("h3", {}, "Go on"),
      form,
      el("details", {}, el("summary", {}, "How moves are written"), grammar),
    );
  }
  redraw($("analyse-next"), ...parts);
}

const follow = (move) => advance([`${here().turn.by}:${move}`]);

/** The position after some events, as the same seat sees it. */
async function advance(events) {
  const { kind, document, record, view, asked } = here();
  const source = kind === "table" ? (record ?? document) : view;
  const { view: flat, ...base } = source; // what is known now follows from the start and the events
  const next = { ...base, record: [...(base.record ?? []), ...events] };
  say($("analyse-fault"));
  try {
    await thinking.stop();
    const question = { text: JSON.stringify(next), ...(asked === null ? {} : { seat: asked }) };
    const found = await call("POST", "/v1/position", question);
    trail.push({ ...found, asked });
    show();
  } catch (error) {
    complain($("analyse-fault"), error);
    $("analyse-fault").hidden = false;
  }
}

async function back() {
  await thinking.stop();
  if (trail.length > 1) trail.pop();
  show();
}

async function think() {
  const position = here();
  const { view } = position;
  const fresh = rows;
  say($("analyse-fault"));
  $("analyse-go").disabled = true;
  $("analyse-stop").disabled = false;
  $("analyse-stop").focus();
  say($("analyse-status"), "Thinking…");
  announce("The engine is thinking.");
  told = { at: performance.now(), move: null };
  try {
    const result = await thinking.start(
      view,
      { until: "stop" },
      {
        info: (info) => here() === position && report(info, fresh, view),
        waiting: (ms) =>
          say($("analyse-status"), `The connection was lost. Trying again in ${(ms / 1000).toFixed(1)} s…`),
      },
    );
    if (here() !== position || fresh !== rows) return;
    if (result) {
      fresh.show(result.moves);
      showLine(result.moves[0], view);
      const sentence = verdict(view.game, result);
      say($("analyse-status"), sentence);
      announce(sentence);
    } else {
      say($("analyse-status"), "Stopped.");
    }
  } catch (error) {
    say($("analyse-status"));
    complain($("analyse-fault"), error);
    $("analyse-fault").hidden = false;
  } finally {
    if (here() === position && !thinking.running) {
      const held = document.activeElement === $("analyse-stop");
      $("analyse-go").disabled = position.legal.length === 0;
      if (held) $("analyse-go").focus();
    }
    $("analyse-stop").disabled = !thinking.running;
  }
}

function report(info, fresh, view) {
  fresh.show(info.moves);
  showLine(info.moves[0], view);
  say($("analyse-status"), `Thinking: ${workWords(info)}.`);
  const best = info.moves[0]?.move;
  const now = performance.now();
  if (best && best !== told.move && now - told.at > TOLD) {
    told = { at: now, move: best };
    announce(`Best so far: ${moveWords(view.game, best)}.`);
  }
}

function showLine(row, view) {
  $("analyse-line").replaceChildren(...[lineWords(view.game, row?.line, view.seat)].filter(Boolean));
}

/** Ends what runs when the activity is left. */
export const leave = () => thinking.stop();
