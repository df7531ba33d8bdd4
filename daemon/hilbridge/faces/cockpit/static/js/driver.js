// Who drives, and where the controls stand. Taking the wheel lets pedals and steering come back, as under no foot and hand,
// and holds every other control where it stands; handing it back releases them all to the bench's inputs. Beside each
// control stands what holds it. One page drives at a time: one that loses the wheel is told, and only shows from then.
//
// The page says what is held; pedals on their way, the clutch that is worked for a manual gearbox, and the key until the
// engine runs, the daemon moves. What is shown is the daemon's: a control that was moved by hand stays under the hand for a
// moment.

import { find, make, tell } from "./dom.js";

const PERIOD = 33; // [ms] between two values of one control
const IN_HAND = 500; // [ms]
export const SPRING = 2.5; // [1/s] of a pedal or a wheel on its way back
const AUTOMATIC = "automatic"; // the value of the clutch that the daemon works, and of the key where it starts

// entry, name, from, to, step
const PEDALS = [
  ["input.Throttle", "Throttle", 0, 1, 0.01],
  ["input.Brake", "Brake", 0, 1, 0.01],
  ["input.Clutch", "Clutch", 0, 1, 0.01],
  ["input.Handbrake", "Handbrake", 0, 1, 0.01],
  ["input.Steer", "Steering", -1, 1, 0.01],
];
const SPRUNG = new Set(["input.Throttle", "input.Brake", "input.Clutch", "input.Steer"]);
const KEYS = [["Off", -1], ["On", 0]];
const MODES = [["P", 1], ["R", 2], ["N", 3], ["D", 4], ["M", 0]];

export class Driver extends EventTarget {
  #connection;
  #signals;
  #facts;
  #mine = new Map(); // what is held, by entry: value, rate [1/s], since [ms]
  #unsent = new Set();
  #sliders = new Map();
  #key;
  #gears;
  #next = 0;
  #source = ""; // of the throttle
  #motion = ""; // source of a motion that is prescribed: the pedals do not move the car then
  #seated = false; // the server knows that this page drives
  #other = null; // the page that drives, if it is another
  #onlookers = 0; // other pages

