#!/usr/bin/env python3
"""Builds the static page with a bench in it: web/build.py FOLDER.

    FOLDER/index.html, static/, page/   the cockpit's page with another door (page/door.js)
    FOLDER/pyodide/                     CPython for browsers, from npm
    FOLDER/hilbridge.zip                the program, its data and the packages it needs

pydantic-core is taken from PyPI, built for Emscripten (PEP 783). What is pure Python comes from there or, where PyPI
has an Emscripten wheel of none, from the environment that runs this. numpy is not needed: the bench uses it for
files of others alone.
"""

import importlib.metadata
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
STATIC = CHECKOUT / "daemon/hilbridge/faces/cockpit/static"
PAGE = Path(__file__).resolve().parent / "page"

PYODIDE = "pyodide@314.0.6"
PLATFORM = "pyemscripten_2026_0_wasm32"
PYTHON = "3.14"

FROM_PYPI = ("pydantic",)
"""With what they need, for Emscripten."""

FROM_HERE = (
    "argparse_addons", "bitstruct", "cantools", "crccheck", "diskcache", "mypy_extensions", "packaging", "PyYAML",
    "pyserial", "python-can", "textparser", "wrapt",
)  # fmt: skip
"""Pure Python, or with a part in C that they do without."""

ABSENT = ("_multiprocessing", "fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")
"""Modules of POSIX that the program imports and a browser lacks (page/absent.py)."""

COPIED = (
    ("daemon/hilbridge", "hilbridge"), ("sim/vehiclesim", "vehiclesim"), ("config", "hilbridge/config"),
    ("dbc", "hilbridge/dbc"),
)  # fmt: skip

IGNORED = shutil.ignore_patterns("__pycache__", "*.so", "static", "*.pyi")


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        fetch_pyodide(folder / "pyodide", Path(work))
        write_program(folder / "hilbridge.zip", Path(work))
    subprocess.run([program("node"), str(PAGE.parent / "compile.mjs"), str(folder)], check=True)
    write_page(folder)


def program(name: str) -> str:
    """Return the path of a program. SystemExit: this machine has none."""
    found = shutil.which(name)
    if found is None:
        raise SystemExit(f"make web needs {name} (Debian: nodejs, npm)")
    return found


def fetch_pyodide(folder: Path, work: Path) -> None:
    if (folder / "pyodide.mjs").exists():
        return
    folder.mkdir(exist_ok=True)
    subprocess.run([program("npm"), "pack", "--silent", PYODIDE], cwd=work, check=True, stdout=subprocess.DEVNULL)
    (package,) = work.glob("pyodide-*.tgz")
    with tarfile.open(package) as archive:
        archive.extractall(work, filter="data")
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"):
        shutil.copy(work / "package" / name, folder)
    shutil.copy(work / "package/package.json", folder)


def write_program(file: Path, work: Path) -> None:
    root = work / "root"
    for source, target in COPIED:
        shutil.copytree(CHECKOUT / source, root / target, ignore=IGNORED)
    shutil.copytree(PAGE, root / "page", ignore=shutil.ignore_patterns("__pycache__", "absent.py", "*.[jhc]*"))
    (root / "posix").mkdir()
    for name in ABSENT:
        shutil.copy(PAGE / "absent.py", root / "posix" / f"{name}.py")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
    aim = ["--python-version", PYTHON, "--implementation", "cp", "--platform", PLATFORM]
    aim += ["--constraint", str(CHECKOUT / "constraints.txt"), "--abi", f"cp{PYTHON.replace('.', '')}", "--abi", "none"]
    subprocess.run([*pip, *aim, "--dest", str(work / "wheels"), *FROM_PYPI], check=True)
    for wheel in (work / "wheels").glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(root)  # noqa: S202 - zipfile keeps to the folder; what is in it runs in a browser's worker
    for name in FROM_HERE:
        copy_installed(name, root)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(root.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(root))


def copy_installed(name: str, root: Path) -> None:
    """Copy the Python files of an installed package, and its record of licence and version."""
    try:
        files = importlib.metadata.files(name) or []
    except importlib.metadata.PackageNotFoundError:
        return  # an older cantools needs what a newer one does not
    for file in files:
        if ".." in file.parts or file.suffix in {".so", ".pyc"}:
            continue
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file.locate(), root / file)


def write_page(folder: Path) -> None:
    shutil.copytree(STATIC, folder / "static", dirs_exist_ok=True)
    served = shutil.ignore_patterns("*.py", "__pycache__", "bar.html")
    shutil.copytree(PAGE, folder / "page", dirs_exist_ok=True, ignore=served)
    shutil.move(folder / "page/door.js", folder / "static/js/door.js")
    (folder / "static/workshop.html").unlink()
    text = (STATIC / "index.html").read_text(encoding="utf-8").replace('"/static/', '"static/')
    text = text.replace(
        "</head>",
        '  <link rel="stylesheet" href="page/bar.css">\n  <script type="module" src="page/bar.js"></script>\n</head>',
        1,
    )
    text = text.replace("  </header>\n", "  </header>\n" + (PAGE / "bar.html").read_text(encoding="utf-8"), 1)
    shutil.copy(CHECKOUT / "LICENSE", folder)
    (folder / "index.html").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
