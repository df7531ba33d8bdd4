// A data sheet to aim at: points of torque and power, and how far the engine misses them.

import { find, make, tell } from "./dom.js";

export class Targets {
  #change;
  #rows = [];

  constructor(change) {
    this.#change = change;
    find("add-target").onclick = () => this.#add({ kind: "torque", rpm: "", value: "" });
  }

  set(points) {
    this.#rows = [];
    find("targets").replaceChildren();
    points.forEach((point) => this.#add(point));
  }

  // The points that are complete.
  get points() {
    return this.#rows.map(({ point }) => point()).filter(({ rpm, value }) => rpm > 0 && value > 0);
  }

  // Shows the deviation from the curves of an engine, in percent.
  show({ rpm, torque, power_in_kw: power }) {
    for (const { point, deviation } of this.#rows) {
      const { kind, rpm: at, value } = point();
      const reached = between(rpm, kind === "power" ? power : torque, at);
      const complete = at > 0 && value > 0;
      const share = complete && reached !== null ? reached / value - 1 : null;
      deviation.dataset.far = String(share !== null && Math.abs(share) > 0.03);
      tell(deviation, share === null ? (complete ? "no torque" : "") : `${share < 0 ? "−" : "+"}${Math.abs(100 * share).toFixed(1)} %`);
    }
  }

  #add({ kind, rpm, value }) {
    const number = this.#rows.length + 1;
    const choice = make("select", { "aria-label": `Figure ${number}` }, make("option", { value: "torque" }, "Torque, Nm"), make("option", { value: "power" }, "Power, kW"));
    choice.value = kind;
    const speed = make("input", { type: "number", min: "1", step: "any", placeholder: "rpm", "aria-label": `Speed of figure ${number}, rpm` });
    const figure = make("input", { type: "number", min: "0", step: "any", placeholder: "value", "aria-label": `Value of figure ${number}` });
    [speed.value, figure.value] = [rpm, value];
    const deviation = make("output", { "aria-label": `Deviation of figure ${number}` });
    const remove = make("button", { type: "button", "aria-label": `Remove figure ${number}` }, "×");
    const element = make("li", { class: "target-row" }, choice, figure, make("span", { class: "unit" }, "at"), speed, make("span", { class: "unit" }, "rpm"), deviation, remove);
    const row = { point: () => ({ kind: choice.value, rpm: speed.valueAsNumber || 0, value: figure.valueAsNumber || 0 }), deviation };
    for (const input of [choice, speed, figure]) input.oninput = () => this.#change();
    remove.onclick = () => {
      this.#rows.splice(this.#rows.indexOf(row), 1);
      element.remove();
      this.#change();
    };
    this.#rows.push(row);
    find("targets").append(element);
  }
}

// The value of a curve at x; null beyond its ends.
function between(xs, ys, x) {
  const after = xs.findIndex((one) => one >= x);
  if (after < 0 || x < xs[0]) return null;
  if (xs[after] === x || after === 0) return ys[after];
  const [x0, x1, y0, y1] = [xs[after - 1], xs[after], ys[after - 1], ys[after]];
  return y0 === null || y1 === null ? null : y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}
