"""A cruise control against the virtual engine: a whole project in one file, as one copies it to begin.

The fixture `bench` comes with hilbridge. Here it is the packaged demo bench on the virtual clock; with

    pytest --hilbridge-bench lab.yaml --hilbridge-hardware

the same tests run in real time on the buses of a bench file of one's own, where the control unit may be a real one:
then nothing is attached.
"""

import struct
from collections.abc import Iterable
from itertools import pairwise

import pytest

from hilbridge.testing import AnyBench, Frame

BUS = "powertrain"
CHASSIS_DATA = 0x120
DRIVER_INPUTS = 0x180

SILENCE = 0.2
"""[s] without a speed after which the pedal comes up."""


class CruiseControl:
    """The control unit under test, a controller with proportional and integral part: frames in, frames out."""

    def __init__(self, target: float) -> None:
        self._target = target  # [km/h]
        self._integral = 0.2
        self._pedal = 0.0
        self._heard = self._due = 0.0

    def receive(self, frame: Frame, t: float) -> Iterable[Frame]:
        """ChassisData begins with the speed, in 1/64 km/h."""
        if frame.can_id == CHASSIS_DATA:
            error = self._target - struct.unpack_from("<h", frame.data)[0] / 64
            self._integral = min(max(self._integral + 0.02 * error * min(t - self._heard, 0.1), 0.0), 1.0)
            self._pedal = min(max(self._integral + 0.1 * error, 0.0), 1.0)
            self._heard = t
        return ()

    def tick(self, t: float) -> Iterable[Frame]:
        """Every 20 ms the pedal, in steps of 0.4 %; everything else is 0: key on, brake released."""
        if t < self._due:
            return ()
        self._due = t + 0.02
        pedal = self._pedal if t - self._heard < SILENCE else 0.0
        return [Frame(DRIVER_INPUTS, bytes((round(pedal * 250), 0, 0, 0, 0, 0, 0, 0)))]


@pytest.fixture
def cruising(bench: AnyBench) -> AnyBench:
    """80 km/h in fourth gear, and the cruise control has the pedal."""
    bench.drive(80, gear=4, acceleration=3.0)
    bench.attach(BUS, CruiseControl(target=80))
    bench.release("input.Throttle")
    bench.advance(5.0)
    return bench


def test_it_holds_the_speed_up_a_hill(cruising: AnyBench) -> None:
    """Within 2 km/h, ten seconds after the hill began."""
    cruising.set("road.Slope", 0.04)
    cruising.advance(20.0)
    speeds = cruising.history("vehicle.Speed", seconds=10.0).values
    assert max(abs(speed * 3.6 - 80) for speed in speeds) < 2


def test_it_lets_go_when_the_speed_is_lost(cruising: AnyBench) -> None:
    """Within 300 ms; and it takes over again when the speed is back."""
    cruising.set("road.Slope", 0.04)
    cruising.advance(2.0)
    cruising.fault(f"frame {BUS}.ChassisData drop", seconds=1.0)
    cruising.advance_until("input.Throttle < 0.01", timeout=0.3)
    cruising.advance_until("input.Throttle > 0.1", timeout=1.5)


def test_the_pedal_comes_every_20_ms(cruising: AnyBench) -> None:
    cruising.advance(1.0)
    times = [heard.t for heard in cruising.frames(BUS, "DriverInputs")][-40:]
    periods = [later - earlier for earlier, later in pairwise(times)]
    assert max(abs(period - 0.02) for period in periods) < 0.005
