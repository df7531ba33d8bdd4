// What a bench in a page is asked beside the cockpit: which bench, a diagnostic request, a database, the frames so far.

import { find, tell } from "../static/js/dom.js";
import { bench, give } from "../static/js/door.js";

const RATE = 200; // [Hz] asked for at first: a phone keeps up with it
const wanted = new URLSearchParams(location.search);
const on = (kind, action) => bench.addEventListener(kind, ({ detail }) => action(detail));
const say = (text) => tell(find("web-outcome"), text);

function offer(id, names, chosen) {
  for (const name of names) find(id).add(new Option(name, name, false, name === chosen));
}

on("choices", ({ choices }) => {
  offer("web-bench", choices.benches, wanted.get("bench") ?? "demo");
  offer("web-vehicle", choices.vehicles, wanted.get("vehicle") ?? "");
  find("web-rate").value = wanted.get("rate") ?? RATE;
  const { value } = find("web-bench");
  give("begin", { bench: value, vehicle: find("web-vehicle").value, rate: Number(find("web-rate").value) });
});
on("begun", ({ buses, rate }) => {
  find("web-bus").replaceChildren(...buses.map((name) => new Option(name)));
  document.body.dataset.web = "begun";
  tell(find("web-pace"), `${rate} ticks/s`);
  on("pace", ({ factor }) => tell(find("web-pace"), `${rate} ticks/s, ${factor.toFixed(2)} of real time`));
});
on("refused", ({ reason }) => say(reason));
on("asked", ({ answer }) => say(answer));
on("added", ({ outcome }) => say(outcome));
on("candump", ({ text }) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = "candump.log";
  link.click();
  say(`candump.log: ${text.split("\n").length - 1} frames`);
});

// Another bench is another run: the page begins anew, and its address says which one it shows.
find("web-choice").onchange = () => {
  const fields = { bench: find("web-bench").value, vehicle: find("web-vehicle").value, rate: find("web-rate").value };
  location.search = new URLSearchParams(fields);
};
find("web-ask").onsubmit = (event) => {
  event.preventDefault();
  give("request", { text: find("web-request").value });
};
find("web-save").onclick = () => give("candump");
find("web-file").onchange = () => [...find("web-file").files].forEach(add);
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  [...event.dataTransfer.files].forEach(add);
});

async function add(file) {
  give("database", { name: file.name, bytes: await file.arrayBuffer(), bus: find("web-bus").value });
}
