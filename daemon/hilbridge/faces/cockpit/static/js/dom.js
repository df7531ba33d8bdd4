// Builds elements: make("p", {class: "muted"}, "text", child). Attributes are strings; `on…` are listeners.

const SVG = "http://www.w3.org/2000/svg";

export const find = (id) => document.getElementById(id);

export function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function draw(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

// A number with its noun.
export function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

// Changes the page only where the text is another: most of what comes in is what was there.
export function tell(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// Keeps one row for each key, in the order of `items`, behind the first `fixed` children of the parent;
// `create(item)` makes it, `update(row, item)` fills it.
export function keep(parent, rows, items, key, create, update, fixed = 0) {
  const wanted = new Set(items.map(key));
  for (const [name, row] of rows) {
    if (!wanted.has(name)) {
      row.element.remove();
      rows.delete(name);
    }
  }
  items.forEach((item, i) => {
    const position = i + fixed;
    let row = rows.get(key(item));
    if (!row) {
      row = create(item);
      rows.set(key(item), row);
    }
    if (parent.children[position] !== row.element) parent.insertBefore(row.element, parent.children[position] ?? null);
    update(row, item);
  });
}
