// Which view of the page is shown: Drive, Bus or Bench, by the first word of the address behind "#"; without one, that
// which was shown last. A panel names its views; one that has nothing to show is in none (`reveal`).
//
//     #bus      #bench      #drive&layout=…          (layout.js)

import { find } from "./dom.js";

const STORE = "hilbridge.view";
const VIEWS = ["drive", "bus", "bench"];

export class Views {
  constructor() {
    addEventListener("hashchange", () => this.#begin());
    this.#begin();
  }

  #begin() {
    const asked = location.hash.slice(1).split("&")[0];
    if (VIEWS.includes(asked)) localStorage.setItem(STORE, asked);
    else if (document.body.dataset.view) return; // an address within the page
    const kept = localStorage.getItem(STORE);
    const view = VIEWS.includes(kept) ? kept : VIEWS[0];
    document.body.dataset.view = view;
    const rest = location.hash.slice(1).split("&").slice(1); // a layout that is shared stays
    for (const link of find("views").children) {
      link.setAttribute("href", `#${[link.dataset.view, ...rest].join("&")}`);
      if (link.dataset.view === view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    scrollTo(0, 0);
  }
}

// Shows a panel while it has something to say.
export function reveal(panel, present) {
  document.querySelector(`[data-panel=${panel}]`).dataset.empty = String(!present);
}
