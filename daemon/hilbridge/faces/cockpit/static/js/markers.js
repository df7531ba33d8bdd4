// What happened, by run time, for the strips: steps of a scenario, faults, arming, links lost and recovered, recordings.
// Told from one state message to the next; the first one tells nothing.

const MOST = 400;

export class Markers {
  list = []; // {time [s], text}
  #before = null;

  add(time, text) {
    this.list.push({ time, text });
    if (this.list.length > MOST) this.list.shift();
  }

  take(state, time) {
    const facts = new Map(factsOf(state));
    if (this.#before) {
      for (const [name, text] of facts) if (text && this.#before.get(name) !== text) this.add(time, text);
      for (const [name] of this.#before) {
        if (name.startsWith("fault ") && !facts.has(name)) this.add(time, `${name} ended`);
      }
    }
    this.#before = facts;
  }
}

// What is so, by what it is about.
function* factsOf({ buses = {}, faults = [], recording = null, scenario = null }) {
  for (const [name, { armed, trouble }] of Object.entries(buses)) {
    yield [`armed ${name}`, armed ? `${name} armed` : `${name} disarmed`];
    yield [`link ${name}`, trouble ? `${name}: ${trouble}` : `${name}: link recovered`];
  }
  for (const { fault, what, state } of faults) {
    if (state !== "over") yield [`fault ${fault}`, `${what} (${state})`];
  }
  yield ["recording", recording ? "recording" : "recording ended"];
  if (scenario) {
    const { name, state, done, steps } = scenario;
    yield ["scenario", state === "running" ? `${name}: step ${Math.min(done + 1, steps)} of ${steps}` : `${name} ${state}`];
  }
}
