"""The electric motor with its inverter: limits and losses, and its place on the input shaft of the gearbox."""

from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.block import RPM_TO_W, W_TO_RPM, InlineBlock
from vehiclesim.curves import clamp
from vehiclesim.electric.losses import idle_loss, rule_map
from vehiclesim.parameters.electric import MotorSettings
from vehiclesim.state import Stateful
from vehiclesim.tables import Map

_RUN_OUT: Final = 0.02
"""Share of the highest speed over which the torque falls to 0 beyond it."""


class Motor(Stateful):
    """|T| <= min(max_torque, max_power/w); P = T·w + loss(w, T) from the battery.

    The loss of a point of the efficiency map is T·w·(1/efficiency - 1), that of an idle rotor drag_torque·w; between
    the points it is interpolated, below the first speed it is that of the first speed. Braking loses as much as
    driving. Without a map the points are those of `rule_map`.

    The rotor's inertia is part of the shaft that it turns with, at `ratio` times the speed of the shaft.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("torque", "w", "sensor_power", "sensor_loss")

    def __init__(self, settings: MotorSettings = MotorSettings()) -> None:  # noqa: B008 - frozen
        self.torque: float = 0.0  # of the rotor in this step [N m]
        self.w: float = 0.0  # of the rotor at the end of the last step [rad/s], negative backwards
        self.sensor_power: float = 0.0  # at the rotor, mean of the last step [W]
        self.sensor_loss: float = 0.0  # of motor and inverter [W]
        self.ratio: float = settings.ratio
        self._max_torque: float = settings.max_torque
        self._max_power: float = settings.max_power * 1e3
        self.most_w: float = settings.max_rpm * RPM_TO_W
        self._loss: Map = _loss_map(settings)

    @property
    def sensor_rpm(self) -> float:
        """Speed of the rotor [1/min], negative backwards."""
        return self.w * W_TO_RPM

    def most_torque(self, w: float) -> float:
        """Return the highest torque [N m] at a speed [rad/s], in either direction."""
        w = w if w >= 0.0 else -w
        torque = self._max_torque
        if torque * w > self._max_power:
            torque = self._max_power / w
        return torque * clamp(1.0 - (w - self.most_w) / (_RUN_OUT * self.most_w), 0.0, 1.0)

    def loss(self, w: float, torque: float) -> float:
        """Return the loss [W] at a speed [rad/s] and a torque [N m], whatever their signs."""
        return self._loss.at(w if w >= 0.0 else -w, torque if torque >= 0.0 else -torque)

    def end_step(self, w: float) -> None:
        """Take the speed [rad/s] at the end of a step; compute the mean power at the rotor, and the loss."""
        mean = 0.5 * (self.w + w)
        self.w = w
        self.sensor_power = self.torque * mean
        self.sensor_loss = self.loss(mean, self.torque)


@mypyc_attr(allow_interpreted_subclasses=True)
class MotorShaft(InlineBlock):
    """The input shaft of the gearbox with a motor on it, which adds T = torque·ratio."""

    def __init__(self, motor: Motor) -> None:
        super().__init__()
        self._motor: Motor = motor

    def rotor_w(self) -> float:
        """Return the present speed of the rotor [rad/s]."""
        return self._output.L / self._output.I * self._motor.ratio

    def inertia(self) -> float:
        """Return the inertia [kg m²] of all that turns with the shaft."""
        return self._output.I

    def compute_state_upstream(self) -> None:
        """Report the shaft with the torque of the motor."""
        shaft, output = self._shaft, self._output
        shaft.L = output.L
        shaft.I = output.I
        shaft.Tr = output.Tr + self._motor.torque * self._motor.ratio

    def evaluate_torque_downstream(self) -> None:
        self._output.out_td = self._shaft.out_td + self._motor.torque * self._motor.ratio


def _loss_map(settings: MotorSettings) -> Map:
    """Return the loss [W] over speed [rad/s] and torque [N m], from the efficiencies or by the rule."""
    if not settings.map_efficiency:
        return rule_map(settings)
    speeds = [rpm * RPM_TO_W for rpm in settings.map_rpm]
    columns = len(settings.map_torque)
    rows: list[list[float]] = []
    for k, w in enumerate(speeds):
        efficiencies = settings.map_efficiency[k * columns : (k + 1) * columns]
        losses = [
            torque * w * (1.0 / efficiency - 1.0)
            for torque, efficiency in zip(settings.map_torque, efficiencies, strict=True)
        ]
        rows.append([idle_loss(settings, w), *losses])
    still = [0.0, *rows[0][1:]]
    return Map([0.0, *speeds], [0.0, *settings.map_torque], [still, *rows])
