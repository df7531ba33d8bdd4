// Driving with the keys: pedals and wheel move while a key is down and spring back after it. Never while the focus
// is on something that takes text or arrows, and only when the page says so.

import { find } from "./dom.js";

// code: entry, where it goes, [1/s] on its way there and back
const TRAVEL = new Map([
  ["KeyW", ["input.Throttle", 1, 1.6]],
  ["KeyS", ["input.Brake", 1, 2.5]],
  ["KeyC", ["input.Clutch", 1, 5]],
  ["KeyA", ["input.Steer", -1, 1.2]],
  ["KeyD", ["input.Steer", 1, 1.2]],
]);
const TYPED_INTO = "input:not([type=range]):not([type=checkbox]):not([type=radio]), select, dialog *";

export class Keyboard {
  #driver;
  #down = new Set();
  #moving = new Set();
  #last = 0;

  constructor(driver) {
    this.#driver = driver;
    addEventListener("keydown", (event) => this.#press(event));
    addEventListener("keyup", (event) => this.#down.delete(event.code));
    for (const leaving of ["blur", "hashchange"]) addEventListener(leaving, () => this.#down.clear());
  }

  advance(now) {
    const seconds = Math.min((now - this.#last) / 1000, 0.1);
    this.#last = now;
    const goals = new Map([...this.#moving].map((entry) => [entry, [0, 2.5]]));
    for (const code of this.#down) {
      const [entry, goal, speed] = TRAVEL.get(code);
      goals.set(entry, [goal, speed]);
      this.#moving.add(entry);
    }
    for (const [entry, [goal, speed]] of goals) {
      const value = this.#driver.value(entry);
      const next = value + Math.max(Math.min(goal - value, speed * seconds), -speed * seconds);
      this.#driver.set(entry, Math.round(next * 1000) / 1000);
      if (goal === 0 && Math.abs(next) < 1e-3) this.#moving.delete(entry);
    }
  }

  #press(event) {
    if (!find("keys").checked || find("keys").disabled || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches?.(TYPED_INTO) || document.body.dataset.view !== "drive") return;
    if (TRAVEL.has(event.code)) this.#down.add(event.code);
    else if (event.repeat) return;
    else if (event.code === "KeyE") this.#driver.shift(1);
    else if (event.code === "KeyQ") this.#driver.shift(-1);
    else if (event.code === "KeyI") this.#driver.start();
    else if (event.code === "KeyH") this.#driver.set("input.Handbrake", this.#driver.value("input.Handbrake") > 0.5 ? 0 : 1);
    else return;
    event.preventDefault();
  }
}
