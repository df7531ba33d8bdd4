"""The linear equations of a vehicle with a trailer at a constant speed, as textbooks have them, by Newton's laws.

        m·(v' + u·r) = F_1 + F_2 + H                    I·r' = a·F_1 - b·F_2 + x·H
        m_t·(v' + x·r' - c·r_t' + u·r) = F_3 - H        I_t·r_t' = -(l - c)·F_3 - c·H
        gamma' = r_t - r

with F_i = -C_i·(slip angle of axle i) and H, the side force at the hitch, eliminated (Ellis, Vehicle Handling Dynamics;
Genta, Motor Vehicle Dynamics, 6.11; Pacejka, Tire and Vehicle Dynamics, car-trailer combination).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

GRAVITY = 9.80665


@dataclass(frozen=True)
class LinearTrain:
    """Masses [kg], inertias [kg m²], lengths [m], and stiffness of each axle over its load [1/rad]."""

    mass: float
    inertia: float
    front: float  # a
    rear: float  # b
    hitch: float  # x, before the centre of gravity
    trailer_mass: float
    trailer_inertia: float
    centre: float  # c
    axle: float  # l
    stiffness: float = 8.5

    @property
    def loads(self) -> tuple[float, float, float]:
        """Load of each axle [N], by the law of the lever."""
        wheelbase = self.front + self.rear
        on_hitch = self.trailer_mass * (self.axle - self.centre) / self.axle
        front = (self.mass * self.rear + on_hitch * (self.rear + self.hitch)) / wheelbase
        return (
            GRAVITY * front,
            GRAVITY * (self.mass + on_hitch - front),
            GRAVITY * (self.trailer_mass - on_hitch),
        )

    def equations(self, u: float) -> NDArray[np.float64]:
        """Return A of d(v, r, r_t, gamma)/dt = A·(v, r, r_t, gamma) at a speed [m/s]."""
        m, a, b, x = self.mass, self.front, self.rear, self.hitch
        m_t, c, length = self.trailer_mass, self.centre, self.axle
        one, two, three = (self.stiffness * load for load in self.loads)
        side = [
            -one / u * np.array([1.0, a, 0.0, 0.0]),
            -two / u * np.array([1.0, -b, 0.0, 0.0]),
            -three / u * np.array([1.0, x, -length, -u]),
        ]
        turn = np.array([0.0, u, 0.0, 0.0])
        # unknown v', r', r_t', gamma', H
        left = np.array(
            [
                [m, 0.0, 0.0, 0.0, -1.0],
                [0.0, self.inertia, 0.0, 0.0, -x],
                [m_t, m_t * x, -m_t * c, 0.0, 1.0],
                [0.0, 0.0, self.trailer_inertia, 0.0, c],
                [0.0, 0.0, 0.0, 1.0, 0.0],
            ]
        )
        right = np.array(
            [
                side[0] + side[1] - m * turn,
                a * side[0] - b * side[1],
                side[2] - m_t * turn,
                -(length - c) * side[2],
                np.array([0.0, -1.0, 1.0, 0.0]),
            ]
        )
        return np.linalg.solve(left, right)[:4]

    def sway(self, u: float) -> complex:
        """Return the least damped eigenvalue that oscillates [1/s]."""
        values = np.linalg.eigvals(self.equations(u))
        return complex(max((value for value in values if value.imag > 0.0), key=lambda value: value.real))

    def critical_speed(self) -> float:
        """Return the speed [m/s] at which the sway is not damped any more."""
        low, high = 5.0, 100.0
        while high - low > 1e-3:
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.sway(middle).real < 0.0 else (low, middle)
        return low
