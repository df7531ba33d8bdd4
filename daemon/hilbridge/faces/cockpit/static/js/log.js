// The newest lines of the log, from a level on.

import { clock } from "./chart.js";
import { find, make } from "./dom.js";

const LEVELS = ["debug", "info", "warning", "error"];

export class Log {
  #lines = [];

  constructor() {
    find("log-level").onchange = () => this.#list();
  }

  show(lines) {
    this.#lines = lines;
    this.#list();
  }

  #list() {
    const least = LEVELS.indexOf(find("log-level").value);
    const shown = this.#lines.filter(([, level]) => LEVELS.indexOf(level) >= least);
    const box = find("log").parentElement;
    const follows = box.scrollTop + box.clientHeight >= box.scrollHeight - 8;
    find("log").replaceChildren(...shown.map(line));
    find("log-none").hidden = shown.length > 0;
    if (follows) box.scrollTop = box.scrollHeight;
  }
}

function line([time, level, event, fields]) {
  const told = Object.entries(fields).map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  return make("li", { "data-level": level }, make("time", {}, clock(time)), make("span", { class: "level" }, level),
    make("span", { class: "event" }, event), make("span", { class: "fields muted" }, told.join("  ")));
}
