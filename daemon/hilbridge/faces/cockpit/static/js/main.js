// Wires the page: what comes in from the connection goes to the panels, which draw with every frame of the screen.

import { Body } from "./body.js";
import { Buses } from "./buses.js";
import { Calibration } from "./calibration.js";
import { Cluster } from "./cluster.js";
import { Connection } from "./connection.js";
import { find, tell } from "./dom.js";
import { ask } from "./door.js";
import { Driver } from "./driver.js";
import { Faults } from "./faults.js";
import { Frames } from "./frames.js";
import { Gamepad } from "./gamepad.js";
import { GamepadSetup } from "./gamepadsetup.js";
import { History } from "./history.js";
import { Keyboard } from "./keyboard.js";
import { Lamps } from "./lamps.js";
import { Layout } from "./layout.js";
import { Log } from "./log.js";
import { Markers } from "./markers.js";
import { Pictures } from "./pictures.js";
import { Recordings } from "./recordings.js";
import { Reload } from "./reload.js";
import { Tables } from "./tables.js";
import { Session } from "./session.js";
import { Signals } from "./signals.js";
import { Strips } from "./strips.js";
import { followTheme } from "./theme.js";
import { Timing } from "./timing.js";
import { Troubles } from "./troubles.js";
import { chooseSystem, chosenSystem } from "./units.js";
import { Values } from "./values.js";
import { ViewerName } from "./viewername.js";
import { Views } from "./views.js";

const connection = new Connection();
const signals = new Signals();
const history = new History(signals);
const markers = new Markers();
const state = { indicator: false };
let live = "live";
let panels = null;
let run = null;

followTheme();
new Views();
new Layout();
find("units").value = chosenSystem();
find("units").onchange = () => chooseSystem(find("units").value);
find("full-screen").onclick = () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
document.onfullscreenchange = () => find("full-screen").setAttribute("aria-pressed", String(Boolean(document.fullscreenElement)));
connection.addEventListener("hello", ({ detail }) => {
  if (run !== null && detail.facts.run !== run) return location.reload(); // the next one: its bench may be another
  run = detail.facts.run;
  signals.begin(detail);
  ask("/history").then((answer) => answer.arrayBuffer()).then((past) => history.prepend(past), () => {});
  if (panels === null) panels = build(detail);
  else { // the same bench after a loss or a reload: its panels stay
    panels.cluster.adopt(detail.facts);
    panels.troubles.adopt(detail.facts);
    panels.pictures.renew();
  }
  panels.values.renew();
  panels.body.renew();
  panels.session.offer(detail.scenarios);
  panels.viewerName.introduce();
  live = detail.read_only ? "live, read-only" : "live";
  say("live", live);
});
connection.addEventListener("snapshot", ({ detail }) => history.take(signals.take(detail, performance.now())));
connection.addEventListener("viewers", ({ detail }) => panels.driver.showViewers(detail));
connection.addEventListener("state", ({ detail }) => show(detail));
connection.addEventListener("needles", ({ detail }) => panels.cluster.takeNeedles(detail.readings));
connection.addEventListener("frames", ({ detail }) => {
  panels.frames.show(detail.rows);
  panels.cluster.takeFrames(detail.rows);
  panels.buses.showLoad(panels.frames.load);
  panels.faults.showFrames(detail.rows);
});
connection.addEventListener("lamps", ({ detail }) => {
  panels.lamps.show(detail);
  panels.cluster.takeLamps(detail.verdicts);
});
connection.addEventListener("log", ({ detail }) => panels.log.show(detail.lines));
connection.addEventListener("lateness", ({ detail }) => panels.timing.show(detail));
connection.addEventListener("refused", ({ detail }) => say("lost", detail));
connection.addEventListener("lost", ({ detail }) => {
  panels?.driver.lose();
  panels?.values.lose();
  panels?.body.lose();
  history.interrupt();
  if (panels) markers.add(signals.time, "connection lost");
  say("lost", detail);
});
connection.open();
requestAnimationFrame(frame);
setInterval(drive, 100); // a page that is out of sight draws no frames, but what it holds must still go on and end

