// The two measuring cursors of the strips, A and B: where they stand, the time between them and its inverse. They stay at
// their times of the run. Measuring begins with a pause, and with both in sight.
//
//     drag a cursor, with mouse or finger    moves it
//     click, tap                             brings the nearer one there
//     1   2                                  bring A or B under the pointer, or to the middle
//     its field                              takes a time; arrows move it by 10 ms

import { find, tell } from "./dom.js";
import { short } from "./units.js";

const NAMES = ["a", "b"];

export class Measure extends EventTarget {
  times = null; // [s, s] of the run; null: nothing is measured
  #timeline;

  constructor(timeline) {
    super();
    this.#timeline = timeline;
    timeline.measure = this;
    find("measure").onclick = () => (this.times ? this.#end() : this.#begin());
    NAMES.forEach((name, i) => {
      find(`cursor-${name}`).oninput = ({ target }) => Number.isFinite(target.valueAsNumber) && this.#move(i, target.valueAsNumber);
      find(`cursor-${name}`).onblur = () => this.#say();
    });
    this.#say();
  }

  // What moves the cursor that stands at a time, give or take `reach` [s]; null: none does.
  grab(time, reach) {
    const i = this.#nearer(time);
    return this.times && Math.abs(this.times[i] - time) <= reach ? (to) => this.#move(i, to) : null;
  }

  place(time) {
    if (this.times) this.#move(this.#nearer(time), time);
  }

  // Whether a key is one of the cursors'.
  press(key) {
    const i = ["1", "2"].indexOf(key);
    if (i < 0 || !this.times) return false;
    const [from, to] = this.#timeline.window;
    this.#move(i, this.#timeline.cursor ?? (from + to) / 2);
    return true;
  }

  #begin() {
    if (this.#timeline.isLive) this.#timeline.pause();
    const [from, to] = this.#timeline.known;
    this.times = [1, 2].map((part) => inMilliseconds(from + (part / 3) * (to - from)));
    this.#say();
  }

  #end() {
    this.times = null;
    this.#say();
  }

  #nearer(time) {
    const [a, b] = this.times ?? [0, 0];
    return Math.abs(a - time) <= Math.abs(b - time) ? 0 : 1;
  }

  #move(i, time) {
    this.times[i] = inMilliseconds(Math.max(time, 0));
    this.#say();
  }

  #say() {
    find("measure").setAttribute("aria-pressed", String(this.times !== null));
    find("measured").hidden = this.times === null;
    this.dispatchEvent(new Event("change"));
    if (!this.times) return;
    NAMES.forEach((name, i) => {
      const field = find(`cursor-${name}`);
      if (field !== document.activeElement) field.value = this.times[i].toFixed(3);
    });
    const between = this.times[1] - this.times[0];
    tell(find("between"), `${between.toFixed(3)} s`);
    tell(find("rate-between"), between ? `${short(Math.abs(1 / between))} Hz` : "–");
  }
}

// What the fields show is what is reckoned with.
function inMilliseconds(time) {
  return Math.round(1000 * time) / 1000;
}
