"""The rooms of the house: which question each folder answers, and which others it may import.

    python -m tests.rooms            checks the sources; exit status 1 with every offence
    python -m tests.rooms --write    writes the table of daemon/README.md anew

This table is the only one: `make lint` and `tests/daemon/test_import_rules.py` check it, daemon/README.md shows it.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

CHECKOUT: Final = Path(__file__).parents[1]

README: Final = CHECKOUT / "daemon/README.md"

FIRST_LINE: Final = "| room | question it answers | may import |"


class Room(NamedTuple):
    """A folder below the package, or a single file beside these folders."""

    question: str
    imports: str = ""

    @property
    def allowed(self) -> set[str]:
        """The names of the rooms that it may import."""
        return set(self.imports.split())


DAEMON: Final = {
    "common": Room("what does every room need? errors, units of time, histograms, back-off"),
    "clock": Room("when does the next tick begin?", "common"),
    "loop": Room("what happens in a tick?", "clock common"),
    "resources": Room("where do the packaged files lie?", "common"),
    "trust": Room("whose Python code may run here?", "common resources"),
    "model_build": Room("are model and tick compiled?"),
    "settings": Room("what can the YAML files say? one file for each part of a bench", "common"),
    "configuration": Room(
        "what do the YAML files say, and where are they wrong?", "vehiclesim common resources trust settings"
    ),
    "process": Room(
        "how does a process run? real time, children, signals, service manager", "common settings loop clock"
    ),
    "codec": Room("which bytes does a value make? databases, units, expressions, bits", "vehiclesim common settings"),
    "protection": Room(
        "are frames believed? counters, checksums, AUTOSAR E2E, makers' presets", "common trust settings codec"
    ),
    "bus": Room("how do frames travel? the bus as a hub, and the gate before the link", "common settings codec"),
    "plan": Room(
        "which frame is sent when? send types, terminals, raw frames, rest bus",
        "vehiclesim common settings codec protection bus",
    ),
    "links": Room(
        "how do bytes enter and leave the process? one file for each kind of hardware",
        "common settings process codec bus",
    ),
    "lockstep": Room(
        "how does the virtual clock wait for control units under test?",
        "common trust settings process codec bus links",
    ),
    "plots": Room("how is a picture drawn?", "vehiclesim common"),
    "drive": Room(
        "how does a driver follow a speed trace?", "vehiclesim common resources settings configuration plots"
    ),
    "perform": Room(
        "how fast, how far, how much? the figures of a data sheet", "vehiclesim common settings drive plots"
    ),
    "inputs": Room(
        "what does the driver want? formats, calibration, plausibility, arbitration",
        "vehiclesim common settings codec protection bus drive",
    ),
    "outputs": Room(
        "what do displays and boards hear? packets of values, text or binary",
        "vehiclesim common settings codec",
    ),
    "diagnostics": Room(
        "what is a tester answered? ISO-TP, OBD-II, UDS, trouble codes, J1939, ELM327",
        "vehiclesim common trust settings codec protection bus plan",
    ),
    "gateway": Room("which frames does a gateway carry from bus to bus?", "common settings codec bus plan diagnostics"),
    "faults": Room(
        "what goes wrong, when, and how does it end?",
        "vehiclesim common settings codec protection bus plan inputs diagnostics",
    ),
    "control": Room(
        "what can a command say, how does it reach the tick, and who carries it out?",
        "vehiclesim common settings configuration process codec links",
    ),
    "fit": Room("which engine meets a data sheet?", "vehiclesim common resources settings configuration plots"),
    "logs": Room("which frames does a log of another program have? one file for each format", "common codec"),
    "record": Room(
        "what crossed the boundary of the process? written, read, played back",
        "vehiclesim common clock settings model_build codec bus plan links",
    ),
    "scenario": Room(
        "what happens on a bench, step by step, and what must come of it?",
        "vehiclesim common settings configuration plots codec protection bus inputs diagnostics control drive",
    ),
    "client": Room(
        "how does another program command a running bench?", "vehiclesim common configuration codec control scenario"
    ),
    "calibrate": Room(
        "where are the ends of a pedal? steps, samples, the changed bench file",
        "common settings configuration codec inputs links control client",
    ),
    "explain": Room(
        "why does a lamp of the cluster shine? what it hears, says and answers",
        "vehiclesim common settings codec protection bus plan diagnostics control",
    ),
    "observe": Room(
        "what does the observer process do? status line, log, recording, metrics",
        "vehiclesim common clock settings process bus links record",
    ),
    "fabric": Room(
        "how is a bench seen and commanded from elsewhere? Zenoh",
        "vehiclesim common settings process codec control client observe",
    ),
    "labgrid": Room("how is a bench reserved? labgrid's resource, exporter and driver", "common control client"),
    "cockpit": Room(
        "what does a browser show, and what may it do?",
        "vehiclesim common resources settings configuration plots process codec inputs control fit record scenario"
        " client calibrate explain observe",
    ),
    "top": Room("what does a terminal show?", "common control observe"),
    "bench": Room(
        "what is a bench made of? vehicle, buses, plan, inputs, control units, wired from one file",
        "vehiclesim common clock loop resources trust settings configuration codec protection bus plan links inputs"
        " outputs diagnostics gateway faults control logs record scenario explain observe drive",
    ),
    "draft": Room(
        "how does a bench file begin? drafted from a database, or copied",
        "common resources settings configuration codec protection plan",
    ),
    "learn": Room(
        "what does a log tell? periods, counters, checksums, signals, drafted as a bench",
        "vehiclesim common settings codec protection plan links logs draft",
    ),
    "clone": Room(
        "what does a tester's talk tell? control units with what they answered, drafted as a bench",
        "common resources settings configuration codec logs learn draft diagnostics",
    ),
    "reload": Room(
        "how does a bench adopt another configuration?",
        "common settings configuration process record observe bench",
    ),
    "run": Room(
        "how does a run begin, go on and end?",
        "vehiclesim common clock loop model_build settings configuration process codec links lockstep control record"
        " scenario observe fabric cockpit bench reload",
    ),
    "campaign": Room(
        "which runs does a campaign make, where, and what is kept of them?",
        "vehiclesim common clock loop trust settings configuration process codec lockstep control record scenario"
        " observe bench run",
    ),
    "testing": Room(
        "how does a test drive a bench?",
        "vehiclesim common clock loop trust settings configuration plots codec bus links lockstep diagnostics control"
        " record scenario client bench",
    ),
    "benchmarks": Room(
        "how fast is it on this machine?",
        "vehiclesim common clock loop resources model_build configuration process codec observe bench",
    ),
    "commands": Room(
        "what does each command of the command line do?",
        "vehiclesim common model_build resources trust settings configuration process plots codec protection bus plan"
        " links lockstep inputs control drive perform fit logs record scenario client calibrate explain top bench draft"
        " learn clone run campaign benchmarks fabric",
    ),
    "cli": Room("which command was asked for?", "common model_build resources process commands"),
    "__main__": Room("how does `python -m hilbridge` start?", "cli"),
}
"""The rooms of hilbridge, from the ground up: each may import only rooms that stand above it in this table."""

MODEL: Final = {
    "channels": Room("which values are on the data bus?"),
    "databus": Room("how are they stored?", "channels"),
    "curves": Room("how are powers, sines and limits computed without the C library?"),
    "air": Room("how dense is the air outside?", "curves"),
    "tables": Room("how is a measured curve read?"),
    "state": Room("how is a part's state saved and restored?"),
    "block": Room("what must a part of the drivetrain do?", "state"),
    "solver": Room("how is a tree of parts integrated?", "state block"),
    "parameters": Room("which parameters are there, with unit, default and bounds?", "tables"),
    "fuel": Room("what does a fuel need and give?", "parameters"),
    "transmission": Room("how does torque reach the wheels?", "state block curves tables parameters"),
    "engine": Room("how does the engine make torque?", "state block curves tables parameters air fuel transmission"),
    "chassis": Room("how do wheels, tyres, brakes and body move?", "state block curves tables parameters"),
    "electric": Room(
        "how do motor and traction battery move it?", "state block curves tables parameters engine chassis"
    ),
    "aids": Room("what do the driving aids do?", "state block curves parameters engine chassis"),
    "auxiliary": Room(
        "what do clusters and scan tools show beside the drivetrain?",
        "state block curves tables channels databus parameters air fuel engine",
    ),
    "plausibility": Room("can there be such an engine?", "block parameters engine"),
    "extensions": Room("how does a user's own block join?", "state block channels databus parameters"),
    "motion": Room("what if a game moves the vehicle?", "block curves parameters engine transmission chassis"),
    "loader": Room(
        "what do the parts take from the bus before a step?",
        "channels databus curves air engine transmission chassis aids auxiliary motion",
    ),
    "publisher": Room(
        "what do they show there after it?", "channels databus engine electric transmission chassis aids auxiliary"
    ),
    "vehicle": Room(
        "what is a vehicle made of, and in which order does a step run?",
        "state block solver channels databus parameters engine electric transmission chassis aids auxiliary extensions"
        " motion loader publisher",
    ),
    "energy": Room("where does the fuel's energy go?", "block parameters engine electric transmission chassis vehicle"),
}
"""The rooms of vehiclesim, in the same way."""


class Import(NamedTuple):
    """One imported module, and the place of the statement."""

    module: str
    place: str

    @property
    def package(self) -> str:
        return self.module.partition(".")[0]


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


def room_of(path: Path, root: Path) -> str:
    """The room that a file below `root` lies in; a file beside the folders is a room of its own."""
    return path.relative_to(root).parts[0].removesuffix(".py")


def offences(package: str = "hilbridge", root: str = "daemon/hilbridge", rooms: dict[str, Room] = DAEMON) -> list[str]:
    """Modules without a room, rooms without a module, and imports that the table does not allow."""
    folder = CHECKOUT / root
    found = {room_of(file, folder) for file in folder.rglob("*.py")} - {"__init__"}
    wrong = [f"{root}/{name}: no room of tests/rooms.py" for name in sorted(found - set(rooms))]
    wrong += [f"tests/rooms.py: {name}: there is no such room in {root}" for name in sorted(set(rooms) - found)]
    order = list(rooms)
    for name, room in rooms.items():
        wrong += [
            f"tests/rooms.py: {name} may not import {other}, which stands below it in the table"
            for other in sorted(room.allowed & set(rooms))
            if order.index(other) > order.index(name)
        ]
    for each in imports(root):
        here = room_of(CHECKOUT / each.place.partition(":")[0], folder)
        if here not in rooms:
            continue
        first, _, rest = each.module.partition(".")
        there = rest.partition(".")[0] if first == package else first
        known = there in rooms if first == package else first == "vehiclesim"
        if known and there != here and there not in rooms[here].allowed:
            wrong.append(f"{each.place}: {here} may not import {each.module}")
    return wrong


def all_offences() -> list[str]:
    """The offences of both packages."""
    return [*offences(), *offences("vehiclesim", "sim/vehiclesim", MODEL)]


def table() -> str:
    """The rooms of hilbridge as a table in Markdown."""
    rows = [
        f"| `{name}{'/' if (CHECKOUT / 'daemon/hilbridge' / name).is_dir() else '.py'}` | {room.question} "
        f"| {room.imports} |"
        for name, room in DAEMON.items()
    ]
    return "\n".join([FIRST_LINE, "|---|---|---|", *rows])


def written_table(text: str) -> str:
    """The table as it stands in a page."""
    lines = text.splitlines()
    begin = lines.index(FIRST_LINE)
    return "\n".join(lines[begin : next(i for i in range(begin, len(lines)) if not lines[i].startswith("|"))])


def main() -> int:
    """Checks, or writes the table."""
    if "--write" in sys.argv:
        text = README.read_text(encoding="utf-8")
        README.write_text(text.replace(written_table(text), table()), encoding="utf-8")
        return 0
    wrong = all_offences()
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
