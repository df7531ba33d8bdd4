"""Messages of trouble codes, readiness and performance by the bytes of SAE J1939-73."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.bench.diagnostics.dtc.codes import TroubleCode
from hilbridge.bench.diagnostics.dtc.store import TroubleStore
from hilbridge.bench.diagnostics.dtc.trouble import FreezeFrame, Trouble
from hilbridge.bench.diagnostics.j1939.trouble_reports import (
    DM4,
    DM5,
    DM6,
    DM12,
    DM20,
    DM21,
    DM23,
    DM26,
    DM28,
    freeze_frames,
    monitors,
    trouble_reports,
)
from vehiclesim.channels import AuxiliaryData
from vehiclesim.databus import DataBus


def code(
    name: str, spn: int | None, *, emission: bool = True, monitor: str | None = None, group: str = "misfire"
) -> Any:
    return TroubleCode(name, name, 0, spn, 11, emission, 2, monitor, group)


MISFIRE = code("P0300", 1322, monitor="misfire")
CATALYST = code("P0420", 3050, monitor="catalyst", group="catalyst")
OVERSPEED = code("P0219", 190, emission=False)
WITHOUT_SPN = code("P0999", None)
MISFIRE_BYTES, CATALYST_BYTES = "2A 05 0B 01", "EA 0B 0B 01"
NONE = "00 FF 00 00 00 00 FF FF"


class Unit:
    """A store with a misfire and a catalyst monitor, and its messages."""

    def __init__(self, fuel: str = "petrol") -> None:
        self.data = DataBus()
        codes = {one.j2012: one for one in (MISFIRE, CATALYST, OVERSPEED, WITHOUT_SPN)}
        self.store = TroubleStore(codes, self.data, ["misfire", "catalyst"])
        self.reports = trouble_reports(self.store, self.data, fuel)

    def told(self, pgn: int) -> str:
        return self.reports[pgn]().hex(" ").upper()


def test_without_codes_the_lists_are_empty() -> None:
    unit = Unit()
    for pgn in (DM6, DM12, DM23, DM28):
        assert unit.told(pgn) == NONE
    assert unit.told(DM4) == "00 00 00 00 00 FF FF FF"


def test_a_code_wanders_from_list_to_list_over_its_life() -> None:
    """Pending, then with the indicator, then without it, then permanent no longer; each life in J1939's lists."""
    unit = Unit()
    unit.store.report("P0300", failed=True, t=0)
    assert unit.told(DM6) == f"00 FF {MISFIRE_BYTES} FF FF"
    assert unit.told(DM12) == unit.told(DM28) == NONE
    unit.store.confirm("P0300", t=0)
    for pgn in (DM6, DM12, DM28):
        assert unit.told(pgn) == f"40 FF {MISFIRE_BYTES} FF FF"
    trouble = unit.store.troubles["P0300"]
    trouble.succeed()
    for _ in range(3):
        trouble.tested_this_cycle, trouble.failed_this_cycle = True, False
        trouble.end_cycle(driven=True)
    unit.store.report("P0420", failed=True, t=0)
    assert unit.told(DM23) == f"00 FF {MISFIRE_BYTES} FF FF"
    assert unit.told(DM12) == unit.told(DM28) == NONE
    assert unit.told(DM6) == f"00 FF {CATALYST_BYTES} FF FF"


def test_codes_that_are_not_emission_related_or_have_no_spn_are_in_no_list() -> None:
    unit = Unit()
    unit.store.confirm("P0219", t=0)
    unit.store.confirm("P0999", t=0)
    for pgn in (DM6, DM12, DM23, DM28):
        assert unit.told(pgn)[6:] == NONE[6:]


