// How full a bus is: a bar with the shares of its frames, and the course of the last minutes. Worst-case bits over the bit
// rate; the periods are those that were measured (frames.js).

import { draw, make, tell } from "./dom.js";

const KEPT = 240; // half seconds
const SHARES = 6; // frames with a colour of their own

export class Load {
  #bar = make("div", { class: "shares" });
  #said = make("p", {});
  #line = draw("path", { class: "trail" });
  #course = [];
  element;

  constructor() {
    const spark = draw("svg", { viewBox: `0 0 ${KEPT} 30`, preserveAspectRatio: "none", "aria-hidden": "true" });
    spark.append(this.#line);
    this.element = make("div", { class: "load" }, this.#bar, spark, this.#said);
  }

  // `rows`: {name, bits} in a second, the greatest first.
  show(rows, bitrate) {
    const total = rows.reduce((sum, { bits }) => sum + bits, 0) / bitrate;
    this.element.hidden = !Number.isFinite(total);
    if (this.element.hidden) return;
    while (this.#bar.childElementCount < SHARES + 1) this.#bar.append(make("span", {}));
    const others = rows.slice(SHARES).reduce((sum, { bits }) => sum + bits, 0);
    const shares = [...rows.slice(0, SHARES), { name: "others", bits: others }];
    [...this.#bar.children].forEach((part, i) => {
      const { name, bits } = shares[i] ?? { name: "", bits: 0 };
      part.style.width = `${((100 * bits) / bitrate).toFixed(2)}%`;
      part.title = `${name} ${((100 * bits) / bitrate).toFixed(1)} %`;
    });
    this.#bar.dataset.full = String(total > 0.7);
    this.#course.push(total);
    if (this.#course.length > KEPT) this.#course.shift();
    const most = Math.max(0.1, ...this.#course);
    const points = this.#course.map((share, i) => `${KEPT - this.#course.length + i} ${(29 - (28 * share) / most).toFixed(1)}`);
    this.#line.setAttribute("d", `M${points.join(" L")}`);
    const first = rows[0] ? `, most of it ${rows[0].name}` : "";
    tell(this.#said, `load ${(100 * total).toFixed(1)} % of ${bitrate / 1000} kbit/s${first}`);
  }
}
