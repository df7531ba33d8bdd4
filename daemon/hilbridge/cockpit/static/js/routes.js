// The routes of the gateway: what each carries from bus to bus, and what became of the frames.

import { find, keep, make, tell } from "./dom.js";

export class Routes {
  #rows = new Map();

  show(routes) {
    keep(find("routes"), this.#rows, Object.entries(routes), ([name]) => name, create, update);
  }
}

function create([name]) {
  const state = make("span", { class: "state" });
  const route = make("p");
  const counters = make("p");
  return { element: make("div", { class: "bus" }, make("div", { class: "title" }, make("h3", {}, name), state), route, counters), state, route, counters };
}

function update(row, [, { route, disturbed, taken, waiting, forwarded, ...leftOut }]) {
  row.state.dataset.state = disturbed ? "warning" : "good";
  tell(row.state, disturbed ? "disturbed by a fault" : "carries");
  tell(row.route, route);
  const others = Object.entries({ waiting, ...leftOut }).filter(([, count]) => count).map(([counter, count]) => `, ${count} ${counter.replaceAll("_", " ")}`);
  tell(row.counters, `${taken} frames taken, ${forwarded} forwarded${others.join("")}`);
}
