"""Entries of the data bus held by commands."""

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.inputs.arbiter import Arbiter
from hilbridge.bench.inputs.controls import find_control
from hilbridge.bench.inputs.internal import DirectSource
from hilbridge.bench.inputs.overrides import Overrides
from vehiclesim.channels import BodyData, InputData, RequestData, RoadData
from vehiclesim.databus import DataBus

NAN = -2147483647


class Board(DirectSource):
    """A source with one control."""

    def say(self, value: int, t: int) -> None:
        self._set(0, value, t)


class Bench:
    """An arbiter with a hold above a source of the throttle."""

    def __init__(self) -> None:
        throttle = find_control("Throttle")
        assert throttle is not None
        self.bus = DataBus()
        self.events: list[str] = []
        self.holds = Overrides()
        self.board = Board("board", [throttle], timeout=None)
        self.board.say(throttle.to_bus(0.3), 0)
        self.arbiter = Arbiter(self.bus, [self.holds, self.board], self)
        self.arbiter.rest()
        self.arbiter.sample(0)

    def info(self, t: int, event: str, **fields: object) -> None:
        self.events.append(f"{event}: {fields['controls']}")

    def warning(self, t: int, event: str, **fields: object) -> None:
        self.info(t, event, **fields)

    def throttle(self, t: int) -> int:
        self.arbiter.sample(t)
        return self.bus.input[InputData.THROTTLE]


def test_a_hold_stands_over_every_source_until_it_is_released() -> None:
    bench = Bench()
    bench.holds.set("input.Throttle", 0.9)
    assert [bench.throttle(t) for t in (1, 10**15)] == [9000, 9000]
    bench.holds.release("Throttle")
    assert bench.throttle(10**15 + 1) == 3000
    assert bench.events == ["input active: Throttle", "input active: Throttle", "input released: Throttle"]


def test_a_hold_may_name_a_position_and_a_lever_stays_in_it() -> None:
    bench = Bench()
    bench.holds.set("body.DriveMode", "Sport Plus")
    bench.arbiter.sample(1)
    bench.holds.release("body.DriveMode")
    bench.arbiter.sample(2)
    assert bench.bus.body[BodyData.DRIVE_MODE] == 3
    with pytest.raises(ConfigurationError, match=r"unknown position of body.DriveMode 'sprot': did you mean sport"):
        bench.holds.set("body.DriveMode", "sprot")


def test_a_hold_may_end_by_itself() -> None:
    bench = Bench()
    bench.holds.set("Throttle", 0.9, until=100)
    assert [bench.throttle(t) for t in (1, 100, 101)] == [9000, 9000, 3000]


def test_all_holds_are_released_together_and_entries_go_back_to_rest() -> None:
    bench = Bench()
    bench.holds.set("road.Slope", -0.1)
    bench.holds.set("request.EngineTorqueLimit", 80)
    bench.arbiter.sample(1)
    assert (bench.bus.road[RoadData.SLOPE], bench.bus.request[RequestData.ENGINE_TORQUE_LIMIT]) == (-1000, 80_000)
    bench.holds.release()
    bench.arbiter.sample(2)
    assert (bench.bus.road[RoadData.SLOPE], bench.bus.request[RequestData.ENGINE_TORQUE_LIMIT]) == (0, NAN)


def test_a_holder_gives_back_what_nobody_took_over() -> None:
    """An entry belongs to whoever set it last; who holds nothing gives back nothing."""
    bench = Bench()
    bench.holds.set("Throttle", 0.9, by="scenario hill")
    bench.holds.set("Brake", 0.4, by="scenario hill")
    bench.holds.set("Brake", 0.5, by="viewer 1")
    bench.arbiter.sample(1)
    held = {state.control: state.source for state in bench.arbiter.control_states()}
    assert (held["Throttle"], held["Brake"], held["Clutch"]) == ("scenario hill", "viewer 1", "")
    bench.holds.release_of("scenario hill")
    bench.holds.release_of("scenario hill")
    assert bench.throttle(2) == 3000
    assert bench.bus.input[InputData.BRAKE] == 5000


def test_what_is_set_without_a_name_is_held_by_a_command() -> None:
    bench = Bench()
    bench.holds.set("Throttle", 0.9, by="viewer 1")
    bench.holds.set("Throttle", 0.8)
    bench.arbiter.sample(1)
    assert bench.arbiter.control_states()[0].source != "viewer 1"
    bench.holds.release_of("viewer 1")
    assert bench.throttle(2) == 8000


def test_holding_the_paddle_makes_one_step_each_time() -> None:
    bench = Bench()
    for t in range(1, 4):
        bench.holds.set("GearShift", 1)
        bench.arbiter.sample(t)
    for t in range(4, 9):
        bench.arbiter.sample(t)
    assert bench.bus.input[InputData.GEAR_SHIFT] == 3


@pytest.mark.parametrize(
    ("entry", "value", "message"),
    [
        ("Trottle", 0.5, "unknown entry 'Trottle': did you mean Throttle"),
        ("vehicle.Speed", 3.0, "vehicle.Speed is a result"),
        ("Throttle", 50.0, "50 of Throttle is not within 0..1"),
        ("road.HeadWind", 500.0, r"500 of road.HeadWind is not within -100..100 m/s"),
    ],
)
def test_what_cannot_be_held_is_refused(entry: str, value: float, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        Overrides().set(entry, value)


def test_what_is_not_held_cannot_be_released() -> None:
    with pytest.raises(ConfigurationError, match="Brake is not held"):
        Overrides().release("Brake")


def test_several_entries_are_held_together_or_not_at_all() -> None:
    bench = Bench()
    with pytest.raises(ConfigurationError, match="Spoon"):
        bench.holds.set_all({"Throttle": 0.9, "input.Spoon": 1})
    assert bench.throttle(1) == 3000
    bench.holds.set_all({"Throttle": 0.9, "input.Brake": 0.2}, by="XCP")
    assert bench.throttle(2) == 9000
    assert bench.bus.input[InputData.BRAKE] == 2000
    bench.holds.release_of("XCP")
    assert bench.throttle(3) == 3000
