// The body: its levers and switches, and the entries that the bench declares by itself. What is set here is
// held by this page until it is released, or the page is closed; levers and switches stay where they are then.

import { Car } from "./car.js";
import { find, make, tell } from "./dom.js";
import { display, short, units, words } from "./units.js";

const EVERY = 100; // [ms]

const isLabel = ({ element }) => Number(element.localName === "label");

export class Body {
  #connection;
  #signals;
  #readOnly;
  #car;
  #controls = [];
  #held = new Set();
  #next = 0;

  constructor(connection, signals, readOnly) {
    [this.#connection, this.#signals, this.#readOnly] = [connection, signals, readOnly];
    this.#car = new Car(signals, (path, value) => this.set(path, value), readOnly);
    find("body-release").onclick = () => this.#release();
    units.addEventListener("change", () => this.renew());
  }

  // Lists the controls anew: a reload may have declared others.
  renew() {
    const entries = this.#signals.entries.filter(({ path, range }) => path.startsWith("custom.") || (path.startsWith("body.") && range));
    this.#controls = entries.map((entry) => this.#create(entry));
    this.#controls.sort((one, other) => isLabel(one) - isLabel(other)); // switches first, then what is chosen or written
    const elements = (channel) => this.#controls.filter(({ path }) => path.startsWith(channel)).map(({ element }) => element);
    find("body-controls").replaceChildren(...elements("body."));
    find("own-controls").replaceChildren(...elements("custom."));
    find("own-entries").hidden = elements("custom.").length === 0;
    this.#tellHeld();
    this.#next = 0;
  }

  lose() {
    this.#held.clear();
    this.#tellHeld();
  }

  show(now) {
    if (now < this.#next) return;
    this.#next = now + EVERY;
    this.#car.show();
    for (const { path, update } of this.#controls) update(this.#signals.read(path));
  }

  #create(entry) {
    const { path, range, codes } = entry;
    if (!range) return this.#figure(entry);
    if (codes.length === 2 && codes[0][0] === 0 && codes[1][0] === 1 && !path.endsWith("Unit")) return this.#toggle(entry);
    return codes.length ? this.#choice(entry) : this.#number(entry);
  }

  #toggle({ path, meaning, codes }) {
    const state = make("span", { class: "muted" });
    const element = make("button", { type: "button", class: "toggle", title: meaning, "aria-pressed": "false" }, words(path), " ", state);
    element.disabled = this.#readOnly;
    element.onclick = () => this.set(path, element.getAttribute("aria-pressed") === "true" ? 0 : 1);
    const update = (value) => {
      element.setAttribute("aria-pressed", String(value === 1));
      tell(state, codes.find(([code]) => code === value)?.[1] ?? "–");
    };
    return { path, element, update };
  }

  #choice({ path, meaning, codes }) {
    const menu = make("select", {}, ...codes.map(([code, state]) => make("option", { value: code }, state)));
    menu.disabled = this.#readOnly;
    menu.onchange = () => this.set(path, Number(menu.value));
    const update = (value) => {
      if (document.activeElement !== menu) menu.value = Number.isFinite(value) ? String(value) : "";
    };
    return { path, element: make("label", { title: meaning }, words(path), menu), update };
  }

  #number({ path, meaning, unit, range }) {
    const shown = display(unit, path);
    const [least, most] = range.map((limit) => Number(shown.show(limit).toPrecision(6)));
    const field = make("input", { type: "number", min: least, max: most, step: "any" });
    field.disabled = this.#readOnly;
    field.onchange = () => {
      if (field.value !== "") this.set(path, shown.take(field.valueAsNumber));
    };
    const update = (value) => {
      if (document.activeElement !== field) field.value = Number.isFinite(value) ? Number(shown.show(value).toFixed(2)) : "";
    };
    const name = shown.unit ? `${words(path)} [${shown.unit}]` : words(path);
    return { path, element: make("label", { title: meaning }, name, field), update };
  }

  #figure({ path, meaning, unit, codes }) {
    const shown = display(unit, path);
    const figure = make("output", {}, "–");
    const update = (value) => {
      const state = codes.find(([code]) => code === value)?.[1];
      tell(figure, Number.isFinite(value) ? state ?? `${short(shown.show(value))} ${shown.unit}` : "–");
    };
    return { path, element: make("label", { title: meaning }, words(path), figure), update };
  }

  async set(path, value) {
    const { error } = await this.#connection.send({ command: "set", entry: path, value });
    tell(find("body-refusal"), error ?? "");
    if (!error) this.#held.add(path);
    this.#tellHeld();
  }

  async #release() {
    for (const path of [...this.#held]) {
      await this.#connection.send({ command: "release", entry: path });
      this.#held.delete(path);
    }
    this.#tellHeld();
  }

  #tellHeld() {
    find("body-release").hidden = this.#held.size === 0;
  }
}
