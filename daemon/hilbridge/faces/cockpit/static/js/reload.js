// The button that lets the bench read its file again, and what came of it.

import { find, tell } from "./dom.js";

export class Reload {
  #request = null;

  constructor(connection, readOnly) {
    find("reload").disabled = readOnly;
    find("reload").onclick = async () => {
      tell(find("reload-outcome"), "Reloading …");
      const { error, request = null } = await connection.send({ command: "reload" });
      this.#request = request;
      if (error) tell(find("reload-outcome"), error);
    };
  }

  show({ last }) {
    if (this.#request === null || !last || last.request < this.#request) return;
    this.#request = null;
    const refused = last.outcome === "refused";
    tell(find("reload-outcome"), refused ? `Reload refused: ${last.reason}` : `Reloaded in ${last.took_ms} ms.`);
  }
}
