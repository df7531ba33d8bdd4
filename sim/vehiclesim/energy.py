"""Energy balance of a vehicle, from the sensors of its parts after every step."""

from typing import NamedTuple

from vehiclesim.block import RPM_TO_W, Block, Connection, InlineBlock
from vehiclesim.chassis.chassis import Chassis
from vehiclesim.chassis.train import TrainChassis
from vehiclesim.chassis.wheel import Wheel
from vehiclesim.electric.split_hybrid import SplitHybrid
from vehiclesim.electric.two_axles import TwoAxleDrive
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import ElectricTopology, VehicleSettings
from vehiclesim.transmission.gearbox import Gearbox
from vehiclesim.vehicle import Vehicle


class EnergyReport(NamedTuple):
    """Supply = losses + stored + residual, all in joules, since the ledger was opened."""

    supply: dict[str, float]  # work done on the vehicle: combustion, starter, electric motor
    losses: dict[str, float]  # heat, by the part in which it arises; each at least 0
    stored: dict[str, float]  # gain of kinetic and potential energy

    @property
    def throughput(self) -> float:
        """Sum of the supplied energy."""
        return sum(self.supply.values())

    @property
    def residual(self) -> float:
        """Error of the balance: supply - losses - stored."""
        return self.throughput - sum(self.losses.values()) - sum(self.stored.values())


class EnergyLedger:
    """Work of a step = torque·mean speed·dt, with the mean of the speeds at its start and its end.

    With that mean, work and gain of kinetic energy agree to the last digits while a torque is constant, which it is
    during a substep: the ledger closes when each step is one substep. Longer steps leave a residual, because the
    sensors of a part show the torque of the last substep only. The work of a motion that is prescribed is not booked.
    """

    def __init__(self, vehicle: Vehicle) -> None:
        settings = vehicle.settings
        self._engine: _EngineBook = _EngineBook(vehicle.engine, settings)
        self._gearbox: _GearboxBook = _GearboxBook(vehicle.gearbox, settings)
        self._road: _RoadBook = _RoadBook(vehicle.chassis)
        self._clutch_loss: float = 0.0
        self._behind_gearbox: dict[str, _InlineBook] = _behind_gearbox(vehicle)
        self._driveline_loss: float = 0.0
        self._motor: float = 0.0
        self._vehicle: Vehicle = vehicle
        self._on_shaft: bool = settings.electric.topology is not ElectricTopology.P0_HYBRID
        electric = vehicle.electric
        self._axles: _AxleBook | None = _AxleBook(electric) if isinstance(electric, TwoAxleDrive) else None
        self._split: _SplitBook | None = _SplitBook(electric) if isinstance(electric, SplitHybrid) else None

    def observe(self, delta_time: float) -> None:
        """Book a step of `delta_time` [s]; call it after each step."""
        engine, gearbox, road = self._engine, self._gearbox, self._road
        engine.book(delta_time)
        torque = engine.output_torque
        if self._vehicle.electric is not None:
            motor = self._vehicle.electric.motor
            if self._on_shaft:
                torque += motor.torque * motor.ratio
            self._motor += motor.sensor_power * delta_time
        if self._split is not None:
            torque = gearbox.given()
        gearbox.book(torque, delta_time)
        road.book(delta_time)
        passed_on = gearbox.output_work
        for book in self._behind_gearbox.values():
            passed_on -= book.book(delta_time)
        behind = gearbox.w
        if self._split is not None:
            self._split.book(delta_time)
            behind = self._split.w
        self._clutch_loss += (engine.clutch_torque * engine.w - engine.output_torque * behind) * delta_time
        if self._axles is not None:
            passed_on += self._axles.book(delta_time)
        self._driveline_loss += passed_on - road.drive_work

    def report(self) -> EnergyReport:
        """Return the present sums."""
        engine, gearbox, road = self._engine, self._gearbox, self._road
        supply = {"combustion": engine.combustion, "starter": engine.starter, "electric motor": self._motor}
        kinetic = engine.kinetic + gearbox.kinetic + road.kinetic
        if self._split is not None:
            supply["generator"] = self._split.generator
            kinetic += self._split.kinetic
        if self._axles is not None:
            supply["second motor"] = self._axles.work
            kinetic += self._axles.kinetic
        return EnergyReport(
            supply,
            {
                "engine friction": engine.friction,
                "accessories": engine.accessories,
                "clutch": self._clutch_loss,
                "gearbox": gearbox.loss,
                **{name: book.loss for name, book in self._behind_gearbox.items()},
                "differentials": self._driveline_loss,
                "brakes": road.brakes,
                "rolling resistance": road.rolling,
                "tyres": road.tyres,
                "drag": road.drag,
                **road.hitch,
            },
            {"kinetic": kinetic, "potential": road.potential},
        )


