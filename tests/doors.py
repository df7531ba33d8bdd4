"""The doors of the house: which module reads what others have made, and the tests that show what it bears.

    python -m tests.doors            checks the sources; exit status 1 with every module that no door names
    python -m tests.doors --write    writes the list of SECURITY.md anew

A module reads if it calls or imports one of the primitives below, and then tests/door_table.py has it: with its
primitives, so that another one in the same module is a new door.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from .door_table import DOORS, Door

CHECKOUT: Final = Path(__file__).parents[1]

FIRST_LINE: Final = "| read | by the modules | shown by |"

_CALLS: Final = {
    "open": "file",
    "fdopen": "file",
    "read_text": "file",
    "read_bytes": "file",
    "readv": "file",
    "mmap": "file",
    "recv": "socket",
    "recvfrom": "socket",
    "recv_into": "socket",
    "recvmsg": "socket",
    "accept": "socket",
    "exec": "code",
    "eval": "code",
    "compile": "code",
    "__import__": "code",
    "import_module": "code",
    "run_path": "code",
    "run_module": "code",
    "exec_module": "code",
    "unpack_archive": "archive",
    "decompress": "archive",
    "decompressobj": "archive",
    "posix_spawn": "program",
    "system": "program",
    "popen": "program",
    "create_subprocess_exec": "program",
    "create_subprocess_shell": "program",
    "fromfile": "file",
    "memmap": "file",
}
"""Calls, by the last part of their names."""

_EXACT_CALLS: Final = {
    "os.read": "file",
    "json.load": "json",
    "json.loads": "json",
    "ast.literal_eval": "code",
    "np.load": "numpy",
    "numpy.load": "numpy",
    "YamlFile.load": "yaml",
    "re.compile": "",
    "bench.open": "",
    "self._endpoints.open": "",
    "self._wire.open": "",
    "self._wheels[place].open": "",
    "wheel.open": "",
    "webbrowser.open": "",
    "zenoh.open": "",
}
"""Calls, by their whole names; an empty word is no door."""

_IMPORTS: Final = {
    "archive": "zipfile tarfile gzip bz2 lzma zipimport",
    "code": "runpy marshal pickle shelve dill cloudpickle ctypes cffi",
    "program": "subprocess pty pexpect multiprocessing",
    "socket": "socket socketserver ssl http urllib xmlrpc ftplib websockets starlette uvicorn zenoh requests httpx "
    "grpc kuksa_client",
    "serial": "serial evdev",
    "can": "can cantools canmatrix asammdf",
    "ldf": "ldfparser",
    "cluster": "dask dask_jobqueue distributed labgrid",
    "table": "csv sqlite3 dbm configparser tomllib pyarrow pandas h5py",
    "xml": "xml lxml expat",
    "yaml": "yaml ruamel",
}
"""Modules whose import makes a reader, by kind."""

_STANDARD: Final = ("builtins", "importlib", "io", "json", "mmap", "os", "runpy", "shutil")
"""Modules whose functions make a reader when they are imported by name, however they are called then."""

_TYPES: Final = re.compile(r"cantools\.database\.(can|conversion|errors|namedsignalvalue)|can\.interfaces")
"""Modules that have types and names, and read nothing."""

_KINDS: Final = {name: kind for kind, names in _IMPORTS.items() for name in names.split()}


def primitives(text: str) -> set[str]:
    """Return the kinds of primitives that a module's text uses; what is imported for types alone is none."""
    tree = ast.parse(text)
    for_types = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        for child in node.body
        for inner in ast.walk(child)
    }
    found: set[str] = set()
    known: dict[str, str] = {}
    for each in (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)):
        if each not in for_types:
            found |= {_kind(name) for name in _imported(each)}
        for alias in each.names:
            origin = f"{each.module}.{alias.name}" if isinstance(each, ast.ImportFrom) else alias.name
            known[alias.asname or alias.name] = origin
            if isinstance(each, ast.ImportFrom) and each.module in _STANDARD:
                found.add(_kind_of_call(origin, origin))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            first, dot, rest = name.partition(".")
            found.add(_kind_of_call(name, known.get(first, first) + dot + rest))
        elif isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.stdin":
            found.add("terminal")
    return found - {""}


def _kind_of_call(name: str, origin: str) -> str:
    """Return the kind of a call by its name and by what that was imported as; a module of ours has its own line."""
    if origin.startswith(("hilbridge.", "vehiclesim.")):
        return _EXACT_CALLS.get(name, "")
    return _EXACT_CALLS.get(origin, _EXACT_CALLS.get(name, _CALLS.get(origin.rpartition(".")[2], "")))


def _imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [] if node.level else [str(node.module)]


def _kind(module: str) -> str:
    return "" if _TYPES.fullmatch(module) else _KINDS.get(module.partition(".")[0], "")


def readers(checkout: Path) -> dict[str, set[str]]:
    """Return the modules of the program that read, with their primitives."""
    found = {}
    for source in (checkout / "daemon", checkout / "sim"):
        for path in sorted(source.rglob("*.py")):
            name = ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")
            if used := primitives(path.read_text(encoding="utf-8")):
                found[name] = used
    return found


def offences(found: Mapping[str, set[str]], doors: list[Door]) -> Iterator[str]:
    """Yield what the table lacks, and what it has for nothing, one sentence each."""
    listed: dict[str, set[str]] = {}
    for door in doors:
        for module, kinds in door.modules.items():
            listed.setdefault(module, set()).update(kinds.split())
    for module, used in found.items():
        if new := sorted(used - listed.get(module, set())):
            yield (
                f"{module} reads by a new primitive ({' '.join(new)}): add '{module}' with it to a door of "
                "tests/door_table.py, with the test of hostile input, then: python -m tests.doors --write"
            )
    for module, claimed in listed.items():
        if gone := sorted(claimed - found.get(module, set())):
            yield f"tests/door_table.py has '{module}' for {' '.join(gone)}, which it does not use: take it out"
    for door in doors:
        if door.is_foreign and not door.tests:
            yield f"the door '{door.reads}' has no test"


def table(doors: list[Door]) -> str:
    """Return the list of SECURITY.md."""
    lines = [FIRST_LINE, "|---|---|---|"]
    for door in doors:
        modules = " ".join(f"`{module}`" for module in sorted(door.modules))
        lines.append(f"| {door.reads} | {modules} | {' '.join(f'`{test}`' for test in door.tests)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Check the sources, or write the list."""
    policy = CHECKOUT / "SECURITY.md"
    text = policy.read_text(encoding="utf-8")
    written = re.sub(rf"{re.escape(FIRST_LINE)}\n(?:\|.*\n)+", lambda _: table(DOORS), text)
    if "--write" in sys.argv[1:]:
        policy.write_text(written, encoding="utf-8")
        return 0
    wrong = list(offences(readers(CHECKOUT), DOORS))
    if written != text:
        wrong.append("the list of SECURITY.md is another one: python -m tests.doors --write")
    sys.stderr.writelines(f"{line}\n" for line in wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
