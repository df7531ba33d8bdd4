// An engine's graph: torque and power, consumption, throttle map, one above the other over the same speeds. The lines are
// those of `hilbridge engine --plot`.

import { draw, find, make } from "./dom.js";

const LEFT = 46;
const RIGHT = 46;
const NARROW = matchMedia("(max-width: 700px)");
const LINES = [
  ["torque", "torque"],
  ["uncapped", "without cap"],
  ["raw", "raw torque"],
  ["friction", "friction"],
  ["power", "power"],
  ["fuel", "consumption"],
  ["limiter", "limiter"],
  ["point", "parameters"],
  ["other", "compared"],
  ["target", "data sheet"],
];
const WORST = 2.5; // multiple of the best consumption at which its panel ends

let width = 760; // as many units as make letters readable

export class Graph {
  #shown = null;

  constructor() {
    NARROW.addEventListener("change", () => this.#shown && this.show(this.#shown));
  }

  show(engine) {
    this.#shown = engine;
    width = NARROW.matches ? 420 : 760;
    const { sheet, curves, throttle, points, limiter, capped, other = null, targets = [] } = engine;
    const speeds = curves.rpm;
    const ends = [speeds[0], speeds.at(-1), ...(other ? [other.curves.rpm[0], other.curves.rpm.at(-1)] : []), ...targets.map(({ rpm }) => rpm)];
    const span = [Math.floor(Math.min(...ends) / 500) * 500, Math.ceil(Math.max(...ends) / 500) * 500];
    const panels = [
      torques(engine, span),
      fuel(curves, sheet, limiter, span, other),
      shares(speeds, throttle, limiter, span),
    ];
    find("plots").replaceChildren(...panels);
    const absent = { uncapped: !capped, limiter: limiter === null, other: other === null, target: targets.length === 0 };
    const shown = LINES.filter(([kind]) => !absent[kind]);
    find("legend").replaceChildren(...shown.map(([kind, name]) => make("li", { class: kind }, name)));
  }
}

function torques({ curves, sheet, points, limiter, capped, other = null, targets = [] }, span) {
  const most = (ys, kind) => Math.max(...ys, ...targets.filter((one) => one.kind === kind).map(({ value }) => value));
  const panel = new Panel(280, span, [0, 1.15 * most([...curves.raw_torque, ...(other?.curves.torque ?? [])], "torque")], "Nm");
  const power = panel.second([0, 1.15 * most([...curves.power_in_kw, ...(other?.curves.power_in_kw ?? [])], "power")], "kW");
  if (other) {
    panel.line("other torque", other.curves.rpm, other.curves.torque);
    power.line("other power", other.curves.rpm, other.curves.power_in_kw);
  }
  panel.line("raw", curves.rpm, curves.raw_torque);
  if (capped) panel.line("uncapped", curves.rpm, curves.uncapped_torque);
  panel.line("friction", curves.rpm, curves.friction_torque);
  power.line("power", curves.rpm, curves.power_in_kw);
  panel.line("torque", curves.rpm, curves.torque);
  for (const [rpm, torque] of points) panel.point(rpm, torque);
  for (const { kind, rpm, value } of targets) (kind === "power" ? power : panel).target(kind, rpm, value);
  panel.upright("limiter", limiter);
  panel.peak("torque", sheet.peak_rpm, sheet.max_torque_at_peak, `${sheet.max_torque_at_peak.toFixed(1)} Nm`);
  power.peak("power", sheet.max_power_rpm, sheet.max_power_in_kw, `${sheet.max_power_in_kw.toFixed(1)} kW`);
  const told = `${sheet.max_torque_at_peak.toFixed(0)} Nm at ${sheet.peak_rpm.toFixed(0)} rpm, ${sheet.max_power_in_kw.toFixed(0)} kW at ${sheet.max_power_rpm.toFixed(0)} rpm`;
  return panel.element(`Torque, power and friction over engine speed: at most ${told}`);
}

function fuel(curves, sheet, limiter, span, other) {
  const best = sheet.specific_fuel_consumption;
  const panel = new Panel(120, span, best > 0 ? [0.8 * best, WORST * best] : [0, 1], "g/kWh");
  if (other) panel.line("other fuel", other.curves.rpm, other.curves.specific_fuel_consumption);
  panel.line("fuel", curves.rpm, curves.specific_fuel_consumption);
  panel.upright("limiter", limiter);
  if (best > 0) panel.peak("fuel", sheet.specific_fuel_consumption_rpm, best, `${best.toFixed(0)} g/kWh`);
  return panel.element(`Specific fuel consumption over engine speed${best > 0 ? `, at best ${best.toFixed(0)} g/kWh` : ""}`);
}

function shares(speeds, throttle, limiter, span) {
  const panel = new Panel(140, span, [0, 1.05], "share", true);
  for (const { pedal, share } of throttle) {
    panel.line("map", speeds, share);
    panel.label(share, `${Math.round(100 * pedal)} %`);
  }
  panel.upright("limiter", limiter);
  return panel.element("Share of the torque that pedal positions ask for, over engine speed");
}

class Panel {
  #svg;
  #height;
  #span;
  #range;
  #bottom;

