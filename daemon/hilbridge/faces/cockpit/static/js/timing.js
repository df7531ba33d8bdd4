// How late ticks begin: their number by powers of two of a microsecond, on a logarithmic scale.

import { counted, draw, find, make, tell } from "./dom.js";

const [HEIGHT, BASE, TOP, LEFT, RIGHT] = [112, 92, 8, 36, 12];
const FEWEST = 8; // bars
const WIDEST = 30; // [px] of a bar
const CRAMPED = 58; // [px] for a bar: every second one has its name

export class Timing {
  #figures;

  constructor() {
    this.#figures = ["Median", "99 %", "Largest"].map((name) => {
      const value = make("dd", {}, "–");
      return { element: make("div", {}, make("dt", {}, name), value), value };
    });
    find("lateness").replaceChildren(...this.#figures.map(({ element }) => element));
  }

  show({ counts, p50, p99, max }) {
    [p50, p99, max].forEach((value, i) => tell(this.#figures[i].value, microseconds(value / 1000)));
    const width = find("histogram").clientWidth;
    if (!width) return; // another view is shown
    const first = Math.min(Math.max(counts.findIndex(Boolean), 0), counts.length - FEWEST);
    const last = Math.max(counts.findLastIndex(Boolean), first + FEWEST - 1);
    const decades = Math.max(1, Math.ceil(Math.log10(Math.max(...counts, 1))));
    const height = (count) => ((Math.log10(count) + 1) / (decades + 1)) * (BASE - TOP); // a single tick is seen too
    const bar = (width - LEFT - RIGHT) / (last - first + 1); // the last name is wider than its bar
    const said = counts.map((count, i) => (count ? `${name(i)}: ${count}` : "")).filter(Boolean).join("; ");
    const svg = draw("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": `Ticks by lateness. ${said}` });
    for (let decade = 0; decade <= decades; decade += decades > 4 ? 2 : 1) {
      const y = BASE - height(10 ** decade);
      svg.append(draw("line", { x1: LEFT, x2: width, y1: y, y2: y }));
      svg.append(draw("text", { class: "count", x: LEFT - 5, y: y + 4 }, compact(10 ** decade)));
    }
    counts.slice(first, last + 1).forEach((count, i) => {
      const middle = LEFT + bar * (i + 0.5);
      const thick = Math.min(bar - 4, WIDEST);
      const bars = { x: middle - thick / 2, width: thick, y: BASE - (count && height(count)), height: count && height(count), rx: 2 };
      svg.append(draw("rect", bars));
      if (bar >= CRAMPED || i % 2 === 0) svg.append(draw("text", { x: middle, y: BASE + 15 }, name(first + i)));
    });
    find("histogram").replaceChildren(svg);
  }

  missed(head) {
    if (head) tell(find("missed"), `${counted(head.ticks, "tick")} done, ${head.missed.toLocaleString("en")} missed`);
  }
}

function name(octave) {
  return octave === 15 ? "more" : `<${microseconds(2 ** octave)}`;
}

function microseconds(value) {
  return value >= 1000 ? `${Number((value / 1000).toPrecision(2))} ms` : `${Math.round(value)} µs`;
}

function compact(count) {
  return Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(count);
}
