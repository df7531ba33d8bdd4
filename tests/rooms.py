"""The house: its wings and their rooms, which question each answers, and which others it may import.

    python -m tests.rooms            checks the sources; exit status 1 with every offence
    python -m tests.rooms --write    writes the table of daemon/README.md anew

A wing imports wings above it in the table, a room those above it in its wing; what no import needs is not allowed
either. This table is the only one: `make lint` and `tests/daemon/test_import_rules.py` check it, daemon/README.md
shows it.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

CHECKOUT: Final = Path(__file__).parents[1]

README: Final = CHECKOUT / "daemon/README.md"

FIRST_LINE: Final = "| wing, room | question it answers | may import |"


class Room(NamedTuple):
    """A folder or a module: a wing of the package, or a room of a wing."""

    question: str
    imports: str = ""


Table: TypeAlias = dict[str, Room]
"""Wings by name, and rooms as `wing/room`; `wing/.` has the modules that lie in the wing itself."""


DAEMON: Final[Table] = {
    "base": Room("what does every wing need, and knows no bench?", "vehiclesim"),
    "base/common": Room("what does every room need? errors, units of time, histograms, back-off"),
    "base/clock": Room("when does the next tick begin?"),
    "base/packs": Room("which installed packages bring profiles, and are they data?"),
    "base/resources": Room("where do the packaged files lie?", "common packs"),
    "base/trust": Room("whose Python code may run here?", "common resources"),
    "base/model_build": Room("are model and tick compiled?"),
    "base/process": Room("how does a process run? real time, children, signals, service manager", "common clock"),
    "base/plots": Room("how is a picture drawn?", "common"),
    "files": Room("what can the files of a bench say, and what do they say?", "vehiclesim base"),
    "files/settings": Room("what can the YAML files say? one file for each part of a bench"),
    "files/odx": Room("what does a diagnostic database say of a control unit? ODX, read in a child process"),
    "files/fmu": Room("what is in a foreign FMU? its files and its description, within bounds"),
    "files/configuration": Room("what do the YAML files say, and where are they wrong?", "settings odx"),
    "frames": Room("which frames are sent when, with which bytes, and are they believed?", "vehiclesim base files"),
    "frames/codec": Room("which bytes does a value make? databases, units, expressions, bits"),
    "frames/protection": Room("are frames believed? counters, checksums, AUTOSAR E2E, makers' presets", "codec"),
    "frames/transport": Room("how does a message travel that no frame holds? packets of J1939", "codec"),
    "frames/bus": Room("how do frames travel? the bus as a hub, and the gate before the link", "codec transport"),
    "frames/plan": Room(
        "which frame is sent when? send types, terminals, raw frames, rest bus", "codec protection transport bus"
    ),
    "boundary": Room("what crosses the boundary of the process?", "vehiclesim base files frames"),
    "boundary/links": Room("how do bytes enter and leave the process? one file for each kind of hardware"),
    "boundary/fmu": Room("how does an FMU take its steps, in a process of its own?", "links"),
    "boundary/lockstep": Room("how does the virtual clock wait for control units under test?", "links fmu"),
    "boundary/control": Room("what can a command say, how does it reach the tick, and who carries it out?", "links"),
    "boundary/record": Room("what crossed the boundary of the process? written, read, played back", "links"),
    "boundary/logs": Room("what is in the logs of other programs, and what of them was not read?"),
    "boundary/observe": Room("what does the observer process do? status line, log, recording, metrics", "links record"),
    "bench": Room("what is a bench made of, and what happens on it?", "vehiclesim base files frames boundary"),
    "bench/parts": Room("what is a part of a bench? its stages in a tick, its rows, its rules"),
    "bench/drive": Room("how does a driver follow a speed trace?"),
    "bench/inputs": Room("what does the driver want? formats, calibration, plausibility, arbitration", "drive"),
    "bench/outputs": Room("what do displays and boards hear? packets of values, text or binary", "parts"),
    "bench/diagnostics": Room("what is a tester answered? ISO-TP, OBD-II, UDS, trouble codes, J1939, ELM327"),
    "bench/fmu": Room("which values does an FMU take and give, and when in a tick?", "parts inputs"),
    "bench/gateway": Room("which frames does a gateway carry from bus to bus?", "parts diagnostics"),
    "bench/doip": Room("how do testers reach control units over IP? ISO 13400-2", "parts diagnostics"),
    "bench/lines": Room("what goes over a serial bus? telegrams such as a K-bus has, LIN", "parts"),
    "bench/xcp": Room("which memory does a measurement tool see, and how does the tick fill it? ASAM XCP", "parts"),
    "bench/faults": Room("what goes wrong, when, and how does it end?", "inputs diagnostics"),
    "bench/scenario": Room(
        "what happens on a bench, step by step, and what must come of it?", "drive inputs diagnostics"
    ),
    "bench/.": Room(
        "vehicle, buses, plan, inputs and control units, wired from one file",
        "parts drive inputs outputs diagnostics fmu gateway doip lines xcp faults scenario",
    ),
    "client": Room(
        "how does another program command a running bench? a public face", "vehiclesim base files frames boundary bench"
    ),
    "desk": Room(
        "how are benches and vehicles made and judged, at a desk?", "vehiclesim base files frames boundary bench"
    ),
    "desk/draft": Room("how does a bench file begin? drafted from a database, or copied"),
    "desk/frames": Room("how do other programs make the frames of a profile? as data, and as C"),
    "desk/learn": Room("what does a log tell? periods, counters, checksums, signals, drafted as a bench", "draft"),
    "desk/beside": Room("does a car send what a profile says? its logs beside the profile's frames", "frames learn"),
    "desk/packs": Room("what comes in as a package of profiles, and is it data?", "frames"),
    "desk/clone": Room(
        "what does a tester's talk tell? control units with what they answered, drafted as a bench", "draft learn"
    ),
    "desk/odx": Room("what does a bench answer, as a diagnostic database? ODX, written"),
    "desk/fit": Room("which engine meets a data sheet?"),
    "desk/fmu": Room("how do other simulators run a vehicle, or a bench? as a unit of FMI"),
    "desk/a2l": Room("what does a measurement tool know of a bench? A2L, written"),
    "desk/perform": Room("how fast, how far, how much? the figures of a data sheet"),
    "faces": Room(
        "how is a running bench seen and served from elsewhere?",
        "vehiclesim base files frames boundary bench client desk",
    ),
    "faces/explain": Room("why does a lamp of the cluster shine? what it hears, says and answers"),
    "faces/calibrate": Room("where are the ends of a pedal? steps, samples, the changed bench file"),
    "faces/top": Room("what does a terminal show?"),
    "faces/fabric": Room("how is a bench seen and commanded from elsewhere? Zenoh"),
    "faces/xcp": Room("how does a measurement tool read and change values? ASAM XCP, a slave"),
    "faces/vss": Room("how does a databroker hear of a bench? paths of VSS, a provider of kuksa.val.v2"),
    "faces/labgrid": Room("how is a bench reserved? labgrid's resource, exporter and driver"),
    "faces/cockpit": Room("what does a browser show, and what may it do?", "explain calibrate"),
    "faces/mcp": Room("what may an assistant see and do? tools of the Model Context Protocol", "explain cockpit"),
    "runs": Room("how does a bench run, once or many times?", "vehiclesim base files frames boundary bench faces"),
    "runs/loop": Room("what happens in a tick?"),
    "runs/reload": Room("how does a bench adopt another configuration?"),
    "runs/run": Room("how does a run begin, go on and end?", "loop reload"),
    "runs/campaign": Room("which runs does a campaign make, where, and what is kept of them?", "loop run"),
    "runs/benchmarks": Room("how fast is it on this machine?", "loop run"),
    "testing": Room(
        "how does a test drive a bench? a public face", "vehiclesim base files frames boundary bench client runs"
    ),
    "commands": Room(
        "what does each command of the command line do? `cli.py` picks one",
        "vehiclesim base files frames boundary bench client desk faces runs",
    ),
    "__main__": Room("how does `python -m hilbridge` start?", "commands"),
}
"""The wings of hilbridge, from the ground up: each may import wings above it, each of its rooms rooms above that."""

MODEL: Final[Table] = {
    "channels": Room("which numbers do the values on the data bus have?"),
    "entries": Room("what do they mean, with which unit and resolution?", "channels"),
    "databus": Room("how are they stored?", "channels entries"),
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
    "chassis": Room("how do wheels, tyres, brakes and body move?", "state block curves parameters"),
    "electric": Room(
        "how do motor and traction battery move it?",
        "state block curves tables parameters engine transmission chassis",
    ),
    "aids": Room("what do the driving aids do?", "state block curves parameters engine chassis"),
    "auxiliary": Room(
        "what do clusters and scan tools show beside the drivetrain?",
        "state block curves tables channels entries databus parameters air fuel engine",
    ),
    "plausibility": Room("can there be such an engine?", "block parameters engine"),
    "extensions": Room("how does a user's own block join?", "state block databus parameters"),
    "motion": Room("what if a game moves the vehicle?", "block curves parameters engine transmission chassis"),
    "loader": Room(
        "what do the parts take from the bus before a step?",
        "channels entries databus air engine transmission chassis aids auxiliary motion",
    ),
    "publisher": Room(
        "what do they show there after it?", "channels databus engine transmission chassis aids auxiliary"
    ),
    "sensors": Room("what is read where a sensor is wrong?", "channels entries databus curves auxiliary"),
    "equipment": Room(
        "what has not every vehicle, and how does it join?",
        "state block channels databus curves parameters engine electric transmission chassis aids auxiliary loader",
    ),
    "vehicle": Room(
        "what is a vehicle made of, and in which order does a step run?",
        "state block solver databus parameters engine electric transmission chassis aids auxiliary equipment extensions"
        " motion loader publisher sensors",
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


def place(module: str, table: Table) -> tuple[str, str]:
    """Return the wing and the room of a module as keys of the table; empty: it has none."""
    package, wing, room = (*module.split("."), "", "")[:3]
    lies_in_wing = room and not any((CHECKOUT / root / package / wing / room).is_dir() for root in ("daemon", "sim"))
    rooms = [f"{wing}/{room}", *([f"{wing}/."] if lies_in_wing else [])]
    return wing if wing in table else "", next((key for key in rooms if key in table), "")


def offences(package: str, root: str, table: Table) -> Iterator[str]:
    """Yield modules without a room, rooms without a module, forbidden imports, and arrows that are upward or unused."""
    folder, order = CHECKOUT / root, list(table)
    allowed = {
        (key, f"{key.partition('/')[0]}/{name}" if "/" in key else name)
        for key, room in table.items()
        for name in room.imports.split()
    }
    found: set[str] = set()
    used: set[tuple[str, str]] = set()
    for file in folder.rglob("*.py"):
        module = ".".join((package, *file.relative_to(folder).with_suffix("").parts))
        keys = place(module, table)
        found.update(keys)
        if file.name != "__init__.py" and (
            not keys[0] or (not keys[1] and any(k.startswith(f"{keys[0]}/") for k in table))
        ):
            yield f"{file.relative_to(CHECKOUT)}: no room of tests/rooms.py"
    yield from (f"tests/rooms.py: {key}: there is no such room in {root}" for key in order if key not in found)
    for each in imports(root):
        path = Path(each.place.partition(":")[0]).relative_to(root)
        wing, room = place(".".join((package, *path.with_suffix("").parts)), table)
        other, its_room = place(each.module, table) if each.package == package else (each.package, "")
        arrow = (wing, other) if wing != other else (room, its_room)
        if not all(arrow) or arrow[0] == arrow[1] or (each.package != package and other != "vehiclesim"):
            continue
        used.add(arrow)
        if arrow not in allowed:
            yield f"{each.place}: {arrow[0]} may not import {each.module}"
    for here, there in sorted(allowed):
        if (here, there) not in used:
            yield f"tests/rooms.py: {here} may import {there}, and does not"
        if there in table and order.index(there) > order.index(here):
            yield f"tests/rooms.py: {here} may not import {there}, which stands below it in the table"


def all_offences() -> list[str]:
    """The offences of both packages."""
    return [*offences("hilbridge", "daemon/hilbridge", DAEMON), *offences("vehiclesim", "sim/vehiclesim", MODEL)]


def path_of(key: str) -> str:
    """Return the path of a wing or room below the package."""
    path = CHECKOUT / "daemon/hilbridge" / key
    return key.replace("/.", "/*.py") if key.endswith("/.") else f"{key}/" if path.is_dir() else f"{key}.py"


def table() -> str:
    """The wings and rooms of hilbridge as a table in Markdown."""
    rows = [
        f"| `{path_of(key)}` | {room.question} | {room.imports} |"
        if "/" in key
        else f"| **`{path_of(key)}`** | **{room.question}** | {room.imports} |"
        for key, room in DAEMON.items()
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
