// The bot protocol over a WebSocket: requests with replies, notifications, a new connection when one is lost.

import { currentToken, Refused } from "./http.js";
import { base64url } from "./share.js";

const FIRST_WAIT = 500; // ms before a lost connection is tried again; doubled each time
const LONGEST_WAIT = 15_000;

/** What a request fails with when the connection goes: it may be sent again. */
export class Lost extends Refused {
  constructor() {
    super("The connection to the engine was lost.", { kind: "lost" });
    this.name = "Lost";
  }
}

export class Wire {
  #socket = null;
  #opening = null;
  #pending = new Map(); // id -> { resolve, reject, note }
  #next = 1;
  #failures = 0;
  #ended = false;

  /** Sends a request and waits for its reply. `note` gets the notifications that belong to it. */
  async request(method, params = {}, note = null) {
    await this.#open();
    return this.#send(method, params, note);
  }

  /** As `request`, but begins anew when the connection is lost. `waiting` is told the ms until then. */
  async persist(work, { waiting = () => {}, signal } = {}) {
    for (;;) {
      signal?.throwIfAborted();
      try {
        return await work(this);
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        signal?.throwIfAborted();
        const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#failures);
        this.#failures += 1;
        waiting(wait);
        await pause(wait, signal);
      }
    }
  }

  /** Ends the connection and with it all that runs on it. */
  close() {
    this.#ended = true;
    this.#socket?.close();
  }

  #open() {
    this.#opening ??= this.#connect().catch((error) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  async #connect() {
    const address = new URL("/v1/ws", location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const used = currentToken(); // a browser sends no headers with a WebSocket, but subprotocols
    const socket = new WebSocket(
      address,
      used ? ["kibitz.1", `kibitz.token.${base64url(used)}`] : ["kibitz.1"],
    );
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve, { once: true });
      socket.addEventListener("error", () => reject(new Lost()), { once: true });
    });
    if (this.#ended) {
      socket.close();
      throw new Lost();
    }
    this.#socket = socket;
    socket.addEventListener("message", (event) => this.#receive(event.data));
    socket.addEventListener("close", () => this.#lost(socket));
    await this.#send("hello", { protocol: "1", client: "kibitz page" });
    this.#failures = 0;
  }

  #send(method, params, note = null) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      if (this.#socket?.readyState !== WebSocket.OPEN) {
        reject(new Lost());
        return;
      }
      this.#pending.set(id, { resolve, reject, note });
      this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  #receive(text) {
    const message = JSON.parse(text);
    if (message.method) {
      this.#pending.get(message.params?.id)?.note?.(message.params, message.method);
      return;
    }
    const waiting = this.#pending.get(message.id);
    if (!waiting) return;
    this.#pending.delete(message.id);
    if (message.error) waiting.reject(new Refused(message.error.message, { kind: message.error.data?.kind }));
    else waiting.resolve(message.result);
  }

  #lost(socket) {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.#opening = null;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(new Lost());
  }
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** The connection that searches share; opened when first used. */
export const wire = new Wire();
