"""Rules of the layouts: which wheels are driven, what turns with what, and which override reaches which block."""

from dataclasses import replace

import pytest

from vehiclesim.parameters import (
    AxleDifferentialSettings,
    AxleEnd,
    DifferentialSettings,
    DifferentialType,
    DrivelineLayout,
    DrivelineSettings,
    SplitterSettings,
)
from vehiclesim.transmission.driveline import FORCE_LOCKED, FORCE_OPEN, NO_OVERRIDE, TorqueSplitter
from vehiclesim.transmission.layouts import Driveline, build_driveline

from ..driveline_rig import Rig, Wheel

TORQUE = 100.0
LAYOUT = pytest.mark.parametrize("layout", DrivelineLayout)


def build(
    parameters: DrivelineSettings, speeds: tuple[float, ...] = (0.0,) * 4, *, tyre_dynamics: bool = True
) -> tuple[Rig, Driveline]:
    """A motor of 100 N m and wheels of 1 kg m²: front left, front right, rear left, rear right."""
    wheels = [Wheel(1.0, speed) for speed in speeds]
    driveline = build_driveline(parameters, wheels, tyre_dynamics)
    rig = Rig(driveline.root, wheels, driveline.blocks)
    rig.motor.torque = TORQUE
    return rig, driveline


def driven(rig: Rig) -> list[float]:
    """What each wheel gets [N m]; 0 for a wheel without a shaft."""
    shafts = [wheel.inputs[0] for wheel in rig.wheels]
    return [0.0 if shaft is None else shaft.out_td for shaft in shafts]


@pytest.mark.parametrize(
    ("layout", "expected"),
    [
        (DrivelineLayout.FRONT, [185.0, 185.0, 0.0, 0.0]),
        (DrivelineLayout.REAR, [0.0, 0.0, 185.0, 185.0]),
        (DrivelineLayout.CENTRE_DIFFERENTIAL, [92.5, 92.5, 92.5, 92.5]),
        (DrivelineLayout.H_DRIVE, [92.5, 92.5, 92.5, 92.5]),
    ],
)
def test_the_torque_of_each_wheel(layout: DrivelineLayout, expected: list[float]) -> None:
    """The final drive's 370 N m in equal parts to the wheels that are driven."""
    rig, _ = build(DrivelineSettings(layout=layout))
    rig.run(0.1)
    assert driven(rig) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("primary", AxleEnd)
def test_a_splitter_drives_its_primary_axle_first(primary: AxleEnd) -> None:
    """Its wheels turn with the input from the first moment on, and the others are pulled along."""
    parameters = DrivelineSettings(layout=DrivelineLayout.TORQUE_SPLITTER, splitter=SplitterSettings(primary=primary))
    rig, driveline = build(parameters)
    assert isinstance(driveline.centre, TorqueSplitter)
    rig.run(0.001)
    front, rear = rig.wheels[0].speed, rig.wheels[2].speed
    assert (front > rear > 0.0) if primary is AxleEnd.FRONT else (rear > front > 0.0)
    assert rig.motor.speed == pytest.approx(3.7 * max(front, rear), rel=1e-12)
    rig.run(1.0)
    assert sum(driven(rig)) == pytest.approx(370.0, rel=1e-9)
    assert driven(rig) == pytest.approx([92.5] * 4, rel=1e-6)


@pytest.mark.parametrize("layout", [DrivelineLayout.FRONT, DrivelineLayout.REAR])
def test_an_axle_that_is_not_driven_transmits_nothing(layout: DrivelineLayout) -> None:
    """Its wheels keep their own speeds, whatever the differential of the other axle does."""
    locked = AxleDifferentialSettings(type=DifferentialType.LOCKED)
    rig, driveline = build(DrivelineSettings(layout=layout, front=locked, rear=locked), (5.0, 9.0, 7.0, 11.0))
    rig.run(0.5)
    free = rig.wheels[2:] if layout is DrivelineLayout.FRONT else rig.wheels[:2]
    assert [wheel.speed for wheel in free] == ([7.0, 11.0] if layout is DrivelineLayout.FRONT else [5.0, 9.0])
    assert (driveline.front is None) == (layout is DrivelineLayout.REAR)


def test_an_h_drive_joins_the_wheels_of_a_side() -> None:
    """Front and rear of a side turn together; left and right may differ, and their mean is the input's speed."""
    rig, _ = build(DrivelineSettings(layout=DrivelineLayout.H_DRIVE), (5.0, 9.0, 7.0, 13.0))
    rig.wheels[1].reaction = -30.0
    rig.run(0.1)
    front_left, front_right, rear_left, rear_right = (wheel.speed for wheel in rig.wheels)
    assert front_left == pytest.approx(rear_left, rel=1e-9)
    assert front_right == pytest.approx(rear_right, rel=1e-9)
    assert front_left == pytest.approx(6.0 + 0.1 * 92.5, rel=1e-9)
    assert front_right == pytest.approx(11.0 + 0.1 * (92.5 - 15.0), rel=1e-9)
    assert rig.motor.speed == pytest.approx(3.7 * 0.5 * (front_left + front_right), rel=1e-9)