def test_readiness_counts_codes_and_shows_monitors() -> None:
    """DM5: EOBD is 6; misfire and catalyst are there, and not complete until their tests have ended."""
    unit = Unit()
    assert unit.told(DM5) == "00 00 06 11 01 00 01 00"
    unit.store.report("P0420", failed=False, t=0)
    unit.store.confirm("P0300", t=0)
    assert unit.told(DM5) == "01 00 06 01 01 00 00 00"
    assert Unit("diesel").told(DM5) == "00 00 21 11 00 10 00 10"


@pytest.mark.parametrize(
    ("fuel", "group", "expected"),
    [
        ("petrol", "components", "04 00 00 00 00"),
        ("petrol", "egr", "00 80 00 00 00"),
        ("petrol", "oxygen-sensor-heater", "00 40 00 00 00"),
        ("diesel", "oxygen-sensor-heater", "00 00 04 00 00"),
        ("diesel", "secondary-air", "00 00 02 00 00"),
        ("diesel", "heated-catalyst", "00 00 08 00 00"),
        ("diesel", "oxygen-sensor", "00 20 00 00 00"),
    ],
)
def test_places_of_monitors(fuel: str, group: str, expected: str) -> None:
    """As etools-net/j1939-84 decodes them (CompositeSystem)."""
    assert monitors([group], [], fuel).hex(" ").upper() == expected


def test_the_trip_counts_from_the_start_of_the_engine() -> None:
    unit = Unit()
    unit.data.auxiliary[AuxiliaryData.RUN_TIME] = 600_000
    unit.store.history.warm_ups_since_clear = 7
    assert unit.told(DM26) == "58 02 07 11 01 00 01 00"
    unit.store.report("P0300", failed=False, t=0)
    assert unit.told(DM26) == "58 02 07 01 01 00 01 00"


def test_performance_has_the_ratio_of_each_monitor() -> None:
    """DM20: SPN 3050 with the other five bits set, completions, conditions."""
    unit = Unit()
    unit.store.performance.ignitions, unit.store.performance.general = 300, 20
    unit.store.performance.completions["catalyst"] = 5
    assert unit.told(DM20) == "2C 01 14 00 EA 0B F8 05 00 14 00"


def test_distances_and_times_are_in_kilometres_and_minutes() -> None:
    unit = Unit()
    history = unit.store.history
    history.distance_with_indicator, history.distance_since_clear = 2_500_000, 300_000_000
    history.time_with_indicator, history.time_since_clear = 180 * 10**9, 3_600 * 10**9
    assert unit.told(DM21) == "02 00 2C 01 03 00 3C 00"


def test_a_freeze_frame_has_the_values_of_its_pids() -> None:
    """1200 rpm, 40 % load, 83 °C, 50 km/h, 180 kPa at 100 kPa outside."""
    values = {0x0C: "12C0", 0x04: "66", 0x05: "7B", 0x0D: "32", 0x0B: "B4", 0x33: "64"}
    frame = FreezeFrame({pid: bytes.fromhex(text) for pid, text in values.items()}, 2)
    trouble = Trouble(MISFIRE, occurrences=1, frame=frame)
    first = Trouble(CATALYST, occurrences=1, frame=FreezeFrame({}, 1))
    expected = f"0C {CATALYST_BYTES} FF FF FF FF FF FF FF FF 0C {MISFIRE_BYTES} FF 28 80 25 28 7B 00 32"
    assert freeze_frames([trouble, first]).hex(" ").upper() == expected
    assert freeze_frames([Trouble(WITHOUT_SPN, frame=frame)]) == bytes(5) + b"\xff" * 3


@given(st.dictionaries(st.integers(0, 255), st.binary(min_size=1, max_size=4)), st.integers(1, 200))
def test_no_frame_breaks_the_message(values: dict[int, bytes], count: int) -> None:
    """At most 1785 bytes, all of whole frames."""
    troubles = [Trouble(MISFIRE, frame=FreezeFrame(values, order)) for order in range(count)]
    told = freeze_frames(troubles)
    assert len(told) == 13 * min(count, 137)
