// Pictures instead of rows: the operating point in the engine's map with its trail, the driveline with its speeds and
// torques, and the g-circle. Each is drawn once; from then on only what moves is set.

import { draw, find, tell } from "./dom.js";
import { ask } from "./door.js";

const EVERY = 100; // [ms]
const TRAIL = 12; // [s]
const G = 9.80665; // [m/s²]
const MOST_G = 1.2;
const MAP = { left: 40, right: 312, top: 12, bottom: 148 };

export class Pictures {
  #signals;
  #history;
  #facts;
  #map = null;
  #driveline;
  #circle;
  #next = 0;

  constructor(signals, history, facts) {
    [this.#signals, this.#history, this.#facts] = [signals, history, facts];
    if (facts.electric) find("engine-map").hidden = true;
    else this.renew();
    this.#driveline = new Driveline(facts);
    this.#circle = new Circle();
  }

  show(now) {
    if (now < this.#next || document.body.dataset.view !== "drive" || !this.#signals.isLive) return;
    this.#next = now + EVERY;
    const trail = this.#history.between(this.#signals.time - TRAIL, this.#signals.time);
    const of = (path) => trail.map(({ values }) => this.#signals.valueIn(values, path));
    this.#map?.show(this.#signals, of("vehicle.EngineRpm"), of("vehicle.EngineTorque"));
    this.#driveline.show(this.#signals);
    this.#circle.show(this.#signals, of("chassis.LateralAcceleration"), of("chassis.Acceleration"));
  }

  // The curves of the engine that runs, from the workshop; without them there is the trail alone.
  async renew() {
    if (this.#facts.electric) return;
    try {
      const { running } = await (await ask("/workshop/vehicles")).json();
      const { changes = {} } = await (await ask("/workshop/running")).json(); // the workshop may have changed it
      const body = JSON.stringify({ vehicle: running, values: changes });
      const answer = await ask("/workshop/engine", { method: "POST", headers: { "Content-Type": "application/json" }, body });
      this.#map = new EngineMap(this.#facts, answer.ok ? await answer.json() : {});
    } catch {
      this.#map = new EngineMap(this.#facts, {});
    }
  }
}

class EngineMap {
  #most;
  #least;
  #rpm;
  #point = draw("circle", { class: "point", r: 5 });
  #trail = draw("path", { class: "trail" });
  #figure = draw("text", { class: "figure", x: MAP.right, y: MAP.bottom - 6, "text-anchor": "end" });

  constructor({ most_rpm: rpm, redline_rpm: redline }, { curves, consumption }) {
    const torque = curves?.torque.filter(Number.isFinite) ?? [];
    const friction = curves?.friction_torque.filter(Number.isFinite) ?? [];
    this.#rpm = rpm;
    this.#most = 50 * Math.ceil(Math.max(100, ...torque) / 50 + 0.1);
    this.#least = -25 * Math.ceil(Math.max(25, ...friction) / 25);
    const svg = draw("svg", { viewBox: "0 0 320 172", "aria-hidden": "true" });
    const line = (points) => `M${points.map(([x, y]) => `${this.#x(x).toFixed(1)} ${this.#y(y).toFixed(1)}`).join(" L")}`;
    if (curves) {
      const pairs = curves.rpm.map((x, i) => [x, curves.torque[i]]).filter(([, y]) => Number.isFinite(y));
      const drag = curves.rpm.map((x, i) => [x, -curves.friction_torque[i]]).filter(([, y]) => Number.isFinite(y));
      svg.append(draw("path", { class: "area", d: `${line(pairs)} L${line(drag.toReversed()).slice(1)} Z` }));
      if (consumption) this.#colour(svg, consumption);
      svg.append(draw("path", { class: "limit", d: line(pairs) }), draw("path", { class: "drag", d: line(drag) }));
    }
    for (let x = 0; x <= rpm; x += rpm > 4000 ? 1000 : 500) {
      svg.append(draw("line", { class: "grid", x1: this.#x(x), x2: this.#x(x), y1: MAP.top, y2: MAP.bottom }));
      svg.append(draw("text", { class: "axis", x: this.#x(x), y: MAP.bottom + 12, "text-anchor": "middle" }, String(x / 1000)));
    }
    const step = this.#most > 600 ? 200 : this.#most > 250 ? 100 : 50;
    for (let y = Math.ceil(this.#least / step) * step; y <= this.#most; y += step) {
      svg.append(draw("line", { class: y === 0 ? "zero" : "grid", x1: MAP.left, x2: MAP.right, y1: this.#y(y), y2: this.#y(y) }));
      svg.append(draw("text", { class: "axis", x: MAP.left - 4, y: this.#y(y) + 3, "text-anchor": "end" }, String(y)));
    }
    svg.append(draw("line", { class: "redline", x1: this.#x(redline), x2: this.#x(redline), y1: MAP.top, y2: MAP.bottom }));
    svg.append(draw("text", { class: "axis", x: MAP.left - 34, y: MAP.top - 3 }, "Nm"), this.#trail, this.#point, this.#figure);
    svg.append(draw("text", { class: "axis", x: MAP.right, y: MAP.bottom + 22, "text-anchor": "end" }, "1000 rpm"));
    find("engine-map").replaceChildren(svg);
  }

  show(signals, speeds, torques) {
    const [rpm, torque] = [signals.read("vehicle.EngineRpm"), signals.read("vehicle.EngineTorque")];
    const known = Number.isFinite(rpm) && Number.isFinite(torque);
    this.#point.setAttribute("visibility", known ? "visible" : "hidden");
    if (!known) return;
    this.#point.setAttribute("cx", this.#x(rpm).toFixed(1));
    this.#point.setAttribute("cy", this.#y(torque).toFixed(1));
    this.#trail.setAttribute("d", course(speeds, torques, (x) => this.#x(x), (y) => this.#y(y)));
    const text = `${rpm.toFixed(0)} rpm, ${torque.toFixed(0)} Nm`;
    tell(this.#figure, text);
    find("engine-map").setAttribute("aria-label", `Engine map: ${text}`);
  }

  // A cell for each speed and part of the torque there, the darker the less fuel it needs for the same work.
  #colour(svg, { rpm: speeds, torque: most, rows }) {
    const known = rows.flat().filter(Number.isFinite);
    if (!known.length) return;
    const best = Math.min(...known);
    const half = (speeds[1] - speeds[0]) / 2;
    rows.forEach((row, i) => {
      const [left, right] = [this.#x(speeds[i] - half), this.#x(speeds[i] + half)];
      row.forEach((one, j) => {
        if (!Number.isFinite(one)) return;
        const [bottom, top] = [j, j + 1].map((part) => this.#y((most[i] * part) / row.length));
        const opacity = (0.6 * Math.max(0, (best / one - 0.4) / 0.6) ** 2).toFixed(2);
        svg.append(draw("rect", { class: "cell", x: left.toFixed(1), y: top.toFixed(1), width: (right - left).toFixed(1), height: (bottom - top).toFixed(1), opacity }));
      });
    });
    svg.append(draw("text", { class: "axis", x: MAP.right, y: MAP.top - 3, "text-anchor": "end" }, `darkest: ${best.toFixed(0)} g/kWh`));
  }

  #x(rpm) {
    return MAP.left + (clamp(rpm / this.#rpm, 0, 1) * (MAP.right - MAP.left));
  }

  #y(torque) {
    const share = (torque - this.#least) / (this.#most - this.#least);
    return MAP.bottom - clamp(share, 0, 1) * (MAP.bottom - MAP.top);
  }
}

// Engine (or motor), clutch, gearbox, wheels: boxes on a shaft, each with its speed and torque.
class Driveline {
  #parts;
  #clutch;
  #electric;
  #spoke;
  #turned = 0; // [°]

  constructor({ electric }) {
    this.#electric = electric;
    const svg = draw("svg", { viewBox: "0 0 236 130", "aria-hidden": "true" });
    svg.append(draw("path", { class: "shaft", d: "M40 48 H196" }));
    const box = (x, width, title) => {
      svg.append(draw("rect", { class: "part", x, y: 26, width, height: 44, rx: 5 }));
      svg.append(draw("text", { class: "axis", x: x + width / 2, y: 18, "text-anchor": "middle" }, title));
      const inside = draw("text", { class: "inside", x: x + width / 2, y: 53, "text-anchor": "middle" });
      const [upper, lower] = [88, 103].map((y) => draw("text", { class: "figure", x: x + width / 2, y, "text-anchor": "middle" }));
      svg.append(inside, upper, lower);
      return { inside, upper, lower };
    };
    this.#parts = { engine: box(6, 56, electric ? "motor" : "engine"), gearbox: box(116, 48, "gearbox") };
    const block = electric ? "M34 34 L26 50 H34 L31 62 L43 45 H35 L39 34 Z" : "M20 44 H26 V38 H42 V44 H48 V60 H20 Z M26 38 V34 H42 V38 M14 48 H20 M48 50 H54";
    svg.append(draw("path", { class: "block", d: block }));
    this.#clutch = electric ? null : ["M82 30 V66", "M94 30 V66"].map((d) => draw("path", { class: "plate", d }));
    if (this.#clutch) svg.append(...this.#clutch, draw("text", { class: "axis", x: 88, y: 18, "text-anchor": "middle" }, "clutch"));
    this.#parts.clutch = { upper: draw("text", { class: "figure", x: 88, y: 103, "text-anchor": "middle" }) };
    this.#parts.wheels = { upper: draw("text", { class: "figure", x: 210, y: 88, "text-anchor": "middle" }) };
    svg.append(draw("circle", { class: "wheel", cx: 210, cy: 48, r: 20 }), draw("circle", { class: "wheel", cx: 210, cy: 48, r: 8 }));
    this.#spoke = draw("path", { class: "wheel", d: "M210 40 V28 M203 52 L193 58 M217 52 L227 58" });
    svg.append(this.#spoke, draw("text", { class: "axis", x: 210, y: 18, "text-anchor": "middle" }, "wheels"));
    svg.append(this.#parts.clutch.upper, this.#parts.wheels.upper);
    find("driveline").replaceChildren(svg);
  }

  show(signals) {
    const { engine, clutch, gearbox, wheels } = this.#parts;
    const [turns, torque] = this.#electric ? ["electric.MotorRpm", "electric.MotorTorque"] : ["vehicle.EngineRpm", "vehicle.EngineTorque"];
    tell(engine.upper, figure(signals.read(turns), "rpm"));
    tell(engine.lower, figure(signals.read(torque), "Nm"));
    tell(gearbox.upper, figure(signals.read("vehicle.TransmissionRpm"), "rpm"));
    tell(gearbox.inside, find("gear").textContent);
    tell(wheels.upper, find("speed").getAttribute("aria-valuetext") ?? "");
    if (this.#clutch) {
      const lock = signals.read("vehicle.ClutchLock");
      tell(clutch.upper, figure(signals.read("vehicle.ClutchTorque"), "Nm"));
      const gap = Number.isFinite(lock) ? 5 * (1 - clamp(lock, 0, 1)) : 5;
      this.#clutch.forEach((plate, i) => plate.setAttribute("transform", `translate(${(i ? gap - 4 : 4 - gap).toFixed(1)} 0)`));
    }
    const speed = signals.read("vehicle.Speed");
    this.#turned = (this.#turned + (Number.isFinite(speed) ? speed : 0)) % 360; // slower than the true wheel, which no eye follows
    this.#spoke.setAttribute("transform", `rotate(${this.#turned.toFixed(0)} 210 48)`);
    find("driveline").setAttribute("aria-label", `Driveline: ${this.#electric ? "motor" : "engine"} ${engine.upper.textContent}, ${engine.lower.textContent}; gear ${gearbox.inside.textContent}`);
  }
}

class Circle {
  #point = draw("circle", { class: "point", r: 4.5 });
  #trail = draw("path", { class: "trail" });
  #figure = draw("text", { class: "figure", x: 65, y: 127, "text-anchor": "middle" });

  constructor() {
    const svg = draw("svg", { viewBox: "0 0 130 130", "aria-hidden": "true" });
    for (const g of [0.4, 0.8, 1.2]) svg.append(draw("circle", { class: "grid", cx: 65, cy: 60, r: (g / MOST_G) * 54 }));
    svg.append(draw("path", { class: "zero", d: "M8 60 H122 M65 4 V116" }), draw("text", { class: "axis", x: 68, y: 21 }, "0.8 g"));
    svg.append(this.#trail, this.#point, this.#figure);
    find("g-circle").replaceChildren(svg);
  }

  show(signals, lateral, along) {
    const [x, y] = [signals.read("chassis.LateralAcceleration"), signals.read("chassis.Acceleration")];
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    this.#point.setAttribute("cx", gx(x).toFixed(1));
    this.#point.setAttribute("cy", gy(y).toFixed(1));
    this.#trail.setAttribute("d", course(lateral, along, gx, gy));
    const text = `${(Math.hypot(x, y) / G).toFixed(2)} g`;
    tell(this.#figure, text);
    find("g-circle").setAttribute("aria-label", `Forces: ${text}`);
  }
}

const gx = (value) => 65 - (clamp(value / G / MOST_G, -1, 1) * 54); // to the left: a left turn
const gy = (value) => 60 - (clamp(value / G / MOST_G, -1, 1) * 54); // up: forwards

function course(xs, ys, toX, toY) {
  const points = xs.map((x, i) => [x, ys[i]]).filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
  return points.length > 1 ? `M${points.map(([x, y]) => `${toX(x).toFixed(1)} ${toY(y).toFixed(1)}`).join(" L")}` : "";
}

function figure(value, unit) {
  return Number.isFinite(value) ? `${value.toFixed(0).replace(/^-0$/, "0")} ${unit}` : "–";
}

function clamp(value, least, most) {
  return Math.min(Math.max(value, least), most);
}
