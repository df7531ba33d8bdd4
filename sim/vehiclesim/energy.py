"""Where the energy goes: the ledger of a vehicle, kept by looking at the sensors of its parts after every step."""

from typing import NamedTuple

from vehiclesim.axle import Axle
from vehiclesim.block import RPM_TO_W, Connection
from vehiclesim.engine import Engine
from vehiclesim.gearbox import Gearbox
from vehiclesim.parameters import VehicleSettings
from vehiclesim.vehicle import Vehicle


class EnergyReport(NamedTuple):
    """Supply = losses + stored + residual, all in joules, since the ledger was opened."""

    supply: dict[str, float]  # work done on the vehicle: combustion, starter
    losses: dict[str, float]  # what became heat, by the part that it was lost in; each at least 0
    stored: dict[str, float]  # what has been added to the kinetic and the potential energy

    @property
    def throughput(self) -> float:
        """All that was supplied."""
        return sum(self.supply.values())

    @property
    def residual(self) -> float:
        """What the ledger cannot account for: supply - losses - stored."""
        return self.throughput - sum(self.losses.values()) - sum(self.stored.values())


class EnergyLedger:
    """Work of a step = torque·mean speed·dt, with the mean of the speeds at its start and its end.

    With that mean, work and gain of kinetic energy agree to the last digits while a torque is constant, which it is
    during a substep: the ledger closes when each step is one substep. Longer steps leave a residual, because the
    sensors of a part show the torque of the last substep only.
    """

    def __init__(self, vehicle: Vehicle) -> None:
        settings = vehicle.settings
        self._engine: _EngineBook = _EngineBook(vehicle.engine, settings)
        self._gearbox: _GearboxBook = _GearboxBook(vehicle.gearbox, settings)
        self._axle: _AxleBook = _AxleBook(vehicle.axle, vehicle.gearbox, settings)
        self._clutch_loss: float = 0.0
        self._retarder_loss: float = 0.0
        self._vehicle: Vehicle = vehicle

    def observe(self, delta_time: float) -> None:
        """Books a step of `delta_time` [s]; to be called after each."""
        engine, gearbox = self._engine, self._gearbox
        engine.book(delta_time)
        gearbox.book(engine.output_torque, delta_time)
        self._clutch_loss += (engine.clutch_torque * engine.w - engine.output_torque * gearbox.w) * delta_time
        self._retarder_loss += self._vehicle.retarder.sensor_torque * abs(gearbox.output_w) * delta_time
        self._axle.book(delta_time)

    def report(self) -> EnergyReport:
        """The books as they stand."""
        engine, gearbox, axle = self._engine, self._gearbox, self._axle
        return EnergyReport(
            {"combustion": engine.combustion, "starter": engine.starter},
            {
                "engine friction": engine.friction,
                "clutch": self._clutch_loss,
                "gearbox": gearbox.loss,
                "retarder": self._retarder_loss,
                "brakes": axle.brakes,
                "rolling resistance": axle.rolling,
                "drag": axle.drag,
            },
            {"kinetic": engine.kinetic + gearbox.kinetic + axle.kinetic, "potential": axle.potential},
        )


class _EngineBook:
    """Combustion and starter do work on the flywheel, friction and clutch take it.

    Friction is that of the speed at the start of the step. What turns the flywheel against it is the starter motor's
    work while that turns, and combustion otherwise.
    """

    def __init__(self, engine: Engine, settings: VehicleSettings) -> None:
        self.combustion: float = 0.0  # [J]
        self.starter: float = 0.0
        self.friction: float = 0.0
        self.kinetic: float = 0.0
        self.w: float = 0.0  # mean speed of the step [rad/s]
        self.clutch_torque: float = 0.0  # taken from the flywheel [N m]
        self.output_torque: float = 0.0  # given to the driveline [N m]
        self._engine: Engine = engine
        self._inertia: float = settings.engine.inertia
        self._stalled_friction: float = settings.engine.stalled_friction_torque
        self._last_rpm: float = engine.sensor_rpm

    def book(self, delta_time: float) -> None:
        engine = self._engine
        start, end = self._last_rpm, engine.sensor_rpm
        self._last_rpm = end
        self.w = 0.5 * (start + end) * RPM_TO_W
        self.clutch_torque = engine.sensor_clutch_torque
        self.output_torque = engine.sensor_output_torque
        own = engine.sensor_flywheel_torque
        friction = -engine.calculate_torque(start, 0.0)
        if engine.sensor_stalled:
            friction += self._stalled_friction
        angle = self.w * delta_time
        if engine.sensor_starting:
            self.starter += (own + friction) * angle
        elif engine.sensor_working:
            self.combustion += (own + friction) * angle
        else:
            friction = -own
        self.friction += friction * angle
        self.kinetic += 0.5 * self._inertia * (end - start) * RPM_TO_W * (end + start) * RPM_TO_W


