// The drawn instrument cluster: two dials, the display between them, lamps (lampface.js), small gauges, and the figures
// below. Needles follow what the frames carry (carried.js), where a signal is known to and goes at present, and the model
// elsewhere; the mark on the scale is the model's then, and a line of text says which is which, so that a difference is seen.

import { Carried } from "./carried.js";
import { Dial } from "./dial.js";
import { find, make, tell } from "./dom.js";
import { Gauge } from "./gauge.js";
import { LampFace } from "./lampface.js";
import { display, units } from "./units.js";

const MODES = ["M", "P", "R", "N", "D", "D1", "D2", "D3", "D4", "D5"];
const TERMINALS = new Map([[-1, "Key off"], [0, "Ignition on (terminal 15)"], [1, "Starter (terminal 50)"]]);
const APART = 0.03; // of the scale: the frames say something else than the model

// name, path, digits, and another unit of the data bus that the value is taken to first, by a factor
const READOUTS = [
  ["Torque", "vehicle.EngineTorque", 0],
  ["Power", "vehicle.EnginePower", 1],
  ["Load", "vehicle.EngineLoad", 0],
  ["Consumption", "vehicle.FuelConsumption", 1],
  ["Fuel rate", "vehicle.EngineFuelRate", 2],
  ["Oil", "auxiliary.OilTemperature", 0],
  ["Battery", "auxiliary.BatteryVoltage", 2],
  ["Acceleration", "chassis.Acceleration", 2],
];

const ELECTRIC_READOUTS = [
  ["Motor torque", "electric.MotorTorque", 0],
  ["Motor power", "electric.MotorPower", 1],
  ["Motor speed", "electric.MotorRpm", 0],
  ["Consumption", "electric.EnergyConsumption", 1],
  ["Charge", "electric.TractionCharge", 1],
  ["Battery power", "electric.TractionPower", 1],
  ["High voltage", "electric.TractionVoltage", 0],
  ["Recuperated", "electric.EnergyRecuperated", 2],
];

const HYBRID_READOUTS = [
  ["Power gauge", "electric.PowerShare", 0],
  ["Engine torque", "vehicle.EngineTorque", 0],
  ["Motor torque", "electric.MotorTorque", 0],
  ["Engine power", "vehicle.EnginePower", 1],
  ["Motor power", "electric.MotorPower", 1],
  ["Charge", "electric.TractionCharge", 1],
  ["Oil", "auxiliary.OilTemperature", 0],
  ["Recuperated", "electric.EnergyRecuperated", 2],
];

const DISPLAY = [
  ["Odometer", "auxiliary.Odometer", 1, "km", 1e-3],
  ["Trip", "auxiliary.Trip", 2, "km", 1e-3],
  ["Outside", "road.AmbientTemperature", 0],
];

const READ_EVERY = 200; // [ms]: figures that change faster cannot be read

function isStalled(signals) {
  return signals.read("input.Key") >= 0 && signals.read("vehicle.EngineStalled") > 0;
}

function gearName(signals) {
  const gear = signals.read("vehicle.GearboxGear");
  const mode = signals.read("vehicle.GearboxMode");
  if (!Number.isFinite(gear)) return "–";
  if (gear < 0) return gear === -1 ? "R" : `R${-gear}`;
  if (gear === 0) return mode === 1 ? "P" : "N";
  return `${mode > 0 ? MODES[mode] ?? "" : ""}${gear}`;
}

function message(signals) {
  if (isStalled(signals)) return "Engine stalled";
  if (signals.read("vehicle.EngineLimiter") > 0) return "Speed limiter of the engine acts";
  return signals.read("vehicle.EngineStarting") > 0 ? "Starter turns" : "";
}

export class Cluster {
  #signals;
  #facts;
  #lamps;
  #left; // engine speed, or the power gauge of an electric vehicle
  #speed;
  #kmh;
  #coolant;
  #fuel;
  #figures;
  #carried;
  #next = 0;

  constructor(signals, state, facts) {
    [this.#signals, this.#facts] = [signals, facts];
    this.#lamps = new LampFace(signals, state, facts);
    this.#carried = new Carried(signals, facts);
    this.#left = new Dial(find("rpm"), facts.electric
      ? { label: "Power", unit: "% power", least: -100, most: 100, step: 50, minor: 10 }
      : {
        label: "Engine speed", unit: "rpm", most: facts.most_rpm, step: 1000,
        minor: facts.most_rpm > 4000 ? 250 : 100, red: facts.redline_rpm,
      });
    this.#coolant = facts.electric ? null : new Gauge(find("coolant-gauge"), "coolant", "Coolant temperature", ["C", "H"]);
    this.#fuel = new Gauge(find("fuel-gauge"), facts.electric ? "battery" : "fuel", facts.electric ? "Charge" : "Fuel level", ["E", "F"]);
    this.#build();
    units.addEventListener("change", () => this.#build());
  }

  takeLamps(verdicts) {
    this.#lamps.take(verdicts);
  }

  takeFrames(rows) {
    this.#carried.takeRows(rows);
  }

  takeNeedles(readings) {
    this.#carried.takeReadings(readings);
  }

  // What depends on the units.
  #build() {
    const facts = this.#facts;
    this.#kmh = display("m/s");
    const fastest = this.#kmh.show(facts.most_speed / 3.6);
    const step = fastest > 180 ? 40 : 20; // more figures would touch
    const most = step * Math.ceil(fastest / step - 0.01);
    this.#speed = new Dial(find("speed"), { label: "Vehicle speed", unit: this.#kmh.unit, most, step, minor: step / 4 });
    const shown = facts.electric ? ELECTRIC_READOUTS : facts.hybrid ? HYBRID_READOUTS : READOUTS;
    this.#figures = [...this.#list("readouts", shown), ...this.#list("display", DISPLAY)];
  }

