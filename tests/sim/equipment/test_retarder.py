"""The torque of the retarder, and what it may not do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim import RPM_TO_W, Block, Retarder, RetarderSettings, Solver

from ..blocks import Flywheel, Motor

EXAMPLE = RetarderSettings(levels=4)
"""Four levels, 3500 Nm, 100 to 2500 rpm, bias 0.3."""

HEAVY = 1e9
"""[kg m²]: keeps its speed."""


class Stand:
    """Motor, retarder, flywheel."""

    def __init__(self, settings: RetarderSettings = EXAMPLE, *, inertia: float = HEAVY, rpm: float = 0.0) -> None:
        self.motor, self.retarder = Motor(), Retarder(settings)
        self.flywheel = Flywheel(inertia, rpm * RPM_TO_W)
        self.input = Block.connect(self.retarder, self.motor)
        self.output = Block.connect(self.flywheel, self.retarder)
        self.solver = Solver([self.motor, self.retarder, self.flywheel])

    def brake(self, level: int, steps: int = 1) -> float:
        self.retarder.retarder_input = level
        for _ in range(steps):
            self.solver.step(0.001)
        return self.retarder.sensor_torque


@pytest.mark.parametrize(
    ("rpm", "share"),
    [(0.0, 0.0), (100.0, 0.0), (1300.0, 0.3), (2500.0, 1.0), (9000.0, 1.0), (700.0, 0.09), (-1300.0, 0.3)],
)
@pytest.mark.parametrize("level", [0, 1, 3, 4])
def test_torque_of_a_level(level: int, rpm: float, share: float) -> None:
    """k/4 of 3500 Nm, of which 0.3 at half, 0.3² at a quarter of the range; none below it, all above; both ways round.

    Half-way the bias function gives the bias by definition, and at a quarter its square.
    """
    stand = Stand(rpm=rpm)
    assert stand.brake(level) == pytest.approx(level / 4 * 3500.0 * share, rel=1e-9)
    sign = -1.0 if rpm > 0.0 else 1.0
    assert stand.output.out_td == pytest.approx(sign * level / 4 * 3500.0 * share, rel=1e-9)


@pytest.mark.parametrize(("stick", "level"), [(-1, 0), (0, 0), (4, 4), (5, 4), (2**40, 4)])
def test_the_stick_is_held_to_levels_that_exist(stick: int, level: int) -> None:
    """Its position itself is corrected."""
    stand = Stand(rpm=2500.0)
    assert stand.brake(stick) == pytest.approx(level / 4 * 3500.0, rel=1e-9)
    assert stand.retarder.retarder_input == level


def test_without_levels_there_is_no_torque() -> None:
    """The default."""
    assert Stand(RetarderSettings(), rpm=2500.0).brake(1) == 0.0


def test_the_shaft_slows_by_the_torque() -> None:
    """I·dw/dt = T_drive - T_retarder: 875 Nm of the first level at full speed, 75 Nm from the motor, 100 kg m²."""
    stand = Stand(inertia=100.0, rpm=9000.0)
    stand.motor.torque = 75.0
    stand.brake(1, 1000)
    assert stand.flywheel.speed == pytest.approx(9000.0 * RPM_TO_W - 8.0, rel=1e-12)


def test_the_motor_is_told_how_the_shaft_will_answer() -> None:
    """L + (T + Tr)·dt = I·w at the end of the substep."""
    stand = Stand(inertia=5.0, rpm=2000.0)
    stand.motor.torque = 30.0
    stand.brake(2, 5)
    expected = (stand.input.L + (30.0 + stand.input.Tr) * 0.001) / stand.input.I
    stand.brake(2)
    assert stand.motor.speed == pytest.approx(expected, rel=1e-12)


@given(
    level=st.integers(0, 4),
    rpm=st.floats(-5000.0, 5000.0),
    inertia=st.floats(1e-4, 10.0),
    drive=st.floats(-100.0, 100.0),
)
def test_it_never_turns_the_shaft_back_and_never_drives(level: int, rpm: float, inertia: float, drive: float) -> None:
    """Even a shaft with hardly any inertia, and a retarder that brakes from standstill: at most it comes to rest."""
    settings = RetarderSettings(levels=4, min_rpm=0.0, bias=0.9)
    braked, free = Stand(settings, inertia=inertia, rpm=rpm), Stand(settings, inertia=inertia, rpm=rpm)
    braked.motor.torque = free.motor.torque = drive
    braked.brake(level)
    free.brake(0)
    slow, fast = braked.flywheel.speed, free.flywheel.speed
    assert slow * fast >= -1e-9
    assert abs(slow) <= abs(fast) + 1e-9


def test_a_restored_retarder_shows_its_torque() -> None:
    """The sensor is what the last step had, until the next one."""
    stand = Stand(rpm=2000.0)
    stand.brake(3)
    other = Retarder(EXAMPLE)
    other.set_state_vars(stand.retarder.get_state_vars())
    assert other.sensor_torque == stand.retarder.sensor_torque > 0.0
