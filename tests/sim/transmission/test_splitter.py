"""Rules of the torque splitter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.block import Connection
from vehiclesim.parameters import SplitterSettings
from vehiclesim.transmission.driveline import FORCE_LOCKED, FORCE_OPEN
from vehiclesim.transmission.splitter import TorqueSplitter

from ..driveline_rig import Rig, Wheel, on_two_wheels


def _rig(primary: Wheel, secondary: Wheel, stiffness: float = 0.25, ratio: float = 2.0) -> Rig:
    return on_two_wheels(TorqueSplitter(SplitterSettings(stiffness=stiffness, ratio=ratio)), primary, secondary)


def test_the_primary_axle_is_driven_rigidly() -> None:
    """w_in = i·w1, whatever the secondary axle does."""
    rig = _rig(primary := Wheel(2.0, 10.0), Wheel(2.0, -5.0))
    rig.motor.torque = 50.0
    for _ in range(100):
        rig.step()
        assert rig.motor.speed == pytest.approx(2.0 * primary.speed, rel=1e-12)


def test_without_slip_the_primary_axle_gets_it_all() -> None:
    """The coupling moves torque only while the axles turn differently: none at first."""
    rig = _rig(Wheel(1e9, 10.0), Wheel(1e9, 10.0))
    rig.motor.torque = 50.0
    rig.step()
    assert rig.root.sensor_transfer_torque == pytest.approx(0.0, abs=3.0)


def test_the_secondary_axle_is_pulled_along() -> None:
    """Driven from rest, both end with T/(I1+I2), and the coupling carries the share of the secondary inertia."""
    rig = _rig(primary := Wheel(2.0), secondary := Wheel(3.0))
    rig.motor.torque = 50.0
    rig.run(1.0)
    assert rig.root.sensor_transfer_torque == pytest.approx(100.0 * 3.0 / 5.0, rel=1e-6)
    assert 2.0 * primary.speed + 3.0 * secondary.speed == pytest.approx(100.0, rel=1e-9)
    assert primary.speed > secondary.speed


@pytest.mark.parametrize("substep", [0.00025, 0.005])
@pytest.mark.parametrize("stiffness", [0.05, 0.25, 0.95, 1.0])
def test_a_splitter_does_not_depend_on_the_substep(stiffness: float, substep: float) -> None:
    """Nor do the speeds that it leaves, 5 ms included."""

    def speeds(substep: float) -> list[float]:
        rig = _rig(Wheel(2.0, 30.0, -20.0), Wheel(3.0, 5.0, -60.0), stiffness)
        rig.motor.torque = 50.0
        rig.run(0.1, substep)
        return [wheel.speed for wheel in rig.wheels]

    assert speeds(substep) == pytest.approx(speeds(0.001), rel=1e-9)


@pytest.mark.parametrize(("override", "share"), [(FORCE_LOCKED, 0.6), (FORCE_OPEN, 0.0)])
def test_a_lock_override(override: int, share: float) -> None:
    """1 drives both axles rigidly, 2 only the primary one."""
    rig = _rig(Wheel(2.0, 10.0), Wheel(3.0, 10.0))
    rig.root.lock_override = override
    rig.motor.torque = 50.0
    rig.step()
    assert rig.root.sensor_transfer_torque == pytest.approx(100.0 * share, rel=1e-9)


wheels = st.tuples(st.floats(0.1, 50.0), st.floats(-100.0, 100.0), st.floats(-500.0, 500.0))


@given(wheels, wheels, st.floats(-300.0, 300.0), st.floats(0.0, 1.0))
def test_the_ledger_and_the_report(
    one: tuple[float, float, float], two: tuple[float, float, float], torque: float, stiffness: float
) -> None:
    """The work is what the axles gain and the coupling loses; w = (L + (T + Tr)·dt)/I is what the shaft does."""
    rig = _rig(Wheel(*one), Wheel(*two), stiffness)
    rig.motor.torque = torque
    rig.step()
    for _ in range(5):
        rig.work = 0.0
        rig.losses = [0.0]
        energy = rig.kinetic_energy
        shaft = rig.root.inputs[0]
        assert isinstance(shaft, Connection)
        expected = (shaft.L + (torque + shaft.Tr) * 0.001) / shaft.I
        rig.step()
        gained = rig.kinetic_energy - energy
        residual = rig.work - gained - rig.losses[0]
        assert residual == pytest.approx(0.0, abs=1e-11 * (energy + abs(rig.work) + abs(rig.losses[0]) + 1.0))
        assert rig.motor.speed == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(st.floats(-100.0, 100.0), st.floats(-100.0, 100.0), st.floats(0.0, 1.0))
def test_the_coupling_only_loses(one: float, two: float, stiffness: float) -> None:
    """Left alone, slip shrinks and keeps its sign, so T_c times the mean slip is never negative."""
    rig = _rig(Wheel(2.0, one), Wheel(3.0, two), stiffness)
    rig.step()
    assert rig.losses[0] >= -1e-12
    assert abs(rig.root.sensor_slip) <= abs(one - two) + 1e-12
    assert rig.root.sensor_slip * (one - two) >= -1e-9
