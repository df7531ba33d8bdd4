"""The gears in mesh: the effect of a ratio on speed, torque, momentum and energy."""

from typing import ClassVar, Final

from vehiclesim.block import Connection
from vehiclesim.state import Stateful
from vehiclesim.transmission.clutch import against_slip

_SYNCHRONOUS: Final = 1e-6
"""[rad/s]. Speed difference of shaft and gear below which both turn as one."""


class Mesh(Stateful):
    """A rigid coupling of input and output shaft: w_in = N·w_out; N = 0 is neutral, without coupling.

    The input shaft has an inertia and spins free in neutral. When a ratio is engaged, or changed while engaged, the
    speeds of the shafts do not match it yet. A plastic impact equalises them within one substep.
    It keeps the momentum N·L_in + L_out and takes the energy ½·I1·I2/(I1 + I2)·Δw²; a ratio that changes in n small
    steps takes 1/n of that, so a blended shift passes the engine's energy to the vehicle.

    In a substep in which a tyre breaks away its wheel turns with less inertia than it has reported, and the output is
    ahead of the shaft. The same impact brings them together, so that no energy is made; an output that lags, as a wheel
    that its brake holds, stops the shaft at once.

    A gear in mesh loses the share 1 - η of the power that goes through it, in either direction.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("ratio", "momentum", "synchronous", "lossless", "transfer")

    def __init__(self, inertia: float, efficiency: float) -> None:
        self.ratio: float = 0.0  # N
        self.momentum: float = 0.0  # of the input shaft [N m s]
        self.torque: float = 0.0  # dL/dt of the input shaft [N m]
        self.synchronous: bool = True  # the input shaft turns with N·w_out
        self.lossless: bool = False  # the impact of a gear that comes from neutral is no flow of power
        self.transfer: float = 1.0  # f, torque out by N·torque in, as last seen: η, 1/η; 1 without loss
        self._inertia: float = inertia
        self._efficiency: float = efficiency

    def engage(self, ratio: float) -> None:
        """Engage neutral (0), or a gear out of neutral."""
        self.ratio = ratio
        self.synchronous = ratio == 0.0
        self.lossless = ratio != 0.0
        self.transfer = 1.0

    def change(self, ratio: float) -> None:
        """Change the ratio under power."""
        self.ratio = ratio
        self.synchronous = False

    def synchronising_torque(self, ratio: float, time: float, output: Connection) -> float:
        """T = (N·w_out - w_in) / (1/I_in + N²/I_out) / time: brings shaft and gear to one speed in that time [s]."""
        difference = ratio * output.L / output.I - self.momentum / self._inertia
        compliance = 1.0 / self._inertia + ratio * ratio / output.I
        return difference / compliance / time

    def slip(self, ratio: float, output: Connection) -> float:
        """w_in - N·w_out [rad/s] of a gear that is not in mesh yet."""
        return self.momentum / self._inertia - ratio * output.L / output.I

    def closing_torque(self, ratio: float, rest: float, torque: float, output: Connection, delta_time: float) -> float:
        """T = [s·(1-q)/dt + T_in/I_in - N·Tr/I_out] / (1/I_in + f·N²/I_out): leaves the share q of the slip s.

        A clutch takes it from the input shaft, on which T_in acts [N m], and gives f·N·T to the output. Friction acts
        against the slip: where that would need the opposite it does nothing, unless the slip would end by itself.
        """
        slip, inertia = self.slip(ratio, output), self._inertia
        drift = torque / inertia - ratio * output.Tr / output.I
        stick = slip / delta_time + drift
        closing = against_slip(stick - slip * rest / delta_time, stick, slip)
        self.transfer = self._efficiency if closing * ratio * output.L >= 0.0 else 1.0 / self._efficiency
        return closing / (1.0 / inertia + self.transfer * ratio * ratio / output.I)

    def report_closing(
        self, shaft: Connection, output: Connection, ratio: float, rest: float, delta_time: float
    ) -> None:
        """L = I·w_in, I = I_out/(N²·f) + I_in, Tr = -I·T/I_in with T for no input torque: a clutch closes."""
        torque = self.closing_torque(ratio, rest, 0.0, output, delta_time)
        shaft.I = output.I / (ratio * ratio * self.transfer) + self._inertia
        shaft.L = self.momentum * shaft.I / self._inertia
        shaft.Tr = -torque * shaft.I / self._inertia

    def report(self, shaft: Connection, output: Connection, torque: float) -> None:
        """L = L_out/(N·f) + L_in, I = I_out/(N²·f) + I_in, Tr = Tr_out/(N·f) in gear; L_in, I_in, torque in neutral."""
        ratio = self.ratio
        if ratio == 0.0:
            shaft.L = self.momentum
            shaft.I = self._inertia
            shaft.Tr = torque
            return
        rigid = self._inertia * ratio * output.L / output.I
        together = abs(self.momentum - rigid) < self._inertia * _SYNCHRONOUS
        if together and not self.synchronous:
            self.synchronous = True
            self.lossless = False
        if self.synchronous and (together or abs(rigid) < abs(self.momentum)):
            self.momentum = rigid
        transfer = ratio * self.transfer
        shaft.L = output.L / transfer + self.momentum
        shaft.I = output.I / (transfer * ratio) + self._inertia
        shaft.Tr = output.Tr / transfer

    def transmit(self, drive: float, output: Connection, delta_time: float) -> None:
        """Find the impulse through the mesh that ends the substep with w_in = N·w_out, N not 0, by T_in = `drive`.

        With p = N·[(L_in + T_in·dt)·I_out - N·I_in·(L_out + Tr_out·dt)] the output gets f·p/(I_out + f·N²·I_in).
        Driving, f = η; on overrun, f = 1/η; which of the two it is depends on the direction in which the output
        turns at the end. Where neither answer fits, the losses of the mesh hold the shafts at rest.
        """
        ratio = self.ratio
        load = output.L + output.Tr * delta_time
        pull = ratio * ((self.momentum + drive * delta_time) * output.I - ratio * self._inertia * load)
        reflected = ratio * ratio * self._inertia
        efficiency = 1.0 if self.lossless else self._efficiency
        forward = efficiency if pull > 0.0 else 1.0 / efficiency
        impulse = forward * pull / (output.I + forward * reflected)
        self.transfer = forward
        if load + impulse < 0.0:
            backward = 1.0 / forward
            impulse = backward * pull / (output.I + backward * reflected)
            self.transfer = backward
            if load + impulse > 0.0:
                output.out_td = -load / delta_time
                self.torque = -self.momentum / delta_time
                return
        output.out_td = impulse / delta_time
        self.torque = drive - output.out_td / (ratio * self.transfer)
