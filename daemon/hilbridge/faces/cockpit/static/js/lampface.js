// The lamps of the drawn cluster, each in its place. What the frames say decides where a profile names the lamp (the
// verdicts of `hilbridge explain`), the model where not; a dot below the symbol tells which. A touch says why.
//
// The frames are asked twice a second: too slow for a flash, so turn signals always follow the model.

import { find, make, tell } from "./dom.js";
import { symbol } from "./symbols.js";

const LOW_FUEL = 0.1; // of the tank

const on = (...paths) => (signals) => paths.some((path) => signals.read(path) > 0);
const is = (path, ...states) => (signals) => states.includes(signals.read(path));

// symbol, what it says in full, colour of ISO 2575, names in profiles, when the model lights it (absent: it has no such)
const TOP = [
  ["left", "Left turn signals", "green", ["left turn"], on("body.LeftTurnLamp"), true],
  ["main", "Main beam", "accent", ["main beam"], on("body.MainBeam")],
  ["dipped", "Dipped beam", "green", ["dipped beam"], on("body.DippedBeam")],
  ["side", "Side lights", "green", ["side lights"], on("body.SideLights")],
  ["fogFront", "Front fog lights", "green", ["front fog lights", "fog lights"], on("body.FrontFogLights")],
  ["fogRear", "Rear fog lights", "amber", ["rear fog lights"], on("body.RearFogLights")],
  ["right", "Right turn signals", "green", ["right turn"], on("body.RightTurnLamp"), true],
];
const MAIN = [
  ["engine", "Malfunction indicator", "amber", ["MIL", "engine", "EML"], (_, state) => state.indicator],
  ["oil", "Oil pressure", "red", ["oil pressure"]],
  ["battery", "Charge", "red", ["charge", "battery"], (signals) => signals.read("auxiliary.ChargeIndicator") > 0 && !(signals.read("auxiliary.AutoStop") > 0)],
  ["coolant", "Coolant temperature", "red", ["coolant", "overheating"]],
  ["brake", "Brakes", "red", ["brake", "brakes"]],
  ["parking", "Parking brake", "red", ["parking brake"], (signals) => signals.read("body.ParkingBrake") > 0 || signals.read("input.Handbrake") > 0.05],
  ["belt", "The driver's belt is open", "red", ["belt", "belts"], is("body.BeltDriver", 0)],
  ["airbag", "Airbag", "red", ["airbag"]],
  ["doors", "A door or lid is open", "red", ["doors"],
    on(...["DoorFrontLeft", "DoorFrontRight", "DoorRearLeft", "DoorRearRight", "Bonnet", "Boot"].map((name) => `body.${name}`))],
  ["abs", "Anti-lock brakes", "amber", ["ABS"], on("vehicle.AbsEngaged")],
  ["esc", "Stability control", "amber", ["ESP", "ESC", "DSC", "PSM", "VSA", "VSC", "stability"], on("vehicle.EscEngaged")],
  ["escOff", "Stability control is off", "amber", ["ESP off", "ESC off", "DSC off", "PSM off", "VSA off"], is("settings.EscOverride", 2)],
  ["tcs", "Traction control", "amber", ["traction control", "ASC"], on("vehicle.TcsEngaged", "vehicle.AsrEngaged")],
  ["fuel", "Low fuel", "amber", ["low fuel", "fuel"], (signals) => signals.read("auxiliary.FuelShare") < LOW_FUEL],
  ["cruise", "Cruise control active", "green", ["cruise control"], is("body.CruiseState", 2, 4)],
  ["tyres", "Tyre pressure", "amber", ["tyres"]],
  ["steering", "Power steering", "amber", ["steering", "power steering"]],
  ["brakeFluid", "Brake fluid", "red", ["brake fluid"]],
  ["pads", "Brake pads", "amber", ["brake pads"]],
  ["oilLevel", "Oil level", "amber", ["oil level"]],
  ["coolantLevel", "Coolant level", "amber", ["coolant level"]],
  ["glow", "Glow plugs", "amber", ["glow plugs"]],
  ["washer", "Washer fluid", "amber", ["washer fluid"]],
  ["wrench", "Service", "amber", ["service"]],
  ["gearbox", "Gearbox", "amber", ["gearbox", "AT"]],
];
const READY = ["READY", "Ready to drive", "green", [], on("electric.DriveReady")];

