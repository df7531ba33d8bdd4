"""The cars of docs/guides/cars, made and measured as the guide says, as the table at its end.

`python -m tests.cycles.data_sheets` writes the table into docs/guides/car.md.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from hilbridge.bench.drive.cycles import find_cycle
from hilbridge.desk.fit.output import write_engine
from hilbridge.desk.fit.result import fit
from hilbridge.desk.fit.targets import load_targets
from hilbridge.desk.perform.measurement import Figure, measure
from hilbridge.files.configuration.vehiclefile import VehicleFile, load_vehicle

GUIDE: Final = Path(__file__).parents[2] / "docs" / "guides" / "car.md"
CARS: Final = GUIDE.parent / "cars"

CYCLES: Final = ("udds", "hwfet")

ELECTRIC: Final = ("i3-rex-engine.yaml",)
"""Engines of cars in electric_sheets.py."""

COLUMNS: Final = {
    "udds": "UDDS, l/100 km",
    "hwfet": "HWFET, l/100 km",
    "to_100": "0–100 km/h, s",
    "to_60_mph": "0–60 mph, s",
    "top_speed": "top speed, km/h",
}
"""Figures of `hilbridge perform` that are shown, and how they are called."""

BEGIN: Final = "<!-- written by tests/cycles/data_sheets.py -->\n\n"


class Row(NamedTuple):
    """A car and its figures."""

    name: str
    figures: dict[str, Figure]

    def __str__(self) -> str:
        return f"| {self.name} | {' | '.join(_cell(self.figures[name]) for name in COLUMNS)} |"


def _cell(figure: Figure) -> str:
    """Return measured, published and deviation, as far as there are any."""
    if figure.measured is None:
        return "–"
    if figure.published is None or figure.deviation is None:
        return f"{figure.measured:.3g}"
    return f"{figure.measured:.3g} of {figure.published:g}: {100.0 * figure.deviation:+.0f} %"


def build(sheet: Path, folder: Path) -> VehicleFile:
    """Return a car: the engine that fits its sheet, and the file with the rest behind it."""
    name = sheet.name.removesuffix("-engine.yaml")
    engine, car = folder / "engine.yaml", folder / f"{name}.yaml"
    write_engine(fit(load_targets(str(sheet))), engine)
    rest = sheet.with_name(f"{name}.yaml")
    car.write_text(engine.read_text(encoding="utf-8") + rest.read_text(encoding="utf-8"), encoding="utf-8")
    return load_vehicle(str(car))


def rows() -> Iterator[Row]:
    """Yield the cars with what `hilbridge perform` measures."""
    traces = [find_cycle(name) for name in CYCLES]
    for sheet in sorted(CARS.glob("*-engine.yaml")):
        if sheet.name in ELECTRIC:
            continue
        with TemporaryDirectory() as folder:
            file = build(sheet, Path(folder))
            measured = measure(file.build, file.settings, traces)
        yield Row(file.settings.name, {each.name: each for each in measured.figures if each.gear is None})


def table(cars: list[Row]) -> str:
    """Return the table."""
    head = f"| car | {' | '.join(COLUMNS.values())} |\n|{'---|' * (len(COLUMNS) + 1)}\n"
    return head + "".join(f"{car}\n" for car in cars)


if __name__ == "__main__":
    text = GUIDE.read_text(encoding="utf-8")
    before, mark, _ = text.partition(BEGIN)
    GUIDE.write_text(before + mark + table(list(rows())), encoding="utf-8")