def test_ratios_multiply() -> None:
    """Centre 1.5, front 2 and rear 3: the input turns with the mean of the axles, and both get the same torque."""
    parameters = DrivelineSettings(
        layout=DrivelineLayout.CENTRE_DIFFERENTIAL,
        centre=DifferentialSettings(ratio=1.5),
        front=AxleDifferentialSettings(ratio=2.0),
        rear=AxleDifferentialSettings(ratio=3.0),
    )
    rig, _ = build(parameters)
    rig.run(0.1)
    assert driven(rig) == pytest.approx([75.0, 75.0, 112.5, 112.5], rel=1e-9)
    assert rig.motor.speed == pytest.approx(
        1.5 * 0.5 * (2.0 * rig.wheels[0].speed + 3.0 * rig.wheels[2].speed), rel=1e-9
    )


@LAYOUT
def test_momentum_and_energy(layout: DrivelineLayout) -> None:
    """The wheels get the impulse that the gears make of the motor's; what is lost, the couplings lose."""
    pack = AxleDifferentialSettings(type=DifferentialType.CLUTCH_PACK)
    parameters = DrivelineSettings(layout=layout, front=pack, rear=pack, sides=pack)
    rig, _ = build(replace(parameters, centre=replace(pack, ratio=1.0)), (5.0, 9.0, 7.0, 13.0))
    energy = rig.kinetic_energy
    rig.run(0.5)
    assert sum(wheel.speed for wheel in rig.wheels) == pytest.approx(34.0 + 0.5 * 370.0, rel=1e-9)
    assert rig.work == pytest.approx(rig.kinetic_energy - energy + sum(rig.losses), rel=1e-6)
    assert all(loss >= 0.0 for loss in rig.losses)


@LAYOUT
@pytest.mark.parametrize("substep", [0.00025, 0.005])
def test_a_layout_does_not_depend_on_the_substep(layout: DrivelineLayout, substep: float) -> None:
    """1 ms against 0.25 ms and 5 ms."""

    def speeds(substep: float) -> list[float]:
        rig, _ = build(DrivelineSettings(layout=layout), (5.0, 9.0, 7.0, 13.0))
        rig.run(0.5, substep)
        return [wheel.speed for wheel in rig.wheels]

    assert speeds(substep) == pytest.approx(speeds(0.001), rel=1e-6)


OVERRIDES = (FORCE_LOCKED, FORCE_OPEN, NO_OVERRIDE, FORCE_OPEN)


def locks(layout: DrivelineLayout, axles: int, front: int, rear: int, driveline: int) -> tuple[int | None, ...]:
    """The overrides that reach front, rear, centre and sides; None for what the layout does not have."""
    _, built = build(DrivelineSettings(layout=layout))
    built.override_locks(axles, front, rear, driveline)
    parts = (built.front, built.rear, built.centre, built.sides)
    return tuple(None if part is None else part.lock_override for part in parts)


@pytest.mark.parametrize(
    ("layout", "expected"),
    [
        (DrivelineLayout.FRONT, (2, None, None, None)),
        (DrivelineLayout.REAR, (None, 1, None, None)),
        (DrivelineLayout.CENTRE_DIFFERENTIAL, (2, 1, 2, None)),
        (DrivelineLayout.TORQUE_SPLITTER, (2, 1, 2, None)),
        (DrivelineLayout.H_DRIVE, (None, None, None, 1)),
    ],
)
def test_which_override_reaches_which_block(layout: DrivelineLayout, expected: tuple[int | None, ...]) -> None:
    """The common one is for axles, that of an axle beats it; what joins front and rear has its own."""
    assert locks(layout, *OVERRIDES) == expected


def test_the_common_override_does_not_reach_the_centre() -> None:
    """DifferentialLock is for the axles only, DrivelineLock for the centre only."""
    assert locks(DrivelineLayout.CENTRE_DIFFERENTIAL, 1, 0, 0, 0) == (1, 1, 0, None)
    assert locks(DrivelineLayout.CENTRE_DIFFERENTIAL, 0, 0, 0, 1) == (0, 0, 1, None)


@LAYOUT
@pytest.mark.parametrize("kind", DifferentialType)
def test_without_tyre_dynamics_nothing_is_held_together(layout: DrivelineLayout, kind: DifferentialType) -> None:
    """Wheels that roll purely have the speeds of the road: no coupling, shared shaft or override moves torque."""
    coupled = AxleDifferentialSettings(type=kind)
    parameters = DrivelineSettings(layout=layout, front=coupled, rear=coupled, sides=coupled, centre=coupled)
    rig, driveline = build(parameters, (5.0, 9.0, 7.0, 13.0), tyre_dynamics=False)
    driveline.override_locks(1, 1, 1, 1)
    rig.run(0.1)
    assert [block.sensor_transfer_torque for block in driveline.blocks] == [0.0] * len(driveline.blocks)
