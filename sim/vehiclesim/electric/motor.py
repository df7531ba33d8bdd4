"""The electric motor with its inverter, as a block on the input shaft of the gearbox."""

from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.block import RPM_TO_W, W_TO_RPM, Block, Connection
from vehiclesim.curves import clamp
from vehiclesim.parameters.electric import MotorSettings
from vehiclesim.tables import Map

_RUN_OUT: Final = 0.02
"""Share of the highest speed over which the torque falls to 0 beyond it."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Motor(Block):
    """T = torque·ratio on the shaft, within ±min(max_torque, max_power/w); P = T·w + loss(w, T) from the battery.

    The loss of a point of the efficiency map is T·w·(1/efficiency - 1), that of an idle rotor drag_torque·w; between
    the points it is interpolated, below the first speed it is that of the first speed. Braking loses as much as
    driving.

    The rotor's inertia is part of the gearbox's input shaft.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("torque", "sensor_power", "sensor_loss", "_start_w")

    _shaft: Connection
    _output: Connection

    def __init__(self, settings: MotorSettings = MotorSettings()) -> None:  # noqa: B008 - frozen
        super().__init__()
        self.torque: float = 0.0  # of the rotor in this step [N m]
        self.sensor_power: float = 0.0  # at the shaft, mean of the last step [W]
        self.sensor_loss: float = 0.0  # of motor and inverter [W]
        self.ratio: float = settings.ratio
        self._max_torque: float = settings.max_torque
        self._max_power: float = settings.max_power * 1e3
        self._max_w: float = settings.max_rpm * RPM_TO_W
        self._loss: Map = _loss_map(settings)
        self._start_w: float = 0.0  # of the rotor, before the step

    @property
    def sensor_w(self) -> float:
        """Speed of the rotor [rad/s], negative backwards; it is known once a Solver has been made."""
        return self._output.L / self._output.I * self.ratio

    @property
    def sensor_rpm(self) -> float:
        """Speed of the rotor [1/min], negative backwards."""
        return self.sensor_w * W_TO_RPM

    def inertia(self) -> float:
        """Return the inertia [kg m²] of all that turns with the rotor, at the rotor."""
        return self._output.I / (self.ratio * self.ratio)

    def most_torque(self, w: float) -> float:
        """Return the highest torque [N m] at a speed [rad/s], in either direction."""
        w = w if w >= 0.0 else -w
        torque = self._max_torque
        if torque * w > self._max_power:
            torque = self._max_power / w
        return torque * clamp(1.0 - (w - self._max_w) / (_RUN_OUT * self._max_w), 0.0, 1.0)

    def loss(self, w: float, torque: float) -> float:
        """Return the loss [W] at a speed [rad/s] and a torque [N m], whatever their signs."""
        return self._loss.at(w if w >= 0.0 else -w, torque if torque >= 0.0 else -torque)

    def initialize(self) -> None:
        self.set_inputs(1)
        self.set_outputs(1)

    def check_connections(self) -> bool:
        shaft, output = self.inputs[0], self.outputs[0]
        if shaft is None or output is None:
            return False
        self._shaft, self._output = shaft, output
        return True

    def pre_step(self) -> None:
        self._start_w = self.sensor_w

    def compute_state_upstream(self) -> None:
        """Report the shaft with the torque of the motor."""
        shaft, output = self._shaft, self._output
        shaft.L = output.L
        shaft.I = output.I
        shaft.Tr = output.Tr + self.torque * self.ratio

    def evaluate_torque_downstream(self) -> None:
        self._output.out_td = self._shaft.out_td + self.torque * self.ratio

    def end_step(self) -> None:
        """Compute the mean power at the shaft, and the loss, after the solver's step."""
        w = 0.5 * (self._start_w + self.sensor_w)
        self.sensor_power = self.torque * w
        self.sensor_loss = self.loss(w, self.torque)


def _loss_map(settings: MotorSettings) -> Map:
    """Return the loss [W] over speed [rad/s] and torque [N m], from the efficiencies."""
    speeds = [rpm * RPM_TO_W for rpm in settings.map_rpm]
    columns = len(settings.map_torque)
    rows: list[list[float]] = []
    for k, w in enumerate(speeds):
        efficiencies = settings.map_efficiency[k * columns : (k + 1) * columns]
        losses = [
            torque * w * (1.0 / efficiency - 1.0)
            for torque, efficiency in zip(settings.map_torque, efficiencies, strict=True)
        ]
        rows.append([settings.drag_torque * w, *losses])
    still = [0.0, *rows[0][1:]]
    return Map([0.0, *speeds], [0.0, *settings.map_torque], [still, *rows])
