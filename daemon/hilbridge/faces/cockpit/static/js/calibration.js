// The dialog that finds the ends of a pedal, a lever or a wheel of the bench's inputs: do what it says, press Next. The
// server asks the running bench and decides; in the end the changed lines of the bench file are shown, and written.

import { find, make, tell } from "./dom.js";

const LOOK = 200; // [ms]

export class Calibration {
  #connection;
  #timer = null;

  constructor(connection, readOnly) {
    this.#connection = connection;
    find("calibrate").disabled = readOnly;
    find("calibrate").onclick = () => this.#open();
    find("calibration-control").onchange = () => this.#begin();
    find("calibration-next").onclick = () => this.#next();
    find("calibration-write").onclick = () => this.#write();
    find("calibration-dialog").onclose = () => clearInterval(this.#timer);
  }

  async #open() {
    const { inputs = [], error } = await this.#connection.send({ command: "calibrate" });
    const options = inputs.flatMap(({ input, name, controls }) => controls.map((control) =>
      make("option", { value: JSON.stringify({ input, control }) }, `${control} (${name})`)));
    find("calibration-control").replaceChildren(...options);
    find("calibration-dialog").showModal();
    find("calibration-next").disabled = options.length === 0;
    tell(find("calibration-refusal"), error ?? (options.length ? "" : "No input of this bench has a pedal to calibrate."));
    if (!options.length) return;
    await this.#begin();
    this.#timer = setInterval(() => this.#look(), LOOK);
  }

  async #begin() {
    find("calibration-write").hidden = true;
    tell(find("calibration-difference"), "");
    tell(find("calibration-refusal"), "");
    this.#show(await this.#connection.send({ command: "calibrate-begin", ...JSON.parse(find("calibration-control").value) }));
  }

  async #look() {
    if (!find("calibration-next").disabled) this.#show(await this.#connection.send({ command: "calibrate-look" }));
  }

  async #next() {
    find("calibration-next").disabled = true;
    const answer = await this.#connection.send({ command: "calibrate-step" });
    find("calibration-next").disabled = false;
    find("calibration-next").focus();
    this.#show(answer);
    tell(find("calibration-refusal"), answer.error ?? answer.refused);
    if (answer.step !== null) return;
    find("calibration-next").disabled = true;
    const { difference = "", error } = await this.#connection.send({ command: "calibrate-compare" });
    tell(find("calibration-difference"), difference);
    tell(find("calibration-refusal"), error ?? "");
    find("calibration-write").hidden = Boolean(error);
    find("calibration-write").focus();
  }

  async #write() {
    const { error } = await this.#connection.send({ command: "calibrate-write" });
    find("calibration-write").hidden = !error;
    tell(find("calibration-refusal"), error ?? "");
    if (!error) tell(find("calibration-step"), "Written. The bench takes it over when it is reloaded.");
  }

  #show({ step, values = [], error }) {
    if (error) tell(find("calibration-refusal"), error);
    if (step !== undefined) {
      tell(find("calibration-step"), step === null ? "Done." : `${step[0].toUpperCase()}${step.slice(1)}, then Next.`);
      find("calibration-next").disabled = step === null;
    }
    const said = values.map(({ field, raw, share }) => `${field} ${raw ?? "–"}${share === null ? "" : ` = ${Math.round(100 * share)} %`}`);
    tell(find("calibration-values"), said.join("   "));
  }
}
