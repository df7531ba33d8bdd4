// The recordings there are: downloaded as files of other tools, and replayed. The list is asked for when the page opens,
// and when a recording has begun or ended, once more when its last facts have been written.

import { find, make, tell } from "./dom.js";
import { ask } from "./door.js";
import { reveal } from "./views.js";

const SETTLED = 2000; // [ms]
const NAMES = {
  zip: "Folder (zip)",
  blf: "Frames (BLF)",
  mf4: "Frames (MF4)",
  "values.csv": "Values (CSV)",
  "values.mf4": "Values (MF4)",
};

export class Recordings {
  #folder; // of the recording under way; undefined: not known yet
  #formats = [];
  #largest = 0;

  show(recording) {
    const folder = recording?.folder ?? null;
    if (folder === this.#folder) return;
    this.#folder = folder;
    this.#load();
    setTimeout(() => this.#load(), SETTLED);
  }

  async #load() {
    try {
      const answer = await ask("/recordings");
      if (!answer.ok) throw new Error(await answer.text());
      const { recordings, unreadable, formats, largest } = await answer.json();
      this.#formats = formats;
      this.#largest = largest;
      const broken = unreadable.map((text) => make("li", { class: "row recording" }, text));
      find("recordings").replaceChildren(...recordings.map((one) => this.#row(one)), ...broken);
      reveal("recordings", recordings.length + broken.length > 0);
    } catch (error) {
      tell(find("recordings-report"), error.message);
    }
  }

  #row(one) {
    const tooLarge = one.bytes > this.#largest;
    const menu = make("select", { "aria-label": `Download ${one.name}` }, make("option", { value: "" }, "Download"));
    menu.append(...this.#formats.map((format) => make("option", { value: format }, NAMES[format] ?? format)));
    menu.onchange = () => this.#download(one.name, menu);
    menu.disabled = one.under_way || tooLarge;
    const replay = make("button", { type: "button", "aria-label": `Replay ${one.name}` }, "Replay");
    replay.onclick = () => this.#replay(one.name, replay);
    replay.disabled = menu.disabled || one.lacks !== "";
    replay.title = one.lacks;
    const facts = [one.vehicle, one.duration === null ? null : duration(one.duration), size(one.bytes), note(one, tooLarge)];
    const text = make("span", {}, make("b", {}, one.name), make("br"), facts.filter(Boolean).join(", "));
    return make("li", { class: "row recording" }, text, make("span", { class: "row" }, menu, replay));
  }

  // The file is made by the server, which may take a while; what is wrong is said in its answer.
  async #download(name, menu) {
    const format = menu.value;
    menu.value = "";
    if (!format) return;
    await this.#wait(menu, `Making ${NAMES[format] ?? format} of ${name} …`, async () => {
      const answer = await ask(`/recordings/${encodeURIComponent(name)}/${format}`);
      if (!answer.ok) return answer.text();
      const link = make("a", { href: URL.createObjectURL(await answer.blob()), download: `${name}.${format}` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      return `${name}.${format} is saved.`;
    });
  }

  async #replay(name, button) {
    await this.#wait(button, `Replaying ${name} …`, async () => {
      const answer = await ask(`/recordings/${encodeURIComponent(name)}/replay`, { method: "POST" });
      const { report, error } = await answer.json();
      return `${name}: ${error ?? report}`;
    });
  }

  async #wait(control, text, work) {
    control.disabled = true;
    tell(find("recordings-report"), text);
    try {
      tell(find("recordings-report"), await work());
    } catch (error) {
      tell(find("recordings-report"), error.message);
    } finally {
      control.disabled = false;
    }
  }
}

function note(one, tooLarge) {
  if (one.under_way) return "under way";
  if (tooLarge) return "too large for the page";
  if (one.duration === null) return "broken off";
  return one.complete ? null : "incomplete";
}

function duration(seconds) {
  const minutes = Math.floor(seconds / 60);
  return minutes ? `${minutes} min ${Math.round(seconds % 60)} s` : `${seconds.toFixed(1)} s`;
}

function size(bytes) {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