  #list(id, shown) {
    const figures = shown.map(([name, path, digits, base = this.#signals.unit(path), factor = 1]) => {
      const { unit, show } = display(base, path);
      const value = make("span", {}, "–");
      const element = make("div", {}, make("dt", {}, name), make("dd", {}, value, " ", make("span", { class: "unit" }, unit)));
      return { element, value, path, digits, read: () => show(this.#signals.read(path) * factor) };
    });
    find(id).replaceChildren(...figures.map(({ element }) => element));
    return figures;
  }

  // What a reload may change.
  adopt(facts) {
    this.#facts = facts;
    this.#carried.adopt(facts);
  }

  show(now) {
    const signals = this.#signals;
    if (this.#facts.electric) this.#left.show(100 * signals.read("electric.PowerShare"), now);
    for (const { entry, dial, show } of this.#dials()) this.#turn(entry, dial, show, now);
    if (now < this.#next) return;
    this.#next = now + READ_EVERY;
    tell(find("gear"), gearName(signals));
    tell(find("terminal"), TERMINALS.get(signals.read("input.Key")) ?? "");
    tell(find("message"), message(signals));
    document.body.dataset.stale = String(!signals.isLive);
    this.#lamps.show();
    const [temperature, hot] = this.#read("auxiliary.CoolantTemperature", now);
    const { unit, show } = display("°C");
    this.#coolant?.show((temperature - 50) / 80, `${show(temperature).toFixed(0)} ${unit}`, temperature > 115 ? "red" : temperature < 60 ? "cold" : "", hot);
    const [level, full] = this.#read(this.#facts.electric ? "electric.TractionCharge" : "auxiliary.FuelShare", now);
    this.#fuel.show(level, `${(100 * level).toFixed(0)} %`, level < 0.1 ? "amber" : "", full);
    for (const { value, digits, read } of this.#figures) {
      const figure = read();
      tell(value, Number.isFinite(figure) ? figure.toFixed(digits).replace(/^-(0(\.0+)?)$/, "$1") : "–");
    }
    this.#compare(now);
  }

  // Entries with a needle: dial, how a value is shown on it, and the end of the scale in the entry's unit.
  #dials() {
    const { electric, most_rpm: mostRpm, most_speed: mostSpeed } = this.#facts;
    const speed = { entry: "vehicle.Speed", dial: this.#speed, show: (value) => Math.abs(this.#kmh.show(value)), most: mostSpeed / 3.6 };
    return electric ? [speed] : [{ entry: "vehicle.EngineRpm", dial: this.#left, show: (value) => value, most: mostRpm }, speed];
  }

  // The value of an entry, and what says so: the frames where they do.
  #read(entry, now) {
    const value = this.#carried.at(entry, now);
    return Number.isFinite(value) ? [value, "frames"] : [this.#signals.read(entry), "model"];
  }

  #turn(entry, dial, show, now) {
    const [value, from] = this.#read(entry, now);
    dial.show(show(value), now, from);
    if (from === "frames") dial.mark(show(this.#signals.read(entry)));
    else if (this.#carried.isFollowed) dial.mark(NaN);
  }

  // What the frames carry, beside the model.
  #compare(now) {
    const said = [];
    for (const { entry, dial, show, most } of this.#dials()) {
      const one = this.#carried.said(entry, now, APART * most);
      if (!this.#carried.isFollowed) dial.mark(this.#signals.isLive && one ? show(one.value) : NaN);
      if (one) said.push({ ...one, text: one.text || show(one.value).toFixed(0) });
    }
    tell(find("sources"), this.#sources(said));
    find("sources").dataset.apart = String(said.some(({ isWrong }) => isWrong));
  }

  #sources(said) {
    if (!this.#signals.isLive) return "Needles: the last that came";
    const parts = said.map(({ name, text, isApart }) => `${name} ${text}${isApart ? " (not as the model)" : ""}`).join(" · ");
    if (!parts) return `Needles: the model; ${this.#carried.isKnown ? "the frames are not read yet" : "no frame is known to carry them"}`;
    if (!this.#carried.isFollowed) return `▾ frames: ${parts} · needles: the model`;
    const hollow = this.#dials().some(({ entry }) => find(entry === "vehicle.Speed" ? "speed" : "rpm").dataset.from === "model");
    return `Needles, by frames: ${parts} · ${hollow ? "hollow needle:" : "▾"} the model`;
  }
}
