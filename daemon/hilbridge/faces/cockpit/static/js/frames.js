// The live table of frames. The period is measured between two tables: time between the last frames of both, over the
// number of frames in between, on the bus where it has been seen there. A row opens to the signals of its newest frame.

import { Arrivals } from "./arrivals.js";
import { counted, find, keep, make, tell } from "./dom.js";

const TOLERANCE = 0.02; // of the period wanted
const CELLS = ["", "", "name", "way", "number", "number", "number", "check", "verdict", "bytes"];

export class Frames {
  #rows = new Map(); // those that are shown
  #paces = new Map(); // of all
  #frames = [];
  #numbers = 0;
  #rate; // [1/s] of ticks
  load = new Map(); // by bus: name and bits in a second of each frame, the greatest first

  constructor({ rate }) {
    this.#rate = rate;
    find("frames-filter").oninput = () => this.#list();
    find("frames").onkeydown = walk;
  }

  show(frames) {
    this.#frames = frames;
    const paces = new Map(frames.map((frame) => [keyOf(frame), pace(frame, this.#paces.get(keyOf(frame)))]));
    this.#paces = paces;
    const rate = [...paces.values()].reduce((sum, { period }) => sum + (period ? 1000 / period : 0), 0);
    const unarmed = [...paces.values()].reduce((sum, { held }) => sum + (held ? 1000 / held : 0), 0);
    const remark = unarmed ? ` (${Math.round(unarmed)} held back: not armed)` : "";
    this.load = loads(frames, paces);
    tell(find("frames-rate"), `${counted(frames.length, "frame")}, ${Math.round(rate)} per second${remark}`);
    this.#list();
  }

  #list() {
    const words = find("frames-filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = this.#frames.filter((frame) => words.every((word) => describe(frame).includes(word)));
    const update = (row, frame) => fill(row, frame, this.#paces.get(keyOf(frame)), this.#rate);
    keep(find("frames"), this.#rows, shown, keyOf, (frame) => create(frame, ++this.#numbers), update, 1);
    find("frames-none").hidden = shown.length > 0;
    find("frames").dataset.buses = new Set(this.#frames.map(({ bus }) => bus)).size;
  }
}

const keyOf = ({ bus, id, received }) => `${bus} ${id} ${received}`;

// What the filter looks at.
function describe({ bus, id, message, received, signals }) {
  const names = signals.map(([name]) => name);
  return [bus, id, message, received ? "received" : "sent", ...names].join(" ").toLowerCase();
}

// The time on the wire of classic CAN at worst, in bits: the formula of frames/bus/busload.py.
function bitsOf({ id, data }) {
  const open = (id.length > 5 ? 54 : 34) + 4 * data.length; // two letters a byte
  return open + 13 + Math.floor((open - 1) / 4);
}

// Bits in a second of each frame that is on the wire, by bus; NaN where one is too long for classic CAN.
function loads(frames, paces) {
  const found = new Map();
  for (const frame of frames) {
    const { period } = paces.get(keyOf(frame));
    if (!period) continue;
    const bits = frame.data.length > 16 ? NaN : (bitsOf(frame) * 1000) / period;
    found.set(frame.bus, [...(found.get(frame.bus) ?? []), { name: frame.message || frame.id, bits }]);
  }
  for (const rows of found.values()) rows.sort((one, other) => other.bits - one.bits);
  return found;
}

function pace(frame, before) {
  const since = (key) => (before ? (frame[key] ?? 0) - (before.frame[key] ?? 0) : 0);
  const frames = since("count") + since("held_back");
  const mean = frames > 0 ? since("last_ms") / frames : null;
  const seen = since("seen");
  const carried = before?.frame.seen === undefined ? mean : seen > 0 ? since("seen_ms") / seen : null; // a fault may drop them
  const period = frame.armed === false ? null : carried; // nothing leaves a bus that is not armed
  const held = frame.armed === false ? mean : null;
  return { frame, period, held, withheld: Boolean(before && frame.withheld > before.frame.withheld) };
}

// A body of the table with two rows: the frame, and what is in it.
function create(frame, number) {
  const signals = make("dl", { class: "signals" });
  const [numbers, again] = [make("span", { class: "check" }), make("span", { class: "bytes" })]; // for a narrow page
  const came = make("span", { class: "check" });
  const narrow = make("p", { class: "narrow" }, again, " ", numbers, " ", came);
  const nothing = make("p", { class: "muted" }, "No signal of this frame is known: its bytes are not decoded.");
  const known = make("td", { colspan: "10" }, narrow, signals, nothing);
  const inside = make("tr", { class: "inside", id: `frame-${number}` }, known);
  const open = make("button", { type: "button", class: "open", "aria-expanded": "false", "aria-controls": inside.id });
  const cells = CELLS.map((name) => make(name === "name" ? "th" : "td", { class: name }));
  const [period, arrivals] = [make("span"), new Arrivals()];
  cells[4].append(arrivals.element, period);
  cells[2].scope = "row";
  cells[2].append(open);
  [frame.bus, frame.id, null, frame.received ? "received" : "sent"].forEach((text, i) => text && tell(cells[i], text));
  tell(open, frame.message || "unknown");
  inside.hidden = true;
  open.onclick = () => {
    inside.hidden = !inside.hidden;
    open.setAttribute("aria-expanded", String(!inside.hidden));
  };
  return { element: make("tbody", {}, make("tr", {}, ...cells), inside), inside, cells, period, arrivals, came, bytes: cells[9], again, numbers, signals, nothing };
}

function fill(row, frame, { period, withheld }, rate) {
  const { cells, inside, bytes, again, numbers, signals, nothing } = row;
  tell(row.period, period === null ? "–" : milliseconds(period));
  row.arrivals.show(period === null ? [] : frame.intervals ?? [], frame.cycle_ms ?? 0, rate);
  tell(cells[5], frame.cycle_ms ? milliseconds(frame.cycle_ms) : "on event");
  tell(cells[6], String(frame.count));
  const verdicts = [frame.check, judged(frame, withheld, period)];
  verdicts.forEach(([state, text], i) => {
    cells[7 + i].dataset.state = state;
    tell(cells[7 + i], text);
  });
  const data = frame.data ? frame.data.toUpperCase().match(/../g) : [];
  flash(bytes, data, frame.roles ?? {});
  if (inside.hidden) return;
  flash(again, data, frame.roles ?? {});
  tell(numbers, frame.check[1]);
  tell(row.came, row.arrivals.words);
  nothing.hidden = frame.signals.length > 0;
  if (signals.childElementCount !== frame.signals.length) {
    signals.replaceChildren(...frame.signals.map(() => make("div", {}, make("dt"), make("dd"))));
  }
  frame.signals.forEach(([name, value, unit, raw], i) => {
    const [term, told] = signals.children[i].children;
    tell(term, name);
    const held = frame.limited?.[name] ? `, held at its limit in ${frame.limited[name]} frames` : "";
    tell(told, `${value}${unit && ` ${unit}`}${raw && raw !== value ? ` (raw ${raw})` : ""}${held}`);
  });
}

// A byte that is another than half a second ago is lit up; those of a counter or a checksum are underlined.
function flash(cell, bytes, roles) {
  if (cell.childElementCount !== bytes.length) {
    const marked = (i) => (roles[i] ? { "data-role": roles[i], title: `${roles[i]}, byte ${i}` } : {});
    const places = bytes.map((byte, i) => make("span", { "data-new": "false", ...marked(i) }, byte));
    cell.replaceChildren(...places.flatMap((place) => [place, " "]).slice(0, -1)); // as copied
    return;
  }
  bytes.forEach((byte, i) => {
    const place = cell.children[i];
    const fresh = String(place.textContent !== byte);
    if (place.dataset.new !== fresh) place.dataset.new = fresh;
    tell(place, byte);
  });
}

function judged(frame, withheld, period) {
  const off = period !== null && frame.cycle_ms && Math.abs(period / frame.cycle_ms - 1) > TOLERANCE;
  if (frame.received) return off ? ["warning", "off its period"] : period === null ? ["idle", "silent"] : ["good", "ok"];
  if (frame.armed === false && frame.awake !== false) return ["warning", "held back"];
  if (frame.disturbed) return ["warning", "disturbed"];
  if (withheld) return ["warning", "held back"];
  if (frame.awake === false) return ["idle", "asleep"];
  return off ? ["warning", "off its period"] : ["good", "ok"];
}

// Arrows go from name to name.
function walk(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const names = [...find("frames").querySelectorAll(".open")];
  const at = names.indexOf(event.target);
  if (!step || at < 0) return;
  names[at + step]?.focus();
  event.preventDefault();
}

function milliseconds(value) {
  return `${value.toFixed(value < 100 ? 1 : 0)} ms`;
}
