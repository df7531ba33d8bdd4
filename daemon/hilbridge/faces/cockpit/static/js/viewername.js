// The name by which the other pages know who sits here; kept in the browser.

import { find } from "./dom.js";

const STORE = "hilbridge.viewer";

export class ViewerName {
  #connection;

  constructor(connection, readOnly) {
    this.#connection = connection;
    const box = find("viewer-name");
    box.value = localStorage.getItem(STORE) ?? "";
    box.disabled = readOnly;
    box.onchange = () => {
      localStorage.setItem(STORE, box.value);
      this.#connection.send({ command: "introduce", name: box.value });
    };
  }

  // To a server that does not know this page yet.
  introduce() {
    const { value, disabled } = find("viewer-name");
    if (value && !disabled) this.#connection.send({ command: "introduce", name: value });
  }
}
