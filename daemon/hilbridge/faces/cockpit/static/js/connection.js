// The WebSocket: messages by kind to whoever listens, commands with their answers, a new connection after a loss.
// A page that is left closes it at once, for browsers keep such pages alive, and the server what they hold. One that hangs
// lets go too: it no longer says that it is there, as it does with what comes in, which no browser slows down out of sight.

import { ask, openSocket } from "./door.js";

const FIRST_DELAY = 250;
const LONGEST_DELAY = 4000; // [ms]
const SIGN = 500; // [ms] between two signs of life
const LOST = "connection lost";
const REFUSED = "another bench: open its address";

export class Connection extends EventTarget {
  #socket = null;
  #delay = FIRST_DELAY;
  #number = 0;
  #waiting = new Map();
  #loss = LOST;
  #signed = -Infinity;

  constructor() {
    super();
    addEventListener("pagehide", () => this.#leave());
    addEventListener("pageshow", (event) => event.persisted && this.open());
  }

  open() {
    const socket = openSocket();
    socket.binaryType = "arraybuffer";
    socket.onmessage = (event) => this.#take(event.data);
    socket.onclose = () => this.#lose();
    this.#socket = socket;
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  // Resolves to the daemon's answer; `{error: reason}` also where it cannot be asked.
  send(command) {
    if (!this.isOpen) return Promise.resolve({ error: "there is no connection" });
    const id = ++this.#number;
    this.#socket.send(JSON.stringify({ id, command }));
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  #take(data) {
    this.#sign(performance.now());
    if (data instanceof ArrayBuffer) {
      this.#say("snapshot", data);
      return;
    }
    const message = JSON.parse(data);
    if (message.kind === "answer") {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
      return;
    }
    if (message.kind === "hello") {
      this.#delay = FIRST_DELAY;
      this.#loss = LOST;
    }
    this.#say(message.kind, message);
  }

  #sign(now) {
    if (now - this.#signed < SIGN || !this.isOpen) return;
    this.#signed = now;
    this.send({ command: "here" });
  }

  #leave() {
    this.#socket.onclose = null;
    this.#socket.close();
    this.#lose(false);
  }

  #lose(again = true) {
    for (const resolve of this.#waiting.values()) resolve({ error: "the connection was lost" });
    this.#waiting.clear();
    this.#say("lost", this.#loss);
    if (!again) return;
    this.#learnWhy();
    setTimeout(() => this.open(), this.#delay);
    this.#delay = Math.min(2 * this.#delay, LONGEST_DELAY);
  }

  // A bench has a token of its own, and refuses that of another one.
  async #learnWhy() {
    const answer = await ask("/", { method: "HEAD" }).catch(() => null);
    if (answer?.status !== 401) return;
    this.#loss = REFUSED;
    this.#say("refused", REFUSED);
  }

  #say(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}