  constructor(connection, signals, facts, readOnly) {
    super();
    this.#connection = connection;
    this.#signals = signals;
    this.#facts = facts;
    this.#build();
    find("take").onclick = () => (this.isDriving ? this.handBack() : this.take());
    find("start").onclick = () => this.start();
    find("start").textContent = facts.switches_on ? "Switch on" : "Start engine";
    find("release").onclick = () => this.releaseAll();
    find("launch-row").hidden = facts.gearbox !== "manual";
    find("launch").onchange = () => this.isDriving && this.set("input.Clutch", this.#isAutomatic ? 0 : this.value("input.Clutch"));
    for (const control of document.querySelectorAll(".driver :is(button, input, fieldset)")) control.disabled = readOnly;
    this.#tellWho();
  }

  get isDriving() {
    return this.#mine.size > 0;
  }

  get facts() {
    return this.#facts;
  }

  take() {
    this.#connection.send({ command: "take-wheel" });
    for (const entry of this.#entries()) {
      const value = this.#signals.read(entry);
      if (entry === "input.Clutch" && this.#isAutomatic) this.#hold(entry, AUTOMATIC);
      else if (SPRUNG.has(entry)) this.#hold(entry, 0, SPRING);
      else this.#hold(entry, Number.isFinite(value) ? value : 0);
    }
    this.#hold("input.Key", Math.min(this.#signals.read("input.Key"), 0));
    this.#tellWho();
  }

  handBack() {
    this.lose();
    return this.#connection.send({ command: "leave-wheel" });
  }

  // Everything that any page, command or ended scenario holds, not only what this page does.
  async releaseAll() {
    await this.handBack();
    const { error } = await this.#connection.send({ command: "release" });
    tell(find("refusal"), error ?? "");
  }

  // `inputs` of the status: which source decides each control.
  showSources(inputs) {
    const sources = new Map(inputs.map(({ control, source }) => [control, source]));
    const source = sources.get("Throttle") ?? "";
    this.#source = source === "command" ? "a command" : source;
    this.#motion = sources.get("request.MotionSpeed") ?? "";
    this.#tellWho();
    for (const [entry, slider] of this.#sliders) {
      const held = sources.get(entry.replace("input.", "")) ?? "";
      slider.showSource(held.startsWith("automatic clutch") ? "automatic" : this.#mine.has(entry) ? "you" : held);
    }
  }

  // `viewers` of the server: all open pages, the numbers of this one and of the one that drives.
  showViewers({ you, driver, viewers }) {
    const lost = this.#seated && this.isDriving && driver !== you;
    this.#seated = driver === you;
    this.#other = viewers.find(({ number }) => number === driver && number !== you)?.name ?? null;
    this.#onlookers = viewers.length - 1;
    if (lost) this.lose();
    else this.#tellWho();
    if (lost) tell(find("refusal"), this.#other ? `${this.#other} took the wheel.` : "Everything was released.");
  }

  // The connection, or the wheel, and every hold with it, is gone.
  lose() {
    this.#mine.clear();
    this.#unsent.clear();
    this.#seated = false;
    this.dispatchEvent(new Event("lost"));
    this.#tellWho();
  }

  // `rate` [1/s]: the daemon moves the control there. A clutch pedal that is let go is the daemon's, where that works it.
  set(entry, value, rate) {
    if (!this.isDriving && this.#other) {
      tell(find("refusal"), `${this.#other} drives; take the wheel first.`);
      return;
    }
    if (!this.isDriving) this.take();
    if (entry === "input.Clutch" && value === 0 && this.#isAutomatic) [value, rate] = [AUTOMATIC, undefined];
    this.#hold(entry, value, rate);
    if (rate !== undefined) this.#send(); // a key that is pressed and let go between two turns counts too
  }

  // Where a control stands: that of the daemon, but for a moment what was set by hand.
  value(entry) {
    const { value, rate, since } = this.#mine.get(entry) ?? {};
    const isInHand = typeof value === "number" && rate === undefined && performance.now() - since < IN_HAND;
    return isInHand ? value : this.#signals.read(entry);
  }

  // The daemon turns the key until the engine runs, and once more only after the key was let go.
  start() {
    for (const value of [0, AUTOMATIC]) {
      this.set("input.Key", value);
      if (this.isDriving) this.#send();
    }
  }

  // Gears in their order, R to the longest; an automatic lever's modes are its gears here.
  shift(step) {
    const options = this.#gears.options.map(([, value]) => value);
    const at = options.indexOf(this.value(this.#lever));
    const next = options[Math.min(Math.max(at + step, 0), options.length - 1)];
    this.set(this.#lever, next);
  }

  advance(now) {
    if (now < this.#next) return;
    this.#next = now + PERIOD;
    this.#send();
    for (const [entry, slider] of this.#sliders) slider.show(this.value(entry));
    this.#key.show(Math.min(this.value("input.Key"), 0));
    this.#gears.show(this.value(this.#lever));
  }

  #send() {
    for (const entry of this.#unsent) {
      const { value, rate } = this.#mine.get(entry);
      this.#connection.send({ command: "set", entry, value, rate }).then(({ error }) => tell(find("refusal"), error ?? ""));
    }
    this.#unsent.clear();
  }

  #hold(entry, value, rate) {
    const known = this.#mine.get(entry);
    if (known && known.value === value && known.rate === rate) return;
    this.#mine.set(entry, { value, rate, since: performance.now() });
    this.#unsent.add(entry);
  }

  get #isAutomatic() {
    return this.#facts.gearbox === "manual" && find("launch").checked;
  }

  #entries() {
    return [...this.#sliders.keys(), this.#lever];
  }

  get #lever() {
    return this.#facts.gearbox === "automatic" ? "input.AutomaticGear" : "input.ManualGear";
  }

  #tellWho() {
    const driving = this.isDriving;
    const other = this.#other ?? this.#source;
    const pedals = driving ? "You drive." : other ? `Driven by: ${other}` : "Nobody drives.";
    const who = this.#motion ? `${pedals} · The motion is that of ${this.#motion}` : pedals;
    const others = this.#onlookers === 1 ? "one other page is open" : `${this.#onlookers} other pages are open`;
    tell(find("who"), this.#onlookers ? `${who} · ${others}` : who);
    tell(find("take"), driving ? "Hand back" : "Take the wheel");
    find("take").setAttribute("aria-pressed", String(driving));
  }

  #build() {
    const pedals = [...PEDALS];
    const levels = this.#facts.retarder_levels;
    if (levels > 0) pedals.push(["input.Retarder", "Retarder", 0, levels, 1]);
    for (const pedal of pedals) this.#sliders.set(pedal[0], new Slider(pedal, (value) => this.set(pedal[0], value)));
    find("pedals").replaceChildren(...[...this.#sliders.values()].map(({ element }) => element));
    const gears = Array.from({ length: this.#facts.gears }, (_, i) => [String(i + 1), i + 1]);
    const lever = this.#facts.gearbox === "automatic" ? MODES : [["R", -1], ["N", 0], ...gears];
    this.#key = new Choice("key", KEYS, (value) => this.set("input.Key", value));
    this.#gears = new Choice("lever", lever, (value) => this.set(this.#lever, value));
  }
}

class Slider {
  #input;
  #output;
  #source;
  #from;
  #span;
  #whole;

  constructor([entry, name, from, to, step], change) {
    this.#from = from;
    this.#span = to - from;
    this.#whole = step === 1;
    const id = `control-${entry}`;
    this.#input = make("input", { type: "range", id, min: from, max: to, step, value: "0" });
    this.#input.oninput = () => change(Number(this.#input.value));
    this.#input.ondblclick = () => change(0);
    this.#output = make("output", { for: id }, "0");
    this.#source = make("span", { class: "source" });
    const label = make("label", { class: "name", for: id }, name);
    this.element = make("div", { class: "slider" }, label, this.#input, this.#output, this.#source);
  }

  showSource(name) {
    tell(this.#source, name);
  }

  show(value) {
    if (!Number.isFinite(value)) return;
    const [zero, at] = [-this.#from, value - this.#from].map((part) => (100 * part) / this.#span);
    this.#input.value = String(value);
    this.#input.style.setProperty("--from", `${Math.min(zero, at)}%`);
    this.#input.style.setProperty("--fill", `${Math.max(zero, at)}%`);
    const text = this.#whole ? String(value) : `${Math.round(100 * value)} %`;
    tell(this.#output, text);
    if (this.#input.getAttribute("aria-valuetext") !== text) this.#input.setAttribute("aria-valuetext", text);
  }
}

class Choice {
  #inputs;

  constructor(id, options, change) {
    this.options = options;
    const fieldset = find(id);
    this.#inputs = options.map(([, value]) => make("input", { type: "radio", name: id, value }));
    this.#inputs.forEach((input, i) => (input.onchange = () => change(options[i][1])));
    const labels = options.map(([name], i) => make("label", {}, this.#inputs[i], name));
    fieldset.replaceChildren(fieldset.querySelector("legend"), ...labels);
  }

  show(value) {
    this.options.forEach(([, option], i) => (this.#inputs[i].checked = option === value));
  }
}
