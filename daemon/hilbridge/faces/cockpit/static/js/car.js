// A car seen from above, its front at the top: doors, bonnet, boot, belts and lights to click. What is drawn is what the
// bench says; a click holds the entry of the body (body.js).

import { draw, find } from "./dom.js";

const BODY = "M38 22 Q80 4 122 22 Q132 40 130 70 L132 190 Q132 232 120 244 Q80 256 40 244 Q28 232 28 190 L30 70 Q28 40 38 22 Z";

// entry, name, shape, turned when open: [angle, x, y]
const DOORS = [
  ["DoorFrontLeft", "Front left door", "M30 92 L36 90 V138 H29 Z", [38, 31, 91]],
  ["DoorFrontRight", "Front right door", "M130 92 L124 90 V138 H131 Z", [-38, 129, 91]],
  ["DoorRearLeft", "Rear left door", "M29 141 H36 V188 L29 190 Z", [38, 31, 141]],
  ["DoorRearRight", "Rear right door", "M131 141 H124 V188 L131 190 Z", [-38, 129, 141]],
  ["Bonnet", "Bonnet", "M44 30 Q80 18 116 30 L118 66 Q80 58 42 66 Z", null],
  ["Boot", "Boot", "M42 214 Q80 222 118 214 L116 238 Q80 248 44 238 Z", null],
];
const BELTS = [
  ["BeltDriver", "Driver's belt", 62, 118], ["BeltPassenger", "Front passenger's belt", 98, 118],
  ["BeltRearLeft", "Rear left belt", 55, 168], ["BeltRearCentre", "Rear centre belt", 80, 168], ["BeltRearRight", "Rear right belt", 105, 168],
];
// entry, name, lamps drawn
const LIGHTS = [
  ["SideLights", "Side lights", ["M36 30 L42 25", "M124 30 L118 25", "M42 240 L36 235", "M118 240 L124 235"]],
  ["DippedBeam", "Dipped beam", ["M44 24 Q36 -4 14 -6 L54 -8 Z", "M116 24 Q124 -4 146 -6 L106 -8 Z"]],
  ["MainBeam", "Main beam", ["M46 22 L34 -22 H60 Z", "M114 22 L126 -22 H100 Z"]],
  ["FrontFogLights", "Front fog lights", ["M40 32 L8 12 L16 4 Z", "M120 32 L152 12 L144 4 Z"]],
  ["RearFogLights", "Rear fog lights", ["M42 242 L36 262 H54 Z"]],
];
const SWITCHES = [["HazardLights", "Hazard"], ["SideLights", "Side"], ["DippedBeam", "Dipped"], ["MainBeam", "Main"], ["FrontFogLights", "Fog"], ["RearFogLights", "Rear fog"], ["ParkingBrake", "Park brake"]];

export class Car {
  #signals;
  #set;
  #shown = []; // [entry, element, value when it is lit or open]

  constructor(signals, set, readOnly) {
    [this.#signals, this.#set] = [signals, set];
    const svg = draw("svg", { viewBox: "-26 -26 212 296", role: "group", "aria-label": "The car from above" });
    for (const [entry, , beams] of LIGHTS) {
      for (const d of beams) this.#note(entry, draw("path", { class: `beam ${entry}`, d }), svg);
    }
    svg.append(draw("path", { class: "shell", d: BODY }), draw("path", { class: "glass", d: "M42 72 Q80 62 118 72 L112 92 Q80 86 48 92 Z M48 196 Q80 202 112 196 L116 210 Q80 218 44 210 Z" }));
    svg.append(draw("path", { class: "roof", d: "M48 94 Q80 88 112 94 L112 194 Q80 200 48 194 Z" }));
    for (const [entry, name, d, hinge] of DOORS) this.#part(svg, entry, name, draw("path", { class: "door", d }), hinge, readOnly);
    for (const [entry, name, x, y] of BELTS) {
      const seat = draw("g", { class: "seat" }, draw("rect", { x: x - 9, y: y - 13, width: 18, height: 26, rx: 5 }), draw("path", { d: `M${x - 6} ${y - 10} L${x + 6} ${y + 8}` }));
      this.#part(svg, entry, name, seat, null, readOnly);
    }
    for (const [entry, places] of [["LeftTurnLamp", [[36, 28], [34, 240]]], ["RightTurnLamp", [[124, 28], [126, 240]]]]) {
      for (const [cx, cy] of places) this.#note(entry, draw("circle", { class: "blinker", cx, cy, r: 5 }), svg);
    }
    const stalk = [["left", 1, "M-2 118 L-16 128 L-2 138 Z"], ["right", 2, "M162 118 L176 128 L162 138 Z"]];
    for (const [side, value, d] of stalk) this.#part(svg, "TurnSignal", `Turn signal ${side}`, draw("path", { class: "stalk", d }), null, readOnly, value);
    const buttons = document.createElement("div");
    buttons.className = "light-switch";
    for (const [entry, name] of SWITCHES) buttons.append(this.#button(entry, name, readOnly));
    find("car").replaceChildren(svg, buttons);
  }

  show() {
    for (const { entry, element, value, hinge } of this.#shown) {
      const on = String(this.#signals.read(`body.${entry}`) === value);
      if (element.dataset.on === on) continue;
      element.dataset.on = on;
      if (element.hasAttribute("aria-pressed")) element.setAttribute("aria-pressed", on);
      if (hinge) element.setAttribute("transform", on === "true" ? `rotate(${hinge.join(" ")})` : "");
    }
  }

  #note(entry, element, parent, value = 1, hinge = null) {
    this.#shown.push({ entry, element, value, hinge });
    parent.append(element);
  }

  #part(svg, entry, name, element, hinge, readOnly, value = 1) {
    const said = { role: "button", tabindex: readOnly ? "-1" : "0", "aria-label": name, "aria-pressed": "false", "aria-disabled": String(readOnly) };
    for (const [key, text] of Object.entries(said)) element.setAttribute(key, text);
    element.append(draw("title", {}, name));
    element.dataset.entry = entry;
    const toggle = () => readOnly || this.#set(`body.${entry}`, element.dataset.on === "true" ? 0 : value);
    element.onclick = toggle;
    element.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      toggle();
    };
    this.#note(entry, element, svg, value, hinge);
  }

  #button(entry, name, readOnly) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: name, disabled: readOnly });
    button.setAttribute("aria-pressed", "false");
    button.onclick = () => this.#set(`body.${entry}`, button.dataset.on === "true" ? 0 : 1);
    this.#shown.push({ entry, element: button, value: 1, hinge: null });
    return button;
  }
}
