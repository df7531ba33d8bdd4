"""The store of trouble codes: cycles, counters, and what outlives a restart."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.bench.diagnostics.dtc.store import TroubleStore
from vehiclesim.channels import InputData, VehicleData
from vehiclesim.databus import DataBus

from ..control_units import Bench, shipped_codes


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def store(bench: Bench) -> TroubleStore:
    return bench.store


def test_a_code_of_another_control_unit_is_refused(store: TroubleStore) -> None:
    with pytest.raises(ConfigurationError, match="P0301"):
        store.report("P301", failed=True, t=0)
    with pytest.raises(ConfigurationError, match="P0218"):
        store.report("P0218", failed=True, t=0)


def test_codes_heal_by_driving(bench: Bench, store: TroubleStore) -> None:
    """P0301: pending, confirmed with the indicator, out after three good cycles, erased after 40 warm-ups."""
    for _ in range(2):
        bench.start()
        bench.wait(5)
        store.report("P0301", failed=True, t=bench.t)
        bench.wait(10)
        bench.stop()
        bench.wait(1)
    assert store.indicator
    for cycle in range(3):
        assert store.indicator, cycle
        bench.start()
        bench.wait(12)
        store.report("P0301", failed=False, t=bench.t)
        bench.stop()
        bench.wait(1)
    assert not store.indicator
    assert store.permanent() == []
    for cycle in range(40):
        assert [code.j2012 for code in store.confirmed()] == ["P0301"], cycle
        bench.set(auxiliary_CoolantTemperature=20_000)
        bench.start()
        bench.wait(11)
        bench.set(auxiliary_CoolantTemperature=80_000)
        bench.wait(1)
        bench.stop()
        bench.wait(1)
    assert store.confirmed() == []
    assert store.frozen() is None


def test_distance_and_time_with_the_indicator(bench: Bench, store: TroubleStore) -> None:
    """PIDs 21 and 4D count from the moment the indicator comes on; 31 and 4E all the way."""
    bench.start()
    bench.set(auxiliary_Odometer=100_000_000)
    bench.wait(61)
    bench.set(auxiliary_Odometer=103_000_000)
    bench.wait(60)
    store.report("P2135", failed=True, t=bench.t)
    bench.set(auxiliary_Odometer=110_000_000)
    bench.wait(180)
    assert bench.data_of(0x21) == b"\x00\x07"
    assert bench.data_of(0x4D) == b"\x00\x03"
    assert bench.data_of(0x31) == b"\x00\x0a"
    assert bench.data_of(0x4E) == b"\x00\x05"


def test_warm_ups_since_clearing_are_pid_30(bench: Bench) -> None:
    for _ in range(3):
        bench.set(auxiliary_CoolantTemperature=20_000)
        bench.start()
        bench.wait(1)
        bench.set(auxiliary_CoolantTemperature=90_000)
        bench.wait(1)
        bench.stop()
        bench.wait(1)
    assert bench.data_of(0x30) == b"\x03"
    bench.ask("04")
    assert bench.data_of(0x30) == b"\x00"


def test_changes_count_what_is_worth_storing_and_nothing_else(bench: Bench, store: TroubleStore) -> None:
    bench.start()
    bench.wait(60)
    before = store.changes
    bench.wait(60)
    assert store.changes == before
    store.report("P0301", failed=True, t=bench.t)
    assert store.changes == before + 1
    store.report("P0301", failed=True, t=bench.t)
    assert store.changes == before + 1
    store.clear()
    assert store.changes == before + 2


def test_some_codes_can_be_cleared_alone(store: TroubleStore) -> None:
    store.report("P2135", failed=True, t=0)
    store.report("P0217", failed=True, t=0)
    store.clear(["P2135"])
    assert [code.j2012 for code in store.confirmed()] == ["P0217"]
    assert store.indicator


def test_while_recording_is_off_results_change_nothing(store: TroubleStore) -> None:
    """Not even a code that is there already."""
    store.report("P0217", failed=True, t=0)
    store.recording = False
    before = store.export(), store.changes
    store.report("P0217", failed=False, t=1)
    store.report("P2135", failed=True, t=1)
    assert (store.export(), store.changes) == before
    store.recording = True
    store.report("P2135", failed=True, t=2)
    assert store.trouble("P2135").confirmed


def test_a_held_failure_outlives_its_monitor_and_a_tester(bench: Bench, store: TroubleStore) -> None:
    """It fails in each cycle, so two trips confirm it; it is back after service 04; let go, the monitor decides."""
    bench.start()
    store.hold("P0171", bench.t)
    bench.wait(12)
    store.report("P0171", failed=False, t=bench.t)
    assert store.trouble("P0171").status & 0x0F == 0x07  # failed, in this cycle, pending
    bench.stop()
    bench.wait(1)
    bench.drive_cycle()
    assert [code.j2012 for code in store.confirmed()] == ["P0171"]
    bench.start()
    assert bench.ask("04") == "44"
    bench.wait(1)
    assert bench.ask("07") == "47 01 01 71"
    store.let_go("P0171")
    store.report("P0171", failed=False, t=bench.t)
    assert not store.trouble("P0171").failing


def test_a_code_is_confirmed_at_once(bench: Bench, store: TroubleStore) -> None:
    """Whatever trips it needs; with lamp, permanent code and freeze frame."""
    store.confirm("P0171", bench.t)
    assert store.trouble("P0171").status & 0x8F == 0x8F
    assert (bench.ask("03"), bench.ask("0A"), store.indicator) == ("43 01 01 71", "4a 01 01 71", True)
    assert bench.ask("02 02 00") == "42 02 00 01 71"


# -- over restarts ----------------------------------------------------------------------------------------------------


def used() -> dict[str, Any]:
    """What a store with some life behind it exports."""
    bench = Bench()
    bench.set(auxiliary_Odometer=5_000_000)
    bench.drive_cycle()
    bench.start()
    bench.store.report("P2135", failed=True, t=bench.t)
    bench.store.report("P0171", failed=True, t=bench.t)
    bench.wait(30)
    return bench.store.export()


def test_what_was_exported_is_restored_through_json() -> None:
    """The freeze frame and its bytes, the counters, the readiness."""
    kept = used()
    bench = Bench()
    bench.store.restore(json.loads(json.dumps(kept)))
    assert bench.store.export() == kept
    assert bench.store.indicator
    assert bench.ask("03") == "43 01 21 35"
    assert bench.ask("02 02 00 0c 00") == "42 02 00 01 71 0c 00 0c 80"


def test_failures_after_a_restart_come_after_those_before_it() -> None:
    """The freeze frame of OBD stays that of the first failure, the newest of UDS the newest: as without a restart."""
    lives = Bench(), Bench()
    for bench in lives:
        for code in ("P0171", "P2135", "P0171"):  # the last one without a frame of its own: it has one
            bench.start()
            bench.store.report(code, failed=True, t=bench.t)
            bench.drive_cycle()
    restarted = Bench()
    restarted.store.restore(json.loads(json.dumps(lives[1].store.export())))
    orders = []
    for bench in (lives[0], restarted):
        bench.start()
        bench.store.report("P0121", failed=True, t=bench.t)
        bench.store.report("P2135", failed=True, t=bench.t)
        troubles = bench.store.troubles
        frozen = bench.store.frozen()
        assert frozen is not None
        assert frozen.code.j2012 == "P0171"
        orders.append(
            [(troubles[name].first_failed, troubles[name].last_failed) for name in ("P0171", "P2135", "P0121")]
        )
        assert [
            frame.order for name in troubles if (frame := troubles[name].frame) is not None and name == "P0121"
        ] == [4]
    assert orders == [[(1, 3), (2, 5), (4, 4)]] * 2


def test_a_frame_that_is_newer_than_all_failures_is_not_overtaken() -> None:
    """A tester has cleared the failure's numbers, or another program wrote the file: new frames come after it."""
    kept = used()
    kept["troubles"]["P0171"]["frame"]["order"] = 900
    bench = Bench()
    bench.store.restore(kept)
    bench.start()
    bench.store.report("P0121", failed=True, t=bench.t)
    frame = bench.store.trouble("P0121").frame
    assert frame is not None
    assert frame.order == 901


