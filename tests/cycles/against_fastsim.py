"""The energy of hilbridge and of fastsim on the same vehicles and cycles; run as a program, it writes FASTSIM.md."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import yaml

from hilbridge.bench.drive.cycles import find_cycle
from hilbridge.bench.drive.simulation import drive
from hilbridge.desk.fit.output import write_engine
from hilbridge.desk.fit.result import fit
from hilbridge.desk.fit.targets import load_targets
from hilbridge.files.configuration.vehiclefile import VehicleFile, load_vehicle
from vehiclesim.fuel import HEATING_VALUE

from .conversion import targets, vehicle

NUMBERS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 32, 33, 39, 40, 41, 48, 67)
"""Conventional cars of fastsim's catalogue without stop and start, one of a kind, by their selection number."""

HEAD: Final = """\
# hilbridge and fastsim

Energy of the fuel, MJ/km, of vehicles of fastsim's own catalogue; each becomes a vehicle file by the one rule of
[conversion.py](conversion.py). `make test-cycles` drives them and prints this table; `python -m
tests.cycles.against_fastsim` in its environment writes this page.

fastsim has one efficiency over the power. hilbridge has gears, a clutch and tyres that slip, an engine with inertia and
friction of its own; and it burns nothing on overrun, where fastsim's engine drives the accessories with fuel.

| vehicle | UDDS: fastsim | hilbridge | % | HWFET: fastsim | hilbridge | % |
|---|---|---|---|---|---|---|
"""


class Row(NamedTuple):
    """One vehicle: the energy [MJ/km] on each cycle, of fastsim and of hilbridge."""

    name: str
    energy: dict[str, tuple[float, float]]

    def deviations(self) -> list[float]:
        """By how many per cent hilbridge needs more, on each cycle."""
        return [100.0 * (ours / theirs - 1.0) for theirs, ours in self.energy.values()]

    def __str__(self) -> str:
        cells = [
            f"{theirs:.3f} | {ours:.3f} | {100.0 * (ours / theirs - 1.0):+.1f}" for theirs, ours in self.energy.values()
        ]
        return f"| {self.name} | {' | '.join(cells)} |"


def convert(record: dict[str, Any], folder: Path) -> VehicleFile:
    """Return a record of fastsim as a vehicle file, its engine from `hilbridge fit`."""
    sheet, engine, whole = (folder / f"{name}.yaml" for name in ("targets", "engine", "vehicle"))
    sheet.write_text(yaml.safe_dump(targets(record)), encoding="utf-8")
    result = fit(load_targets(str(sheet)))
    write_engine(result, engine)
    whole.write_text(engine.read_text(encoding="utf-8") + yaml.safe_dump(vehicle(record)), encoding="utf-8")
    return load_vehicle(str(whole))


def compare(numbers: tuple[int, ...] = NUMBERS) -> Iterator[Row]:
    """Yield the comparison of one vehicle after the other."""
    program = Path(__file__).with_name("fastsim_energy.py")
    command = [sys.executable, str(program), *map(str, numbers)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout
    for one in json.loads(answer):
        with TemporaryDirectory() as folder:
            file = convert(one["record"], Path(folder))
            energy = {}
            for cycle, theirs in one["energy"].items():
                driven = drive(file.build(), find_cycle(cycle), ledger=False)
                energy[cycle] = (theirs, driven.fuel * HEATING_VALUE / driven.distance / 1e3)
        yield Row(one["record"]["scenario_name"], energy)


def page(rows: list[Row]) -> str:
    """Return the table, and how many are how near."""
    every = [abs(each) for row in rows for each in row.deviations()]
    near = sum(each <= 10.0 for each in every)
    end = f"\nOf {len(every)} drives {near} are within 10 %; the farthest is {max(every):.1f} % off.\n"
    return HEAD + "".join(f"{row}\n" for row in rows) + end


if __name__ == "__main__":
    Path(__file__).with_name("FASTSIM.md").write_text(page(list(compare())), encoding="utf-8")
