// What is wrong with the vehicle itself, on purpose: set for as long as it is not ended.

import { find, keep, make, tell } from "./dom.js";

export class Faults {
  #connection;
  #readOnly;
  #rows = new Map();

  constructor(connection, signals, readOnly) {
    this.#connection = connection;
    this.#readOnly = readOnly;
    const entries = signals.paths.filter((path) => path.startsWith("fault."));
    find("fault-entry").replaceChildren(...entries.map((entry) => make("option", { value: entry }, words(entry))));
    for (const control of find("fault").elements) control.disabled = readOnly;
    find("fault").onsubmit = (event) => {
      event.preventDefault();
      const fault = { kind: "physics", entry: find("fault-entry").value, value: Number(find("fault-value").value) };
      connection.send({ command: "fault-add", fault }).then(({ error }) => tell(find("refusal"), error ?? ""));
    };
  }

  show(faults) {
    const present = faults.filter(({ state }) => state !== "over");
    const none = { fault: 0, what: "Nothing is wrong on purpose", state: "" };
    const create = ({ fault }) => this.#create(fault);
    keep(find("faults"), this.#rows, present.length ? present : [none], ({ fault }) => fault, create, update);
  }

  #create(number) {
    const what = make("span", number ? {} : { class: "none" });
    const element = make("li", {}, what);
    if (number) {
      const end = make("button", { type: "button", class: "quiet", "aria-label": `End fault ${number}` }, "End");
      end.onclick = () => this.#connection.send({ command: "fault-clear", number });
      end.disabled = this.#readOnly;
      element.append(end);
    }
    return { element, what };
  }
}

function update({ what }, fault) {
  tell(what, fault.state ? `${fault.what} (${fault.state})` : fault.what);
}

function words(entry) {
  return entry.split(".")[1].replace(/(?<=[a-z])(?=[A-Z])/g, " ");
}
