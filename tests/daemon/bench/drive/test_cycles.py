"""The cycles with a name."""

import sys
from collections import Counter
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.drive import cycles
from hilbridge.bench.drive.cycles import EXTRA_URBAN, URBAN, Operation, find_cycle, from_operations

TABLE = "cycSecs,cycMps,cycGrade,cycRoadType\n0,0,0,0\n1,1.5,0,0\n2,2.5,0,0\n"


def sort_of(operation: Operation, before: Operation) -> str:
    """The kinds into which the regulation sums up its operations."""
    if operation.speed == before.speed == 0:
        return "idling"
    if operation.declutched:
        return "deceleration, clutch disengaged"
    if operation.gear != before.gear and operation.seconds == 2:
        return "gear change"
    if operation.speed == before.speed:
        return "steady speed"
    return "acceleration" if operation.speed > before.speed else "deceleration"


def seconds_by_kind(operations: tuple[Operation, ...]) -> Counter[str]:
    kinds: Counter[str] = Counter()
    for before, operation in zip((operations[-1], *operations), operations, strict=False):
        kinds[sort_of(operation, before)] += operation.seconds
    return kinds


def seconds_by_gear(operations: tuple[Operation, ...]) -> Counter[int]:
    """Seconds of driving in each gear, clutch engaged and not changing gear."""
    gears: Counter[int] = Counter()
    for before, operation in zip((operations[-1], *operations), operations, strict=False):
        if sort_of(operation, before) in {"steady speed", "acceleration", "deceleration"}:
            gears[operation.gear] += operation.seconds
    return gears


def test_the_urban_cycle_sums_up_as_the_regulation_says() -> None:
    """UN R83, Annex 4a: breakdown by phases and by use of gears."""
    assert seconds_by_kind(URBAN) == {
        "idling": 60,
        "deceleration, clutch disengaged": 9,
        "gear change": 8,
        "acceleration": 36,
        "steady speed": 57,
        "deceleration": 25,
    }
    assert seconds_by_gear(URBAN) == {1: 24, 2: 53, 3: 41}


def test_the_extra_urban_cycle_sums_up_as_the_regulation_says() -> None:
    """The same; there the 233 s of fifth gear include the 10 s of declutched deceleration."""
    assert seconds_by_kind(EXTRA_URBAN) == {
        "idling": 40,
        "deceleration, clutch disengaged": 10,
        "gear change": 6,
        "acceleration": 103,
        "steady speed": 209,
        "deceleration": 32,
    }
    assert seconds_by_gear(EXTRA_URBAN) == {1: 5, 2: 9, 3: 8, 4: 99, 5: 233 - 10}


def test_the_nedc_is_11_km_in_1180_s() -> None:
    """Four urban cycles of 195 s and 1.013 km, and one extra-urban of 400 s and 6.955 km, up to 120 km/h fast.

    The regulation's urban distance is 1.6 m shorter than the area under its own table.
    """
    urban, extra_urban, nedc = from_operations("", URBAN), from_operations("", EXTRA_URBAN), find_cycle("NEDC")
    assert (urban.duration, extra_urban.duration, nedc.duration) == (195.0, 400.0, 1180.0)
    assert urban.distance == pytest.approx(1013.0, abs=2.0)
    assert extra_urban.distance == pytest.approx(6955.0, abs=0.5)
    assert nedc.distance == pytest.approx(4 * 1013.0 + 6955.0, abs=4 * 2.0)
    assert max(nedc.speeds) == pytest.approx(120.0 / 3.6)


SPEEDS = (
    (0, 0), (11, 0), (15, 15), (23, 15), (25, 10), (28, 0), (49, 0), (54, 15), (56, 15), (61, 32), (85, 32), (93, 10),
    (96, 0), (117, 0), (122, 15), (124, 15), (133, 35), (135, 35), (143, 50), (155, 50), (163, 35), (176, 35),
    (185, 10), (188, 0), (195, 0),
)  # fmt: skip
EXTRA_URBAN_SPEEDS = (
    (0, 0), (20, 0), (25, 15), (27, 15), (36, 35), (38, 35), (46, 50), (48, 50), (61, 70), (111, 70), (119, 50),
    (188, 50), (201, 70), (251, 70), (286, 100), (316, 100), (336, 120), (346, 120), (362, 80), (370, 50), (380, 0),
    (400, 0),
)  # fmt: skip
"""[s], [km/h]: where CO2MPAS has the corners of the cycles, all but that at 178 s."""


