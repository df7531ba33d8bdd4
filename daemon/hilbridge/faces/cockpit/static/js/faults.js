// What is wrong on purpose, with the vehicle, with frames, or with what control units answer: for as long as it is not ended.

import { find, keep, make, tell } from "./dom.js";
import { words } from "./units.js";

// What is done to a frame: kind, effect, name, and what its number means.
const EFFECTS = [
  ["frame", "drop", "is lost"],
  ["frame", "delay", "comes late", "Delay, ms"],
  ["frame", "duplicate", "comes twice"],
  ["frame", "corrupt", "has a wrong bit"],
  ["frame", "counter", "wrong counter"],
  ["frame", "checksum", "wrong checksum"],
  ["signal", "offset", "signal: plus", "Offset"],
  ["signal", "scale", "signal: times", "Factor"],
  ["signal", "stuck", "signal: stuck at", "Value"],
  ["signal", "drop-out", "signal: not available"],
];

// How a control unit answers wrongly: effect, name, and the key that its number is for, with the name and a value of it.
const ANSWERS = [
  ["late", "late", "delay", "Delay, ms", 500],
  ["missing", "not at all"],
  ["pending", "response pending, without end"],
  ["refuse", "refuses", "code", "Code (34: conditions not correct)", 34],
  ["lost-session", "loses its session", "delay", "After, ms", 1000],
  ["reset", "resets in mid-answer"],
  ["lost-frame", "a frame is lost", "frame", "Consecutive frame", 1],
  ["doubled-frame", "a frame comes twice", "frame", "Consecutive frame", 1],
  ["swapped-frames", "frames change places", "frame", "Consecutive frame", 1],
  ["wrong-sequence", "wrong sequence number", "frame", "Consecutive frame", 1],
  ["second-unit", "a second unit answers too"],
  ["wrong-padding", "other padding", "value", "Byte", 85],
  ["wrong-dlc", "frames too short", "length", "Bytes", 4],
  ["wrong-length", "wrong length announced", "amount", "Bytes more", 3],
  ["wrong-pace", "no pause between frames", "st_min", "Pause, ms", 0],
  ["wait", "flow control: wait, without end"],
  ["overflow", "flow control: overflow"],
  ["no-flow-control", "flow control: none"],
  ["foreign-flow-control", "flow control: from elsewhere", "can_id", "Identifier", 2025],
  ["babble", "babbles", "interval", "Each, ms", 100],
];

const ROUTE = "route ";

export class Faults {
  #connection;
  #readOnly;
  #rows = new Map();
  #signals = new Map(); // names by the frame that has them
  #routes = []; // of the gateway

  constructor(connection, signals, readOnly) {
    this.#connection = connection;
    this.#readOnly = readOnly;
    const entries = signals.paths.filter((path) => path.startsWith("fault."));
    find("fault-entry").replaceChildren(...entries.map((entry) => make("option", { value: entry }, words(entry))));
    find("frame-fault-effect").replaceChildren(...EFFECTS.map(([, , name], i) => make("option", { value: i }, name)));
    find("frame-fault-effect").onchange = find("frame-fault-frame").onchange = () => this.#offer();
    find("unit-fault-effect").replaceChildren(...ANSWERS.map(([, name], i) => make("option", { value: i }, name)));
    find("unit-fault-effect").onchange = () => this.#offerNumber();
    for (const form of [find("fault"), find("frame-fault"), find("unit-fault")]) for (const control of form.elements) control.disabled = readOnly;
    find("fault").onsubmit = (event) => {
      event.preventDefault();
      this.#add({ kind: "physics", entry: find("fault-entry").value, value: Number(find("fault-value").value) });
    };
    find("frame-fault").onsubmit = (event) => {
      event.preventDefault();
      this.#add(this.#frameFault());
    };
    find("unit-fault").onsubmit = (event) => {
      event.preventDefault();
      const [effect, , key] = ANSWERS[find("unit-fault-effect").value];
      const number = key && { [key]: Number(find("unit-fault-value").value) };
      this.#add({ kind: "diagnostics", unit: find("unit-fault-unit").value, effect, ...number });
    };
    this.#offer();
    this.#offerNumber();
  }

  show(faults) {
    const present = faults.filter(({ state }) => state !== "over");
    tell(find("faults-summary"), present.length ? present.map(({ what }) => what).join(", ") : "none");
    const none = { fault: 0, what: "Nothing is wrong on purpose", state: "" };
    const create = ({ fault }) => this.#create(fault);
    keep(find("faults"), this.#rows, present.length ? present : [none], ({ fault }) => fault, create, update);
  }

  // The control units that have trouble codes: what they answer can be disturbed.
  showUnits(names) {
    const menu = find("unit-fault-unit");
    if ([...menu.options].map(({ value }) => value).join() === names.join()) return;
    find("unit-fault").hidden = names.length === 0;
    menu.replaceChildren(...names.map((name) => make("option", { value: name }, name)));
  }

  // The table of frames: what the bench sends can be disturbed.
  showFrames(frames) {
    const sent = frames.filter(({ received, message }) => !received && message);
    const known = new Map(sent.map(({ bus, message, signals }) => [`${bus}.${message}`, signals.map(([name]) => name)]));
    const same = [...known].every(([frame, names]) => this.#signals.get(frame)?.length === names.length);
    if (same && known.size === this.#signals.size) return;
    this.#signals = known;
    this.#offerSenders();
  }

  // The routes of the gateway: what they carry can be disturbed as a whole.
  showRoutes(names) {
    if (names.join() === this.#routes.join()) return;
    this.#routes = names;
    this.#offerSenders();
  }

  #offerSenders() {
    const [menu, chosen] = [find("frame-fault-frame"), find("frame-fault-frame").value];
    const senders = [...this.#signals.keys(), ...this.#routes.map((name) => ROUTE + name)];
    menu.replaceChildren(...senders.map((sender) => make("option", { value: sender }, sender)));
    if (senders.includes(chosen)) menu.value = chosen;
    this.#offer();
  }

  #offer() {
    const [kind, , , number] = EFFECTS[find("frame-fault-effect").value];
    find("frame-fault-signal").parentElement.hidden = kind !== "signal";
    find("frame-fault-value").parentElement.hidden = !number;
    tell(find("frame-fault-unit"), number ?? "");
    const names = this.#signals.get(find("frame-fault-frame").value) ?? [];
    find("frame-fault-signal").replaceChildren(...names.map((name) => make("option", { value: name }, name)));
  }

  #offerNumber() {
    const [, , key, name, value] = ANSWERS[find("unit-fault-effect").value];
    find("unit-fault-value").parentElement.hidden = !key;
    tell(find("unit-fault-number"), name ?? "");
    if (key) find("unit-fault-value").value = value;
  }

  #frameFault() {
    const [kind, effect, , number] = EFFECTS[find("frame-fault-effect").value];
    const frame = find("frame-fault-frame").value;
    if (frame.startsWith(ROUTE)) return { kind: "route", route: frame.slice(ROUTE.length), effect, ...(number && { delay: Number(find("frame-fault-value").value) }) };
    const [bus, message] = [frame.slice(0, frame.indexOf(".")), frame.slice(frame.indexOf(".") + 1)];
    const value = Number(find("frame-fault-value").value);
    const more = kind === "signal" ? { signal: find("frame-fault-signal").value, ...(number && { value }) } : number && { delay: value };
    return { kind, bus, message, effect, ...more };
  }

  async #add(fault) {
    const { error } = await this.#connection.send({ command: "fault-add", fault });
    tell(find("fault-refusal"), error ?? "");
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
