// Driving with a gamepad of the standard layout: triggers are pedals, the left stick steers, bumpers shift.

import { find, tell } from "./dom.js";

const DEAD_ZONE = 0.08;
const [CLUTCH, HANDBRAKE, START] = [0, 2, 9];
const [DOWN, UP, BRAKE, THROTTLE] = [4, 5, 6, 7];

export class Gamepad {
  #driver;
  #pressed = new Set();
  #axes = new Map();

  constructor(driver) {
    this.#driver = driver;
  }

  advance() {
    const pad = [...(navigator.getGamepads?.() ?? [])].find((one) => one?.mapping === "standard");
    if (!pad) return;
    tell(find("gamepad"), `${pad.id}: triggers, left stick, bumpers.`);
    const stick = Math.abs(pad.axes[0]) < DEAD_ZONE ? 0 : pad.axes[0];
    this.#move("input.Steer", stick);
    this.#move("input.Throttle", pad.buttons[THROTTLE].value);
    this.#move("input.Brake", pad.buttons[BRAKE].value);
    this.#move("input.Clutch", pad.buttons[CLUTCH].value);
    this.#press(pad, UP, () => this.#driver.shift(1));
    this.#press(pad, DOWN, () => this.#driver.shift(-1));
    this.#press(pad, START, () => this.#driver.start());
    this.#press(pad, HANDBRAKE, () => {
      this.#driver.set("input.Handbrake", this.#driver.value("input.Handbrake") > 0.5 ? 0 : 1);
    });
  }

  // Only what is moved is set: a gamepad on the desk holds nothing.
  #move(entry, value) {
    const rounded = Math.round(value * 100) / 100;
    if ((this.#axes.get(entry) ?? 0) !== rounded) this.#driver.set(entry, rounded);
    this.#axes.set(entry, rounded);
  }

  #press(pad, button, action) {
    const { pressed } = pad.buttons[button];
    if (pressed && !this.#pressed.has(button)) action();
    if (pressed) this.#pressed.add(button);
    else this.#pressed.delete(button);
  }
}
