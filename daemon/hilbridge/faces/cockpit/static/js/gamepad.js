// Driving with a wheel, pedals or a gamepad: any device that the browser shows, each control by an axis or a button.
//
//     pedal = (raw - rest) / (full - rest), 0 below the dead zone        0 … 1
//     wheel = the same with its sign, for a turn to the left: -1 … 1
//
// Two pedals on one axis are two controls with one rest and opposite ends. Any other entry is set to a value while a
// button is held or by each press of it, or follows an axis. What is assigned is kept for each device; one of the
// standard layout needs nothing.

import { find, tell } from "./dom.js";

const STORE = "hilbridge.gamepad.";
const PRESSED = 0.5;

export const PEDALS = [["input.Steer", "Steering, to the left"], ["input.Throttle", "Throttle"], ["input.Brake", "Brake"],
  ["input.Clutch", "Clutch"], ["input.Handbrake", "Handbrake lever"]];
export const ACTIONS = [["up", "Gear up"], ["down", "Gear down"], ["start", "Start engine or switch on"], ["handbrake", "Handbrake on or off"]];

// How an entry follows a button or an axis.
export const MANNERS = [["hold", "while held"], ["press", "each press, and back"], ["follow", "follows the axis"]];

const button = (index) => ({ kind: "button", index, rest: 0, full: 1, dead: 0 });
const STANDARD = {
  "input.Steer": { kind: "axis", index: 0, rest: 0, full: -1, dead: 0.08 },
  "input.Throttle": button(7), "input.Brake": button(6), "input.Clutch": button(0),
  up: button(5), down: button(4), start: button(9), handbrake: button(2),
};

export class Gamepad {
  #driver;
  #signals;
  #body;
  #pressed = new Set();
  #positions = new Map();
  #mapping = {};
  #id = null;

  constructor(driver, signals, body) {
    [this.#driver, this.#signals, this.#body] = [driver, signals, body];
  }

  get pad() {
    return [...(navigator.getGamepads?.() ?? [])].find(Boolean) ?? null;
  }

  get mapping() {
    return this.#mapping;
  }

  // Keeps what is assigned for the device.
  assign(mapping) {
    this.#mapping = mapping;
    localStorage.setItem(STORE + this.#id, JSON.stringify(mapping));
  }

  advance() {
    const pad = this.pad;
    find("gamepad-setup").hidden = !pad;
    if (!pad) return;
    if (pad.id !== this.#id) this.#meet(pad);
    const assigned = Object.values(this.#mapping).filter(({ kind }) => kind).length;
    tell(find("gamepad"), `${pad.id || "Device without a name"}: ${assigned ? `${assigned} controls assigned` : "nothing assigned yet"}.`);
    if (find("gamepad-dialog").open) return; // what is moved there is not driving
    for (const [entry] of PEDALS) if (this.#mapping[entry]) this.#move(entry, position(pad, this.#mapping[entry], entry === "input.Steer"));
    this.#press(pad, "up", () => this.#driver.shift(1));
    this.#press(pad, "down", () => this.#driver.shift(-1));
    this.#press(pad, "start", () => this.#driver.start());
    this.#press(pad, "handbrake", () => {
      this.#driver.set("input.Handbrake", this.#driver.value("input.Handbrake") > 0.5 ? 0 : 1);
    });
    for (const [name, assigned] of Object.entries(this.#mapping)) if (assigned.entry) this.#follow(pad, name, assigned);
  }

  // The entries of the bench that can be assigned: levers and switches of the driver, the body, those of its own.
  get entries() {
    const listed = new Set(PEDALS.map(([entry]) => entry));
    return this.#signals.entries.filter(({ path, range }) => range && /^(input|body|custom)\./.test(path) && !listed.has(path));
  }

  #follow(pad, name, { entry, value, manner }) {
    const range = this.#signals.entries.find(({ path }) => path === entry)?.range;
    if (!range || !this.#mapping[name].kind) return; // the bench does not have it, or it is not assigned yet
    const rest = Math.min(Math.max(0, range[0]), range[1]);
    if (manner === "follow") {
      const share = position(pad, this.#mapping[name], false);
      this.#move(name, share, (now) => this.#set(entry, rest + now * (range[1] - rest)));
    } else if (manner === "press") this.#press(pad, name, () => this.#set(entry, this.#signals.read(entry) === value ? rest : value));
    else this.#press(pad, name, () => this.#set(entry, value), () => this.#set(entry, rest));
  }

  #set(entry, value) {
    if (entry.startsWith("input.")) this.#driver.set(entry, value);
    else this.#body.set(entry, value);
  }

  #meet(pad) {
    this.#id = pad.id;
    this.#positions.clear();
    this.#mapping = JSON.parse(localStorage.getItem(STORE + pad.id) ?? "null") ?? (pad.mapping === "standard" ? { ...STANDARD } : {});
  }

  // Only what is moved is set: a gamepad on the desk holds nothing, and a pedal that reads anything at first neither.
  #move(name, value, act = (now) => this.#driver.set(name, now)) {
    const before = this.#positions.get(name) ?? (Math.abs(value) < 0.02 ? value : null);
    this.#positions.set(name, value);
    if (before !== null && before !== value) act(value);
  }

  #press(pad, name, action, release = () => {}) {
    const pressed = this.#mapping[name] !== undefined && position(pad, this.#mapping[name], false) > PRESSED;
    if (pressed && !this.#pressed.has(name)) action();
    if (!pressed && this.#pressed.has(name)) release();
    if (pressed) this.#pressed.add(name);
    else this.#pressed.delete(name);
  }
}

// The raw value of an axis, -1 to 1, or of a button, 0 to 1.
export function raw(pad, { kind, index }) {
  if (kind === "axis") return pad.axes[index] ?? 0;
  const { value = 0, pressed = false } = pad.buttons[index] ?? {};
  return pressed ? Math.max(value, 1) : value;
}

// Where a control stands, to a hundredth; a wheel to the left is negative.
export function position(pad, assigned, isWheel) {
  const { rest, full, dead } = assigned;
  const share = full === rest ? 0 : (raw(pad, assigned) - rest) / (full - rest);
  const beyond = Math.max(Math.abs(share) - dead, 0) / (1 - dead);
  const value = Math.min(beyond, 1) * Math.sign(share);
  return Math.round(100 * (isWheel ? -value : Math.max(value, 0))) / 100 + 0;
}
