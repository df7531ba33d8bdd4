// The instrument cluster: dials, gear, tell-tales and what is read as figures.

import { Dial } from "./dial.js";
import { find, make, tell } from "./dom.js";
import { display, units } from "./units.js";

const LOW_VOLTAGE = 11.8; // [V] below: the battery lamp
const MODES = ["M", "P", "R", "N", "D", "D1", "D2", "D3", "D4", "D5"];
const TERMINALS = new Map([[-1, "Key off"], [0, "Ignition on (terminal 15)"], [1, "Starter (terminal 50)"]]);

const flag = (path) => (signals) => signals.read(path) > 0;

// text, what it says in full, colour of ISO 2575, when it is lit
const TELLTALES = [
  ["MIL", "Malfunction indicator", "amber", (_, state) => state.indicator],
  ["ABS", "Anti-lock brakes act", "amber", flag("vehicle.AbsEngaged")],
  ["TCS", "Traction control acts", "amber", flag("vehicle.TcsEngaged")],
  ["ESC", "Stability control acts", "amber", flag("vehicle.EscEngaged")],
  ["LIMIT", "Speed limiter of the engine acts", "red", flag("vehicle.EngineLimiter")],
  ["STALL", "Engine stalled", "red", (signals) => isStalled(signals)],
  ["BATT", "Low voltage", "red", (signals) => signals.read("auxiliary.BatteryVoltage") < LOW_VOLTAGE],
  ["PARK", "Handbrake on", "red", (signals) => signals.read("input.Handbrake") > 0.05],
  ["START", "Starter turns", "accent", flag("vehicle.EngineStarting")],
];

// name, path, digits, and another unit of the data bus that the value is taken to first, by a factor
const READOUTS = [
  ["Torque", "vehicle.EngineTorque", 0],
  ["Power", "vehicle.EnginePower", 1],
  ["Fuel rate", "vehicle.EngineFuelRate", 2],
  ["Consumption", "vehicle.FuelConsumption", 1],
  ["Engine load", "vehicle.EngineLoad", 0],
  ["Coolant", "auxiliary.CoolantTemperature", 1],
  ["Oil", "auxiliary.OilTemperature", 1],
  ["Battery", "auxiliary.BatteryVoltage", 2],
  ["Fuel level", "auxiliary.FuelLevel", 1],
  ["Odometer", "auxiliary.Odometer", 1, "km", 1e-3],
  ["Trip", "auxiliary.Trip", 2, "km", 1e-3],
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
  ["12 V battery", "auxiliary.BatteryVoltage", 2],
  ["Odometer", "auxiliary.Odometer", 1, "km", 1e-3],
  ["Trip", "auxiliary.Trip", 2, "km", 1e-3],
  ["Acceleration", "chassis.Acceleration", 2],
];

const HYBRID_READOUTS = [
  ["Power gauge", "electric.PowerShare", 0],
  ["Engine torque", "vehicle.EngineTorque", 0],
  ["Motor torque", "electric.MotorTorque", 0],
  ["Engine power", "vehicle.EnginePower", 1],
  ["Motor power", "electric.MotorPower", 1],
  ["Charge", "electric.TractionCharge", 1],
  ["Battery power", "electric.TractionPower", 1],
  ["Recuperated", "electric.EnergyRecuperated", 2],
  ["Consumption", "vehicle.FuelConsumption", 1],
  ["Coolant", "auxiliary.CoolantTemperature", 1],
  ["Fuel level", "auxiliary.FuelLevel", 1],
  ["Odometer", "auxiliary.Odometer", 1, "km", 1e-3],
  ["Trip", "auxiliary.Trip", 2, "km", 1e-3],
  ["Acceleration", "chassis.Acceleration", 2],
];

const ENGINE_LAMPS = new Set(["LIMIT", "STALL", "START"]);
const READY_LAMP = ["READY", "Ready to drive", "accent", flag("electric.DriveReady")];

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

export class Cluster {
  #signals;
  #state;
  #electric;
  #left; // engine speed, or the power gauge of an electric vehicle
  #speed;
  #kmh;
  #lamps;
  #readouts;
  #next = 0;

  constructor(signals, state, facts) {
    this.#signals = signals;
    this.#state = state;
    this.#electric = facts.electric;
    this.#left = new Dial(find("rpm"), facts.electric
      ? { label: "Power", unit: "% power", least: -100, most: 100, step: 50, minor: 10 }
      : {
        label: "Engine speed", unit: "rpm", most: facts.most_rpm, step: 1000,
        minor: facts.most_rpm > 4000 ? 250 : 100, red: facts.redline_rpm,
      });
    const usual = facts.electric ? TELLTALES.filter(([text]) => !ENGINE_LAMPS.has(text)) : TELLTALES;
    const lamps = facts.electric || facts.hybrid ? [READY_LAMP, ...usual] : usual;
    this.#lamps = lamps.map(([text, title, colour, isLit]) => {
      const said = make("span", { class: "sr" });
      const element = make("li", { class: "telltale", "data-colour": colour, title }, text, said);
      return { element, said, title, isLit };
    });
    find("telltales").replaceChildren(...this.#lamps.map(({ element }) => element));
    this.#build(facts);
    units.addEventListener("change", () => this.#build(facts));
  }

  // What depends on the units.
  #build(facts) {
    this.#kmh = display("m/s");
    const fastest = this.#kmh.show(facts.most_speed / 3.6);
    const step = fastest > 180 ? 40 : 20; // more figures would touch
    const most = step * Math.ceil(fastest / step - 0.01);
    this.#speed = new Dial(find("speed"), { label: "Vehicle speed", unit: this.#kmh.unit, most, step, minor: step / 4 });
    const shown = facts.electric ? ELECTRIC_READOUTS : facts.hybrid ? HYBRID_READOUTS : READOUTS;
    this.#readouts = shown.map(([name, path, digits, base = this.#signals.unit(path), factor = 1]) => {
      const { unit, show } = display(base, path);
      const value = make("span", {}, "–");
      const element = make("div", {}, make("dt", {}, name), make("dd", {}, value, " ", make("span", { class: "unit" }, unit)));
      return { element, value, path, digits, read: () => show(this.#signals.read(path) * factor) };
    });
    find("readouts").replaceChildren(...this.#readouts.map(({ element }) => element));
  }

  show(now) {
    const signals = this.#signals;
    this.#left.show(this.#electric ? 100 * signals.read("electric.PowerShare") : signals.read("vehicle.EngineRpm"), now);
    this.#speed.show(this.#kmh.show(signals.read("vehicle.Speed")), now);
    if (now < this.#next) return;
    this.#next = now + READ_EVERY;
    tell(find("gear"), gearName(signals));
    tell(find("terminal"), TERMINALS.get(signals.read("input.Key")) ?? "");
    document.body.dataset.stale = String(!signals.isLive);
    for (const { element, said, title, isLit } of this.#lamps) {
      const lit = isLit(signals, this.#state);
      if (element.dataset.lit !== String(lit)) {
        element.dataset.lit = String(lit);
        said.textContent = `: ${title}, ${lit ? "on" : "off"}`;
      }
    }
    for (const { value, digits, read } of this.#readouts) {
      const figure = read();
      tell(value, Number.isFinite(figure) ? figure.toFixed(digits).replace(/^-(0(\.0+)?)$/, "$1") : "–");
    }
  }
}
