"""The planetary gear and the rotor on its sun, against Willis' equation and a balance of torques by hand."""

import pytest

from vehiclesim import Block, MotorSettings
from vehiclesim.electric.motor import Motor
from vehiclesim.electric.planetary import GeneratorRotor, Planetary
from vehiclesim.solver import Solver

SUN, RING = 30, 78
SHARE = SUN / (SUN + RING)


class Drive(Block):
    """A root that gives a torque, and has no mass of its own."""

    torque = 0.0

    def initialize(self) -> None:
        self.set_outputs(1)

    def evaluate_torque_downstream(self) -> None:
        self.outputs[0].out_td = self.torque  # type: ignore[union-attr]


class Stand:
    """Drive, planetary gear, a rotor on the sun, another one for all that the ring turns."""

    def __init__(self, sun_inertia: float = 0.02, ring_inertia: float = 2.0, share: float = SHARE) -> None:
        self.drive, self.gear = Drive(), Planetary(share)
        self.sun = GeneratorRotor(Motor(MotorSettings()), sun_inertia)
        self.ring = GeneratorRotor(Motor(MotorSettings()), ring_inertia)
        self.carrier = Block.connect(self.gear, self.drive)
        Block.connect(self.sun, self.gear, 0, 0)
        Block.connect(self.ring, self.gear, 1, 0)
        self.solver = Solver([self.drive, self.gear, self.sun, self.ring])

    @property
    def carrier_w(self) -> float:
        return self.carrier.L / self.carrier.I


def test_the_speeds_are_those_of_willis() -> None:
    """z_s·w_s + z_r·w_r = (z_s + z_r)·w_c, whatever turns it."""
    stand = Stand()
    stand.drive.torque = 50.0
    stand.sun._motor.torque = -9.0
    stand.ring._motor.torque = 4.0
    for _ in range(200):
        stand.solver.step(0.001)
        speeds = SUN * stand.sun.w + RING * stand.ring.w
        assert speeds == pytest.approx((SUN + RING) * stand.carrier_w, rel=1e-12)


def test_the_torque_divides_by_the_teeth() -> None:
    """The ring gets 78/108 of the carrier's torque, and a sun that is held with 30/108 of it does not accelerate."""
    stand = Stand()
    stand.drive.torque = 108.0
    stand.sun._motor.torque = -30.0
    for _ in range(100):
        stand.solver.step(0.001)
    assert stand.sun.w == pytest.approx(0.0, abs=1e-12)
    assert stand.ring.w == pytest.approx(78.0 * 0.1 / 2.0)


def test_it_neither_makes_nor_takes_energy() -> None:
    """Work of the carrier and of both motors is the kinetic energy of the rotors."""
    stand = Stand()
    stand.drive.torque, stand.sun._motor.torque, stand.ring._motor.torque = 70.0, -12.0, 25.0
    work = 0.0
    for _ in range(300):
        before = stand.carrier_w, stand.sun.w, stand.ring.w
        stand.solver.step(0.001)
        after = stand.carrier_w, stand.sun.w, stand.ring.w
        torques = 70.0, -12.0, 25.0
        work += sum(t * 0.5 * (a + b) * 0.001 for t, a, b in zip(torques, before, after, strict=True))
    kinetic = 0.5 * 0.02 * stand.sun.w**2 + 0.5 * 2.0 * stand.ring.w**2
    assert work == pytest.approx(kinetic, rel=1e-9)


def test_with_all_of_the_torque_on_the_sun_the_ring_is_free() -> None:
    """A series hybrid: the engine turns the generator one to one, and nothing of it comes to the wheels."""
    stand = Stand(share=1.0)
    stand.drive.torque = 10.0
    for _ in range(100):
        stand.solver.step(0.001)
    assert stand.ring.w == 0.0
    assert stand.carrier_w == stand.sun.w == pytest.approx(10.0 * 0.1 / 0.02)


def test_without_a_shaft_it_is_not_complete() -> None:
    with pytest.raises(ValueError, match="lacks a connection"):
        Solver([GeneratorRotor(Motor(MotorSettings()), 0.02)])
