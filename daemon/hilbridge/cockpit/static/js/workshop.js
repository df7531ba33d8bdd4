// The engine workshop: sliders for the parameters, and what comes of them. The numbers are the server's; a question
// follows the hand, one at a time, and only the newest waits.

import { find, make, tell } from "./dom.js";
import { Graph } from "./graph.js";
import { Parameters } from "./parameters.js";
import { followTheme } from "./theme.js";

const SHEET = [
  ["Maximum torque", "max_torque_at_peak", "Nm", "peak_rpm"],
  ["Maximum power", "max_power_in_kw", "kW", "max_power_rpm"],
  ["Best consumption", "specific_fuel_consumption", "g/kWh", "specific_fuel_consumption_rpm"],
  ["Torque at idle", "max_torque_at_idle", "Nm", "idle_rpm"],
  ["Friction at idle", "friction_torque_at_idle", "Nm", "idle_rpm"],
  ["No torque beyond", "limit_rpm", "rpm", null],
];

const graph = new Graph();
const parameters = new Parameters(measure);
let vehicle = "";
let file = "";
let asking = false;
let again = false;

followTheme();
find("vehicle").onchange = () => choose(find("vehicle").value);
find("reset").onclick = () => parameters.reset();
find("export").onclick = save;
find("parameters").onsubmit = (event) => event.preventDefault();
begin();

async function begin() {
  const { vehicles, running } = await ask("/workshop/vehicles");
  const name = (one) => (one === running ? `${one} (running)` : one);
  find("vehicle").replaceChildren(...vehicles.map((one) => make("option", { value: one }, name(one))));
  find("vehicle").value = running ?? (vehicles.includes("compact") ? "compact" : vehicles[0]);
  choose(find("vehicle").value);
}

async function choose(name) {
  vehicle = name;
  const { error, title, groups } = await ask(`/workshop/engine?vehicle=${encodeURIComponent(name)}`);
  tell(find("refusal"), error ?? "");
  if (error || vehicle !== name) return;
  tell(find("graph-title"), `${title} at full load`);
  parameters.show(groups);
  measure();
}

// Asks for the numbers; while one question is under way, the next waits, with the values of then.
async function measure() {
  again = asking;
  if (asking) return;
  asking = true;
  const body = JSON.stringify({ vehicle, values: parameters.changes() });
  const result = await ask("/workshop/engine", { method: "POST", body });
  asking = false;
  if (again) measure();
  else show(result);
}

function show({ error, place, yaml, ...result }) {
  const changes = Object.keys(parameters.changes()).length;
  tell(find("refusal"), error ?? "");
  parameters.blame(error ? place : null);
  tell(find("changed"), changes ? `${changes} changed` : "");
  find("reset").disabled = changes === 0;
  find("export").disabled = Boolean(error);
  find("plots").dataset.stale = String(Boolean(error));
  if (error) return;
  file = yaml;
  graph.show(result);
  find("sheet").replaceChildren(...SHEET.map((line) => figure(line, result.sheet)));
}

function figure([title, name, unit, speed], sheet) {
  const value = sheet[name] === null ? "–" : sheet[name].toFixed(unit === "rpm" ? 0 : 1);
  const at = speed && sheet[speed] !== null ? `at ${sheet[speed].toFixed(0)} rpm` : "";
  const told = [value, make("span", { class: "unit" }, ` ${unit}`), make("span", { class: "at" }, at)];
  return make("div", {}, make("dt", {}, title), make("dd", {}, ...told));
}

function save() {
  const address = URL.createObjectURL(new Blob([file], { type: "application/yaml" }));
  make("a", { href: address, download: `${vehicle}-workshop.yaml` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// The server's JSON; `{error: reason}` also where it cannot be asked.
async function ask(address, options) {
  try {
    return await (await fetch(address, options)).json();
  } catch {
    return { error: "the bench cannot be reached" };
  }
}