class _GearboxBook:
    """What goes in at the clutch comes out at the output shaft, less what synchronisers and meshes take."""

    def __init__(self, gearbox: Gearbox, settings: VehicleSettings) -> None:
        self.loss: float = 0.0  # [J]
        self.kinetic: float = 0.0  # of the input shaft
        self.w: float = 0.0  # mean speed of the input shaft in the step [rad/s]
        self.output_w: float = 0.0  # and of the output shaft
        self._input: Connection = _shaft(gearbox.inputs[0])
        self._output: Connection = _shaft(gearbox.outputs[0])
        self._inertia: float = settings.gearbox.inertia
        self._last_input: float = self._input.L / self._input.I
        self._last_output: float = self._output.L / self._output.I

    def book(self, torque: float, delta_time: float) -> None:
        """`torque` [N m] comes in from the clutch."""
        start, end = self._last_input, self._input.L / self._input.I
        output_end = self._output.L / self._output.I
        self.w = 0.5 * (start + end)
        self.output_w = 0.5 * (self._last_output + output_end)
        self._last_input, self._last_output = end, output_end
        gain = 0.5 * self._inertia * (end - start) * (end + start)
        self.kinetic += gain
        self.loss += (torque * self.w - self._output.out_td * self.output_w) * delta_time - gain


class _AxleBook:
    """Drive torque against drag, slope, brakes and rolling resistance.

    Friction is what brakes and rolling resistance can hold, as long as the vehicle moves. In the step that ends at
    rest it is what that takes. Both then have their share of it by what they can hold.
    """

    def __init__(self, axle: Axle, gearbox: Gearbox, settings: VehicleSettings) -> None:
        self.brakes: float = 0.0  # [J]
        self.rolling: float = 0.0
        self.drag: float = 0.0
        self.kinetic: float = 0.0
        self.potential: float = 0.0
        self._axle: Axle = axle
        self._shaft: Connection = _shaft(axle.inputs[0])
        wheels = settings.axle
        self._radius: float = wheels.wheel_radius
        self._final_drive: float = wheels.final_drive
        self._inertia: float = wheels.wheel_count * wheels.wheel_inertia / (self._radius * self._radius)
        self._inertia += settings.body.mass  # as a mass [kg]
        self._brake_force: float = wheels.max_brake_torque / self._radius
        self._handbrake_force: float = wheels.handbrake_torque / self._radius
        self._last_speed: float = axle.sensor_speed

    def book(self, delta_time: float) -> None:
        axle = self._axle
        body = axle.body
        start, end = self._last_speed, axle.sensor_speed
        self._last_speed = end
        way = 0.5 * (start + end) * delta_time
        drag = body.drag_force(start) * way
        climb = body.slope_force() * way
        gain = 0.5 * self._inertia * (end - start) * (end + start)
        brake = axle.brake_input * self._brake_force + axle.handbrake_input * self._handbrake_force
        capacity = brake + body.rolling_force(start)
        friction = capacity * abs(way)
        if end == 0.0:
            friction = self._shaft.out_td * self._final_drive / self._radius * way - drag - climb - gain
        share = brake / capacity if capacity > 0.0 else 0.0
        self.brakes += friction * share
        self.rolling += friction * (1.0 - share)
        self.drag += drag
        self.potential += climb
        self.kinetic += gain


def _shaft(connection: Connection | None) -> Connection:
    """A shaft that a complete vehicle has."""
    if connection is None:
        raise ValueError("the vehicle is not complete")
    return connection
