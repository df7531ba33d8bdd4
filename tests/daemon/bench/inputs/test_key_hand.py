"""The hand that starts: on a bus of the test's own, and on whole vehicles."""

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.inputs.key_hand import CAUGHT, LONGEST, KeyHand
from hilbridge.files.configuration.vehiclefile import load_vehicle
from hilbridge.testing import VirtualBench
from vehiclesim.channels import VehicleData
from vehiclesim.databus import DataBus

STEP = 10 * MILLISECOND


def turned(hand: KeyHand) -> int:
    """How long the key is at start [ns]."""
    time = 0
    while hand.move(STEP):
        time += STEP
        assert time < 2 * LONGEST
    return time


def test_a_key_is_let_go_after_five_seconds_or_when_the_engine_has_caught() -> None:
    """One that never runs, one that runs all the time; above 0.7 of its idle speed, by hand."""
    bus, vehicle = DataBus(), load_vehicle("compact").settings
    hand = KeyHand(bus, vehicle)
    assert hand.move(STEP) == 0  # nobody has asked for it
    hand.begin()
    assert turned(hand) == LONGEST
    assert hand.move(STEP) == 0
    for share, time in ((0.69, LONGEST), (0.71, CAUGHT)):
        bus.vehicle[VehicleData.ENGINE_RPM] = round(share * vehicle.engine.idle_rpm * 1000)
        hand.begin()
        assert turned(hand) == time


@pytest.mark.parametrize(
    ("vehicle", "ready"), [("compact", "vehicle.EngineWorking"), ("leaf-ze1", "electric.DriveReady")]
)
def test_a_vehicle_is_started_and_its_key_stays_on(vehicle: str, ready: str) -> None:
    """What is said again goes on: it starts nothing a second time; what is set otherwise ends it."""
    with VirtualBench("demo", set={"bench.vehicle": vehicle}) as bench:
        bench.set("input.Key", "automatic", 3.0)
        bench.advance(0.1)
        assert bench.get("input.Key") == 1
        for _ in range(5):
            bench.advance(1.0)
            bench.set("input.Key", "automatic", 3.0)
        assert (bench.get("input.Key"), bench.get(ready)) == (0, 1)
        bench.set("input.Key", -1)
        bench.advance(3.0)
        assert (bench.get("input.Key"), bench.get(ready)) == (-1, 0)
        bench.set("input.Key", "automatic")
        bench.advance(0.1)
        assert bench.get("input.Key") == 1
        with pytest.raises(ConfigurationError, match="no rate"):
            bench.set("input.Key", "automatic", rate=1.0)


def test_a_hand_that_is_gone_turns_nothing() -> None:
    """Nobody says it again: the key springs back to on, as without a hand."""
    with VirtualBench("demo") as bench:
        bench.set("input.Key", "automatic", 0.05)
        bench.advance(0.02)
        assert bench.get("input.Key") == 1
        bench.advance(0.1)
        assert bench.get("input.Key") == 0
