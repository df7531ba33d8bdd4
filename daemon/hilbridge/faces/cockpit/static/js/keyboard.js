// Driving with the keys: a key that goes down or up is told to the daemon, which moves pedals and wheel and lets them
// spring back. Never while the focus is on something that takes text or arrows, and only when the page says so.

import { find } from "./dom.js";
import { SPRING } from "./driver.js";

// code: entry, where it goes, [1/s] on its way there
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
  #down = new Set(); // the last one that went down decides

  constructor(driver) {
    this.#driver = driver;
    addEventListener("keydown", (event) => this.#press(event));
    addEventListener("keyup", (event) => this.#release(event.code));
    for (const leaving of ["blur", "hashchange"]) addEventListener(leaving, () => [...this.#down].forEach((code) => this.#release(code)));
    driver.addEventListener("lost", () => this.#down.clear());
  }

  #press(event) {
    if (!find("keys").checked || find("keys").disabled || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches?.(TYPED_INTO) || document.body.dataset.view !== "drive") return;
    if (TRAVEL.has(event.code)) event.repeat || this.#push(event.code);
    else if (event.repeat) return;
    else if (event.code === "KeyE") this.#driver.shift(1);
    else if (event.code === "KeyQ") this.#driver.shift(-1);
    else if (event.code === "KeyI") this.#driver.start();
    else if (event.code === "KeyH") this.#driver.set("input.Handbrake", this.#driver.value("input.Handbrake") > 0.5 ? 0 : 1);
    else return;
    event.preventDefault();
  }

  #push(code) {
    this.#down.delete(code);
    this.#down.add(code);
    this.#driver.set(...TRAVEL.get(code));
  }

  #release(code) {
    if (!this.#down.delete(code)) return;
    const [entry] = TRAVEL.get(code);
    const other = [...this.#down].findLast((one) => TRAVEL.get(one)[0] === entry);
    this.#driver.set(...(other ? TRAVEL.get(other) : [entry, 0, SPRING]));
  }
}
