// The links: how each bus and each output leaves the process, how it is, and the switch that lets it transmit.

import { find, keep, make, tell } from "./dom.js";
import { Load } from "./load.js";

const WINDOW = 1; // s
const HELD_BACK = {
  unarmed: "held back: not armed",
  never_send: "held back: never sent",
  not_allowed: "held back: not on the allowed list",
  odometer: "held back: would move an odometer",
  over_budget: "held back: too much bus load",
};

export class Buses {
  #connection;
  #readOnly;
  #bitrates;
  #rows = new Map();

  constructor(connection, readOnly, { bitrates }) {
    this.#connection = connection;
    this.#readOnly = readOnly;
    this.#bitrates = bitrates;
  }

  // What each bus carries (frames.js).
  showLoad(load) {
    for (const [name, row] of this.#rows) {
      row.load.element.hidden = !this.#bitrates[name];
      if (this.#bitrates[name]) row.load.show(load.get(name) ?? [], this.#bitrates[name]);
    }
  }

  show(buses) {
    const create = ([name]) => this.#create(name);
    keep(find("buses"), this.#rows, Object.entries(buses), ([name]) => name, create, update);
    const unarmed = Object.entries(buses).filter(([, { armed }]) => !armed);
    tell(find("unarmed"), unarmed.length ? "not armed" : "");
    find("unarmed").title = unarmed.map(([name]) => name).join(", ");
  }

  #create(name) {
    const state = make("span", { class: "state" });
    const link = make("p");
    const profile = make("p", { class: "profile" });
    const arm = make("button", { type: "button" });
    arm.disabled = this.#readOnly;
    arm.onclick = () => this.#connection.send({ command: "arm", bus: name, armed: arm.dataset.armed !== "true" });
    const rate = make("p", { class: "rate" });
    const load = new Load();
    load.element.hidden = true;
    const counters = make("dl", { class: "counters" });
    const title = make("div", { class: "title" }, make("h3", {}, name), state, arm);
    return { element: make("div", { class: "bus" }, title, link, load.element, rate, counters, profile), state, link, profile, load, rate, arm, counters };
  }
}

function update(row, [name, bus]) {
  const [state, text] = bus.trouble ? ["bad", bus.trouble] : bus.armed ? ["good", "transmits"] : ["warning", "listens only"];
  row.state.dataset.state = state;
  tell(row.state, text);
  tell(row.link, bus.link);
  tell(row.profile, bus.profile);
  row.profile.title = bus.profile ?? "";
  row.arm.dataset.armed = String(bus.armed);
  row.arm.setAttribute("aria-label", `${bus.armed ? "Disarm" : "Arm"} ${name}`);
  tell(row.arm, bus.armed ? "Disarm" : "Arm");
  tell(row.rate, rates(row, name, bus));
  const transmitted = bus.gate.passed ?? 0;
  const own = "received" in bus ? { received: bus.received, transmitted, lost: bus.lost } : { transmitted };
  showCounters(row.counters, { ...own, ...bus.counters, ...named(bus.gate) });
}

// Counters by name in a list of terms.
function showCounters(list, counts) {
  const items = Object.entries(counts).flatMap(([counter, count]) => [counter.replaceAll("_", " "), String(count)]);
  if (list.childElementCount !== items.length) list.replaceChildren(...items.map((_, i) => make(i % 2 ? "dd" : "dt")));
  items.forEach((item, i) => tell(list.children[i], item));
}

// Frames per second since the last measurement, which is a second old at least: answers do not come evenly.
function rates(row, name, bus) {
  const now = { at: performance.now(), received: bus.received ?? 0, passed: bus.gate.passed ?? 0, unarmed: bus.gate.unarmed ?? 0 };
  const before = (row.measured ??= now);
  const seconds = (now.at - before.at) / 1000;
  if (seconds >= WINDOW) {
    row.rates = ["received", "passed", "unarmed"].map((key) => Math.max(0, Math.round((now[key] - before[key]) / seconds)));
    row.measured = now;
  }
  const [received, passed, unarmed] = row.rates ?? [0, 0, 0];
  const out = `${"received" in bus ? `in ${received}/s, ` : ""}out ${bus.armed ? passed : 0}/s`;
  return bus.armed ? out : `${out} (${unarmed} held back: hilbridge ctl arm ${name})`;
}

// What the gate let through is "transmitted".
function named({ passed, ...reasons }) {
  return Object.fromEntries(Object.entries(reasons).map(([reason, count]) => [HELD_BACK[reason] ?? reason, count]));
}
