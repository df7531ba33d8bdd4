// What a tester would read: where each control unit is, its malfunction indicator and its trouble codes; set and clear.

import { find, keep, make, tell } from "./dom.js";
import { reveal } from "./views.js";

export class Troubles {
  #connection;
  #facts;
  #readOnly;
  #rows = new Map();

  constructor(connection, facts, readOnly) {
    this.#connection = connection;
    this.#facts = facts;
    this.#readOnly = readOnly;
    this.adopt(facts);
  }

  // What a reload may change; a unit that is shown keeps its menu.
  adopt(facts) {
    this.#facts = facts;
    reveal("diagnostics", Object.keys(facts.codes).length > 0);
  }

  show(troubles, reached) {
    const units = Object.entries(troubles).map(([name, unit]) => [name, unit, reached[name]]);
    if (units.length) keep(find("troubles"), this.#rows, units, ([name]) => name, ([name]) => this.#create(name), update);
  }

  #create(ecu) {
    const lamp = make("span", { class: "state" });
    const list = make("ul", { class: "list", "aria-label": `Trouble codes of ${ecu}` });
    const clear = make("button", { type: "button", "aria-label": `Clear the trouble codes of ${ecu}` }, "Clear");
    clear.onclick = () => this.#connection.send({ command: "trouble-clear", ecu });
    const codes = Object.entries(this.#facts.codes[ecu] ?? {});
    const menu = make("select", {}, ...codes.map(([code, text]) => make("option", { value: code }, `${code}  ${text}`)));
    const set = make("button", { type: "submit", "aria-label": `Set the trouble code in ${ecu}` }, "Set");
    const form = make("form", { class: "row" }, make("label", {}, "Trouble code", menu), set);
    form.onsubmit = (event) => {
      event.preventDefault();
      this.#connection.send({ command: "trouble-set", ecu, code: menu.value });
    };
    clear.disabled = set.disabled = menu.disabled = this.#readOnly;
    const title = make("div", { class: "title" }, make("h3", {}, ecu), lamp, clear);
    const place = make("p", { class: "muted" });
    return { element: make("div", { class: "ecu" }, title, place, list, form), lamp, place, list, rows: new Map() };
  }
}

function update(row, [, unit, reached]) {
  tell(row.place, reached ? told(reached) : "");
  row.lamp.dataset.state = unit.indicator ? "warning" : "good";
  tell(row.lamp, unit.indicator ? "MIL on" : "MIL off");
  const none = { code: "", text: "No trouble codes", states: [] };
  keep(row.list, row.rows, unit.stored.length ? unit.stored : [none], ({ code }) => code, item, show);
}

function told({ bus, addresses, awake, session }) {
  const state = awake ? "awake" : "asleep";
  const parts = [`bus ${bus}`, ...addresses, session === null ? state : `${state}, session ${session.toString(16).toUpperCase().padStart(2, "0")}`];
  return parts.join(" · ");
}

function item({ code, text }) {
  const states = make("span", { class: "states muted" });
  const parts = code ? [make("span", { class: "code" }, code), make("span", {}, text), states] : [make("span", { class: "none" }, text)];
  return { element: make("li", {}, ...parts), states };
}

function show({ states }, trouble) {
  tell(states, [...trouble.states, ...(trouble.frozen ? ["freeze frame"] : []), ...(trouble.held ? ["held"] : [])].join(", "));
}
