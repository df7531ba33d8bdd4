"""The dashboard against the virtual engine: every need of its specification, on the bus of the demo bench.

The fixture `bench` comes with hilbridge: a bench on the virtual clock. It advances when the test says so.
"""

import cantools
import pytest
from cantools.database.can import Database

from hilbridge.testing import Frame, HeardFrame, VirtualBench

from ..program import CHECKOUT
from .dashboard import ENGINE_LAMP, LAMPS, PERIOD, SHIFT_AT, SHIFT_LAMP, SHIFT_OFF, SILENCE, Dashboard

BUS = "powertrain"


@pytest.fixture
def dashboard(bench: VirtualBench) -> Dashboard:
    """A dashboard on the wire of an engine that idles."""
    database = cantools.database.load_file(CHECKOUT / "dbc/powertrain.dbc")
    assert isinstance(database, Database)
    unit = Dashboard(database.get_message_by_name("EngineData1"))
    bench.attach(BUS, unit)
    bench.set("input.Key", 1)
    bench.advance_until("vehicle.EngineWorking", timeout=3.0)
    bench.set("input.Key", 0)
    bench.advance(2.0)
    return unit


def lamps(bench: VirtualBench) -> list[HeardFrame]:
    """The frames of the lamps so far."""
    return [heard for heard in bench.frames(BUS) if heard.frame.can_id == LAMPS]


def test_all_lamps_are_dark_at_idle(bench: VirtualBench, dashboard: Dashboard) -> None:
    assert bench.read("vehicle.EngineRpm") == pytest.approx(1000, abs=50)
    assert lamps(bench)[-1].data == b"\x00"


def test_the_lamps_are_told_every_100_ms(bench: VirtualBench, dashboard: Dashboard) -> None:
    before = len(lamps(bench))
    bench.advance(10 * PERIOD)
    assert len(lamps(bench)) - before == 10


def test_the_shift_lamp_follows_the_engine(bench: VirtualBench, dashboard: Dashboard) -> None:
    """On at 4500 rpm, off below 4300 rpm; each within one frame of the engine."""
    bench.set("input.Throttle", 1.0)
    bench.advance_until(f"vehicle.EngineRpm >= {SHIFT_AT}")
    bench.advance(0.02)
    assert lamps(bench)[-1].data[0] == SHIFT_LAMP
    bench.set("input.Throttle", 0.0)
    bench.advance_until(f"vehicle.EngineRpm < {(SHIFT_AT + SHIFT_OFF) / 2}")
    assert lamps(bench)[-1].data[0] == SHIFT_LAMP
    bench.advance_until(f"vehicle.EngineRpm < {SHIFT_OFF}")
    bench.advance(0.02)
    assert lamps(bench)[-1].data[0] == 0


def test_a_lost_engine_lights_the_engine_lamp(bench: VirtualBench, dashboard: Dashboard) -> None:
    """After 250 ms of silence, and only as long as it lasts."""
    fault = bench.fault(f"frame {BUS}.EngineData1 drop")
    bench.advance(SILENCE - 0.02)
    assert lamps(bench)[-1].data[0] == 0
    bench.advance(0.05)
    assert lamps(bench)[-1].data[0] == ENGINE_LAMP
    bench.clear(fault)
    bench.wait_for(BUS, "EngineData1")
    assert lamps(bench)[-1].data[0] == 0


def test_an_engine_speed_that_is_not_available_lights_the_engine_lamp(
    bench: VirtualBench, dashboard: Dashboard
) -> None:
    bench.fault(f"signal {BUS}.EngineData1.EngineRpm drop-out", seconds=0.5)
    bench.advance(0.2)
    assert lamps(bench)[-1].data[0] == ENGINE_LAMP
    bench.advance(0.5)
    assert lamps(bench)[-1].data[0] == 0


def test_a_foreign_frame_changes_nothing(bench: VirtualBench, dashboard: Dashboard) -> None:
    """Nor does one with 29 bits whose number is that of EngineData1."""
    bench.send(BUS, Frame(0x7A5, bytes(range(8))), every=0.01)
    bench.send(BUS, Frame(0x80000100, bytes(8)), every=0.01)
    bench.advance(1.0)
    assert {heard.data for heard in lamps(bench)[-10:]} == {b"\x00"}
