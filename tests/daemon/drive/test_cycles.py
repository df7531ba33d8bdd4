"""The cycles with a name."""

import sys
from collections import Counter
from pathlib import Path

import pytest

from hilbridge.drive import cycles
from hilbridge.drive.cycles import EXTRA_URBAN, URBAN, Operation, find_cycle, from_operations
from hilbridge.errors import ConfigurationError

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


def test_the_nedc_is_11_013_km_in_1180_s() -> None:
    """Four urban cycles of 195 s and one extra-urban of 400 s, 6.955 km long and up to 120 km/h fast."""
    nedc = find_cycle("NEDC")
    assert nedc.duration == 1180.0
    assert nedc.distance == pytest.approx(11_013.0, abs=0.5)
    assert from_operations("", EXTRA_URBAN).distance == pytest.approx(6955.0, abs=0.5)
    assert max(nedc.speeds) == pytest.approx(120.0 / 3.6)


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


def test_a_package_that_lacks_the_table_is_named_with_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch)
    with pytest.raises(ConfigurationError, match=r"installed does not have it; .* pip install 'hilbridge\[cycles\]'"):
        find_cycle("udds")


def test_a_package_that_is_not_there_is_named_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cycles, "find_spec", lambda _: None)
    with pytest.raises(ConfigurationError, match=r"fastsim is not installed; .* pip install 'hilbridge\[cycles\]'"):
        find_cycle("udds")


def test_what_is_no_name_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "hill.csv"
    file.write_text("time s,speed km/h\n0,0\n10,36\n")
    assert find_cycle(str(file)).distance == pytest.approx(50.0)


@pytest.mark.parametrize(("name", "hint"), [("nedk", "did you mean 'nedc'"), ("x.csv", "known cycles: nedc, wltc")])
def test_an_unknown_cycle_is_refused_with_a_hint(name: str, hint: str) -> None:
    with pytest.raises(ConfigurationError, match=hint):
        find_cycle(name)
