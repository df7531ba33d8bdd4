"""The recipes of CONTRIBUTING: what they name is there, and who touches only what they name gets what they promise."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Final

import pytest

from ..program import CHECKOUT

_PATH: Final = re.compile(r"`([\w./-]+)`")
_PLACEHOLDER: Final = re.compile("NAME|FOLDER|BLOCK")
_PACKAGE: Final = "daemon/hilbridge"
_TREES: Final = (_PACKAGE, "sim/vehiclesim", "config", "dbc", "docs", "tests")


def recipes() -> dict[str, list[str]]:
    """The paths of each recipe by its title, and of all that add without code."""
    text = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    chapters = re.findall(r"^## (Adding [^\n]*)\n(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL)
    return {
        title: [one for one in _PATH.findall(content) if "/" in one or one.endswith((".py", ".md", ".csv"))]
        for title, content in chapters
    }


def files() -> set[str]:
    """The files and folders of the checkout."""
    found = {"SECURITY.md", *_TREES}
    for tree in _TREES:
        for path in (CHECKOUT / tree).rglob("*"):
            if "__pycache__" not in path.parts:
                found.add(str(path.relative_to(CHECKOUT)))
    return found


RECIPES: Final = recipes()


def test_every_kind_of_addition_has_one() -> None:
    kinds = ("part", "command", "step", "link", "profile's table", "door", "status value", "key", "block", "format")
    assert [kind for kind in kinds if not any(kind in title for title in RECIPES)] == []
    assert [title for title, paths in RECIPES.items() if not paths] == []


def test_what_a_recipe_names_is_there() -> None:
    """A file or a folder, by the end of its path; of one that is to be made the folder, unless that is made too."""
    there = files()
    missing = []
    for title, paths in RECIPES.items():
        for path in paths:
            name = path.rstrip("/")
            while _PLACEHOLDER.search(name):
                name = name.rpartition("/")[0]
            if not any(one == name or one.endswith(f"/{name}") for one in there):
                missing.append(f"{title}: {path}")
    assert missing == []


HORN = """
    from collections.abc import Iterator, Mapping
    from typing import Annotated, Final, NamedTuple

    from hilbridge.base.common.rows import Family, counter
    from hilbridge.bench.parts.part import Context, PartKind, Stage, Step


    class HornRow(NamedTuple):
        blown: Annotated[int, counter("blown", Family("horn_blown_total", "Times blown", ("horn",)))]


    class HornPart:
        def __init__(self, every: int) -> None:
            self.every, self.ticks = every, 0

        def stages(self) -> Mapping[Stage, Step]:
            return {"poll": self._poll}

        def _poll(self, t: int, ready: object) -> None:
            self.ticks += 1

        def rows(self) -> Iterator[tuple[str, HornRow]]:
            yield "horn", HornRow(self.ticks // self.every)

        def describe(self) -> Mapping[str, str]:
            return {"horn": f"every {self.every} ticks"}

        def doubts(self) -> tuple[str, ...]:
            return ()

        def take_over(self, before: "HornPart") -> None:
            self.ticks = before.ticks


    def build(context: Context) -> HornPart | None:
        horn = context.settings.horn
        return None if horn is None else HornPart(horn.every)


    KIND: Final[PartKind] = PartKind("horn", "horn", HornRow, build, ("horn",))
"""

SETTINGS = """
    from typing import Annotated

    from pydantic import Field

    from hilbridge.files.settings.common import Settings


    class HornSettings(Settings):
        \"\"\"A horn.\"\"\"

        every: Annotated[int, Field(ge=1, description="ticks")] = 10
"""

Edit = tuple[str, str, str]
"""A file below the package or `sim`, a text in it (empty: the file is new), and what comes behind the text."""

PART: Final[list[Edit]] = [
    ("bench/horn/part.py", "", dedent(HORN)),
    (
        "bench/kinds.py",
        "from hilbridge.bench.outputs import part as outputs\n",
        "from hilbridge.bench.horn import part as horn\n",
    ),
    ("bench/kinds.py", "BESIDE_PLAN: Final = (outputs.KIND,", " horn.KIND,"),
    ("files/settings/horn.py", "", dedent(SETTINGS)),
    (
        "files/settings/bench.py",
        "from hilbridge.files.settings.gateway import RouteSettings\n",
        "from hilbridge.files.settings.horn import HornSettings\n",
    ),
    (
        "files/settings/bench.py",
        "    custom: CustomEntries = {}\n",
        '    horn: Annotated[HornSettings | None, Field(description="a horn")] = None\n',
    ),
]

VALUE: Final[list[Edit]] = [
    (
        "bench/gateway/part.py",
        '    disturbed: Annotated[bool, fact("state", texts=("", "disturbed"))]\n',
        '    passed: Annotated[float, gauge("passed [%]", Family("route_passed", "Share", ("route",)), unit="%")]\n',
    ),
    (
        "bench/gateway/part.py",
        "                    disturbed=route.disturbance is not None,\n",
        "                    passed=100.0 - 100.0 * route.statistics.lost / max(1, route.statistics.taken),\n",
    ),
]

HORN_COMMAND = """
    import argparse


    def add_arguments(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("times", type=int, help="how often")


    def run(options: argparse.Namespace) -> int:
        print("toot " * options.times)
        return 0
"""

COMMAND: Final[list[Edit]] = [
    ("commands/horn.py", "", dedent(HORN_COMMAND)),
    ("commands/__init__.py", '    "firmware": {\n', '        "horn": "blow the horn",\n'),
    ("commands/examples.py", "EXAMPLES: Final[dict[str, tuple[str, ...]]] = {\n", '    "horn": ("horn 2",),\n'),
]

SEMICOLONS = """

    class Semicolons:
        ends = LINE_ENDS

        def __init__(self, fields: Sequence[str], settings: SerialInput) -> None:
            self.count = len(fields)

        def decode(self, packet: bytes) -> Readings:
            return [float(cell) for cell in packet.split(b";")][: self.count]

"""

FORMAT: Final[list[Edit]] = [
    ("bench/inputs/formats/lines.py", 'LINE_ENDS: Final = b"\\r\\n"\n', dedent(SEMICOLONS)),
    (
        "bench/inputs/formats/lines.py",
        "LINE_FORMATS: Final[Mapping[str, MakeFormat]] = {\n",
        '    "semicolons": Semicolons,\n',
    ),
    ("files/settings/inputs.py", 'Literal["pairs", ', '"semicolons", '),
]

BEARING = """
    from typing import ClassVar

    from vehiclesim.block import Block, InlineBlock
    from vehiclesim.channels import AUXILIARY, AuxiliaryData
    from vehiclesim.chassis.brakes import Brakes
    from vehiclesim.databus import Channel
    from vehiclesim.engine.engine import Engine
    from vehiclesim.equipment.equipment import Car, Equipment
    from vehiclesim.parameters import ShaftSettings, VehicleSettings


    class Bearing(InlineBlock):
        state_vars: ClassVar[tuple[str, ...]] = ("sensor_torque",)

        def __init__(self, share: float) -> None:
            super().__init__()
            self.sensor_torque, self._share = 0.0, share

        def compute_state_upstream(self) -> None:
            shaft, output = self._shaft, self._output
            shaft.L, shaft.I, shaft.Tr = output.L, output.I, output.Tr

        def evaluate_torque_downstream(self) -> None:
            self.sensor_torque = self._share * self._shaft.out_td
            self._output.out_td = self._shaft.out_td - self.sensor_torque


    class BearingEquipment(Equipment):
        state_vars: ClassVar[tuple[str, ...]] = ("bearing",)

        def __init__(self, share: float) -> None:
            self.bearing = Bearing(share)

        def blocks(self) -> dict[str, Block]:
            return {"bearing": self.bearing}

        def shafts(self) -> tuple[ShaftSettings, ...]:
            return ShaftSettings("gearbox", "bearing"), ShaftSettings("bearing", "driveline")

        def join(self, car: Car) -> None:
            self._sensors = Channel(car.data.auxiliary, AUXILIARY)

        def publish(self) -> None:
            self._sensors.write(AuxiliaryData.BEARING_TORQUE, self.bearing.sensor_torque)


    def make_bearing(settings: VehicleSettings, engine: Engine, brakes: Brakes) -> Equipment | None:
        return BearingEquipment(settings.bearing.share) if settings.bearing.share > 0.0 else None
"""

BEARING_SETTINGS = """
    from dataclasses import dataclass
    from typing import Annotated, ClassVar

    from vehiclesim.parameters.quantity import Quantity, check


    @dataclass(frozen=True, slots=True)
    class BearingSettings:
        \"\"\"A bearing of the propeller shaft.\"\"\"

        equipment: ClassVar[str] = "vehiclesim.equipment.bearing:make_bearing"

        share: Annotated[float, Quantity("1", "of the torque that it takes", minimum=0.0, maximum=0.5)] = 0.0

        def __post_init__(self) -> None:
            check(self)
"""

_PARAMETERS: Final = "sim/vehiclesim/parameters/vehicle.py"

BLOCK: Final[list[Edit]] = [
    ("sim/vehiclesim/equipment/bearing.py", "", dedent(BEARING)),
    ("sim/vehiclesim/parameters/bearing.py", "", dedent(BEARING_SETTINGS)),
    (
        _PARAMETERS,
        "from vehiclesim.parameters.auxiliary import AuxiliarySettings\n",
        "from vehiclesim.parameters.bearing import BearingSettings\n",
    ),
    (
        _PARAMETERS,
        "    retarder: RetarderSettings = field(default_factory=RetarderSettings)\n",
        "    bearing: BearingSettings = field(default_factory=BearingSettings)\n",
    ),
    (
        "sim/vehiclesim/entries.csv",
        "Ignition that the knock control of a petrol engine takes back.\n",
        "auxiliary,BearingTorque,1000,Nm,,,,model,Torque that the bearing takes.\n",
    ),
]

BENCH = """
name: desk
rate: 100
vehicle: compact
buses: {can: {interface: embedded}}
"""

SEEN = {
    "part": """
        from hilbridge.testing import VirtualBench
        with VirtualBench("bench.yaml") as bench:
            bench.advance(1.0)
            assert bench.command("status", parts=["usual"])["horn"] == {"horn": {"blown": 20}}
            assert bench.parts.wiring.parts["horn"].describe() == {"horn": "every 5 ticks"}
            assert bench.command("status", parts=["statistics"])["horn"] == {"horn": {"blown": 20}}
        from hilbridge.bench.status_page import status_page
        assert "| `blown` | counter | blown | `horn_blown_total{horn}` |" in status_page()
    """,
    "value": """
        from hilbridge.testing import VirtualBench
        with VirtualBench("car-network") as bench:
            bench.advance(1.0)
            routes = bench.command("status", parts=["gateway", "layouts"])
            assert {row["passed"] for row in routes["gateway"].values()} == {100.0}, routes["gateway"]
        from hilbridge.base.common.rows import table_of
        table = table_of("gateway", routes["layouts"]["gateway"], routes["gateway"])
        assert table.columns[-1] == "passed [%]" and {cells[-1] for cells in table.cells} == {"100"}, table
        from hilbridge.bench.status_page import status_page
        assert "| `passed` | gauge | passed [%] | `route_passed{route}` |" in status_page()
    """,
    "command": """
        from hilbridge.commands.cli import main
        assert main(["horn", "2"]) == 0
        assert main(["manual"]) == 0
    """,
    "format": """
        from hilbridge.testing import VirtualBench
        with VirtualBench("bench.yaml") as bench:
            for _ in range(50):
                bench.write_serial(b"40;1\\n")
                bench.advance(0.02)
            assert abs(bench.read("input.Throttle") - 0.4) < 0.01, bench.read("input.Throttle")
    """,
    "block": """
        import subprocess, sys
        from pathlib import Path
        subprocess.run([sys.executable, "tests/channel_ids.py", "--write"], check=True)
        Path("car.yaml").write_text("bearing: {share: 0.1}")
        bench = Path("bench.yaml").read_text()
        Path("bench.yaml").write_text(bench.replace("compact", "car.yaml"))
        from hilbridge.testing import VirtualBench
        with VirtualBench("bench.yaml") as bench:
            bench.drive(30, gear=2)
            bench.set("input.Throttle", 0.5)
            bench.advance(0.1)
            torque = bench.get("auxiliary.BearingTorque")
            assert torque > 10, torque
            car = bench.parts.vehicle
            assert abs(torque - 0.1 * car.gearbox.outputs[0].out_td) < 0.01
            assert list(car.get_state_vars()["equipment"][0]["bearing"]) == ["sensor_torque"]
            from vehiclesim.energy import EnergyLedger
            ledger = EnergyLedger(car)
            car.step(0.001)
            ledger.observe(0.001)
            assert ledger.report().losses["bearing"] > 0.0
        from vehiclesim import Vehicle
        assert Vehicle().equipment == []
    """,
}
"""What is there when a recipe has been followed, as a program."""


SERIAL = """\
inputs:
  - source: serial
    port: pty
    format: semicolons
    signals: {Throttle: {field: a, minimum: 0, maximum: 100}, Key: {field: b}}"""


def test_a_part_touches_at_most_six_files_outside_its_folder() -> None:
    """A built-in one; one of a package touches none (tests/daemon/bench/test_kinds.py)."""
    touched = {path for path, _, _ in PART if not path.startswith("bench/horn/")}
    named = {one for one in RECIPES["Adding a part of a bench"] if one.endswith("s/NAME.py") or one in touched}
    assert touched <= {one.replace("NAME", "horn") for one in named}
    sources = {"tests/rooms.py", "configuration/reference_pages/buses.md"}
    assert len(touched | sources) <= 6


@pytest.mark.parametrize(
    ("kind", "title", "edits", "section"),
    [
        ("part", "Adding a part of a bench", PART, "horn: {every: 5}"),
        ("value", "Adding a status value", VALUE, ""),
        ("command", "Adding a command", COMMAND, ""),
        ("format", "Adding a serial format", FORMAT, SERIAL),
        ("block", "Adding a block", BLOCK, ""),
    ],
)
def test_it_does_what_it_promises(kind: str, title: str, edits: list[Edit], section: str, tmp_path: Path) -> None:
    """In a copy of the packages, before the installed ones; files are touched that the recipe names, and no other."""
    for folder in (_PACKAGE, "sim/vehiclesim"):
        shutil.copytree(CHECKOUT / folder, tmp_path / folder)
    (tmp_path / "tests").mkdir()
    shutil.copy(CHECKOUT / "tests/channel_ids.py", tmp_path / "tests")
    for folder in ("config", "dbc"):
        (tmp_path / folder).symlink_to(CHECKOUT / folder)
    for path, old, new in edits:
        assert any(_is_named(path, one) for one in RECIPES[title]), f"{title} does not name {path}"
        file = tmp_path / (path if path.startswith("sim/") else f"{_PACKAGE}/{path}")
        file.parent.mkdir(exist_ok=True)
        text = file.read_text(encoding="utf-8") if old else ""
        assert text.count(old) == 1 or not old, f"{path}: {old!r}"
        file.write_text(text.replace(old, old + new, 1), encoding="utf-8")
    (tmp_path / "bench.yaml").write_text(f"{BENCH}{section}\n", encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}/daemon:{tmp_path}/sim", "HILBRIDGE_INTERPRETED": "1"}
    program = f"import hilbridge\nassert hilbridge.__file__.startswith({str(tmp_path)!r})\n{dedent(SEEN[kind])}"
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr


def _is_named(path: str, named: str) -> bool:
    """Return whether a recipe names a path, with placeholders for what is new."""
    pattern = _PLACEHOLDER.sub(r"\\w+", re.escape(named).replace(r"\.", "."))
    return re.fullmatch(pattern, path) is not None
