// The page: three activities behind tabs, one of them named in the address.

import * as analyse from "./analyse.js";
import { $, complain, say } from "./dom.js";
import * as play from "./play.js";
import * as review from "./review.js";
import { recordIn } from "./share.js";

const NAMES = ["analyse", "play", "review"];
let current = "analyse";

/** Shows one activity. */
function show(name, { focus = false, address = true } = {}) {
  if (name !== "analyse") analyse.leave();
  current = name;
  for (const each of NAMES) {
    const tab = $(`tab-${each}`);
    const chosen = each === name;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    $(each).hidden = !chosen;
    if (chosen && focus) tab.focus();
  }
  if (address) history.replaceState(null, "", `#${name}`);
}

function tabKeys(event) {
  const here = NAMES.indexOf(current);
  const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: NAMES.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  show(NAMES[(to + NAMES.length) % NAMES.length], { focus: true });
}

/** Follows the address: an activity, or a record that came with a link. */
async function follow() {
  try {
    const text = recordIn(location.hash);
    if (text !== null) {
      show("review", { address: false });
      await review.open(text);
      return;
    }
  } catch (error) {
    show("review");
    complain($("review-error"), error);
    $("review-error").hidden = false;
    return;
  }
  const name = location.hash.slice(1);
  show(NAMES.includes(name) ? name : "analyse", { address: false });
}

async function start() {
  for (const name of NAMES) $(`tab-${name}`).addEventListener("click", () => show(name));
  document.querySelector("[role=tablist]").addEventListener("keydown", tabKeys);
  addEventListener("hashchange", follow);
  say($("page-error"));
  try {
    await analyse.setup();
    await play.setup({
      review: async (document, seat) => {
        show("review");
        await review.open(JSON.stringify(document), seat);
      },
    });
    await review.setup({
      analyse: async (question) => {
        show("analyse");
        await analyse.open(question);
      },
    });
    await follow();
    document.documentElement.dataset.ready = "yes";
  } catch (error) {
    complain($("page-error"), error);
    $("page-error").hidden = false;
  }
}

await start();