class _EngineBook:
    """Energy of the flywheel: supplied by combustion, starter and belt motor, taken by friction, accessories, clutch.

    Friction is that of the speed at the start of the step. The drive against it counts as the starter motor's work
    while that turns, and as combustion otherwise.
    """

    def __init__(self, engine: Engine, settings: VehicleSettings) -> None:
        self.combustion: float = 0.0  # [J]
        self.starter: float = 0.0
        self.friction: float = 0.0
        self.accessories: float = 0.0
        self.kinetic: float = 0.0
        self.w: float = 0.0  # mean speed of the step [rad/s]
        self.clutch_torque: float = 0.0  # taken from the flywheel [N m]
        self.output_torque: float = 0.0  # given to the driveline [N m]
        self._engine: Engine = engine
        self._inertia: float = settings.crankshaft_inertia
        self._last_rpm: float = engine.sensor_rpm

    def book(self, delta_time: float) -> None:
        engine = self._engine
        start, end = self._last_rpm, engine.sensor_rpm
        self._last_rpm = end
        self.w = 0.5 * (start + end) * RPM_TO_W
        self.clutch_torque = engine.sensor_clutch_torque
        self.output_torque = engine.sensor_output_torque
        own = engine.sensor_flywheel_torque - engine.belt_torque
        friction = engine.sensor_friction_torque
        accessories = engine.sensor_accessory_torque
        angle = self.w * delta_time
        if engine.sensor_starting:
            self.starter += (own + friction) * angle
        elif engine.sensor_working:
            self.combustion += (own + friction) * angle
        else:
            friction = -own
        self.friction += (friction - accessories) * angle
        self.accessories += accessories * angle
        self.kinetic += 0.5 * self._inertia * (end - start) * RPM_TO_W * (end + start) * RPM_TO_W


class _GearboxBook:
    """Energy of the gearbox: work of the clutch = work at the output shaft + losses of synchronisers and meshes."""

    def __init__(self, gearbox: Gearbox, settings: VehicleSettings) -> None:
        self.loss: float = 0.0  # [J]
        self.kinetic: float = 0.0  # of the input shaft
        self.w: float = 0.0  # mean speed of the input shaft in the step [rad/s]
        self.output_work: float = 0.0  # that it did in the step [J]
        self._input: Connection = _shaft(gearbox.inputs[0])
        self._output: Connection = _shaft(gearbox.outputs[0])
        self._inertia: float = settings.input_shaft_inertia
        self._last_input: float = self._input.L / self._input.I
        self._last_output: float = self._output.L / self._output.I

    def given(self) -> float:
        """Return the torque [N m] that its input shaft brings."""
        return self._input.out_td

    def book(self, torque: float, delta_time: float) -> None:
        """Book a step with `torque` [N m] from clutch and electric motor."""
        start, end = self._last_input, self._input.L / self._input.I
        output_end = self._output.L / self._output.I
        self.w = 0.5 * (start + end)
        output_w = 0.5 * (self._last_output + output_end)
        self._last_input, self._last_output = end, output_end
        gain = 0.5 * self._inertia * (end - start) * (end + start)
        self.kinetic += gain
        self.output_work = self._output.out_td * output_w * delta_time
        self.loss += torque * self.w * delta_time - gain - self.output_work


class _SplitBook:
    """Energy of the generator's rotor, and the speed of the shaft between engine and planetary gear."""

    def __init__(self, drive: SplitHybrid) -> None:
        self.generator: float = 0.0  # its work [J]
        self.kinetic: float = 0.0
        self.w: float = 0.0  # mean speed of the carrier in the step [rad/s]
        self._drive: SplitHybrid = drive
        self._carrier: Connection = _shaft(drive.split.inputs[0])
        self._last_carrier: float = self._carrier.L / self._carrier.I
        self._last_rotor: float = drive.rotor.w

    def book(self, delta_time: float) -> None:
        drive = self._drive
        carrier, start, end = self._carrier.L / self._carrier.I, self._last_rotor, drive.rotor.w
        self.w = 0.5 * (self._last_carrier + carrier)
        self._last_carrier, self._last_rotor = carrier, end
        self.generator += drive.generator.sensor_power * delta_time
        self.kinetic += 0.5 * drive.rotor.inertia * (end - start) * (end + start)


