// A round instrument: its least at the lower left, its end at the lower right, 270 degrees between them.
//
//     angle = -135° + 270° · (value - least) / (most - least)          clockwise from straight up
//
// With a least of 0 it shows magnitudes, as a speedometer does.
//
// A second, small mark outside the scale shows the other one of frames and model (`mark`). A needle of the model alone is
// hollow (`data-from`), where others follow frames.
//
// Numerals stand outside the scale, where the needle does not reach; figure and unit below the hub, where it does not go.

import { draw, tell } from "./dom.js";

const SWEEP = 270;
const RADIUS = 80;
const [X, Y] = [120, 104]; // of the hub
const SPOKEN = 500; // [ms] between two values for screen readers

export class Dial {
  #least;
  #most;
  #needle;
  #swept;
  #mark;
  #value;
  #element;
  #spoken = -Infinity;
  #unit;

  // `step` between figures; red from `red` on.
  constructor(element, { label, unit, least = 0, most, step, minor, red = Infinity }) {
    this.#least = least;
    this.#most = most;
    const share = (value) => (value - least) / (most - least);
    this.#element = element;
    this.#unit = unit;
    const svg = draw("svg", { viewBox: "0 0 240 194", "aria-hidden": "true" });
    svg.append(draw("path", { class: "track", d: arc(0, 1) }));
    if (red < most) svg.append(draw("path", { class: "red", d: arc(share(red), 1) }));
    this.#swept = draw("path", { class: "swept" });
    svg.append(this.#swept);
    for (let value = least; value <= most + 1e-9; value += minor) svg.append(tick(share(value), value % step === 0));
    for (let value = least; value <= most + 1e-9; value += step) svg.append(figure(share(value), value, value >= red));
    this.#mark = draw("path", { class: "mark-of-other", d: `M${X} ${Y - RADIUS - 2} l-4.5 -8 h9 Z`, visibility: "hidden" });
    svg.append(this.#mark);
    this.#needle = draw("path", { class: "needle", d: `M${X - 2} ${Y + 4} L${X - 0.7} 38 L${X + 0.7} 38 L${X + 2} ${Y + 4} Z` });
    this.#value = draw("text", { class: "value", x: X, y: 173 });
    svg.append(draw("text", { class: "unit", x: X, y: 189 }, unit), this.#value);
    svg.append(this.#needle, draw("circle", { class: "hub", cx: X, cy: Y, r: 6 }));
    element.replaceChildren(svg);
    const said = { role: "meter", "aria-label": label, "aria-valuemin": String(least), "aria-valuemax": String(most) };
    for (const [name, value] of Object.entries(said)) element.setAttribute(name, value);
    this.show(0, 0);
  }

  // `from`: what moves the needle, `frames` or `model`.
  show(value, now, from = "model") {
    if (this.#element.dataset.from !== from) this.#element.dataset.from = from;
    const signed = Number.isFinite(value) ? value : 0;
    const known = this.#least < 0 ? signed : Math.abs(signed);
    const share = this.#share(known);
    const zero = -this.#least / (this.#most - this.#least);
    this.#needle.setAttribute("transform", `rotate(${(-SWEEP / 2 + SWEEP * share).toFixed(2)} ${X} ${Y})`);
    this.#swept.setAttribute("d", arc(Math.min(zero, share), Math.max(zero, share, 0.0005)));
    const text = known.toFixed(0).replace(/^-0$/, "0");
    tell(this.#value, text);
    if (now - this.#spoken > SPOKEN) {
      this.#spoken = now;
      this.#element.setAttribute("aria-valuenow", text);
      this.#element.setAttribute("aria-valuetext", `${text} ${this.#unit}`);
    }
  }

  // NaN: there is nothing else to show.
  mark(value) {
    this.#mark.setAttribute("visibility", Number.isFinite(value) ? "visible" : "hidden");
    if (Number.isFinite(value)) this.#mark.setAttribute("transform", `rotate(${(-SWEEP / 2 + SWEEP * this.#share(value)).toFixed(1)} ${X} ${Y})`);
  }

  #share(value) {
    return Math.min(Math.max((value - this.#least) / (this.#most - this.#least), 0), 1);
  }
}

function at(share, radius) {
  const angle = ((-SWEEP / 2 + SWEEP * share) * Math.PI) / 180;
  return [X + radius * Math.sin(angle), Y - radius * Math.cos(angle)].map((value) => value.toFixed(2));
}

function arc(from, to) {
  const large = (to - from) * SWEEP > 180 ? 1 : 0;
  return `M${at(from, RADIUS)} A${RADIUS} ${RADIUS} 0 ${large} 1 ${at(to, RADIUS)}`;
}

function tick(share, major) {
  const [x1, y1] = at(share, RADIUS - 3);
  const [x2, y2] = at(share, RADIUS - (major ? 11 : 7));
  return draw("line", { class: major ? "tick major" : "tick", x1, y1, x2, y2 });
}

function figure(share, value, past) {
  const [x, y] = at(share, RADIUS + 19);
  return draw("text", { class: past ? "figure past" : "figure", x, y }, String(value));
}
