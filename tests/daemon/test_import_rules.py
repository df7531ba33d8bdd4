"""Who may import whom. The rules are read off the sources; the daemon is only started for the last one."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from ..rooms import DAEMON, README, all_offences, imports, place, syntax_trees, table, written_table

PROTOCOLS = ["frames", *(f"bench/{room}" for room in ("inputs", "diagnostics", "faults", "scenario"))]
"""They are sans-IO: bytes in, bytes out, time as a parameter."""

CLOCKS = {"time", "datetime"}
CONCURRENCY = {"threading", "_thread", "asyncio", "concurrent", "multiprocessing", "queue", "sched"}
OUTSIDE_WORLD = {"socket", "select", "selectors", "serial", "can", "subprocess", "signal", "io", "mmap"}
LOGGING = {"logging", "structlog", "rich", "warnings"}

TICK_PROCESS_NEVER_IMPORTS = {
    "numpy",
    "structlog",
    "rich",
    "starlette",
    "uvicorn",
    "prometheus_client",
    "can",
    "asyncio",
}


def offenders(folder: str, packages: set[str]) -> list[str]:
    return [f"{each.place}: {each.module}" for each in imports(folder) if each.package in packages]


def test_the_vehicle_imports_nothing_of_the_daemon() -> None:
    assert offenders("sim", {"hilbridge"}) == []


def test_the_vehicle_has_no_clock_thread_log_or_window_to_the_outside() -> None:
    """What vehiclesim may import is short enough to list; entries.py and sensors.py read tables of their package."""
    allowed = {"vehiclesim", "mypy_extensions", "typing", "collections", "itertools", "dataclasses", "enum", "math"}
    others = [each for each in imports("sim") if each.package not in allowed]
    assert {(each.module, each.place.partition(":")[0]) for each in others} == {
        ("importlib", "sim/vehiclesim/equipment/equipment.py"),  # of its own modules
        ("importlib.import_module", "sim/vehiclesim/equipment/equipment.py"),
        *((name, f"sim/vehiclesim/{table}.py") for name in ("csv", "pkgutil") for table in ("entries", "sensors")),
    }


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


def test_every_module_lies_in_a_room_and_imports_only_what_the_table_allows() -> None:
    """tests/rooms.py has the table; each imports only what is above it there, so that there is no circle."""
    assert all_offences() == []


def test_the_house_can_be_kept_in_mind() -> None:
    """At most 12 names lie at the top of the daemon, with at most 80 arrows between them and to the model."""
    top = [
        path.name
        for path in (README.parent / "hilbridge").iterdir()
        if path.name not in ("__init__.py", "__pycache__") and (path.is_dir() or path.suffix == ".py")
    ]
    wings = {key: room.imports.split() for key, room in DAEMON.items() if "/" not in key}
    assert len(top) <= 12, top
    assert {name.removesuffix(".py") for name in top} == wings.keys()
    arrows = [(wing, other) for wing, others in wings.items() for other in others]
    assert len(arrows) <= 80, len(arrows)


def test_the_readme_shows_the_table() -> None:
    """`python -m tests.rooms --write` writes it anew."""
    assert written_table(README.read_text(encoding="utf-8")) == table()


def test_a_folder_of_a_wing_is_a_room_of_its_own() -> None:
    """Not one of the modules that lie in the wing itself, where it could import all that they may."""
    rooms = {"bench": DAEMON["bench"], "bench/.": DAEMON["bench/."]}
    assert place("hilbridge.bench.rows", rooms) == ("bench", "bench/.")
    assert place("hilbridge.bench.gateway.part", rooms) == ("bench", "")


@pytest.mark.parametrize("room", PROTOCOLS)
def test_protocol_rooms_get_the_time_as_a_parameter_and_touch_nothing_outside(room: str) -> None:
    assert offenders(f"daemon/hilbridge/{room}", CLOCKS | CONCURRENCY | OUTSIDE_WORLD | LOGGING) == []


def test_only_the_clock_reads_the_clock() -> None:
    """Of what runs in the tick: the loop, the links and the rooms above take `t` as it comes.

    The helper is a process of its own; logs of other programs have dates in them; a run waits for the lock on its state
    before its first tick.
    """
    beside = ("helper_process.py", "state_lock.py")
    for folder in ("runs/loop.py", "boundary/links", "boundary/record"):
        readers = [
            each for each in offenders(f"daemon/hilbridge/{folder}", CLOCKS) if not any(one in each for one in beside)
        ]
        assert readers == []


def test_only_the_bench_joins_inputs_plan_and_links() -> None:
    """Where the three meet, everything is wired; there is one such room."""
    reached: dict[str, set[str]] = {}
    for each in imports("daemon/hilbridge"):
        path = Path(each.place.partition(":")[0]).relative_to("daemon").with_suffix("")
        here, there = (place(module, DAEMON) for module in (".".join(path.parts), each.module))
        reached.setdefault(here[1] or here[0], set()).add(there[1])
    meeting = {"boundary/links", "frames/plan", "bench/inputs"}
    assert [room for room, others in reached.items() if meeting <= others] == ["bench/."]


def test_the_daemon_has_one_python_thread() -> None:
    """A second thread makes two ticks of three late; python-can interfaces and the page have processes of their own.

    `event_port` alone has one for the 50 ms that opening a device takes, when another device has been plugged in.
    A campaign ticks no bench itself: its threads wait for the processes that do. The fabric has a process of its own,
    and `hilbridge vss` is one. An exporter of Jumpstarter is a program of its own, which calls its drivers in threads.
    The observer, which ticks nothing, packs full segments of a recording in a thread.
    """
    pages = ("calibration", "feed", "mending_page", "overrides", "recordings", "server", "viewer")
    cockpit = [f"cockpit/{name}.py" for name in pages]
    elsewhere = [
        "links/helper_process.py",
        "links/event_port.py",
        "record/packer.py",
        "client/async_client.py",
        "testing/jumpstarter.py",
        *(f"campaign/{name}.py" for name in ("engines", "trials", "cluster_runs", "slurm", "ssh", "ssh_worker")),
        "fabric/server.py",
        "fabric/lab.py",
        "commands/vss.py",
        "vss/broker.py",
        "vss/provider.py",
        *cockpit,
    ]
    assert [each for each in offenders("daemon", CONCURRENCY) if not any(file in each for file in elsewhere)] == []


def test_the_tick_process_imports_nothing_that_other_processes_are_for(tmp_path: Path) -> None:
    """In a whole run of the demo bench: numpy starts threads; logs and status line belong to the observer process."""
    program = """if True:
        import sys, pathlib
        from hilbridge.commands.cli import main
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


def test_the_observer_imports_neither_settings_nor_structlog_before_a_terminal_wants_it() -> None:
    """It starts with every run, beside the tick: what it does not need would double the work of a start."""
    program = (
        "import sys, hilbridge.boundary.observe.observer; print(*{name.partition('.')[0] for name in sys.modules})"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert "hilbridge" in run.stdout.split()
    assert not {"pydantic", "yaml", "structlog", "rich", "numpy", "can", "asyncio"} & set(run.stdout.split())
