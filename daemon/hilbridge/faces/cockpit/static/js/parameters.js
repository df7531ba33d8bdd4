// The parameters of an engine as controls: a slider and a number each, a switch, a choice. A list has a slider for each
// of its points.

import { find, make, tell } from "./dom.js";

export class Parameters {
  #change;
  #controls = [];

  constructor(change) {
    this.#change = change;
  }

  show(groups) {
    this.#controls = [];
    find("groups").replaceChildren(...groups.map((group) => this.#group(group)));
  }

  // The values that are not those of the file, by name.
  changes() {
    const changed = this.#controls.filter(({ isChanged }) => isChanged);
    return Object.fromEntries(changed.map(({ name, value }) => [name, value]));
  }

  // Shows the file's values, but for those that are given by name.
  apply(values) {
    for (const control of this.#controls) control.set(control.name in values ? values[control.name] : control.initial);
    this.#change();
  }

  // Marks the parameters that warnings are about.
  warn(names) {
    for (const control of this.#controls) control.element.dataset.warned = String(names.includes(control.name));
  }

  // Marks the parameter that an error is about.
  blame(place) {
    for (const control of this.#controls) control.blame(place?.[0] === control.name);
  }

  #group({ title, parameters }) {
    const changed = () => this.#change();
    const controls = parameters.map((parameter) => new (kindOf(parameter))(parameter, changed));
    this.#controls.push(...controls);
    const elements = controls.map(({ element }) => element);
    return make("fieldset", { class: "group" }, make("legend", {}, title), ...elements);
  }
}

function kindOf({ value, choices }) {
  if (Array.isArray(value)) return List;
  if (typeof value === "boolean") return Switch;
  return choices ? Choice : Quantity;
}

class Control {
  constructor({ name, value, default: usual, text, unit }) {
    this.name = name;
    this.value = value;
    this.initial = value;
    const shown = Array.isArray(usual) ? "" : `; default ${usual}${unit ? ` ${unit}` : ""}`;
    this.hint = make("p", { class: "hint-text", id: `hint-${name}` }, `${text}${shown}`);
    this.element = make("div", { class: "parameter" });
  }

  get isChanged() {
    return JSON.stringify(this.value) !== JSON.stringify(this.initial);
  }

  mark() {
    this.element.dataset.changed = String(this.isChanged);
  }

  blame(guilty) {
    for (const input of this.element.querySelectorAll("input, select")) input.setAttribute("aria-invalid", String(guilty));
  }
}

class Quantity extends Control {
  constructor(parameter, change) {
    super(parameter);
    const { name, unit } = parameter;
    this.pair = new Pair(parameter, parameter.value, { id: name, label: name, hint: this.hint.id }, (value) => {
      this.value = value;
      this.mark();
      change();
    });
    const label = make("label", { for: name }, words(name));
    this.element.append(make("div", { class: "line" }, label, this.pair.number, make("span", { class: "unit" }, unit)));
    this.element.append(this.pair.slider, this.hint);
  }

  set(value) {
    this.value = value;
    this.pair.show(this.value);
    this.mark();
  }
}

class List extends Control {
  constructor(parameter, change) {
    super(parameter);
    const { name, unit, at } = parameter;
    this.value = [...parameter.value];
    this.pairs = this.value.map((value, i) => {
      const label = name.endsWith("_rpm") ? `${words(name)}, point ${i + 1}` : `${words(name)} at ${at[i]} rpm`;
      return new Pair(parameter, value, { id: `${name}-${i}`, label, hint: this.hint.id }, (changed) => {
        this.value = this.value.with(i, changed);
        this.mark();
        change();
      });
    });
    const rows = this.pairs.map(({ number, slider }, i) => {
      const point = name.endsWith("_rpm") ? `${i + 1}` : `${at[i]}`;
      return make("div", { class: "entry" }, make("span", { class: "unit" }, point), slider, number);
    });
    this.element.append(make("div", { class: "line" }, make("b", {}, words(name)), make("span", { class: "unit" }, unit)));
    this.element.append(this.hint, ...rows);
  }

  set(value) {
    this.value = [...value];
    this.pairs.forEach((pair, i) => pair.show(this.value[i]));
    this.mark();
  }
}

// A slider for the hand, and a number for what the hand cannot hit or reach.
class Pair {
  constructor({ from, to, step, minimum, maximum }, value, { id, label, hint }, change) {
    this.slider = make("input", { type: "range", min: from, max: to, step, "aria-label": words(label), "aria-describedby": hint });
    this.number = make("input", { type: "number", id, step: "any", "aria-label": words(label), "aria-describedby": hint });
    this.slider.oninput = () => {
      const moved = Number(Number(this.slider.value).toPrecision(10));
      const bounded = Math.min(Math.max(moved, minimum ?? -Infinity), maximum ?? Infinity);
      this.show(bounded);
      change(bounded);
    };
    this.number.oninput = () => {
      if (!Number.isFinite(this.number.valueAsNumber)) return;
      this.#place(this.number.valueAsNumber);
      change(this.number.valueAsNumber);
    };
    this.show(value);
  }

  show(value) {
    this.number.value = String(value);
    this.#place(value);
  }

  #place(value) {
    const [low, high] = [Number(this.slider.min), Number(this.slider.max)];
    this.slider.value = String(value);
    this.slider.setAttribute("aria-valuetext", String(value));
    const share = (at) => `${(100 * (Math.min(Math.max(at, low), high) - low)) / (high - low)}%`;
    this.slider.style.setProperty("--from", share(Math.min(value, Math.max(low, 0))));
    this.slider.style.setProperty("--fill", share(Math.max(value, Math.min(high, 0))));
  }
}

class Switch extends Control {
  constructor(parameter, change) {
    super(parameter);
    const { name, value } = parameter;
    this.input = make("input", { type: "checkbox", id: name, "aria-describedby": this.hint.id });
    this.input.checked = value;
    this.input.onchange = () => {
      this.value = this.input.checked;
      this.mark();
      change();
    };
    this.element.append(make("div", { class: "line" }, make("label", { for: name }, this.input, words(name))), this.hint);
  }

  set(value) {
    this.value = value;
    this.input.checked = value;
    this.mark();
  }
}

class Choice extends Control {
  constructor(parameter, change) {
    super(parameter);
    const { name, value, choices } = parameter;
    const options = choices.map((choice) => make("option", { value: choice }, choice));
    this.input = make("select", { id: name, "aria-describedby": this.hint.id }, ...options);
    this.input.value = value;
    this.input.onchange = () => {
      this.value = this.input.value;
      this.mark();
      change();
    };
    const label = make("label", { for: name }, words(name));
    this.element.append(make("div", { class: "line" }, label, this.input), this.hint);
  }

  set(value) {
    this.value = value;
    this.input.value = value;
    this.mark();
  }
}

function words(name) {
  return name.replaceAll("_", " ");
}
