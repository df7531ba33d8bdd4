// The symbols of the lamps, drawn by us after the descriptions of ISO 2575: lines within 24 by 24, upright, in the colour
// of the text around them. `f`: a filled shape; `t`: text in the middle of the symbol.

import { draw } from "./dom.js";

const LAMP = "M12.5 5.5 C18 5.5 21 8.4 21 12 S18 18.5 12.5 18.5 C11.2 15 11.2 9 12.5 5.5 Z";
const MIRRORED = "M11.5 5.5 C6 5.5 3 8.4 3 12 S6 18.5 11.5 18.5 C12.8 15 12.8 9 11.5 5.5 Z";
const RING = "M12 5.5 A6.5 6.5 0 1 1 12 18.5 A6.5 6.5 0 1 1 12 5.5 M4.6 5.2 A10 10 0 0 0 4.6 18.8 M19.4 5.2 A10 10 0 0 1 19.4 18.8";
const CAN = "M2.5 9.5 L6 11 L8.5 9.5 H12 L13.5 11 L20.5 8.5 L16.5 17 H7 L6 14.5 L4.6 13 M10.2 9.5 V7.5 M8.6 7.5 H11.8";
const THERMOMETER = "M12 14 V4 H13.8 V14 A2.4 2.4 0 1 1 12 14 M13.8 6.2 H16.5 M13.8 9.4 H16.5";
const PERSON = "M9.5 6 A2.3 2.3 0 1 1 9.5 5.99 M7.6 9.4 C6 11 6 14.5 6.4 17.5 H12.6 C13 14.5 13 11 11.4 9.4 Z";
const ENGINE = "M7 9 H9.5 V7 H7.5 V5.5 H14 V7 H12 V9 H15 L17 11 H18.6 V9 H21 V17.5 H18.6 V15.5 H17 L15 18.5 H8.6 L6.6 16.5 H4.8 V18.5 H3 V10.5 H4.8 V12.5 H6 V10.2 Z";
const CAR = "M6.5 10 L8.4 6 H15.6 L17.5 10 M5 14.5 V11.4 Q5 10 6.5 10 H17.5 Q19 10 19 11.4 V14.5 Z M7 14.5 V16 M17 14.5 V16";
const SKID = `${CAR} M7 17.5 C10 18.5 4 20.5 7 22 M17 17.5 C20 18.5 14 20.5 17 22`;
const TYRE = "M8 19 C3.6 14 4 7.5 7.5 4 M16 19 C20.4 14 20 7.5 16.5 4 M8 19 H16 M9 19 V21 M12 19 V21 M15 19 V21";

