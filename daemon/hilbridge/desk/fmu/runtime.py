"""The interpreter inside an FMU: this one's executable, its libraries, and the modules that the worker imports.

What is needed is seen, not guessed: the worker runs once, does everything that it can be asked for, and tells the files
of all modules that it has then. Libraries are those that the loader of the system finds for the executable and for
extension modules, but for the C library itself, which each system has: that of the importer must not be older.
"""

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import vehiclesim
from hilbridge.base.common.errors import ConfigurationError

_OF_THE_SYSTEM: Final = (
    "linux-vdso",
    "ld-linux",
    "libc.so",
    "libm.so",
    "libdl.so",
    "libpthread.so",
    "librt.so",
    "libutil.so",
)
_ENCODINGS: Final = ("ascii", "latin_1", "utf_8", "aliases", "__init__")
_PATIENCE: Final = 120.0
_LDD: Final = "/usr/bin/ldd"

_REHEARSAL: Final = """
import json, os, sys
folder, *places = sys.argv[1:]
sys.path[:0] = places
sys.argv = [os.path.join(folder, "worker.py"), "-"]
import runpy
worker = runpy.run_path(sys.argv[0], run_name="worker")
from pathlib import Path
unit = worker["Unit"](Path(folder))
import struct
unit.answer(b"v", unit.values().tobytes())
unit.answer(b"s", struct.pack("<d", 0.05) + unit.values().tobytes())
unit.answer(b"p", unit.answer(b"g", b""))
unit.answer(b"r", b"")
try:
    unit.answer(b"p", b"?")
except ValueError as error:
    str(error).encode()
print(json.dumps([one.__file__ for one in sys.modules.values() if getattr(one, "__file__", None)]))
"""


def executable() -> Path:
    """Return the interpreter itself, also when this one is that of a virtual environment.

    ConfigurationError: there is no recipe for this machine.
    """
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        raise ConfigurationError(
            f"an FMU is for Linux on x86-64 and is made there; this is {sys.platform} on {os.uname().machine}"
        )
    return Path(getattr(sys, "_base_executable", sys.executable)).resolve()


def collect(folder: Path) -> dict[str, Path]:
    """Return the files of interpreter and model by their names in the FMU; `folder` has worker.py and its data.

    ConfigurationError: the worker does not run.
    """
    program = executable()
    modules = [Path(name) for name in _modules(program, folder)]
    library, extensions = Path(sysconfig.get_path("stdlib")).resolve(), Path(sysconfig.get_path("platstdlib")).resolve()
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    found = {"runtime/bin/python3": program}
    for module in modules:
        path = module.resolve()
        for parent in (library, extensions):
            if path.is_relative_to(parent) and "site-packages" not in path.parts:
                found[f"runtime/lib/{version}/{path.relative_to(parent)}"] = path
                break
        else:
            found[f"model/{_in_model(module)}"] = path
    for name in _ENCODINGS:
        found[f"runtime/lib/{version}/encodings/{name}.py"] = library / "encodings" / f"{name}.py"
    model = Path(vehiclesim.__file__).parent
    found |= {f"model/vehiclesim/{path.relative_to(model)}": path for path in model.rglob("*.csv")}
    found |= {f"runtime/lib/{path.name}": path for path in _libraries([program, *_shared(modules)])}
    return found


def _shared(modules: Iterable[Path]) -> list[Path]:
    return [path for path in modules if path.suffix == ".so"]


def _places() -> list[Path]:
    """Return the folders of the packages that the model is made of."""
    import mypy_extensions

    return [Path(vehiclesim.__file__).parent.parent, Path(mypy_extensions.__file__).parent]


def _in_model(module: Path) -> Path:
    for place in _places():
        if module.is_relative_to(place):
            return module.relative_to(place)
    raise ConfigurationError(f"the model imports {module}, which is neither its own nor of the standard library")


def _modules(program: Path, folder: Path) -> list[str]:
    """Return the files of all modules that a whole life of the worker needs."""
    command = [str(program), "-I", "-S", "-B", "-c", _REHEARSAL, str(folder), *(str(place) for place in _places())]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, check=True)
    except subprocess.CalledProcessError as error:
        raise ConfigurationError(f"the vehicle does not run in {program}: {error.stderr.strip()[-500:]}") from None
    except subprocess.TimeoutExpired:
        raise ConfigurationError(f"the vehicle does not run in {program}: no answer") from None
    names: list[str] = json.loads(done.stdout.splitlines()[-1])
    return names


def _libraries(files: Iterable[Path]) -> list[Path]:
    """Return the libraries of executable and modules, without those of each system."""
    found: dict[str, Path] = {}
    for file in files:
        found |= _parse(subprocess.run([_LDD, str(file)], capture_output=True, text=True, check=False).stdout)
    return [path for name, path in found.items() if not name.startswith(_OF_THE_SYSTEM)]


def _parse(told: str) -> Mapping[str, Path]:
    """Return the libraries by name from the lines `NAME => PATH (ADDRESS)` of ldd."""
    lines = (line.split() for line in told.splitlines())
    return {words[0]: Path(words[2]) for words in lines if len(words) >= 3 and words[1] == "=>" and words[2] != "not"}
