// The parts of the bench that have no panel of their own: a table each, as the daemon lays it out.

import { find, keep, make, tell } from "./dom.js";

export class Tables {
  #tables = new Map();

  show(tables) {
    keep(find("tables"), this.#tables, tables.filter(({ rows }) => rows.length), ({ part }) => part, create, update);
  }
}

function create({ columns }) {
  const head = make("tr", {}, ...columns.map((column) => make("th", { scope: "col" }, column)));
  const body = make("tbody", {});
  return { element: make("table", { class: "part" }, make("thead", {}, head), body), body, rows: new Map() };
}

function update(table, { rows }) {
  keep(table.body, table.rows, rows, ([name]) => name, createRow, updateRow);
}

function createRow(cells) {
  const texts = cells.map((_, index) => make(index ? "td" : "th", index ? {} : { scope: "row" }));
  return { element: make("tr", {}, ...texts), texts };
}

function updateRow(row, cells) {
  cells.forEach((text, index) => tell(row.texts[index], text));
}