export class LampFace {
  #signals;
  #state;
  #lamps = [];
  #asked = null; // the lamp that was touched last
  #verdicts = new Map(); // by name in profiles

  constructor(signals, state, { electric, hybrid, tank }) {
    [this.#signals, this.#state] = [signals, state];
    const has = ([name]) => !(electric && name === "fuel") && !(name === "fuel" && !tank);
    this.#fill(find("lamps-top"), TOP);
    this.#fill(find("telltales"), [...(electric || hybrid ? [READY] : []), ...MAIN.filter(has)]);
  }

  // The verdicts of a round: a lamp that a profile names and we do not draw yet gets a place with its name.
  take(verdicts) {
    const lamps = verdicts.filter(({ kind }) => kind === "lamp");
    this.#verdicts = new Map();
    for (const verdict of lamps) if (this.#verdicts.get(verdict.name)?.state !== "wrong") this.#verdicts.set(verdict.name, verdict);
    const drawn = new Set(this.#lamps.flatMap(({ names }) => names));
    const others = lamps.map(({ name }) => name).filter((name) => !drawn.has(name) && name !== "everything");
    this.#fill(find("telltales"), [...new Set(others)].map((name) => [name, name, "amber", [name]]));
  }

  show() {
    const everything = this.#verdicts.get("everything");
    for (const lamp of this.#lamps) {
      const own = lamp.names.map((name) => this.#verdicts.get(name)).find(Boolean);
      const verdict = own && everything?.state === "wrong" ? everything : own;
      lamp.verdict = verdict;
      const byFrames = verdict?.told && !lamp.flashes && verdict.state !== "wrong";
      const lit = byFrames ? verdict.state === "lit" : Boolean(lamp.isLit?.(this.#signals, this.#state));
      const look = { lit: String(lit), from: byFrames ? "frames" : "model", wrong: String(verdict?.state === "wrong") };
      lamp.element.hidden = !verdict && !lamp.isLit;
      for (const [name, value] of Object.entries(look)) {
        if (lamp.element.dataset[name] !== value) lamp.element.dataset[name] = value;
      }
      tell(lamp.said, `${lamp.title}, ${lit ? "on" : "off"}`);
    }
    if (this.#asked && !this.#asked.flashes) tell(find("lamp-why"), why(this.#asked));
  }

  #fill(list, lamps) {
    for (const [name, title, colour, names, isLit, flashes = false] of lamps) {
      const said = make("span", { class: "sr" });
      const button = make("button", { type: "button", title }, symbol(name), said);
      const element = make("li", { class: "telltale", "data-lamp": name, "data-colour": colour }, button);
      const lamp = { element, said, title, names, isLit, flashes };
      button.onclick = () => {
        this.#asked = this.#asked === lamp ? null : lamp;
        tell(find("lamp-why"), this.#asked ? why(lamp) : "");
      };
      list.append(element);
      this.#lamps.push(lamp);
    }
  }
}

function why({ element, title, verdict, isLit }) {
  const state = `${title}: ${element.dataset.lit === "true" ? "lit" : "dark"}`;
  if (!verdict) return `${state}, by the model; no frame of this bench is known to move it`;
  const causes = verdict.causes.map(({ frame, text, remedy }) => `${frame}: ${text}${remedy ? ` → ${remedy}` : ""}`);
  if (!verdict.told && verdict.state !== "wrong") return `${state}, by the model; ${verdict.frames.join(", ")} keeps it dark, and no signal is known that lights it`;
  if (verdict.state === "wrong") return `${state} by the model${isLit ? "" : " (which has none)"}; the frames do not say so: ${causes.join("; ")}`;
  return `${state}, by ${causes.length ? causes.join("; ") : verdict.frames.join(", ")}`;
}
