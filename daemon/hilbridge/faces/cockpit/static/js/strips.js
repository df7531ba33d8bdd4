// The strips: which entries stand in which of them, what they say, and where the cursor is; kept in the browser.

import { Chart } from "./chart.js";
import { find, make, tell } from "./dom.js";
import { Measure } from "./measure.js";
import { Timeline } from "./timeline.js";
import { display, short, units, words } from "./units.js";

const EVERY = 50; // [ms] between two drawings; a long span is drawn less often
const USUAL = [["vehicle.EngineRpm"], ["vehicle.Speed"], ["input.Throttle", "input.Brake"]];
const USUAL_ELECTRIC = [["electric.MotorPower"], ...USUAL.slice(1)];
const [MOST_STRIPS, MOST_LINES] = [8, 6];
const COLOURS = ["--series-1", "--series-2", "--series-3", "--series-4", "--series-5", "--series-6"];
const STORE = "hilbridge.strips";

export class Strips {
  #signals;
  #history;
  #markers;
  #timeline = new Timeline();
  #measure = new Measure(this.#timeline);
  #scales; // by path, in the entry's unit: where the ends of the axis are known before
  #strips = [];
  #next = 0;

  constructor(signals, history, markers, facts) {
    [this.#signals, this.#history, this.#markers] = [signals, history, markers];
    this.#scales = new Map([["vehicle.EngineRpm", [0, facts.most_rpm]], ["vehicle.Speed", [0, facts.most_speed / 3.6]]]);
    this.#offer();
    find("signal").onchange = () => {
      const chosen = this.#strips[Number(find("strip-target").value)];
      this.#add(find("signal").value, find("strip-target").value === "" ? null : chosen);
      find("signal").value = "";
      this.#store();
    };
    find("strips").replaceChildren();
    for (const paths of stored() ?? (facts.electric ? USUAL_ELECTRIC : USUAL)) {
      const strip = this.#add(paths[0], null);
      for (const path of paths.slice(1)) if (strip) this.#add(path, strip);
    }
    find("strips").onkeydown = (event) => event.target === find("strips") && this.#timeline.press(event);
    find("span").onchange = () => this.#timeline.last(Number(find("span").value));
    find("pause").onclick = () => (this.#timeline.isLive ? this.#timeline.pause() : this.#timeline.resume());
    this.#timeline.addEventListener("change", () => this.#tellTime());
    for (const one of [units, this.#measure]) one.addEventListener("change", () => (this.#next = 0));
    this.#tellTime();
  }

  show(now) {
    if (now < this.#next || document.body.dataset.view !== "drive") return;
    const timeline = this.#timeline;
    this.#next = now + (timeline.span > 120 && timeline.cursor === null ? 10 * EVERY : EVERY);
    const newest = this.#signals.time;
    if (!Number.isFinite(newest)) return;
    timeline.follow(this.#history.start, newest);
    const [from, to] = timeline.window;
    const rows = this.#history.between(from, to).filter(({ time }) => time <= newest || !timeline.isLive);
    const at = timeline.cursor === null ? null : this.#history.at(timeline.cursor)?.values;
    const measured = this.#measure.times;
    const context = { markers: this.#markers.list, cursor: timeline.cursor, marked: timeline.marked, measured };
    const between = measured?.map((time) => this.#history.around(time)) ?? null;
    for (const strip of this.#strips) {
      strip.show([from, to], rows, at, { ...context, times: strip === this.#strips.at(-1) });
      strip.measure(between);
    }
    find("strips").dataset.cursor = timeline.cursor?.toFixed(3) ?? ""; // [s] of the run: what the strips say is of then
  }

  #offer() {
    const groups = new Map();
    for (const path of this.#signals.paths) {
      const channel = path.split(".")[0];
      groups.set(channel, [...(groups.get(channel) ?? []), make("option", { value: path }, words(path))]);
    }
    const lists = [...groups].map(([channel, options]) => make("optgroup", { label: channel }, ...options));
    find("signal").replaceChildren(find("signal").options[0], ...lists);
  }

  // Into a strip, or into a new one; returns the strip.
  #add(path, into) {
    if (!this.#signals.paths.includes(path) || into?.has(path)) return null;
    if (into) {
      into.add(path);
    } else {
      if (this.#strips.length >= MOST_STRIPS) return null;
      into = new Strip(this.#signals, this.#timeline, this.#scales, path, (strip) => this.#changed(strip));
      this.#strips.push(into);
      find("strips").append(into.element);
    }
    this.#offerTargets();
    return into;
  }

  #changed(strip) {
    if (strip.paths.length === 0) {
      this.#strips = this.#strips.filter((one) => one !== strip);
      strip.element.remove();
    }
    this.#offerTargets();
    this.#store();
    find("signal").focus();
  }

  #offerTargets() {
    const options = this.#strips.map(({ paths }, i) => make("option", { value: i }, `with ${words(paths[0])}`));
    find("strip-target").replaceChildren(make("option", { value: "" }, "own strip"), ...options);
  }

  #tellTime() {
    const { isLive, span } = this.#timeline;
    tell(find("pause"), isLive ? "Pause" : "Live");
    find("pause").setAttribute("aria-pressed", String(!isLive));
    const known = [...find("span").options].find(({ value }) => Number(value) === span);
    find("span").value = known ? known.value : "";
    this.#next = 0;
  }

  #store() {
    localStorage.setItem(STORE, JSON.stringify(this.#strips.map(({ paths }) => paths)));
  }
}

class Strip {
  #signals;
  #lines = new Map(); // by path
  #legend = make("ul", { class: "legend" });
  #canvas = make("canvas", { role: "img" });
  #chart = new Chart(this.#canvas);
  #changed;
  #scales;

  constructor(signals, timeline, scales, path, changed) {
    this.#signals = signals;
    this.#scales = scales;
    this.#changed = changed;
    this.element = make("div", { class: "strip" }, this.#legend, make("div", { class: "plot" }, this.#canvas));
    timeline.attach(this.#canvas, (x) => this.#chart.timeAt(x));
    this.add(path);
  }

  get paths() {
    return [...this.#lines.keys()];
  }

  has(path) {
    return this.#lines.has(path);
  }

  add(path) {
    if (this.#lines.size >= MOST_LINES) return;
    const used = new Set([...this.#lines.values()].map(({ colour }) => colour));
    const colour = COLOURS.find((one) => !used.has(one));
    const value = make("output", { "aria-label": words(path) }, "–");
    const remove = make("button", { type: "button", class: "quiet", "aria-label": `Remove ${words(path)}` }, "✕");
    const swatch = make("span", { class: "swatch", "data-colour": colour });
    const measured = make("span", { class: "at-cursors" });
    const element = make("li", { title: path }, swatch, words(path), " ", value, measured, remove);
    remove.onclick = () => {
      element.remove();
      this.#lines.delete(path);
      this.#tellWhat();
      this.#changed(this);
    };
    this.#lines.set(path, { colour, value, measured });
    this.#legend.append(element);
    this.#tellWhat();
  }

  // `at`: integers of the row under the cursor; null: the legend says the newest.
  show(window, rows, at, context) {
    const lines = [...this.#lines].map(([path, { colour, value }]) => {
      const { unit, show } = display(this.#signals.unit(path), path);
      const read = (values) => show(this.#signals.valueIn(values, path));
      tell(value, this.#say(path, at ? read(at) : show(this.#signals.read(path)), unit));
      return { colour, unit, scale: this.#scaleOf(path, unit, show), points: rows.map(({ time, values }) => [time, read(values)]) };
    });
    this.#chart.draw(window, lines, context);
  }

  // Says the values at both measuring cursors, as the lines show them, and their difference; null: nothing is measured.
  measure(between) {
    for (const [path, { measured }] of this.#lines) tell(measured, between ? this.#compared(path, between) : "");
  }

  #compared(path, between) {
    const { unit, show } = display(this.#signals.unit(path), path);
    const [a, b] = between.map((rows) => (rows ? show(this.#between(path, rows)) : NaN));
    const difference = Number.isFinite(b - a) ? `${b < a ? "−" : "+"}${short(Math.abs(b - a))} ${unit}` : "–";
    return `A ${this.#say(path, a, "")} · B ${this.#say(path, b, "")} · Δ ${difference}`.replaceAll("  ", " ");
  }

  // Quantities lie on a line between two rows, states stay until the next one.
  #between(path, { before, after, share }) {
    const [from, to] = [before, after].map((values) => this.#signals.valueIn(values, path));
    return this.#signals.entry(path).resolution === 1 ? from : from + (to - from) * share;
  }

  // The ends of an axis that does not jump; none where only the values tell.
  #scaleOf(path, unit, show) {
    const known = this.#scales.get(path) ?? (unit === "%" && path.startsWith("input.") ? this.#signals.entry(path).range : null);
    return known?.map(show) ?? null;
  }

  #say(path, value, unit) {
    if (!Number.isFinite(value)) return "–";
    const state = this.#signals.entry(path).codes.find(([code]) => code === value)?.[1];
    return state ?? `${short(value)} ${unit}`;
  }

  #tellWhat() {
    this.#canvas.setAttribute("aria-label", `${this.paths.map(words).join(", ")} over run time`);
  }
}

// Once a strip had one entry and was its path.
function stored() {
  const found = JSON.parse(localStorage.getItem(STORE) ?? "null");
  return Array.isArray(found) ? found.map((one) => [one].flat()) : null;
}
