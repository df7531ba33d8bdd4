"""Operation cycles, driving cycles, warm-ups and general cycles."""

from hilbridge.base.common.units import SECOND
from hilbridge.bench.diagnostics.dtc.drive_cycle import CycleEvents, DriveCycle
from vehiclesim.channels import NAN, AuxiliaryData, InputData, VehicleData
from vehiclesim.databus import DataBus


class Car:
    """A cycle, and the bus that it reads."""

    def __init__(self) -> None:
        self.data = DataBus()
        self.data.input[InputData.KEY] = -1
        self.cycle = DriveCycle(self.data)

    def wait(
        self, seconds: int, *, key: int = 0, running: bool = True, coolant: int = 20, speed: float = 0, pedal: int = 0
    ) -> list[CycleEvents]:
        """What happens in so many seconds; coolant in °C, speed in m/s."""
        self.data.input[InputData.KEY] = key
        self.data.input[InputData.THROTTLE] = pedal
        self.data.vehicle[VehicleData.ENGINE_WORKING] = running
        self.data.vehicle[VehicleData.SPEED] = round(1000 * speed)
        self.data.auxiliary[AuxiliaryData.COOLANT_TEMPERATURE] = coolant if coolant == NAN else 1000 * coolant
        return [events for _ in range(seconds) if (events := self.cycle.advance(SECOND)) != CycleEvents()]


def test_an_operation_cycle_goes_from_key_on_to_key_off() -> None:
    car = Car()
    assert car.wait(5, running=False) == [CycleEvents(began=True)]
    assert car.wait(5, key=-1, running=False) == [CycleEvents(ended=True, driven=False)]


def test_it_is_a_driving_cycle_when_the_engine_ran_for_ten_seconds() -> None:
    for seconds, driven in ((9, False), (10, True)):
        car = Car()
        car.wait(seconds)
        assert car.wait(1, key=-1) == [CycleEvents(ended=True, driven=driven)]


def test_an_ignition_counts_after_two_seconds_once_a_cycle() -> None:
    car = Car()
    assert sum(events.ignition for events in car.wait(60)) == 1


def test_a_warm_up_rises_by_22_kelvin_to_70_degrees_at_least() -> None:
    """From 20 it is 70; from 60 it is 82; once a cycle."""
    car = Car()
    car.wait(5, coolant=20)
    assert not any(events.warmed_up for events in car.wait(5, coolant=69))
    assert [events.warmed_up for events in car.wait(5, coolant=70)] == [True]
    assert car.wait(5, coolant=100) == []
    car.wait(1, key=-1)
    car.wait(5, coolant=60)
    assert not any(events.warmed_up for events in car.wait(5, coolant=81))
    assert any(events.warmed_up for events in car.wait(5, coolant=82))


def test_an_unknown_temperature_is_no_warm_up() -> None:
    car = Car()
    assert not any(events.warmed_up for events in car.wait(5, coolant=NAN) + car.wait(5, coolant=90))


def test_the_general_denominator_needs_600_s_300_s_above_40_km_h_and_30_s_idle() -> None:
    """Idle is in one piece; 11.2 m/s are 40.3 km/h."""
    enough = [(300, 11.2, 3000), (30, 0.0, 0), (270, 5.0, 3000)]
    for changed in (None, (0, (299, 11.2, 3000)), (1, (29, 0.0, 0)), (2, (269, 5.0, 3000)), (1, (30, 0.0, 1))):
        phases = list(enough)
        if changed is not None:
            phases[changed[0]] = changed[1]
        car = Car()
        events = [one for seconds, speed, pedal in phases for one in car.wait(seconds, speed=speed, pedal=pedal)]
        assert sum(one.general for one in events) == (changed is None)


def test_the_end_tells_whether_the_cycle_was_a_general_one() -> None:
    car = Car()
    for seconds, speed, pedal in ((300, 11.2, 3000), (30, 0.0, 0), (270, 5.0, 3000)):
        car.wait(seconds, speed=speed, pedal=pedal)
    assert [one.complete for one in car.wait(1, key=-1) if one.ended] == [True]
    car.wait(600, speed=11.2, pedal=3000)
    assert [(one.driven, one.complete) for one in car.wait(1, key=-1) if one.ended] == [(True, False)]