def test_a_restart_is_a_new_driving_cycle() -> None:
    """A code that was pending before is confirmed by the next failure."""
    bench = Bench()
    bench.store.restore(used())
    bench.store.report("P0171", failed=True, t=0)
    assert bench.store.trouble("P0171").confirmed


def test_codes_and_monitors_that_there_are_no_more_are_left_out() -> None:
    kept = used()
    kept["troubles"]["P3FFF"] = kept["troubles"]["P2135"]
    kept["completed"].append("gone")
    bench = Bench()
    bench.store.restore(kept)
    assert "P3FFF" not in bench.store.troubles
    assert "gone" not in bench.store.readiness.completed


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("version",), 2),
        (("troubles",), []),
        (("troubles", "P2135", "confirmed"), 1),
        (("troubles", "P2135", "warm_ups"), -1),
        (("troubles", "P2135", "more"), 0),
        (("troubles", "P2135", "frame", "values", "0C"), "zz"),
        (("troubles", "P2135", "frame", "values", "0C"), "abc"),
        (("history", "time_since_clear"), 1 << 64),
        (("history", "time_since_clear"), None),
        (("completed",), [1]),
        (("performance", "completions", "egr"), 65_536),
    ],
)
def test_data_that_is_wrong_in_one_place_is_refused_as_a_whole(path: tuple[str, ...], value: object) -> None:
    """With one line that says where, and the store is as it was."""
    kept = used()
    spot: Any = kept
    for key in path[:-1]:
        spot = spot[key]
    spot[path[-1]] = value
    store = Bench().store
    before = store.export()
    with pytest.raises(ValueError, match=r"^stored trouble codes cannot be used: [^\n]*$"):
        store.restore(kept)
    assert store.export() == before


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(_JSON)
def test_no_other_json_is_taken_for_a_store(data: object) -> None:
    with pytest.raises(ValueError, match="cannot be used"):
        TroubleStore({}, DataBus()).restore(data)


REPORTS = st.lists(st.tuples(st.sampled_from(["P0301", "P0171", "P2135", "P0217"]), st.booleans()), max_size=30)


@given(REPORTS)
def test_any_life_survives_a_restart(reports: list[tuple[str, bool]]) -> None:
    """Each report in a driving cycle of its own."""
    data = DataBus()
    store = TroubleStore(shipped_codes("engine"), data)
    for cycle, (code, failed) in enumerate(reports):
        for second in range(12):
            data.input[InputData.KEY] = 0 if second < 11 else -1
            data.vehicle[VehicleData.ENGINE_WORKING] = second < 11
            store.advance((12 * cycle + second) * SECOND)
            if second == 5:
                store.report(code, failed, t=0)
    kept = store.export()
    other = TroubleStore(shipped_codes("engine"), DataBus())
    other.restore(json.loads(json.dumps(kept)))
    assert other.export() == kept
