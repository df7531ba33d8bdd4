// What is kept and what is played: a recording, and a scenario of the bench's folder or the packaged ones.

import { find, keep, make, tell } from "./dom.js";

const STATES = { running: "warning", passed: "good", failed: "bad", "not tried": "warning" };

export class Session {
  #connection;
  #recording = null;
  #scenario = null;
  #rows = new Map(); // of failed steps

  constructor(connection, readOnly) {
    this.#connection = connection;
    find("record").onclick = () => this.#ask({ command: this.#recording ? "record-stop" : "record-start" });
    find("play").onsubmit = (event) => {
      event.preventDefault();
      const start = { command: "scenario-start", scenario: find("scenario-name").value };
      this.#ask(this.#isPlaying ? { command: "scenario-stop" } : start);
    };
    for (const control of document.querySelectorAll(".session :is(button, select)")) control.disabled = readOnly;
  }

  // The scenarios there are.
  offer(names) {
    const menu = find("scenario-name");
    const chosen = menu.value;
    menu.replaceChildren(...names.map((name) => make("option", { value: name }, name)));
    if (names.includes(chosen)) menu.value = chosen;
  }

  show(recording, scenario) {
    this.#recording = recording;
    this.#scenario = scenario;
    light("recording-state", recorded(recording));
    tell(find("recording"), recording ? [recording.folder, recording.error].filter(Boolean).join(": ") : "");
    tell(find("record"), recording ? "Stop recording" : "Record");
    const state = scenario?.state ?? "no scenario";
    light("scenario-state", [STATES[state] ?? "idle", state]);
    const failures = scenario?.failures ?? [];
    const progress = scenario ? `${scenario.name}: step ${scenario.done} of ${scenario.steps}, ${scenario.time.toFixed(1)} s` : "";
    tell(find("scenario"), progress);
    find("failed-steps").hidden = failures.length === 0;
    const rows = failures.map((failure, i) => ({ ...failure, i }));
    keep(find("failures"), this.#rows, rows, ({ i }) => i, create, update);
    tell(find("scenario-button"), this.#isPlaying ? "Stop scenario" : "Play");
  }

  get #isPlaying() {
    return this.#scenario?.state === "running";
  }

  async #ask(command) {
    const { error } = await this.#connection.send(command);
    tell(find("session-refusal"), error ?? "");
  }
}

function create() {
  return { element: make("tr", {}, make("th", { scope: "row" }), make("td")) };
}

function update({ element }, { step, seen }) {
  tell(element.cells[0], step);
  tell(element.cells[1], seen);
}

function recorded(recording) {
  if (!recording) return ["idle", "not recording"];
  if (recording.error) return ["bad", "cannot record"];
  return recording.complete ? ["good", "recording"] : ["warning", "recording, incomplete"];
}

function light(id, [state, text]) {
  find(id).dataset.state = state;
  tell(find(id), text);
}
