// run_in_node.mjs FOLDER: runs the Python program on standard input in the built page's Pyodide; prints what it prints.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide/pyodide.mjs`));
const pyodide = await loadPyodide();
pyodide.unpackArchive(new Uint8Array(readFileSync(`${folder}/hilbridge.zip`)).buffer, "zip", { extractDir: "/app" });
pyodide.runPython("import sys; sys.path.insert(0, '/app'); sys.path.append('/app/posix'); sys.path.append('/app/page')");
try {
  await pyodide.runPythonAsync(readFileSync(0, "utf8"));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
