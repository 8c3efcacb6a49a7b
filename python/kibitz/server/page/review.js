// Review: a record step by step, what the engine says of its moves, and the graph of utility over the game.

import { $, announce, complain, el, fill, plural, redraw, say } from "./dom.js";
import { examples, game } from "./games.js";
import { Graph } from "./graph.js";
import { call } from "./http.js";
import { marking, sentence, seriesOf, summaryTable } from "./judgements.js";
import { drawScene } from "./scene.js";
import { download, linkTo } from "./share.js";
import { Wire } from "./wire.js";
import { eventWords, turnWords } from "./words.js";

const PAGE = 200; // frames asked for at once

let shown = null; // { document, kind, seat, slug, frames }
let at = 0; // events played in the frame shown
let decisions = new Map(); // index of the event -> what the review says of it
let graph = null;
let analysing = async () => {};
let running = null; // the review under way: { leave: AbortController, wire }

export async function setup({ analyse }) {
  analysing = analyse;
  graph = new Graph($("review-graph"), (n) => step(n, true));
  $("review-form").addEventListener("submit", (event) => {
    event.preventDefault();
    open($("review-text").value.trim());
  });
  $("review-file").addEventListener("change", takeFile);
  $("review-example").addEventListener("change", takeExample);
  $("review-seat").addEventListener("change", () => seen(Number($("review-seat").value)));
  const ways = { first: () => 0, back: () => at - 1, on: () => at + 1, last: () => Infinity };
  for (const [name, to] of Object.entries(ways))
    $(`review-${name}`).addEventListener("click", () => step(to(), true));
  $("review-slider").addEventListener("input", () => step(Number($("review-slider").value)));
  $("review").addEventListener("keydown", keys);
  $("review-go").addEventListener("click", judge);
  $("review-stop").addEventListener("click", stop);
  $("review-share").addEventListener("click", share);
  $("review-download").addEventListener("click", () => download(shown.document, `kibitz-${shown.slug}.json`));
  $("review-analyse").addEventListener("click", () =>
    analysing({
      text: JSON.stringify(cut(at)),
      ...(shown.kind === "table" && !frame().turn.over ? {} : { seat: shown.seat }),
    }),
  );
  const shipped = await examples();
  fill(
    $("review-example"),
    [
      ["", "choose one"],
      ...shipped.map(([slug, each], index) => [index, `${slug}: ${each.about ?? each.name}`]),
    ],
    "",
  );
}

const frame = () => shown.frames[at];

function fault(place, error) {
  complain($(place), error);
  $(place).hidden = error?.name === "AbortError";
}

async function takeFile() {
  const [file] = $("review-file").files;
  if (!file) return;
  try {
    $("review-text").value = await file.text();
    await open($("review-text").value.trim());
  } catch (error) {
    fault("review-error", error);
  }
}

async function takeExample() {
  const chosen = (await examples())[$("review-example").value];
  if (chosen) $("review-text").value = chosen[1].text.trim();
}

/** Opens a record: its text, and from which seat to look first. */
export async function open(text, seat = null) {
  say($("review-error"));
  if (!text) {
    fault("review-error", new Error("There is no record yet: paste one, load a file, or choose an example."));
    return;
  }
  try {
    const found = await call("POST", "/v1/position", { text, ...(seat === null ? {} : { seat }) });
    const document = found.record ?? found.document;
    const kind = found.record ? "table" : found.kind;
    const looker = seat ?? found.seat;
    const frames = await framesOf(document, looker);
    stop();
    $("review-text").value = text;
    shown = {
      document,
      kind,
      seat: looker,
      slug: found.view.game,
      frames,
      info: await game(found.view.game),
    };
    decisions = new Map();
    graph.clear();
    say($("review-status"), `${plural(frames.length - 1, "event")}. Not reviewed yet.`);
    say($("review-fault"));
    say($("review-shared"));
    $("review-summary").replaceChildren();
    $("review-work").hidden = false;
    const count = Math.max(...frames[0].scene.zones.map((zone) => (zone.seat ?? 0) + 1), looker + 1);
    const seats = kind === "table" ? Array.from({ length: count }, (_, index) => index) : [looker];
    fill(
      $("review-seat"),
      seats.map((each) => [each, `seat ${each}`]),
      looker,
    );
    $("review-slider").max = frames.length - 1;
    list();
    step(0);
    $("review-scene").querySelector("h2")?.focus({ preventScroll: true });
    $("review-work").scrollIntoView({ block: "start" });
  } catch (error) {
    fault("review-error", error);
  }
}

async function framesOf(document, seat) {
  const frames = [];
  for (;;) {
    const part = await call("POST", "/v1/frames", {
      record: document,
      seat,
      first: frames.length,
      count: PAGE,
    });
    frames.push(...part.frames);
    if (frames.length > part.events || part.frames.length === 0) return frames;
  }
}

async function seen(seat) {
  say($("review-error"));
  try {
    const frames = await framesOf(shown.document, seat);
    shown = { ...shown, seat, frames };
    list();
    step(at);
  } catch (error) {
    fault("review-fault", error);
  }
}

/** The record up to some event, as a document; what chance brings next stays open. */
function cut(events) {
  const { view, ...base } = shown.document;
  const part = { ...base, record: base.record.slice(0, events) };
  return shown.kind === "table" ? { ...part, chance: "manual" } : part;
}