  constructor(height, span, range, unit, named = false, svg = null) {
    this.#height = height;
    this.#span = span;
    this.#range = range;
    this.#bottom = named ? 34 : 10;
    this.#svg = svg ?? draw("svg", { viewBox: `0 0 ${width} ${height + this.#bottom}`, role: "img" });
    if (svg) return;
    this.#grid(unit, named);
  }

  // The same panel with a scale on the right.
  second(range, unit) {
    const other = new Panel(this.#height, this.#span, range, unit, false, this.#svg);
    for (const value of ticks(range)) other.#figure(width - RIGHT + 6, other.#y(value) + 4, value, "start", "power");
    other.#figure(width - 4, 12, unit, "end", "power");
    return other;
  }

  line(kind, xs, ys) {
    let path = "";
    let pen = "M";
    xs.forEach((x, i) => {
      const inside = ys[i] !== null && ys[i] <= this.#range[1] * 1.0001;
      if (inside) path += `${pen}${this.#x(x).toFixed(1)} ${this.#y(ys[i]).toFixed(1)}`;
      pen = inside ? "L" : "M";
    });
    this.#svg.append(draw("path", { class: `curve ${kind}`, d: path }));
  }

  point(x, y) {
    this.#svg.append(draw("circle", { class: "point", cx: this.#x(x), cy: this.#y(y), r: 4.5 }));
  }

  // A cross, where a data sheet wants the curve to pass.
  target(kind, x, y) {
    const [left, top] = [this.#x(x), this.#y(y)];
    const d = `M${left - 6} ${top - 6}l12 12M${left - 6} ${top + 6}l12 -12`;
    this.#svg.append(draw("path", { class: `mark target ${kind}`, d }));
  }

  upright(kind, x) {
    if (x === null) return;
    const at = this.#x(x);
    this.#svg.append(draw("line", { class: `curve ${kind}`, x1: at, x2: at, y1: 6, y2: this.#height }));
  }

  peak(kind, x, y, text) {
    const [left, top] = [this.#x(x), this.#y(y)];
    this.#svg.append(draw("line", { class: `mark ${kind}`, x1: left, x2: left, y1: top - 6, y2: top + 6 }));
    const label = draw("text", { class: `peak ${kind}`, x: Math.min(left, width - RIGHT - 30), y: top - 10 }, text);
    this.#svg.append(label);
  }

  // At the right end of a line.
  label(ys, text) {
    this.#figure(width - RIGHT + 6, this.#y(ys.at(-1)) + 4, text, "start");
  }

  element(title) {
    this.#svg.setAttribute("aria-label", title);
    return this.#svg;
  }

  #grid(unit, named) {
    for (const value of ticks(this.#range)) {
      const y = this.#y(value);
      this.#svg.append(draw("line", { class: "rule", x1: LEFT, x2: width - RIGHT, y1: y, y2: y }));
      this.#figure(LEFT - 6, y + 4, value, "end");
    }
    for (const value of ticks(this.#span)) {
      const x = this.#x(value);
      this.#svg.append(draw("line", { class: "rule", x1: x, x2: x, y1: 6, y2: this.#height }));
      if (named) this.#figure(x, this.#height + 16, value, "middle");
    }
    this.#figure(4, 12, unit, "start");
    if (named) this.#figure((LEFT + width - RIGHT) / 2, this.#height + 31, "engine speed, rpm", "middle");
  }

  #figure(x, y, value, anchor, kind = "") {
    const text = typeof value === "number" ? String(Number(value.toPrecision(6))) : value;
    this.#svg.append(draw("text", { class: `figure ${kind}`, x, y, "text-anchor": anchor }, text));
  }

  #x(value) {
    return LEFT + ((value - this.#span[0]) / (this.#span[1] - this.#span[0])) * (width - LEFT - RIGHT);
  }

  #y(value) {
    return this.#height - ((value - this.#range[0]) / (this.#range[1] - this.#range[0])) * (this.#height - 20);
  }
}

// Some five round numbers within a range.
function ticks([from, to]) {
  const rough = (to - from) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= 0.999 * rough);
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, i) => (first + i) * step);
}
