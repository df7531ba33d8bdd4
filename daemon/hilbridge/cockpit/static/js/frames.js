// The live table of frames. The period is measured between two states: time between the last frames of both, over the
// number of frames in between.

import { find, keep, make, tell } from "./dom.js";

const TOLERANCE = 0.02; // of the period wanted

export class Frames {
  #rows = new Map();

  show(frames) {
    const key = (frame) => `${frame.bus} ${frame.id} ${frame.message}`;
    keep(find("frames"), this.#rows, frames, key, row, update);
    let sent = 0;
    for (const { rate } of this.#rows.values()) sent += rate;
    tell(find("frames-rate"), `${frames.length} frames, ${Math.round(sent)} per second`);
  }
}

function row(frame) {
  const cells = Array.from({ length: 9 }, (_, i) => make("td", i >= 3 && i <= 6 ? { class: "number" } : {}));
  cells[2].className = "name";
  tell(cells[0], frame.bus);
  tell(cells[1], frame.id);
  tell(cells[2], frame.message);
  tell(cells[4], frame.cycle_ms === null ? "on event" : milliseconds(frame.cycle_ms));
  tell(cells[7], Object.entries(frame.protection).map(([signal, role]) => `${role} ${signal}`).join(", ") || "none");
  return { element: make("tr", {}, ...cells), cells, before: null, rate: 0 };
}

function update(row, frame) {
  const { cells, before } = row;
  const frames = before ? frame.sent - before.sent : 0;
  const period = frames > 0 ? (frame.last_ms - before.last_ms) / frames : null;
  row.rate = period ? 1000 / period : 0;
  row.before = frame;
  tell(cells[3], period === null ? "–" : milliseconds(period));
  tell(cells[5], String(frame.sent));
  tell(cells[6], String(frame.withheld));
  const [state, text] = judged(frame, before, period);
  cells[8].dataset.state = state;
  tell(cells[8], text);
}

function judged(frame, before, period) {
  if (frame.disturbed) return ["warning", "disturbed"];
  if (before && frame.withheld > before.withheld) return ["warning", "withheld"];
  if (!frame.awake) return ["idle", "asleep"];
  const off = period !== null && frame.cycle_ms && Math.abs(period / frame.cycle_ms - 1) > TOLERANCE;
  return off ? ["warning", "off its period"] : ["good", "ok"];
}

function milliseconds(value) {
  return `${value.toFixed(value < 100 ? 1 : 0)} ms`;
}
