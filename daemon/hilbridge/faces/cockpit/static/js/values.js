// Any value of the data bus: found by name or meaning, read, and set where it has a range. What is set here is held by
// this page until it is released, or the page is closed.

import { find, keep, make, tell } from "./dom.js";
import { display, short, units, words } from "./units.js";

const EVERY = 250; // [ms]

export class Values {
  #connection;
  #signals;
  #readOnly;
  #rows = new Map();
  #held = new Set();
  #next = 0;

  constructor(connection, signals, readOnly) {
    [this.#connection, this.#signals, this.#readOnly] = [connection, signals, readOnly];
    find("values-filter").oninput = () => this.#list();
    find("values-settable").onchange = () => this.#list();
    units.addEventListener("change", () => this.renew());
  }

  // Lists the entries anew: a reload may have declared others.
  renew() {
    this.#rows.clear();
    find("values").replaceChildren();
    this.#list();
  }

  show(now) {
    if (now < this.#next) return;
    this.#next = now + EVERY;
    for (const [path, row] of this.#rows) tell(row.value, this.#say(this.#signals.entry(path)));
  }

  lose() {
    this.#held.clear();
    this.#list();
  }

  #list() {
    const wanted = find("values-filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const settable = find("values-settable").checked;
    const shown = this.#signals.entries.filter((entry) => {
      const text = `${entry.path} ${words(entry.path)} ${entry.meaning}`.toLowerCase();
      return (!settable || entry.range) && wanted.every((word) => text.includes(word));
    });
    keep(find("values"), this.#rows, shown, ({ path }) => path, (entry) => this.#create(entry), (row, { path }) => {
      if (row.release) row.release.hidden = !this.#held.has(path);
    });
    find("values-none").hidden = shown.length > 0;
    this.#next = 0;
  }

  #create(entry) {
    const { path, meaning, range } = entry;
    const value = make("td", { class: "number" }, "–");
    const name = make("th", { scope: "row", title: meaning }, words(path), " ", make("span", { class: "path muted" }, path));
    const row = { value, element: make("tr", {}, name, value) };
    if (range) row.element.append(make("td", {}, this.#form(entry, row)));
    else row.element.append(make("td", { class: "muted" }, "computed"));
    return row;
  }

  #form({ path, unit, range, codes }, row) {
    const shown = display(unit, path);
    const [least, most] = range.map((limit) => Number(shown.show(limit).toPrecision(6)));
    const label = `New value of ${words(path)}`;
    const input = codes.length
      ? make("select", { "aria-label": label }, ...codes.map(([code, state]) => make("option", { value: code }, state)))
      : make("input", { type: "number", min: least, max: most, step: "any", required: "", "aria-label": label, placeholder: `${least} … ${most}` });
    const set = make("button", { type: "submit", "aria-label": `Set ${words(path)}` }, "Set");
    row.release = make("button", { type: "button", class: "quiet", hidden: "", "aria-label": `Release ${words(path)}` }, "Release");
    row.release.onclick = () => this.#ask({ command: "release", entry: path }, () => this.#held.delete(path));
    const form = make("form", { class: "set" }, input, make("span", { class: "unit muted" }, codes.length ? "" : shown.unit), set, row.release);
    form.onsubmit = (event) => {
      event.preventDefault();
      const value = codes.length ? Number(input.value) : shown.take(input.valueAsNumber);
      this.#ask({ command: "set", entry: path, value }, () => this.#held.add(path));
    };
    for (const control of form.elements) control.disabled = this.#readOnly;
    return form;
  }

  async #ask(command, done) {
    const { error } = await this.#connection.send(command);
    tell(find("values-refusal"), error ?? "");
    if (!error) done();
    this.#list();
  }

  #say({ path, unit, codes }) {
    const value = this.#signals.read(path);
    if (!Number.isFinite(value)) return "–";
    const shown = display(unit, path);
    return codes.find(([code]) => code === value)?.[1] ?? `${short(shown.show(value))} ${shown.unit}`;
  }
}