function build({ facts, read_only: readOnly }) {
  tell(find("bench-name"), `${facts.bench} · ${facts.vehicle}`);
  document.title = `${facts.bench} – hilbridge cockpit`;
  const driver = new Driver(connection, signals, facts, readOnly);
  const body = new Body(connection, signals, readOnly);
  const gamepad = new Gamepad(driver, signals, body);
  new Keyboard(driver);
  for (const stop of [find("stop"), find("menu-stop")]) {
    stop.disabled = readOnly;
    stop.onclick = () => find("confirm").showModal();
  }
  find("confirm").onclose = () => {
    if (find("confirm").returnValue === "yes") connection.send({ command: "stop" });
  };
  return {
    driver,
    cluster: new Cluster(signals, state, facts),
    pictures: new Pictures(signals, history, facts),
    strips: new Strips(signals, history, markers, facts),
    gamepad,
    gamepadSetup: new GamepadSetup(gamepad),
    frames: new Frames(facts),
    lamps: new Lamps(),
    session: new Session(connection, readOnly),
    recordings: new Recordings(),
    buses: new Buses(connection, readOnly, facts),
    tables: new Tables(),
    troubles: new Troubles(connection, facts, readOnly),
    faults: new Faults(connection, signals, readOnly),
    values: new Values(connection, signals, readOnly),
    body,
    viewerName: new ViewerName(connection, readOnly),
    calibration: new Calibration(connection, readOnly),
    log: new Log(),
    reload: new Reload(connection, readOnly),
    timing: new Timing(),
  };
}

function show(status) {
  markers.take(status, signals.time);
  const { buses = {}, tables = [], outputs = {}, units = {}, inputs = [], troubles = {}, faults = [], recording = null, scenario = null, reload = {}, service = {} } = status;
  panels.reload.show(reload);
  tell(find("last-end"), service.failed_end ? `the run before ${service.failed_end}` : "");
  tell(find("run-troubles"), Object.values(service.troubles ?? {}).join("; "));
  state.indicator = Object.values(troubles).some(({ indicator }) => indicator);
  panels.session.show(recording, scenario);
  panels.recordings.show(recording);
  panels.driver.showSources(inputs);
  panels.buses.show({ ...buses, ...outputs });
  panels.tables.show(tables);
  panels.faults.showRoutes(tables.filter(({ part }) => part === "gateway").flatMap(({ rows }) => rows.map(([name]) => name)));
  panels.troubles.show(troubles, units);
  panels.faults.show(faults);
  panels.faults.showUnits(Object.keys(troubles));
  panels.timing.missed(signals.newest);
}

function frame(now) {
  requestAnimationFrame(frame);
  if (!panels) return;
  sayHowLive();
  signals.advance(now);
  panels.gamepad.advance();
  panels.gamepadSetup.advance();
  panels.driver.advance(now);
  panels.cluster.show(now);
  panels.pictures.show(now);
  panels.strips.show(now);
  panels.values.show(now);
  panels.body.show(now);
  tell(find("clock"), duration((signals.newest?.t ?? 0) / 1e9));
}

function drive() {
  if (!document.hidden || !panels) return;
  const now = performance.now();
  signals.advance(now);
  panels.driver.advance(now);
}

// A connection that is open and brings nothing (a server that was stopped, a cable that was pulled) is not live.
function sayHowLive() {
  if (!connection.isOpen) return;
  const overload = signals.isLive && signals.newest?.overload;
  tell(find("overload"), overload ? `overloaded: ${overload} % of ticks missed` : "");
  if (signals.isLive) say("live", live);
  else if (Number.isFinite(signals.silence)) say("lost", `no data for ${Math.floor(signals.silence)} s`);
}

function say(kind, text) {
  find("connection").dataset.state = kind;
  find("connection").dataset.plain = String(text === "live");
  tell(find("connection"), text);
}

function duration(seconds) {
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(Math.floor);
  return parts.map((part, i) => (i ? String(part).padStart(2, "0") : part)).join(":");
}
