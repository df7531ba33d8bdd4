// The last arrivals of a frame against its period: a bar for each, up by how much it came late, down where it came early,
// a point where it came on its tick. Half a period is the whole height; what is off by more is cut there, in amber.
// Times are those of ticks, which are whole ones.

import { draw, make, tell } from "./dom.js";

const [WIDTH, HEIGHT, MIDDLE] = [47, 18, 9];
const STEP = 3; // [px]
const LEAST = 2; // [px] of what is off by a tick
const LEAST_TICKS = 0.6; // less is no deviation, where a period is no whole number of ticks

export class Arrivals {
  #bars = draw("path", { class: "bars" });
  #off = draw("path", { class: "off" });
  #text = make("span", { class: "sr" });
  #shown = "";

  constructor() {
    const axis = draw("path", { class: "axis", d: `M0 ${MIDDLE}H${WIDTH}` });
    const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, "aria-hidden": "true" });
    svg.append(axis, this.#bars, this.#off);
    this.words = "";
    this.element = make("span", { class: "arrivals", hidden: "" }, svg, this.#text);
  }

  // `intervals` [ms] between frames, oldest first, `period` [ms], `rate` [1/s] of ticks.
  show(intervals, period, rate) {
    const shown = `${period} ${intervals}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    const isKnown = intervals.length > 0 && period > 0;
    if (this.element.hidden === isKnown) this.element.hidden = !isKnown;
    this.words = "";
    if (!isKnown) return;
    const deviations = intervals.map((one) => ((one - period) * rate) / 1000); // ticks
    const paths = { bars: "", off: "" };
    deviations.forEach((deviation, i) => {
      const x = WIDTH - 2 - STEP * (deviations.length - 1 - i);
      const share = (2 * deviation * 1000) / (period * rate);
      const long = Math.abs(deviation) <= LEAST_TICKS ? 0 : Math.max(LEAST, Math.min(Math.abs(share), 1) * MIDDLE);
      paths[Math.abs(share) > 1 ? "off" : "bars"] += `M${x} ${MIDDLE - (long ? 0 : 1)}v${long ? (-Math.sign(share) * long).toFixed(1) : 2}`;
    });
    this.#bars.setAttribute("d", paths.bars);
    this.#off.setAttribute("d", paths.off);
    this.words = told(deviations);
    tell(this.#text, this.words);
    if (this.element.title !== this.words) this.element.title = this.words;
  }
}

// In words: how early and how late they came.
function told(deviations) {
  const [least, most] = [Math.min(...deviations), Math.max(...deviations)].map((one) => (Math.abs(one) <= LEAST_TICKS ? 0 : one));
  const last = `Last ${deviations.length} intervals: `;
  if (least === 0 && most === 0) return `${last}each the period, to the tick`;
  const sign = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Number(Math.abs(value).toFixed(1))}`;
  return `${last}${sign(least)} to ${sign(most)} ticks from the period`;
}
