// The left foot of a page without one: how far the clutch is engaged, 0 to 1.
//
// Open while the lever is in neutral, or the gearbox is still on its way to the gear; otherwise it bites where the
// engine leaves idle speed, and is closed as soon as the gearbox turns faster than idle.

const BITE = 0.9; // of idle speed: nothing is engaged below
const CLOSED = 2.2; // of idle speed: all of it from here on

export function engagement(signals, facts, held) {
  if (held("input.ManualGear") === 0 || signals.read("vehicle.GearboxGear") !== held("input.ManualGear")) return 0;
  const input = Math.abs(signals.read("vehicle.TransmissionRpm"));
  const engine = signals.read("vehicle.EngineRpm");
  if (!(engine > BITE * facts.idle_rpm)) return 0;
  if (input > 1.1 * facts.idle_rpm) return 1;
  const share = (engine / facts.idle_rpm - BITE) / (CLOSED - BITE);
  return Math.round(100 * Math.min(Math.max(share, 0), 1)) / 100;
}