/** Shows the table after so many events. */
function step(wanted, aloud = false) {
  const before = at;
  at = Math.min(shown.frames.length - 1, Math.max(0, wanted));
  const { scene, event, turn } = frame();
  redraw($("review-scene"), event === null ? "" : judgement(at - 1), drawScene(scene));
  const words = event === null ? "Start" : eventWords(shown.slug, event, shown.seat);
  const where = `${at} of ${shown.frames.length - 1}: ${words}`;
  $("review-where").textContent = where;
  $("review-slider").value = at;
  $("review-slider").setAttribute("aria-valuetext", where);
  for (const [id, end] of [
    ["first", 0],
    ["back", 0],
    ["on", shown.frames.length - 1],
    ["last", shown.frames.length - 1],
  ]) {
    $(`review-${id}`).setAttribute("aria-disabled", String(at === end));
  }
  graph.cursor(at);
  for (const node of $("review-moves").querySelectorAll("button")) {
    const current = Number(node.dataset.n) === at;
    if (current) {
      node.setAttribute("aria-current", "step");
      keepInSight(node);
    } else node.removeAttribute("aria-current");
  }
  if (aloud && at !== before) announce(`${where}. ${turnWords(turn, shown.seat)}.`);
}

/** Scrolls the list, and never the page. */
function keepInSight(node) {
  const box = $("review-moves");
  const top = node.offsetTop - box.offsetTop;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + node.offsetHeight > box.scrollTop + box.clientHeight)
    box.scrollTop = top + node.offsetHeight - box.clientHeight;
}

function keys(event) {
  const typing = event.target.closest("textarea, select, input, summary");
  if (!shown || typing || event.altKey || event.ctrlKey || event.metaKey) return;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: Infinity }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  step(to, true);
}

/** All events as a list to step to, with the marks of the review. */
function list() {
  const items = shown.frames.slice(1).map(({ n, event }) => {
    const decision = decisions.get(n - 1);
    const words = eventWords(shown.slug, event, shown.seat);
    const choose = { type: "button", "data-n": n, on: { click: () => step(n, true) } };
    const button = el("button", choose, el("span", {}, words), ...marking(shown.slug, decision));
    return el("li", { class: event.startsWith("*") ? "chance" : "" }, button);
  });
  $("review-moves").replaceChildren(...items);
}

/** What the review says of one event, in sentences. */
function judgement(index) {
  const decision = decisions.get(index);
  if (!decision) return "";
  const classes = decision.mark ? "judgement marked" : "judgement";
  return el("p", { class: classes }, sentence(shown.slug, decision, shown.seat));
}

async function judge() {
  const reviewed = shown;
  stop();
  const { signal } = (running = { leave: new AbortController(), wire: new Wire() }).leave;
  const own = running;
  say($("review-fault"));
  $("review-go").hidden = true;
  $("review-stop").hidden = false;
  $("review-progress").hidden = false;
  $("review-progress").value = 0;
  say($("review-status"), "Reviewing…");
  announce("The review has begun.");
  try {
    const question = { game: reviewed.slug, record: reviewed.document, ms: Number($("review-ms").value) };
    const found = await own.wire.persist(
      (line) => line.request("review", question, (note) => signal.aborted || progress(note)),
      {
        signal,
        waiting: (ms) =>
          say(
            $("review-status"),
            `The connection was lost. The review begins again in ${(ms / 1000).toFixed(1)} s…`,
          ),
      },
    );
    if (signal.aborted || shown.document !== reviewed.document) return;
    take(found);
  } catch (error) {
    if (signal.aborted) return;
    say($("review-status"), "Not reviewed.");
    fault("review-fault", error);
  } finally {
    if (running === own) finish();
  }
}

function finish() {
  running.wire.close();
  running = null;
  const held = document.activeElement === $("review-stop");
  $("review-go").hidden = false;
  $("review-stop").hidden = true;
  $("review-progress").hidden = true;
  if (held) $("review-go").focus();
}

/** Gives the review up: the engine stops when the connection that carries it ends. */
function stop() {
  if (!running) return;
  running.leave.abort();
  finish();
  say($("review-status"), "Not reviewed.");
}

function progress({ done, of, eta_ms: eta }) {
  $("review-progress").max = of;
  $("review-progress").value = done;
  const left = eta ? `, about ${Math.max(1, Math.round(eta / 1000))} s left` : "";
  say($("review-status"), `Reviewing: ${done} of ${plural(of, "decision")}${left}.`);
}

function take(found) {
  decisions = new Map(found.decisions.map((each) => [each.index, each]));
  list();
  step(at);
  const sides = { together: shown.info.cooperative, you: shown.seat };
  graph.show({ series: seriesOf(shown.slug, found.decisions, sides), length: shown.frames.length - 1 });
  graph.cursor(at);
  const marked = found.decisions.filter(({ mark }) => mark).length;
  const free = found.decisions.filter(({ forced }) => !forced).length;
  const words = `Reviewed: ${plural(free, "decision")} with a choice, ${marked || "none"} marked.`;
  say($("review-status"), words);
  announce(words);
  $("review-summary").replaceChildren(summaryTable(found.summary));
}

async function share() {
  const link = linkTo(shown.document);
  if (!link) {
    say($("review-shared"), "The record is too long for a link; download it and send the file.");
    return;
  }
  try {
    await navigator.clipboard.writeText(link);
    say(
      $("review-shared"),
      "The link is copied. The whole record stands in it, hidden cards too if the record has them.",
    );
  } catch {
    $("review-shared").replaceChildren(
      "Copy this link: ",
      el("a", { href: link, class: "long-link" }, "the record as a link"),
    );
  }
}
