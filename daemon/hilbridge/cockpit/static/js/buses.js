// The links: how each bus leaves the process, how it is, and the switch that lets it transmit.

import { find, keep, make, tell } from "./dom.js";

export class Buses {
  #connection;
  #readOnly;
  #rows = new Map();

  constructor(connection, readOnly) {
    this.#connection = connection;
    this.#readOnly = readOnly;
  }

  show(buses) {
    const create = ([name]) => this.#create(name);
    keep(find("buses"), this.#rows, Object.entries(buses), ([name]) => name, create, update);
  }

  #create(name) {
    const state = make("span", { class: "state" });
    const link = make("p");
    const arm = make("button", { type: "button" });
    arm.disabled = this.#readOnly;
    arm.onclick = () => this.#connection.send({ command: "arm", bus: name, armed: arm.dataset.armed !== "true" });
    const counters = make("dl", { class: "counters" });
    const title = make("div", { class: "title" }, make("h3", {}, name), state, arm);
    return { element: make("div", { class: "bus" }, title, link, counters), state, link, arm, counters };
  }
}

function update(row, [name, bus]) {
  const [state, text] = bus.trouble ? ["bad", bus.trouble] : bus.armed ? ["good", "transmits"] : ["warning", "listens only"];
  row.state.dataset.state = state;
  tell(row.state, text);
  tell(row.link, bus.link);
  row.arm.dataset.armed = String(bus.armed);
  row.arm.setAttribute("aria-label", `${bus.armed ? "Disarm" : "Arm"} ${name}`);
  tell(row.arm, bus.armed ? "Disarm" : "Arm");
  const counts = { received: bus.received, transmitted: bus.transmitted, lost: bus.lost, ...bus.counters, ...named(bus.gate) };
  const items = Object.entries(counts).flatMap(([counter, count]) => [counter.replaceAll("_", " "), String(count)]);
  if (row.counters.childElementCount !== items.length) {
    row.counters.replaceChildren(...items.map((_, i) => make(i % 2 ? "dd" : "dt")));
  }
  items.forEach((item, i) => tell(row.counters.children[i], item));
}

function named(gate) {
  return Object.fromEntries(Object.entries(gate).map(([reason, count]) => [`gate: ${reason}`, count]));
}
