// How late ticks begin: their number by powers of two of a microsecond, on a logarithmic scale.

import { draw, find, make, tell } from "./dom.js";

const [HEIGHT, BASE, TOP] = [150, 126, 18];
const FEWEST = 8; // bars
const WIDEST = 44; // [px] of a bar
const CRAMPED = 50; // [px] for a bar: the names do without their "<"

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
    const first = Math.min(Math.max(counts.findIndex(Boolean), 0), counts.length - FEWEST);
    const last = Math.max(counts.findLastIndex(Boolean), first + FEWEST - 1);
    const most = Math.log10(1 + Math.max(...counts, 9));
    const width = find("histogram").clientWidth;
    const bar = width / (last - first + 1);
    const thick = Math.min(bar - 6, WIDEST);
    const said = counts.map((count, i) => (count ? `${name(i)}: ${count}` : "")).filter(Boolean).join("; ");
    const svg = draw("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": `Ticks by lateness. ${said}` });
    svg.append(draw("line", { x1: 0, x2: width, y1: BASE + 0.5, y2: BASE + 0.5 }));
    counts.slice(first, last + 1).forEach((count, i) => {
      const size = count ? Math.max(2, (Math.log10(1 + count) / most) * (BASE - TOP)) : 0;
      const middle = bar * (i + 0.5);
      svg.append(draw("rect", { x: middle - thick / 2, width: thick, y: BASE - size, height: size, rx: 2 }));
      svg.append(draw("text", { x: middle, y: BASE + 17 }, bar < CRAMPED ? name(first + i).replace("<", "") : name(first + i)));
      if (count) svg.append(draw("text", { class: "count", x: middle, y: BASE - size - 5 }, compact(count)));
    });
    find("histogram").replaceChildren(svg);
  }

  missed(head) {
    if (head) tell(find("missed"), `${head.ticks.toLocaleString("en")} ticks done, ${head.missed.toLocaleString("en")} missed`);
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
