// The engine workshop: sliders for the parameters, and what comes of them. The numbers are the server's; a question
// follows the hand, one at a time, and only the newest waits. What is changed outlasts a reload of the page.

import { find, make, tell } from "./dom.js";
import { Graph } from "./graph.js";
import { Parameters } from "./parameters.js";
import { Targets } from "./targets.js";
import { followTheme } from "./theme.js";

const SHEET = [
  ["Maximum torque", "max_torque_at_peak", "Nm", "peak_rpm"],
  ["Maximum power", "max_power_in_kw", "kW", "max_power_rpm"],
  ["Best consumption", "specific_fuel_consumption", "g/kWh", "specific_fuel_consumption_rpm"],
  ["Torque at idle", "max_torque_at_idle", "Nm", "idle_rpm"],
  ["Friction at idle", "friction_torque_at_idle", "Nm", "idle_rpm"],
  ["No torque beyond", "max_rpm", "rpm", null],
];
const KEPT = "hilbridge-workshop";
const SETTLED = 400; // [ms] without a change, after which a step can be undone
const LOOK = 2000; // [ms] between two looks at the engine that runs

const graph = new Graph();
const parameters = new Parameters(change);
const targets = new Targets(change);
let vehicle = "";
let running = null;
let driven = null; // the changes of the engine that runs; null: it cannot be driven from here
let file = "";
let shown = null; // the newest numbers
let other = null; // the curves to compare with
let compared = "";
let asking = false;
let again = false;
let restoring = false;
let settling = 0;
let steps = ["{}"]; // the changes, step by step, as JSON
let step = 0;

followTheme();
find("vehicle").onchange = () => choose(find("vehicle").value, {});
find("compare").onchange = () => compare(find("compare").value);
find("compare-file").onchange = compareFile;
find("load-targets").onclick = () => find("targets-file").click();
find("targets-file").onchange = loadTargets;
find("reset").onclick = () => parameters.apply({});
find("undo").onclick = () => go(step - 1);
find("redo").onclick = () => go(step + 1);
find("export").onclick = save;
find("drive").onclick = () => drive(parameters.changes());
find("drive-file").onclick = () => drive({});
find("parameters").onsubmit = (event) => event.preventDefault();
addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.type === "number") return;
  event.preventDefault();
  go(step + (event.shiftKey ? 1 : -1));
});
begin();

async function begin() {
  const { vehicles, running: runs, error } = await ask("/workshop/vehicles");
  if (error) return tell(find("refusal"), error);
  running = runs;
  const name = (one) => (one === running ? `${one} (running)` : one);
  const options = () => vehicles.map((one) => make("option", { value: one }, name(one)));
  find("vehicle").replaceChildren(...options());
  find("compare").append(...options());
  const kept = recall();
  const usual = running ?? (vehicles.includes("compact") ? "compact" : vehicles[0]);
  const known = vehicles.includes(kept.vehicle);
  targets.set(kept.targets ?? []);
  find("vehicle").value = known ? kept.vehicle : usual;
  choose(find("vehicle").value, known ? (kept.values ?? {}) : {});
  if (vehicles.includes(kept.compared)) {
    find("compare").value = kept.compared;
    compare(kept.compared);
  }
  look();
  setInterval(look, LOOK);
}

async function choose(name, values) {
  vehicle = name;
  const { error, title, groups } = await ask(`/workshop/engine?vehicle=${encodeURIComponent(name)}`);
  tell(find("refusal"), error ?? "");
  if (error || vehicle !== name) return;
  tell(find("graph-title"), `${title} at full load`);
  parameters.show(groups);
  parameters.apply(values);
  [steps, step] = [[JSON.stringify(parameters.changes())], 0];
  showSteps();
}

// Something was moved: new numbers, and, once the hand rests, a step that can be undone.
function change() {
  if (!restoring) {
    clearTimeout(settling);
    settling = setTimeout(keepStep, SETTLED);
  }
  measure();
}

function keepStep() {
  const now = JSON.stringify(parameters.changes());
  if (now === steps[step]) return;
  steps = [...steps.slice(0, step + 1), now];
  step = steps.length - 1;
  showSteps();
}

function go(to) {
  clearTimeout(settling);
  if (to < step) keepStep(); // what is not kept yet can be redone
  if (to < 0 || to >= steps.length) return;
  step = to;
  restoring = true;
  parameters.apply(JSON.parse(steps[step]));
  restoring = false;
  showSteps();
}

function showSteps() {
  find("undo").disabled = step === 0;
  find("redo").disabled = step === steps.length - 1;
}

