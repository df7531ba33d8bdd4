// How a value is shown: the words for its entry, and the unit that the reader has chosen; kept in the browser.

const STORE = "hilbridge.units";

// unit of the data bus: the unit that is shown, and value · factor + offset
const COMMON = new Map([
  ["1", ["%", 100, 0]],
  ["m/s2", ["m/s²", 1, 0]],
  ["l/100km", ["l/100 km", 1, 0]],
  ["deg", ["°", 1, 0]],
  ["deg/s", ["°/s", 1, 0]],
]);
const SYSTEMS = {
  metric: new Map([["m/s", ["km/h", 3.6, 0]], ["km", ["km", 1, 0]]]),
  imperial: new Map([["m/s", ["mph", 3600 / 1609.344, 0]], ["km", ["mi", 1 / 1.609344, 0]], ["°C", ["°F", 1.8, 32]]]),
};
const RATIOS_AS_THEY_ARE = new Set([
  "auxiliary.Lambda", "auxiliary.CommandedLambda", "road.Friction", "road.FrictionFrontLeft",
  "road.FrictionFrontRight", "road.FrictionRearLeft", "road.FrictionRearRight",
]);
const WORDS = new Map([
  ["vehicle.EngineRpm", "Engine speed"],
  ["vehicle.TransmissionRpm", "Transmission speed"],
  ["vehicle.EngineLoad", "Engine load"],
  ["input.Steer", "Steering"],
  ["input.ManualGear", "Gear lever"],
  ["input.AutomaticGear", "Selector lever"],
]);

export const units = new EventTarget();
let system = localStorage.getItem(STORE) === "imperial" ? "imperial" : "metric";

export function chosenSystem() {
  return system;
}

export function chooseSystem(name) {
  system = name;
  localStorage.setItem(STORE, name);
  units.dispatchEvent(new Event("change"));
}

// The unit that is shown for one of the data bus, and the ways there and back.
export function display(unit, path = "") {
  const asItIs = [unit === "1" ? "" : unit, 1, 0];
  const [name, factor, offset] = SYSTEMS[system].get(unit) ?? (RATIOS_AS_THEY_ARE.has(path) ? asItIs : (COMMON.get(unit) ?? asItIs));
  return { unit: name, show: (value) => value * factor + offset, take: (value) => (value - offset) / factor };
}

// "vehicle.EngineTorque" is "Engine torque", "fault.Misfire" is "Misfire".
export function words(path) {
  const name = path.split(".")[1].replace(/(?<=[a-z])(?=[A-Z])/g, " ");
  return WORDS.get(path) ?? name[0] + name.slice(1).toLowerCase();
}

// As many digits as can be read off a moving figure.
export function short(value) {
  const size = Math.abs(value);
  return value.toFixed(size >= 1000 ? 0 : size >= 10 ? 1 : 2).replace(/^-(0(\.0+)?)$/, "$1");
}
