// Why a lamp of the cluster shines and a needle rests: the verdicts of `hilbridge explain`, and what the cluster says.

import { find, keep, make, tell } from "./dom.js";
import { reveal } from "./views.js";

const LOOKS = { wrong: "bad", lit: "warning", "no value": "warning", off: "", good: "good" };
const WORDS = { wrong: "wrong", lit: "lit on purpose", "no value": "no value", off: "not due", good: "nothing wrong" };

export class Lamps {
  #rows = new Map();
  #said = new Map();

  show({ verdicts, said }) {
    // a frame of which no lamp is known is shown only where something is wrong with it
    const shown = verdicts.filter(({ kind, state }) => kind !== "frame" || state === "wrong");
    const order = Object.keys(LOOKS);
    shown.sort((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
    const wrong = shown.filter(({ state }) => state === "wrong").length;
    tell(find("lamps-summary"), shown.length ? `${wrong} wrong of ${shown.length}` : "");
    reveal("lamps", shown.length + said.length > 0);
    keep(find("lamps"), this.#rows, shown, ({ bus, kind, name }) => `${bus} ${kind} ${name}`, create, fill);
    keep(find("cluster-says"), this.#said, said, ({ bus, report, signal }) => `${bus} ${report} ${signal}`, sentence, write);
  }
}

function create({ kind, name }) {
  const state = make("span", { class: "state" });
  const why = make("span", { class: "states muted" });
  const title = make("span", { class: "code" }, kind === "frame" ? `${name} (no lamp known)` : `${name} (${kind})`);
  return { element: make("li", {}, state, title, why), state, why };
}

function fill(row, { state, frames, causes }) {
  row.state.dataset.state = LOOKS[state];
  tell(row.state, WORDS[state]);
  const reasons = causes.map(({ frame, text, remedy }) => `${frame}: ${text}${remedy ? ` → ${remedy}` : ""}`);
  tell(row.why, (reasons.length ? reasons : frames).join("; "));
}

function sentence() {
  const state = make("span", { class: "state" });
  const text = make("span", {});
  return { element: make("li", {}, state, text), state, text };
}

function write(row, { report, text, wrong }) {
  row.state.dataset.state = wrong ? "bad" : "good";
  tell(row.state, wrong ? "differs" : "cluster");
  tell(row.text, `${report} ${text}`);
}
