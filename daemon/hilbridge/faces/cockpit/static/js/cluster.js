// The drawn instrument cluster: two dials, the display between them, lamps (lampface.js), small gauges, and the figures
// below. Needles are the model's, which comes thirty times a second; a mark on the scale and a line of text say what the
// frames carry, where a source of a signal is known (`facts.gauges`), so that a difference is seen.

import { Dial } from "./dial.js";
import { find, make, tell } from "./dom.js";
import { Gauge } from "./gauge.js";
import { LampFace } from "./lampface.js";
import { display, units } from "./units.js";

const MODES = ["M", "P", "R", "N", "D", "D1", "D2", "D3", "D4", "D5"];
const TERMINALS = new Map([[-1, "Key off"], [0, "Ignition on (terminal 15)"], [1, "Starter (terminal 50)"]]);
const APART = 0.03; // of the scale: the frames say something else than the model
const NOTHING = "nothing is sent";
const LATE = 2000; // [ms] by which what the frames say may be old: they are asked for twice a second

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
  #frames = new Map(); // rows of the table of frames, by bus and message
  #past = new Map(); // [time, value] of the model in the last moments, by entry
  #next = 0;

  constructor(signals, state, facts) {
    [this.#signals, this.#facts] = [signals, facts];
    this.#lamps = new LampFace(signals, state, facts);
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
    this.#frames = new Map(rows.filter(({ received }) => !received).map((row) => [`${row.bus} ${row.message}`, row]));
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
  }

  show(now) {
    const signals = this.#signals;
    this.#left.show(this.#facts.electric ? 100 * signals.read("electric.PowerShare") : signals.read("vehicle.EngineRpm"), now);
    this.#speed.show(this.#kmh.show(signals.read("vehicle.Speed")), now);
    if (now < this.#next) return;
    this.#next = now + READ_EVERY;
    tell(find("gear"), gearName(signals));
    tell(find("terminal"), TERMINALS.get(signals.read("input.Key")) ?? "");
    tell(find("message"), message(signals));
    document.body.dataset.stale = String(!signals.isLive);
    this.#lamps.show();
    const temperature = signals.read("auxiliary.CoolantTemperature");
    const { unit, show } = display("°C");
    this.#coolant?.show((temperature - 50) / 80, `${show(temperature).toFixed(0)} ${unit}`, temperature > 115 ? "red" : temperature < 60 ? "cold" : "");
    const level = this.#facts.electric ? signals.read("electric.TractionCharge") : signals.read("auxiliary.FuelShare");
    this.#fuel.show(level, `${(100 * level).toFixed(0)} %`, level < 0.1 ? "amber" : "");
    for (const { value, digits, read } of this.#figures) {
      const figure = read();
      tell(value, Number.isFinite(figure) ? figure.toFixed(digits).replace(/^-(0(\.0+)?)$/, "$1") : "–");
    }
    this.#compare(now);
  }

  // What the frames carry, beside the model.
  #compare(now) {
    const dials = new Map([["vehicle.Speed", [this.#speed, (value) => Math.abs(this.#kmh.show(value)), this.#facts.most_speed / 3.6]]]);
    if (!this.#facts.electric) dials.set("vehicle.EngineRpm", [this.#left, (value) => value, this.#facts.most_rpm]);
    const said = [];
    for (const [entry, [dial, show, most]] of dials) {
      const gauge = this.#facts.gauges.find((one) => one.entry === entry && this.#frames.has(`${one.bus} ${one.message}`));
      const { value = NaN, text = "" } = gauge ? this.#carried(gauge) : {};
      dial.mark(this.#signals.isLive ? show(value) : NaN);
      const apart = this.#isApart(entry, Math.abs(value), now, APART * most);
      if (gauge) said.push([gauge, text || show(value).toFixed(0), apart || text === NOTHING]);
    }
    const parts = said.map(([{ message: name, signal }, text, apart]) => `${name}.${signal} ${text}${apart ? " (not as the model)" : ""}`);
    if (!this.#signals.isLive) tell(find("sources"), "Needles: the last of the model");
    else tell(find("sources"), parts.length ? `▾ frames: ${parts.join(" · ")} · needles: the model` : this.#facts.gauges.length ? "Needles: the model; the frames are not read yet" : "Needles: the model; no frame is known to carry them");
    find("sources").dataset.apart = String(said.some(([, , apart]) => apart));
  }

  // Whether a value is none that the model has had of late.
  #isApart(entry, value, now, room) {
    const past = (this.#past.get(entry) ?? []).filter(([time]) => now - time < LATE);
    past.push([now, Math.abs(this.#signals.read(entry))]);
    this.#past.set(entry, past);
    const had = past.map(([, one]) => one);
    return value < Math.min(...had) - room || value > Math.max(...had) + room;
  }

  // {value} in the entry's unit, or {text}: why there is none.
  #carried({ bus, message: name, signal, factor, offset }) {
    const row = this.#frames.get(`${bus} ${name}`);
    const age = this.#signals.newest.t / 1e6 - (row.seen_ms ?? -Infinity); // a fault may hold it back
    const isLate = row.cycle_ms && age > Math.max(3 * row.cycle_ms, LATE);
    if (row.armed === false || row.awake === false || isLate) return { text: NOTHING };
    const found = row.signals.find(([one]) => one === signal);
    if (!found) return { text: row.signals.length ? "is on another page of its multiplexer" : "is not read yet" };
    const value = (parseFloat(found[1]) - offset) / factor;
    return Number.isFinite(value) ? { value } : { text: found[1] };
  }
}
