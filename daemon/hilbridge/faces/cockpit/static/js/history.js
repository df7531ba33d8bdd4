// What the values were: rows of all entries by run time, from the start of the run on.
//
// What was before the page was opened comes from the server, coarser the longer the run. From then on every snapshot is
// kept; when there are MOST rows, every second one that is older than RECENT is dropped, so a peak of long ago may be
// missing between two rows.

const MOST = 8000; // rows
const RECENT = 90; // [s]
const EVERY = 0.045; // [s] between two rows

export class History {
  #signals;
  #rows = []; // [time in s, integers of all entries]

  constructor(signals) {
    this.#signals = signals;
  }

  get start() {
    return this.#rows[0]?.time ?? 0;
  }

  get end() {
    return this.#rows.at(-1)?.time ?? 0;
  }

  // What the server has from before, as records of the snapshot ring.
  prepend(buffer) {
    const size = this.#signals.recordSize;
    const count = Math.floor(buffer.byteLength / size);
    const first = this.#rows[0]?.time ?? Infinity;
    const rows = Array.from({ length: count }, (_, i) => this.#signals.decode(buffer.slice(i * size, (i + 1) * size)));
    this.#rows.unshift(...rows.map(toRow).filter(({ time }) => time < first - EVERY));
  }

  take(snapshot) {
    const row = toRow(snapshot);
    if (row.time < this.end) this.#rows = []; // another run
    if (this.#rows.length && row.time < this.end + EVERY) return;
    this.#rows.push(row);
    if (this.#rows.length >= MOST) this.#thin();
  }

  // Nothing is known from here to the next row.
  interrupt() {
    if (this.#rows.length) this.#rows.push({ time: this.end, values: [] });
  }

  // The rows of a span of time, with the nearest row on either side.
  between(from, to) {
    return this.#rows.slice(Math.max(this.#after(from) - 1, 0), this.#after(to) + 1);
  }

  // The newest row not after a time.
  at(time) {
    return this.#rows[Math.max(this.#after(time) - 1, 0)];
  }

  // The rows on either side of a time, and its share of the way between them; null outside of what is known.
  around(time) {
    const i = this.#after(time);
    const [before, after] = [this.#rows[i - 1], this.#rows[i]];
    if (!before || (!after && time > before.time)) return null;
    return { before: before.values, after: (after ?? before).values, share: after ? (time - before.time) / (after.time - before.time) : 0 };
  }

  // The index of the first row after a time.
  #after(time) {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#rows[middle].time > time) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #thin() {
    const recent = this.end - RECENT;
    this.#rows = this.#rows.filter(({ time }, i) => time > recent || i % 2 === 0);
  }
}

function toRow({ time, values }) {
  return { time: time / 1000, values };
}
