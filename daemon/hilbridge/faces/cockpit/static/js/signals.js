// The values of the data bus, between two snapshots where they are quantities, so that needles move as the engine does.
//
//     shown at time now:   run time now - offset - DELAY,   offset = the least of (arrival - run time) of late
//
// Flags, levers and counters are shown as the newest snapshot has them.

const DELAY = 50; // [ms]
const KEPT = 12; // snapshots
const DRIFT = 0.02; // [ms] by which the offset gives way with every snapshot
const STALE = 1000; // [ms]

export class Signals {
  paths = [];
  entries = []; // of the data bus: path, resolution, unit, range, meaning, codes
  #head = [];
  #notAvailable = 0;
  #resolutions = [];
  #index = new Map();
  #snapshots = [];
  #offset = Infinity;
  #arrived = -Infinity;
  #shown = null;

  // The greeting names the values.
  begin({ head, record, values, not_available: notAvailable }) {
    this.#head = head;
    this.recordSize = record; // [byte]
    this.#notAvailable = notAvailable;
    this.entries = values;
    this.paths = values.map(({ path }) => path);
    this.#resolutions = values.map(({ resolution }) => resolution);
    this.#index = new Map(this.paths.map((path, i) => [path, i]));
    this.#snapshots = [];
    this.#offset = Infinity;
  }

  // A record of the snapshot ring; `time` is run time [ms].
  decode(buffer) {
    const numbers = Array.from(new BigInt64Array(buffer), Number);
    const head = Object.fromEntries(this.#head.map((name, i) => [name, numbers[i]]));
    return { time: head.t / 1e6, head, values: numbers.slice(this.#head.length) };
  }

  // Returns the snapshot.
  take(buffer, now) {
    const snapshot = this.decode(buffer);
    const { time } = snapshot;
    const last = this.#snapshots.at(-1);
    if (last && (time < last.time || time > last.time + 2000)) this.#snapshots = [];
    this.#offset = Math.min(this.#offset + DRIFT, now - time);
    if (now - time > this.#offset + 2000 || this.#snapshots.length === 0) this.#offset = now - time;
    this.#snapshots.push(snapshot);
    if (this.#snapshots.length > KEPT) this.#snapshots.shift();
    this.#arrived = now;
    return snapshot;
  }

  // Chooses the two snapshots around the time that is shown.
  advance(now) {
    const time = now - this.#offset - DELAY;
    const after = this.#snapshots.findIndex((snapshot) => snapshot.time > time);
    const newest = this.#snapshots.at(-1);
    if (!newest) return;
    if (after <= 0) {
      const only = after === 0 ? this.#snapshots[0] : newest;
      this.#shown = { before: only, after: only, share: 0 };
      return;
    }
    const [from, to] = [this.#snapshots[after - 1], this.#snapshots[after]];
    this.#shown = { before: from, after: to, share: (time - from.time) / (to.time - from.time) };
  }

  get isLive() {
    return performance.now() - this.#arrived < STALE;
  }

  // [s] since the last snapshot, which may be long after the connection has opened, or before it was lost.
  get silence() {
    return (performance.now() - this.#arrived) / 1000;
  }

  get newest() {
    return this.#snapshots.at(-1)?.head ?? null;
  }

  // In the entry's unit; NaN where there is no value.
  read(path) {
    const i = this.#index.get(path);
    if (i === undefined || !this.#shown) return NaN;
    const { before, after, share } = this.#shown;
    const [from, to] = [before.values[i], after.values[i]];
    if (from === this.#notAvailable || to === this.#notAvailable) return NaN;
    if (this.#resolutions[i] === 1) return from;
    return (from + (to - from) * share) / this.#resolutions[i];
  }

  // Of a row of the history.
  valueIn(values, path) {
    const i = this.#index.get(path);
    return i === undefined || values[i] === this.#notAvailable ? NaN : values[i] / this.#resolutions[i];
  }

  // [s] of the run that is shown now; NaN before the first snapshot.
  get time() {
    const { before, after, share } = this.#shown ?? {};
    return before ? (before.time + (after.time - before.time) * share) / 1000 : NaN;
  }

  entry(path) {
    return this.entries[this.#index.get(path)];
  }

  // Of the data bus; units.js says how it is shown.
  unit(path) {
    return this.entry(path)?.unit ?? "";
  }
}
