"""The retarder: a continuous brake on the output shaft of the gearbox, set in levels by the driver.

A small example of equipment: a block in the drivetrain, its lever, the request of a control unit, a sensor.
"""

from typing import ClassVar

from mypy_extensions import mypyc_attr

from vehiclesim.block import W_TO_RPM, Block, InlineBlock
from vehiclesim.channels import VEHICLE, InputData, RequestData, VehicleData
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.curves import clamp, log2, power
from vehiclesim.databus import Channel
from vehiclesim.engine.engine import Engine
from vehiclesim.equipment.equipment import Car, Equipment
from vehiclesim.loader import Inputs
from vehiclesim.parameters import RetarderSettings, ShaftSettings, VehicleSettings


@mypyc_attr(allow_interpreted_subclasses=True)
class Retarder(InlineBlock):
    """T = x·max_torque·bias((n - min_rpm)/(max_rpm - min_rpm), b) against the rotation, x = k/N at level k of N.

    A control unit may request a share x; the greater one counts.

    The torque is boxed: at most it ends the substep at rest, so that it never turns the shaft back.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("sensor_torque",)

    def __init__(self, settings: RetarderSettings = RetarderSettings()) -> None:  # noqa: B008 - frozen
        super().__init__()
        self.retarder_input: int = 0  # level, 0 = off
        self.ratio_request: float = 0.0  # share of the torque requested by a control unit, 0 .. 1
        self.sensor_torque: float = 0.0  # brake torque on the shaft [N m], at the end of the step
        self._levels: int = settings.levels
        self._max_torque: float = settings.max_torque if settings.levels > 0 else 0.0
        self._ratio: float = 0.0  # x in this step
        self._min_rpm: float = settings.min_rpm
        self._range: float = settings.max_rpm - settings.min_rpm
        self._exponent: float = -log2(settings.bias)  # of the bias function
        self._capacity: float = 0.0  # in this substep [N m]

    def pre_step(self) -> None:
        self.retarder_input = max(0, min(self.retarder_input, self._levels))
        level = self.retarder_input / self._levels if self._levels > 0 else 0.0
        self._ratio = max(level, clamp(self.ratio_request, 0.0, 1.0))

    def compute_state_upstream(self) -> None:
        """Report the shaft with the brake torque that acts without drive torque."""
        shaft, output = self._shaft, self._output
        self._capacity = 0.0
        if self._ratio > 0.0:
            rpm = abs(output.L / output.I) * W_TO_RPM
            share = power(clamp((rpm - self._min_rpm) / self._range, 0.0, 1.0), self._exponent)
            self._capacity = self._ratio * self._max_torque * share
        shaft.L = output.L
        shaft.I = output.I
        shaft.Tr = output.Tr + self._brake(output.Tr)

    def evaluate_torque_downstream(self) -> None:
        drive = self._shaft.out_td
        torque = self._brake(drive + self._output.Tr)
        self.sensor_torque = abs(torque)
        self._output.out_td = drive + torque

    def _brake(self, torque: float) -> float:
        """-(L/dt + T), inside ±capacity: ends the substep at rest if it can."""
        stop = -(self._output.L / self.step_time.delta_time + torque)
        return clamp(stop, -self._capacity, self._capacity)


class RetarderEquipment(Equipment):
    """A retarder behind the gearbox, with its lever and its sensor on the bus."""

    state_vars: ClassVar[tuple[str, ...]] = ("retarder",)

    _controls: Inputs
    _requests: Inputs
    _sensors: Channel

    def __init__(self, settings: RetarderSettings) -> None:
        self.retarder: Retarder = Retarder(settings)

    def blocks(self) -> dict[str, Block]:
        return {"retarder": self.retarder}

    def shafts(self) -> tuple[ShaftSettings, ...]:
        return ShaftSettings("gearbox", "retarder"), ShaftSettings("retarder", "driveline")

    def join(self, car: Car) -> None:
        self._controls, self._requests = car.loader.controls, car.loader.requests
        self._sensors = Channel(car.data.vehicle, VEHICLE)

    def load(self) -> None:
        self.retarder.retarder_input = self._controls.values[InputData.RETARDER]
        self.retarder.ratio_request = self._requests.travel(RequestData.RETARDER_RATIO)

    def publish(self) -> None:
        self._sensors.write(VehicleData.RETARDER_TORQUE, self.retarder.sensor_torque)


def make_retarder(settings: VehicleSettings, _engine: Engine, _brakes: Brakes) -> Equipment | None:
    """Return the retarder of a vehicle that has one."""
    return RetarderEquipment(settings.retarder) if settings.retarder.levels > 0 else None