const SHAPES = {
  left: { f: "M11 4 L3 12 L11 20 V15.5 H21 V8.5 H11 Z" },
  right: { f: "M13 4 L21 12 L13 20 V15.5 H3 V8.5 H13 Z" },
  main: { d: `${LAMP} M9.5 6.5 H2.5 M8.8 10.2 H2.5 M8.8 13.8 H2.5 M9.5 17.5 H2.5` },
  dipped: { d: `${LAMP} M9.5 6.5 L2.8 8.5 M8.8 10.2 L2.8 12 M8.8 13.8 L2.8 15.6 M9.5 17.5 L2.8 19.5` },
  side: { d: "M14 8.5 C18 8.5 19.5 10 19.5 12 S18 15.5 14 15.5 Z M10 8.5 C6 8.5 4.5 10 4.5 12 S6 15.5 10 15.5 Z M20.4 7.6 L22.6 6.2 M21.4 12 H23.4 M20.4 16.4 L22.6 17.8 M3.6 7.6 L1.4 6.2 M2.6 12 H.6 M3.6 16.4 L1.4 17.8" },
  fogFront: { d: `${LAMP} M9.5 7.5 L2.5 9.5 M8.8 11.2 L2.5 13 M9 15 L2.5 16.8 M6 4.5 C4 8 8 11 6 14 S4 18 6 20.5` },
  fogRear: { d: `${MIRRORED} M14.5 7.5 H21.5 M15.2 12 H21.5 M14.5 16.5 H21.5 M18.2 4.5 C16.2 8 20.2 11 18.2 14 S16.2 18 18.2 20.5` },
  engine: { d: ENGINE },
  abs: { d: RING, t: "ABS", small: true },
  esc: { d: SKID },
  escOff: { d: CAR.replaceAll("16", "15.5"), t: "OFF", small: true, y: 20.5 },
  tcs: { d: "M12 4.5 A7.5 7.5 0 1 1 6.2 7.2 M12 4.5 L9.6 2.6 M12 4.5 L9.8 6.7 M12 8.6 L16 15.4 H8 Z" },
  battery: { d: "M3.5 8 H20.5 V18 H3.5 Z M6 8 V6 H9 V8 M15 8 V6 H18 V8 M6 13 H9.5 M14.5 13 H18 M16.2 11.2 V14.8" },
  oil: { d: `${CAN} M21.4 11.5 C22.4 13 22.2 14 21.4 14 S20.4 13 21.4 11.5` },
  oilLevel: { d: `${CAN} M7 20.5 C9 19 10 22 12 20.5 S15 22 17 20.5` },
  coolant: { d: `${THERMOMETER} M4 17 C5.5 16 6.5 18 8 17 M16.5 17 C18 16 19 18 20.5 17 M4 20.8 C6 19.6 8 22 10 20.8 S14 22 16 20.8 S19 19.8 20.5 20.8` },
  coolantLevel: { d: `${THERMOMETER} M4 18 C6 16.5 7 19.5 9 18 M16 18 C18 16.5 19 19.5 21 18 M4.5 6 V11 M3 9.4 L4.5 11 L6 9.4` },
  brake: { d: RING, t: "!" },
  parking: { d: RING, t: "P" },
  brakeFluid: { d: `${RING} M9 14.5 C10.4 13.6 11.4 15.4 12.6 14.5 S14.4 14.4 15 14.5 M12 8 V11.6` },
  pads: { d: "M12 7.5 A4.5 4.5 0 1 1 12 16.5 A4.5 4.5 0 1 1 12 7.5 M5.5 5 A9.6 9.6 0 0 0 5.5 19 M18.5 5 A9.6 9.6 0 0 1 18.5 19" },
  belt: { d: `${PERSON} M7 16.5 L16 6 M15 7 L18 4.6` },
  airbag: { d: `${PERSON} M14 12 A3.6 3.6 0 1 0 14 11.9` },
  doors: { d: "M9 4 H15 Q16.5 4 16.5 7 V18 Q16.5 20.5 15 20.5 H9 Q7.5 20.5 7.5 18 V7 Q7.5 4 9 4 Z M9 8.5 H15 M9 17 H15 M7.5 10.5 L3 13.6 M16.5 10.5 L21 13.6" },
  tyres: { d: TYRE, t: "!" },
  steering: { d: "M10 4.5 A7.5 7.5 0 1 1 10 19.5 A7.5 7.5 0 1 1 10 4.5 M10 10 A2 2 0 1 1 10 14 A2 2 0 1 1 10 10 M2.6 12 H8 M12 12 H17.4 M10 14 V19.4 M21 6 V14 M21 17 V18.2" },
  glow: { d: "M2.5 12 H6 C6 5 11 5 10.5 12 C10 19 5.5 17 7.5 12 M21.5 12 H18 C18 5 13 5 13.5 12 C14 19 18.5 17 16.5 12 M10.5 12 C11 9 13 9 13.5 12" },
  fuel: { d: "M5 20.5 V5.5 Q5 4 6.5 4 H12.5 Q14 4 14 5.5 V20.5 Z M3.6 20.5 H15.4 M7 7 H12 V11 H7 Z M14 12 H16 Q17 12 17 13.4 V16.6 A1.6 1.6 0 0 0 20.2 16.6 V9 L17 6" },
  washer: { d: "M4 19 C5 13 8 10.6 12 10.6 S19 13 20 19 Z M12 10.6 V6 M12 6 C9.6 6 8.6 4.6 8 3.4 M12 6 C14.4 6 15.4 4.6 16 3.4" },
  cruise: { d: "M5.2 18.5 A8.6 8.6 0 1 1 18.8 18.5 M12 13 L16.4 9 M2.6 5.6 L5.4 8.2 M5.4 8.2 L5.4 5.6 M5.4 8.2 H2.6" },
  wrench: { d: "M14 5 A4.4 4.4 0 0 1 20 9.6 L9 20.6 A2.2 2.2 0 0 1 5.6 17.4 L14.6 9.6 L12.8 7 Z" },
  gearbox: { d: "M12 7.5 A4.5 4.5 0 1 1 12 16.5 A4.5 4.5 0 1 1 12 7.5 M12 4.5 V7.5 M12 16.5 V19.5 M4.5 12 H7.5 M16.5 12 H19.5 M6.8 6.8 L8.8 8.8 M15.2 15.2 L17.2 17.2 M17.2 6.8 L15.2 8.8 M8.8 15.2 L6.8 17.2", t: "!" },
};

// A symbol by its name, or the beginning of the name where there is none.
export function symbol(name) {
  const { d = "", f = "", t = d || f ? "" : name.slice(0, 8), small = t.length > 2, y } = SHAPES[name] ?? {};
  const svg = draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
  if (d) svg.append(draw("path", { class: "line", d }));
  if (f) svg.append(draw("path", { class: "solid", d: f }));
  const place = { class: small ? "small" : "", x: 12, y: y ?? (small ? 14 : 15.6) };
  if (t) svg.append(draw("text", t.length > 5 ? { ...place, textLength: 24, lengthAdjust: "spacingAndGlyphs" } : place, t));
  return svg;
}
