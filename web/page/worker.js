// The bench of a page without a server: CPython in wasm, the program, and the clock that drives it.

import { loadPyodide } from "../pyodide/pyodide.mjs";

const STEP = 20; // [ms] between two turns; a turn runs the ticks that are due
const LATEST = 0.1; // [s] that the bench makes up for; what is later is left out, and counted
const SHARE = 0.9; // of the time since the last turn that ticks may take: messages come through between them
const REPORT = 1000; // [ms]

const pyodide = await loadPyodide();
const archive = await fetch(new URL("../hilbridge.zip", import.meta.url));
pyodide.unpackArchive(await archive.arrayBuffer(), "zip", { extractDir: "/app" });
pyodide.runPython("import sys; sys.path.insert(0, '/app'); sys.path.append('/app/posix'); sys.path.append('/app/page')");
const page = pyodide.pyimport("page_bench");
postMessage({ kind: "choices", choices: JSON.parse(page.page_choices()) });

let bench = null;
let last = 0; // [ms]
let spent = 0; // [s] of the bench since the last report
let reported = 0; // [ms]

function begin({ bench: name, vehicle, rate }) {
  try {
    bench = page.open_bench(name, vehicle, rate, (message) => postMessage(typeof message === "string" ? message : message.toJs().slice().buffer));
    bench.greet();
    last = reported = performance.now();
    spent = 0;
    postMessage({ kind: "begun", buses: [...bench.buses()], rate: bench.rate });
  } catch (error) {
    postMessage({ kind: "refused", reason: error.message.trim().split("\n").at(-1) });
  }
}

function turn() {
  const begin = performance.now();
  if (bench) {
    let due = (begin - last) / 1000;
    last = begin;
    if (due > LATEST) {
      bench.leave_out(due - LATEST);
      due = LATEST;
    }
    bench.advance(due);
    spent += due;
    if (begin - reported > REPORT) {
      postMessage({ kind: "pace", factor: (1000 * spent) / (begin - reported) });
      reported = begin;
      spent = 0;
    }
  }
  setTimeout(turn, Math.max(4, STEP - (performance.now() - begin), (1 - SHARE) * (performance.now() - begin)));
}

const tasks = {
  begin,
  command: ({ text }) => bench?.take(text),
  request: ({ text }) => postMessage({ kind: "asked", answer: bench.ask_unit(text) }),
  database: ({ name, bytes, bus }) => postMessage({ kind: "added", outcome: bench.add_database(name, pyodide.toPy(new Uint8Array(bytes)), bus) }),
  candump: () => postMessage({ kind: "candump", text: bench.candump() }),
};
onmessage = ({ data }) => tasks[data.task](data);
turn();