@pytest.mark.parametrize(
    ("operations", "corners"), [(URBAN, SPEEDS), (EXTRA_URBAN, EXTRA_URBAN_SPEEDS)], ids=["urban", "extra-urban"]
)
def test_the_speeds_are_those_of_the_commission(
    operations: tuple[Operation, ...], corners: tuple[tuple[int, int], ...]
) -> None:
    """At every corner of its lines, by another way of writing the cycle down: time and speed, no operations."""
    trace = from_operations("", operations)
    assert [round(trace.speed(t) * 3.6, 9) for t, _ in corners] == [speed for _, speed in corners]


def test_the_gears_are_those_of_the_commission() -> None:
    """CO2MPAS engages a gear in the middle of the 2 s that a change takes; here it is prescribed from their begin."""
    urban = from_operations("", URBAN)
    assert [urban.gear(t) for t in (5, 20, 55, 92, 97, 123, 134, 177, 184, 190)] == [0, 1, 2, 2, 0, 2, 3, 2, 2, 0]
    extra_urban = from_operations("", EXTRA_URBAN)
    times = (10, 22, 26, 37, 47, 60, 62, 114, 116, 200, 202, 379, 390)
    assert [extra_urban.gear(t) for t in times] == [1, 1, 2, 3, 4, 4, 5, 5, 4, 4, 5, 5, 0]


def test_its_columns_prescribe_gear_and_clutch() -> None:
    """6 s neutral, 5 s first gear with the clutch down, then first gear; second from 54 s on."""
    nedc = find_cycle("nedc")
    assert [(nedc.gear(t), nedc.clutch_down(t)) for t in (0.0, 5.9, 6.0, 11.0)] == [
        (0, False),
        (0, False),
        (1, True),
        (1, False),
    ]
    assert [nedc.gear(t) for t in (53.9, 54.0, 93.0, 96.0)] == [1, 2, 2, 0]
    assert nedc.clutch_down(94.0)


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, *tables: str) -> None:
    """A package with the tables, which cannot be imported."""
    package = folder / "fastsim"
    (package / "resources" / "cycles").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError\n")
    for table in tables:
        (package / "resources" / "cycles" / table).write_text(TABLE, encoding="utf-8-sig")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "fastsim", raising=False)


@pytest.mark.parametrize(("name", "table"), [("wltc", "wltc_3b.csv"), ("udds", "udds.csv"), ("hwfet", "hwfet.csv")])
def test_a_table_is_read_where_its_package_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, table: str
) -> None:
    """In m/s by seconds, without importing the package."""
    install(tmp_path, monkeypatch, table)
    trace = find_cycle(name)
    assert (trace.name, trace.times, trace.speeds) == (name, (0.0, 1.0, 2.0), (0.0, 1.5, 2.5))
    assert trace.gears is None
    assert trace.warm is (name == "hwfet")  # 40 CFR 600.111: another HWFET comes before


def test_a_package_that_lacks_the_table_is_named_with_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch)
    with pytest.raises(ConfigurationError, match=r"installed does not have it: .* -m pip install 'fastsim"):
        find_cycle("udds")


def test_a_package_that_is_not_there_is_named_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cycles, "find_spec", lambda _: None)
    with pytest.raises(ConfigurationError, match=r"fastsim is not installed: .* -m pip install 'fastsim"):
        find_cycle("udds")


def test_what_is_no_name_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "hill.csv"
    file.write_text("time s,speed km/h\n0,0\n10,36\n")
    assert find_cycle(str(file)).distance == pytest.approx(50.0)


@pytest.mark.parametrize(("name", "hint"), [("nedk", "did you mean 'nedc'"), ("x.csv", "known cycles: nedc, wltc")])
def test_an_unknown_cycle_is_refused_with_a_hint(name: str, hint: str) -> None:
    with pytest.raises(ConfigurationError, match=hint):
        find_cycle(name)
