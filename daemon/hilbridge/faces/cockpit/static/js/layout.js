// Where the panels stand: their order, width in columns, and which are hidden. Kept in the browser, and shared as a
// link, whose fragment wins over what is kept:
//
//     #drive&layout=instruments:8,driver:4,-faults:3          in this order; "-": hidden; `drive`: the view (views.js)
//
// A panel that a layout does not name stands at the end as the page has it.

import { find, make, tell } from "./dom.js";

const STORE = "hilbridge.layout";
const [NARROWEST, WIDEST] = [3, 12];

export class Layout {
  #parent = document.querySelector("main");
  #usual = panels(this.#parent);
  #boxes;
  #dragged = null;
  #shown = null; // the layout that was applied last, as text

  constructor() {
    this.#boxes = new Map(this.#usual.map(({ name, element }) => [name, this.#box(name, element)]));
    find("panels").append(...[...this.#boxes.values()].map(({ label }) => label));
    for (const { name, element } of this.#usual) this.#makeMovable(name, element);
    find("arrange").onclick = () => this.#arrange(document.body.dataset.arranging !== "true");
    find("reset-layout").onclick = () => this.#reset();
    find("share").onclick = () => this.#share();
    addEventListener("hashchange", () => this.#begin());
    this.#begin();
  }

  #begin() {
    const wanted = new URLSearchParams(location.hash.slice(1)).get("layout") ?? localStorage.getItem(STORE) ?? "";
    if (wanted === this.#shown) return; // another view: panels, and the focus within them, stay where they are
    this.#shown = wanted;
    this.#apply(parse(wanted));
  }

  #apply(wanted) {
    const usual = new Map(this.#usual.map((panel) => [panel.name, panel]));
    const known = wanted.filter(({ name }) => usual.delete(name));
    for (const { name, columns, hidden } of [...known, ...usual.values()]) {
      const { element } = this.#usual.find((panel) => panel.name === name);
      this.#parent.append(element);
      element.style.setProperty("--columns", columns);
      element.dataset.columns = columns;
      element.hidden = hidden;
      this.#boxes.get(name).input.checked = !hidden;
    }
  }

  #box(name, element) {
    const input = make("input", { type: "checkbox" });
    input.onchange = () => this.#change(() => (element.hidden = !input.checked));
    return { input, label: make("label", {}, input, title(element)) };
  }

  #change(action) {
    action();
    this.#shown = print(panels(this.#parent));
    localStorage.setItem(STORE, this.#shown);
  }

  #reset() {
    localStorage.removeItem(STORE);
    this.#shown = "";
    history.replaceState(null, "", `${location.pathname}#${document.body.dataset.view}`);
    this.#apply([]);
    this.#arrange(false);
    tell(find("layout-outcome"), "The panels stand as they did at first.");
  }

  async #share() {
    const link = `${location.origin}${location.pathname}#${document.body.dataset.view}&layout=${print(panels(this.#parent))}`;
    history.replaceState(null, "", link);
    const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
    tell(find("layout-outcome"), copied ? "The link is copied." : "The link is in the address bar.");
  }

  #arrange(arranging) {
    document.body.dataset.arranging = String(arranging);
    find("arrange").setAttribute("aria-pressed", String(arranging));
    for (const { element } of this.#usual) element.draggable = arranging;
    if (arranging) find("menu").hidePopover();
  }

  // A row of buttons, and dragging with the mouse; both only while panels are arranged.
  #makeMovable(name, element) {
    const shown = () => panels(this.#parent).map((panel) => panel.element).filter((panel) => panel.offsetParent !== null);
    const button = (text, label, action) => {
      const made = make("button", { type: "button", "aria-label": `${label} ${title(element)}`, title: label }, text);
      made.onclick = () => {
        this.#change(action);
        made.focus();
      };
      return made;
    };
    const widen = (by) => {
      const columns = Math.min(Math.max(Number(element.dataset.columns) + by, NARROWEST), WIDEST);
      element.dataset.columns = columns;
      element.style.setProperty("--columns", columns);
    };
    const move = (by) => {
      const order = shown();
      const other = order[order.indexOf(element) + by];
      if (by < 0) other?.before(element);
      else other?.after(element);
    };
    const hide = () => {
      element.hidden = true;
      this.#boxes.get(name).input.checked = false;
    };
    element.prepend(make("div", { class: "handles" }, make("span", { class: "grip", "aria-hidden": "true" }, `⠿ ${title(element)}`),
      button("←", "Move earlier:", () => move(-1)), button("→", "Move later:", () => move(1)),
      button("−", "Narrower:", () => widen(-1)), button("+", "Wider:", () => widen(1)), button("✕", "Hide:", hide)));
    element.ondragstart = () => (this.#dragged = element);
    element.ondragover = (event) => {
      if (!this.#dragged || this.#dragged === element) return;
      event.preventDefault();
      const order = shown();
      const later = order.indexOf(this.#dragged) < order.indexOf(element);
      this.#change(() => element[later ? "after" : "before"](this.#dragged));
    };
    element.ondragend = () => (this.#dragged = null);
  }
}

function panels(parent) {
  return [...parent.querySelectorAll(":scope > [data-panel]")].map((element) => {
    const { panel: name, columns } = element.dataset;
    return { name, columns: Number(columns), hidden: element.hidden, element };
  });
}

function title(element) {
  return element.querySelector("h2").textContent;
}

function print(order) {
  return order.map(({ name, columns, hidden }) => `${hidden ? "-" : ""}${name}:${columns}`).join(",");
}

function parse(text) {
  const parts = [...text.matchAll(/(-?)([a-z-]*[a-z]):(\d+)/g)];
  const columns = (number) => Math.min(Math.max(number, NARROWEST), WIDEST);
  return parts.map(([, hidden, name, number]) => ({ name, columns: columns(Number(number)), hidden: hidden === "-" }));
}
