// One search at a time in one session of the protocol: shows it what a seat knows, lets it think, stops it.

import { wire } from "./wire.js";

const INFO_MS = 200; // between two reports of a search: quick enough to watch, slow enough to read

export class Thinking {
  #session;
  #running = null; // { ended: promise, leave: AbortController }

  constructor(session) {
    this.#session = session;
  }

  get running() {
    return this.#running !== null;
  }

  /**
   * Searches until its limit or `stop`, from the beginning again if the connection is lost on the way.
   *
   * @param view the seat's view document
   * @param limit `{ until: "stop" }` or `{ ms: 1000 }`
   * @param hooks info: called with each report; waiting: with the ms until a lost connection is tried again
   * @returns the result of `go`, or null if it was given up while there was no connection
   */
  async start(view, limit, { info = () => {}, waiting = () => {} } = {}) {
    do await this.stop();
    while (this.#running); // another one may have begun meanwhile
    const leave = new AbortController();
    const work = async (line) => {
      await line.request("view", { s: this.#session, game: view.game, options: view.options, view });
      leave.signal.throwIfAborted();
      return line.request("go", { s: this.#session, ...limit, top: "all", info_ms: INFO_MS }, info);
    };
    const answer = wire.persist(work, { waiting, signal: leave.signal });
    const run = { leave, ended: answer.catch(() => null) };
    this.#running = run;
    try {
      return await answer;
    } catch (error) {
      if (leave.signal.aborted) return null;
      throw error;
    } finally {
      if (this.#running === run) this.#running = null;
    }
  }

  /** Ends the search, if there is one, and waits for its result. */
  async stop() {
    const run = this.#running;
    if (!run) return;
    run.leave.abort();
    await wire.request("stop", { s: this.#session }).catch(() => {});
    await run.ended;
  }
}
