"""Who may import whom. The rules are read off the sources; the daemon is only started for the last one."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

CHECKOUT = Path(__file__).parents[2]

ROOMS: dict[str, set[str]] = {
    "configuration": set(),
    "cockpit": {"configuration", "frames", "observe", "plots", "scenario"},
    "control": {"configuration"},
    "top": {"control", "observe"},
    "frames": set(),
    "inputs": {"frames"},
    "plots": set(),
    "drive": {"configuration", "inputs", "plots"},
    "fit": {"configuration", "plots"},
    "diagnostics": {"frames"},
    "faults": {"frames", "inputs"},
    "scenario": {"configuration", "control", "drive", "frames", "inputs", "plots"},
    "links": {"frames"},
    "record": {"frames", "links"},
    "observe": {"frames", "record"},
}
"""The rooms of the daemon, and which others each may import. Protocols know no links: they are sans-IO."""

PROTOCOLS = ["frames", "inputs", "diagnostics", "faults", "scenario"]

CLOCKS = {"time", "datetime"}
CONCURRENCY = {"threading", "_thread", "asyncio", "concurrent", "multiprocessing", "queue", "sched"}
OUTSIDE_WORLD = {"socket", "select", "selectors", "serial", "can", "subprocess", "signal", "io", "mmap"}
LOGGING = {"logging", "structlog", "rich", "warnings"}

TICK_PROCESS_NEVER_IMPORTS = {"numpy", "structlog", "rich", "starlette", "uvicorn", "prometheus_client"}


class Import(NamedTuple):
    """One imported module, and where."""

    module: str
    place: str

    @property
    def package(self) -> str:
        return self.module.partition(".")[0]

    @property
    def room(self) -> str | None:
        """The room of the daemon that the import reaches into."""
        package, _, rest = self.module.partition(".")
        room = rest.partition(".")[0]
        return room if package == "hilbridge" and room in ROOMS else None


def syntax_trees(folder: str) -> Iterator[tuple[str, ast.Module]]:
    """Every module below a folder of the checkout (or the one file), by its path."""
    start = CHECKOUT / folder
    files = [start] if start.suffix == ".py" else sorted(start.rglob("*.py"))
    assert files, f"{folder} has no modules"
    for file in files:
        yield str(file.relative_to(CHECKOUT)), ast.parse(file.read_text(encoding="utf-8"))


def imports(folder: str) -> Iterator[Import]:
    """Every import statement below a folder, wherever in a file it stands: `from a import b` counts as a and as a.b."""
    for path, tree in syntax_trees(folder):
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            else:
                continue
            for name in names:
                yield Import(name, f"{path}:{node.lineno}")


def offenders(folder: str, packages: set[str]) -> list[str]:
    return [f"{each.place}: {each.module}" for each in imports(folder) if each.package in packages]


def test_the_vehicle_imports_nothing_of_the_daemon() -> None:
    assert offenders("sim", {"hilbridge"}) == []


def test_the_vehicle_has_no_clock_thread_log_or_window_to_the_outside() -> None:
    """What vehiclesim may import is short enough to list."""
    allowed = {"vehiclesim", "mypy_extensions", "typing", "collections", "itertools", "dataclasses", "enum", "math"}
    assert [each for each in imports("sim") if each.package not in allowed] == []


def test_the_vehicle_takes_nothing_from_the_math_library_that_c_libraries_round_differently() -> None:
    """Only functions that IEEE 754 defines to the last bit; sin, exp, log and pow are not among them, `**` is pow."""
    exact = {"math", *(f"math.{name}" for name in ("sqrt", "frexp", "ldexp", "isnan", "isinf", "nan", "inf", "pi"))}
    assert [each for each in imports("sim") if each.package == "math" and each.module not in exact] == []
    used = [
        f"{path}:{node.lineno}"
        for path, tree in syntax_trees("sim")
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "math"
        and f"math.{node.attr}" not in exact
    ]
    powers = [
        f"{path}:{node.lineno}"
        for path, tree in syntax_trees("sim")
        for node in ast.walk(tree)
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Pow)
    ]
    assert used + powers == []


def test_every_folder_of_the_daemon_is_a_room() -> None:
    """A new folder gets its line in the table above; some stand over them, settings under."""
    folders = {path.parent.name for path in (CHECKOUT / "daemon/hilbridge").glob("*/__init__.py")}
    assert folders - {"commands", "benchmarks", "testing", "settings"} == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_the_rooms_below_it(room: str) -> None:
    reached = [each for each in imports(f"daemon/hilbridge/{room}") if each.room not in {None, room}]
    assert [each for each in reached if each.room not in ROOMS[room]] == []


@pytest.mark.parametrize("room", PROTOCOLS)
def test_protocol_rooms_get_the_time_as_a_parameter_and_touch_nothing_outside(room: str) -> None:
    assert offenders(f"daemon/hilbridge/{room}", CLOCKS | CONCURRENCY | OUTSIDE_WORLD | LOGGING) == []


def test_only_the_clock_reads_the_clock() -> None:
    """Of what runs in the tick: the loop, the links and the rooms above take `t` as it comes."""
    for folder in ("loop.py", "links", "record"):
        readers = [each for each in offenders(f"daemon/hilbridge/{folder}", CLOCKS) if "helper_process.py" not in each]
        assert readers == []


def test_only_app_imports_all_rooms() -> None:
    rooms_by_module: dict[str, set[str]] = {}
    for each in imports("daemon"):
        if each.room is not None:
            rooms_by_module.setdefault(each.place.partition(":")[0], set()).add(each.room)
    meeting_places = [module for module, rooms in rooms_by_module.items() if {"links", "frames", "inputs"} <= rooms]
    assert meeting_places == ["daemon/hilbridge/app.py"]


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_imports_the_app_the_loop_or_a_command(room: str) -> None:
    """Rooms are used from above; they do not reach up."""
    above = {"hilbridge.app", "hilbridge.loop", "hilbridge.cli", "hilbridge.commands"}
    assert [each for each in imports(f"daemon/hilbridge/{room}") if each.module in above] == []


def test_the_daemon_has_one_python_thread() -> None:
    """A second thread makes two ticks of three late; python-can interfaces and the page have processes of their own."""
    cockpit = [f"cockpit/{name}.py" for name in ("control", "feed", "holds", "server", "viewer")]
    elsewhere = ["links/helper_process.py", "benchmarks/load.py", *cockpit]
    assert [each for each in offenders("daemon", CONCURRENCY) if not any(file in each for file in elsewhere)] == []


def test_the_tick_process_imports_neither_numpy_nor_structlog_nor_rich(tmp_path: Path) -> None:
    """In a whole run of the demo bench: numpy starts threads; logs and status line belong to the observer process."""
    program = """if True:
        import sys, pathlib
        from hilbridge.cli import main
        status = main(["run", "--clock", "virtual", "--duration", "0.1"])
        pathlib.Path(sys.argv[1]).write_text(" ".join({name.partition(".")[0] for name in sys.modules}))
        sys.exit(status)
    """
    modules = tmp_path / "modules"
    run = subprocess.run([sys.executable, "-c", program, modules], capture_output=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
    imported = set(modules.read_text().split())
    assert {"hilbridge", "vehiclesim"} <= imported
    assert not TICK_PROCESS_NEVER_IMPORTS & imported
