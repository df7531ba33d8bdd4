"use strict";
// The table of the runs: filtered by words and comparisons, sorted by a column, a part of it at a time.
(() => {
  const PART = 200;
  const data = JSON.parse(document.getElementById("rows").textContent);
  const { names, columns } = data;
  const numeric = columns.map((values) => values.every((v) => v === null || typeof v === "number"));
  const texts = columns[0].map((_, row) => columns.map((values) => text(values[row])).join(" ").toLowerCase());
  const table = document.getElementById("table");
  const input = document.querySelector("#filter input");
  const more = document.getElementById("more");
  const COMPARE = {
    "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b, "=": (a, b) => a === b,
  };
  let rows = [];
  let limit = PART;
  let sorted = { column: -1, down: false };

  function text(value) {
    if (value === null) return "";
    return typeof value === "number" ? String(Number(value.toPrecision(6))) : String(value);
  }

  function element(kind, content, attributes = {}) {
    const made = document.createElement(kind);
    if (typeof content === "string") made.textContent = content;
    else if (content) made.append(content);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  }

  // A word of the filter: a function of the row's number, or the reason why it is none.
  function condition(word) {
    const parts = /^([^<>=]+)(<=|>=|<|>|=)(.+)$/.exec(word);
    if (!parts) return (row) => texts[row].includes(word.toLowerCase());
    const [, name, sign, wanted] = parts;
    const column = names.findIndex((one) => one === name || one.endsWith(`.${name}`) || one.endsWith(`_${name}`));
    if (column < 0) return `no column ${name}`;
    const values = columns[column];
    if (numeric[column]) {
      const number = Number(wanted);
      if (Number.isNaN(number)) return `${wanted} is no number`;
      return (row) => values[row] !== null && COMPARE[sign](values[row], number);
    }
    return (row) => COMPARE[sign](text(values[row]), wanted);
  }

  function select() {
    const conditions = input.value.split(/\s+/).filter(Boolean).map(condition);
    const wrong = conditions.find((one) => typeof one === "string");
    if (wrong) return tell(wrong);
    rows = texts.map((_, row) => row).filter((row) => conditions.every((holds) => holds(row)));
    if (sorted.column >= 0) {
      const values = columns[sorted.column];
      const order = (a, b) => (values[a] > values[b]) - (values[a] < values[b]);
      const empty = (row) => values[row] === null;
      rows.sort((a, b) => empty(a) - empty(b) || (sorted.down ? order(b, a) : order(a, b)));
    }
    limit = PART;
    show();
  }

  function tell(words) {
    document.getElementById("count").textContent = words;
  }

  function show() {
    table.querySelector("tbody").replaceChildren(...rows.slice(0, limit).map(line));
    more.hidden = rows.length <= limit;
    tell(`${Math.min(limit, rows.length)} shown of ${rows.length} that fit, of ${texts.length} runs`);
  }

  function line(row) {
    const made = document.createElement("tr");
    names.forEach((name, column) => {
      const value = columns[column][row];
      const cell = element("td", text(value), numeric[column] ? { class: "number", title: String(value ?? "") } : {});
      if (name === "verdict") cell.className = { passed: "passed", failed: "failed" }[value] ?? "cut-off";
      if (name === "run") {
        const button = element("button", value, { type: "button", "aria-expanded": "false" });
        button.addEventListener("click", () => detail(made, button, value));
        cell.replaceChildren(button);
      }
      made.append(cell);
    });
    return made;
  }

  // Below the row of a run: the commands that make it again.
  function detail(made, button, run) {
    const open = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!open));
    if (open) return made.nextSibling.remove();
    const cell = element("td", null, { colspan: names.length });
    for (const command of [data.again[run], `${data.campaign} --rerun ${run}`].filter(Boolean)) {
      cell.append(element("div", element("code", command)));
    }
    made.after(element("tr", cell));
  }

  function sort(column, cell) {
    sorted = { column, down: sorted.column === column && !sorted.down };
    for (const one of table.querySelectorAll("th")) one.removeAttribute("aria-sort");
    cell.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
    select();
  }

  const heads = names.map((name, column) => {
    const button = element("button", null, { type: "button" });
    for (const part of name.replace(/^(set|figures)\./, "").split(/(?<=[._])/)) button.append(part, element("wbr"));
    const cell = element("th", button, { scope: "col", ...(numeric[column] ? { class: "number" } : {}) });
    button.addEventListener("click", () => sort(column, cell));
    return cell;
  });
  const head = document.createElement("tr");
  head.append(...heads);
  table.append(element("thead", head), document.createElement("tbody"));
  input.addEventListener("input", select);
  document.getElementById("filter").addEventListener("submit", (event) => event.preventDefault());
  more.addEventListener("click", () => {
    limit += PART;
    show();
  });
  select();
})();
