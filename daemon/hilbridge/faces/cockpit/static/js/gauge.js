// A small gauge: a bar between two letters, with its symbol; grey while cold, amber and red beyond limits.

import { draw, make, tell } from "./dom.js";
import { symbol } from "./symbols.js";

export class Gauge {
  #element;
  #bar;
  #text;

  constructor(element, name, label, [least, most]) {
    this.#element = element;
    this.#bar = draw("rect", { class: "filled", x: 0, y: 0, width: 0, height: 6, rx: 2 });
    const scale = draw("svg", { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" });
    scale.append(draw("rect", { class: "track", x: 0, y: 0, width: 100, height: 6, rx: 2 }), this.#bar);
    this.#text = make("output", {}, "–");
    const letter = (text) => make("span", { "aria-hidden": "true" }, text);
    element.replaceChildren(symbol(name), make("span", { class: "sr" }, label), letter(least), scale, letter(most), this.#text);
  }

  show(share, text, look, from = "model") {
    if (this.#element.dataset.from !== from) {
      this.#element.dataset.from = from;
      this.#element.title = from === "frames" ? "as the frames say" : "by the model";
    }
    this.#bar.setAttribute("width", Number.isFinite(share) ? (100 * Math.min(Math.max(share, 0), 1)).toFixed(1) : "0");
    if (this.#element.dataset.look !== look) this.#element.dataset.look = look;
    tell(this.#text, Number.isFinite(share) ? text : "–");
  }
}
