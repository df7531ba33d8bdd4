// Dark or light: as the system has it, until somebody chooses.

import { find, tell } from "./dom.js";

const STORE = "hilbridge.theme";

export function followTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => localStorage.getItem(STORE);
  const apply = () => {
    const dark = (chosen() ?? (system.matches ? "dark" : "light")) === "dark";
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    find("theme").setAttribute("aria-pressed", String(dark));
    tell(find("theme"), "Dark");
  };
  find("theme").onclick = () => {
    localStorage.setItem(STORE, document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    apply();
  };
  system.addEventListener("change", apply);
  apply();
}