class _AxleBook:
    """Energy of the motor on the second axle."""

    def __init__(self, drive: TwoAxleDrive) -> None:
        self.work: float = 0.0  # [J]
        self.kinetic: float = 0.0  # of its rotor
        self._drive: TwoAxleDrive = drive
        self._last: float = drive.axle.w

    def book(self, delta_time: float) -> float:
        """Book a step; return what the axle got [J]."""
        axle, start = self._drive.axle, self._last
        end = self._last = axle.w
        work = self._drive.second.sensor_power * delta_time
        gain = 0.5 * axle.inertia * (end - start) * (end + start)
        self.work += work
        self.kinetic += gain
        return work - gain


class _InlineBook:
    """Energy of a block without inertia behind the gearbox, such as a retarder: the work of its two shafts."""

    def __init__(self, block: Block) -> None:
        self.loss: float = 0.0  # [J]
        self._input: Connection = _shaft(block.inputs[0])
        self._output: Connection = _shaft(block.outputs[0])
        self._last_input: float = self._input.L / self._input.I
        self._last_output: float = self._output.L / self._output.I

    def book(self, delta_time: float) -> float:
        """Book a step; return its loss [J]."""
        start, end = self._last_input, self._input.L / self._input.I
        output_start, output_end = self._last_output, self._output.L / self._output.I
        self._last_input, self._last_output = end, output_end
        power = self._input.out_td * (start + end) - self._output.out_td * (output_start + output_end)
        loss = 0.5 * power * delta_time
        self.loss += loss
        return loss


class _RoadBook:
    """Energy of the wheels: drive torque against brakes, rolling resistance, slipping tyres, drag and slope."""

    def __init__(self, chassis: Chassis) -> None:
        self.brakes: float = 0.0  # [J]
        self.rolling: float = 0.0
        self.tyres: float = 0.0
        self.drag: float = 0.0
        self.kinetic: float = 0.0
        self.potential: float = 0.0
        self.drive_work: float = 0.0  # that the driveline did on the wheels in the step
        self.hitch: dict[str, float] = {}  # lost where the bodies of a train hit each other
        self._chassis: Chassis = chassis
        self._wheels: list[Wheel] = chassis.wheels
        self._last_kinetic: float = chassis.sensor_kinetic_energy
        if isinstance(chassis, TrainChassis):
            self.hitch["hitch"] = 0.0
            self._wheels = [*chassis.wheels, *chassis.trailer.wheels]

    def book(self, delta_time: float) -> None:
        chassis = self._chassis
        start, end = self._last_kinetic, chassis.sensor_kinetic_energy
        self._last_kinetic = end
        self.kinetic += end - start
        self.tyres += chassis.sensor_tyre_power * delta_time
        self.drag += chassis.sensor_drag_power * delta_time
        self.potential += chassis.sensor_slope_power * delta_time
        if isinstance(chassis, TrainChassis):
            self.hitch["hitch"] += chassis.trailer.sensor_stop_power * delta_time
        power = 0.0
        for wheel in self._wheels:
            power += wheel.sensor_drive_power
            self.brakes += wheel.sensor_brake_power * delta_time
            self.rolling += wheel.sensor_rolling_power * delta_time
        self.drive_work = power * delta_time


def _behind_gearbox(vehicle: Vehicle) -> dict[str, _InlineBook]:
    """Return the books of the blocks between gearbox and driveline, up to the first with inertia."""
    names = {id(block): name for name, block in vehicle.named_blocks().items()}
    books: dict[str, _InlineBook] = {}
    block = _shaft(vehicle.gearbox.outputs[0]).downstream
    while block is not vehicle.driveline.root and isinstance(block, InlineBlock) and not block.inertial:
        books[names[id(block)]] = _InlineBook(block)
        block = _shaft(block.outputs[0]).downstream
    return books


def _shaft(connection: Connection | None) -> Connection:
    """Return a shaft that a complete vehicle has."""
    if connection is None:
        raise ValueError("the vehicle is not complete")
    return connection