// Asks for the numbers; while one question is under way, the next waits, with the values of then.
async function measure() {
  remember();
  again = asking;
  if (asking) return;
  asking = true;
  const result = await send("/workshop/engine", { vehicle, values: parameters.changes() });
  asking = false;
  if (again) measure();
  else show(result);
}

function show({ error, place, yaml, warnings = [], ...result }) {
  const changes = Object.keys(parameters.changes()).length;
  tell(find("refusal"), error ?? "");
  parameters.blame(error ? place : null);
  tell(find("changed"), changes ? `${changes} changed` : "");
  find("reset").disabled = changes === 0;
  find("export").disabled = Boolean(error);
  find("plots").dataset.stale = String(Boolean(error));
  if (error) shown = null;
  showDriven();
  if (error) return;
  file = yaml;
  shown = result;
  find("warnings").replaceChildren(...warnings.map(({ reason }) => make("li", {}, `No such engine exists: ${reason}`)));
  parameters.warn(warnings.map(({ parameter }) => parameter));
  redraw();
}

function redraw() {
  if (!shown) return;
  graph.show({ ...shown, other, targets: targets.points });
  targets.show(shown.curves);
  const figures = { ...shown.sheet, max_rpm: shown.max_rpm };
  const others = other && { ...other.sheet, max_rpm: other.max_rpm };
  find("sheet").replaceChildren(...SHEET.map((line) => figure(line, figures, others)));
}

function figure([title, name, unit, speed], sheet, others) {
  const number = (value) => (value === null ? "–" : value.toFixed(unit === "rpm" ? 0 : 1));
  const at = speed && sheet[speed] !== null ? `at ${sheet[speed].toFixed(0)} rpm` : "";
  const told = [number(sheet[name]), make("span", { class: "unit" }, ` ${unit}`), make("span", { class: "at" }, at)];
  if (others) told.push(make("span", { class: "at" }, `compared ${number(others[name])}`));
  return make("div", {}, make("dt", {}, title), make("dd", {}, ...told));
}

// -- a second curve ---------------------------------------------------------------------------------------------

async function compare(name) {
  compared = name;
  remember();
  if (name === "") {
    other = null;
    return redraw();
  }
  if (name === "file") return find("compare-file").click();
  take(await send("/workshop/engine", { vehicle: name, values: {} }));
}

async function compareFile() {
  const [chosen] = find("compare-file").files;
  if (!chosen) return;
  take(await send("/workshop/file", { text: await chosen.text() }));
  find("compare-file").value = "";
}

// Takes the figures of a targets file in place of those that are there.
async function loadTargets() {
  const [chosen] = find("targets-file").files;
  if (!chosen) return;
  const { points, error } = await send("/workshop/targets", { text: await chosen.text() });
  find("targets-file").value = "";
  tell(find("targets-refusal"), error ?? "");
  if (error) return;
  targets.set(points);
  change();
}

function take({ error, ...result }) {
  other = error ? null : result;
  tell(find("compare-refusal"), error ?? "");
  redraw();
}

// -- the engine that runs ---------------------------------------------------------------------------------------

async function look() {
  if (document.hidden) return;
  const { error, changes } = await ask("/workshop/running");
  driven = error ? null : changes;
  tell(find("drive-state"), error ?? "");
  showDriven();
}

async function drive(values) {
  const { error } = await send("/workshop/drive", { vehicle: running, values });
  await look();
  if (error) tell(find("drive-state"), error);
}

function showDriven() {
  const same = driven !== null && JSON.stringify(sorted(driven)) === JSON.stringify(sorted(parameters.changes()));
  find("drive").disabled = driven === null || shown === null || vehicle !== running || same;
  find("drive-file").hidden = driven === null || Object.keys(driven).length === 0;
  if (driven === null) return;
  const count = Object.keys(driven).length;
  const of = count ? `${running} runs with ${count} changed` : `${running} runs as in its file`;
  tell(find("drive-state"), vehicle === running && same && count ? `${of}: what you see here` : of);
}

const sorted = (values) => Object.entries(values).sort(([one], [two]) => (one < two ? -1 : 1));

// -- what is kept -----------------------------------------------------------------------------------------------

function remember() {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ vehicle, values: parameters.changes(), compared, targets: targets.points }));
  } catch {
    // a browser that keeps nothing
  }
}

function recall() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

function save() {
  const address = URL.createObjectURL(new Blob([file], { type: "application/yaml" }));
  make("a", { href: address, download: `${vehicle}-workshop.yaml` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

const send = (address, question) => ask(address, { method: "POST", body: JSON.stringify(question) });

// The server's JSON; `{error: reason}` also where it cannot be asked.
async function ask(address, options) {
  try {
    return await (await fetch(address, options)).json();
  } catch {
    return { error: "the bench cannot be reached" };
  }
}
