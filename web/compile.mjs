// compile.mjs FOLDER: compiles the modules that a bench loads, by the Python of the page itself, into FOLDER/hilbridge.zip.
// A page that had to do this at each visit would start many seconds later.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide/pyodide.mjs`));
const pyodide = await loadPyodide();
pyodide.unpackArchive(new Uint8Array(readFileSync(`${folder}/hilbridge.zip`)).buffer, "zip", { extractDir: "/app" });
pyodide.runPython(`
import py_compile, shutil, sys
sys.dont_write_bytecode = True
sys.path.insert(0, "/app")
sys.path += ["/app/posix", "/app/page"]
import page_bench
page_bench.make_bench("demo", demo_driver=True).advance(0.01)
for module in list(sys.modules.values()):
    file = getattr(module, "__file__", None) or ""
    if file.startswith("/app/") and file.endswith(".py"):
        py_compile.compile(file, doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
shutil.make_archive("/hilbridge", "zip", "/app")
`);
writeFileSync(`${folder}/hilbridge.zip`, pyodide.FS.readFile("/hilbridge.zip"));
