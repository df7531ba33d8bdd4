// The dialog that assigns the axes and buttons of a device to controls: press Assign, move the control to its end, press
// Done. Where it stood at first is its rest, the farthest it came its end; both can be changed, and turned around.
// Any other entry is added with the value that it gets, and then assigned like the rest.

import { find, keep, make, tell } from "./dom.js";
import { ACTIONS, MANNERS, PEDALS, position, raw } from "./gamepad.js";
import { words } from "./units.js";

const MOVED = 0.25; // less is noise

export class GamepadSetup {
  #gamepad;
  #listening = null; // {name, before, best}
  #rows = new Map();

  constructor(gamepad) {
    this.#gamepad = gamepad;
    find("gamepad-setup").onclick = () => this.#open();
    find("gamepad-dialog").onclose = () => (this.#listening = null);
    find("gamepad-forget").onclick = () => {
      gamepad.assign({});
      this.#list();
    };
    find("gamepad-entry").onchange = () => this.#offerValues();
    find("gamepad-add").onclick = () => this.#add();
    find("gamepad-manner").replaceChildren(...MANNERS.map(([name, title]) => make("option", { value: name }, title)));
  }

  // Shows where everything stands, and listens.
  advance() {
    const pad = this.#gamepad.pad;
    if (!find("gamepad-dialog").open || !pad) return;
    if (this.#listening) this.#listen(pad);
    for (const [name, row] of this.#rows) {
      const assigned = this.#assigned(name);
      const value = assigned ? position(pad, assigned, name === "input.Steer") : 0;
      row.meter.value = Math.abs(value);
      tell(row.value, assigned ? `${Math.round(100 * value)} %` : "");
    }
  }

  #open() {
    tell(find("gamepad-id"), this.#gamepad.pad?.id ?? "");
    const options = this.#gamepad.entries.map(({ path, meaning }) => make("option", { value: path, title: meaning }, words(path)));
    find("gamepad-entry").replaceChildren(...options);
    this.#offerValues();
    this.#list();
    find("gamepad-dialog").showModal();
  }

  // The positions of the chosen entry; whole numbers of one without names, gears from reverse on.
  #offerValues() {
    const entry = this.#gamepad.entries.find(({ path }) => path === find("gamepad-entry").value);
    if (!entry) return;
    const [least, most] = [Math.max(entry.range[0], -1), Math.min(entry.range[1], 30)];
    const numbers = [...Array(most - least + 1).keys()].map((i) => [least + i, String(least + i)]);
    const codes = entry.codes.length ? entry.codes : numbers;
    find("gamepad-value").replaceChildren(...codes.map(([code, state]) => make("option", { value: code }, state)));
    find("gamepad-value").value = String((codes.find(([code]) => code === 1) ?? codes.at(-1))[0]);
  }

  #add() {
    const [entry, manner, value] = ["entry", "manner", "value"].map((name) => find(`gamepad-${name}`).value);
    const state = find("gamepad-value").selectedOptions[0].textContent;
    const name = manner === "follow" ? entry : `${entry}=${value}`;
    const title = manner === "follow" ? words(entry) : `${words(entry)}: ${state}`;
    this.#gamepad.assign({ ...this.#gamepad.mapping, [name]: { entry, manner, value: Number(value), title } });
    this.#list();
  }

  #list() {
    const update = (row, [name]) => this.#update(row, name);
    const added = Object.entries(this.#gamepad.mapping).filter(([, { entry }]) => entry).map(([name, { title }]) => [name, title]);
    keep(find("gamepad-controls"), this.#rows, [...PEDALS, ...ACTIONS, ...added], ([name]) => name, (item) => this.#create(item), update);
  }

  #create([name, title]) {
    const source = make("span", { class: "muted" });
    const meter = make("meter", { min: 0, max: 1, "aria-label": `Position of ${title}` });
    const value = make("span", { class: "muted" });
    const assign = make("button", { type: "button" });
    assign.onclick = () => this.#toggle(name);
    const number = (key, label, extent) => {
      const input = make("input", { type: "number", step: "0.01", ...extent, "aria-label": `${label} of ${title}` });
      input.onchange = () => this.#change(name, { [key]: input.valueAsNumber || 0 });
      return input;
    };
    const ends = { rest: number("rest", "Rest", { min: -1, max: 1 }), full: number("full", "End", { min: -1, max: 1 }), dead: number("dead", "Dead zone", { min: 0, max: 0.9 }) };
    const turn = make("button", { type: "button", class: "quiet", "aria-label": `Invert ${title}` }, "Invert");
    turn.onclick = () => {
      const { rest, full } = this.#gamepad.mapping[name];
      this.#change(name, name === "input.Steer" ? { full: 2 * rest - full } : { rest: full, full: rest });
    };
    const remove = make("button", { type: "button", class: "quiet", "aria-label": `Remove ${title}` }, "Remove");
    remove.onclick = () => {
      const { [name]: _, ...others } = this.#gamepad.mapping;
      this.#gamepad.assign(others);
      this.#list();
    };
    const cells = [source, make("span", {}, meter, value), ends.rest, ends.full, ends.dead, make("span", {}, assign, turn, remove)];
    const element = make("tr", {}, make("th", { scope: "row" }, title), ...cells.map((cell) => make("td", {}, cell)));
    return { element, source, meter, value, assign, ends, turn, remove, title };
  }

  #update({ source, assign, ends, turn, remove, title }, name) {
    remove.disabled = !this.#gamepad.mapping[name];
    const assigned = this.#assigned(name);
    const listens = this.#listening?.name === name;
    tell(source, listens ? "move it to its end …" : assigned ? `${assigned.kind} ${assigned.index}` : "–");
    tell(assign, listens ? "Done" : "Assign");
    assign.setAttribute("aria-label", `${listens ? "Done with" : "Assign"} ${title}`);
    for (const [key, input] of Object.entries(ends)) {
      input.disabled = !assigned;
      input.value = assigned ? String(Math.round(100 * assigned[key]) / 100) : "";
    }
    turn.disabled = !assigned;
  }

  // What sets it; null while nothing does, also of an entry that was added and waits for its button.
  #assigned(name) {
    const assigned = this.#gamepad.mapping[name];
    return assigned?.kind ? assigned : null;
  }

  #toggle(name) {
    const { name: before, best } = this.#listening ?? {};
    this.#listening = null;
    if (before !== name) this.#listening = { name, at: state(this.#gamepad.pad), best: null };
    else if (best) this.#change(name, { dead: 0.03, ...best });
    this.#list();
  }

  // The one that has moved farthest since.
  #listen(pad) {
    const { at } = this.#listening;
    for (const one of state(pad)) {
      const rest = at.find(({ kind, index }) => kind === one.kind && index === one.index)?.value ?? 0;
      const moved = Math.abs(one.value - rest);
      const best = this.#listening.best;
      if (moved > Math.max(MOVED, best ? Math.abs(best.full - best.rest) : 0)) {
        this.#listening.best = { kind: one.kind, index: one.index, rest, full: one.value };
      }
    }
  }

  #change(name, part) {
    this.#gamepad.assign({ ...this.#gamepad.mapping, [name]: { ...this.#gamepad.mapping[name], ...part } });
    this.#list();
  }
}

function state(pad) {
  const all = [...pad.axes.keys()].map((index) => ({ kind: "axis", index }));
  all.push(...[...pad.buttons.keys()].map((index) => ({ kind: "button", index })));
  return all.map((one) => ({ ...one, value: raw(pad, one) }));
}
