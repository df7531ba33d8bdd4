"""The vehicle: builds the drivetrain, steps it, and joins it to the data bus. Read this first.

    Engine (with clutch) ── Gearbox ── (Retarder) ── Axle (final drive, brakes, wheels, body)

One step is `step`: controls from the bus to the parts, integration, sensors of the parts to the bus.
"""

from typing import Final, NamedTuple

from mypy_extensions import mypyc_attr

from vehiclesim.axle import Axle, AxleState
from vehiclesim.block import Block
from vehiclesim.body import Body
from vehiclesim.channels import UNAVAILABLE_LOAD, InputData, SettingsData, VehicleData
from vehiclesim.databus import DataBus, to_raw
from vehiclesim.engine import Engine, EngineState
from vehiclesim.gearbox import Gearbox, GearboxState
from vehiclesim.parameters import ClutchType, VehicleSettings
from vehiclesim.retarder import Retarder, RetarderState
from vehiclesim.shifting import Powertrain
from vehiclesim.solver import Solver

_FULL_TRAVEL: Final = 10000
"""Bus integer of a pedal that is fully down."""


class VehicleState(NamedTuple):
    """What a Vehicle must know to go on exactly. Controls, settings, slope and wind are inputs, not state."""

    time: float
    engine: EngineState
    gearbox: GearboxState
    retarder: RetarderState
    axle: AxleState


@mypyc_attr(allow_interpreted_subclasses=True)
class Vehicle:
    """A car with a driven axle: `data` is its bus, `step` its only verb."""

    def __init__(self, settings: VehicleSettings = VehicleSettings()) -> None:  # noqa: B008 - frozen
        self.settings: VehicleSettings = settings
        self.data: DataBus = DataBus()
        self.body: Body = Body(settings.body)
        self.engine: Engine = Engine(settings.engine, settings.clutch)
        self.gearbox: Gearbox = Gearbox(settings.gearbox, settings.shifting, _powertrain(settings, self.engine))
        self.retarder: Retarder = Retarder(settings.retarder)
        self.axle: Axle = Axle(settings.axle, self.body)
        Block.connect(self.gearbox, self.engine)
        blocks: list[Block] = [self.engine, self.gearbox, self.axle]
        if settings.retarder.levels > 0:
            Block.connect(self.retarder, self.gearbox)
            Block.connect(self.axle, self.retarder)
            blocks.append(self.retarder)
        else:
            Block.connect(self.axle, self.gearbox)
        self.solver: Solver = Solver(blocks)
        self.publish()

    def step(self, delta_time: float) -> None:
        """Advances the vehicle by `delta_time` [s] (0.001 .. 0.1): the whole order of a step.

        load_inputs     controls and overrides, from the Input and Settings channels to the parts
        feed_states     what parts must know of one another
        solver.step     integration. Once: pre_step of every block, from the engine to the axle
                          engine    takes over pedal, key and clutch
                          gearbox   begins and ends shifts, as driver or automatic want them
                          retarder  takes over its level
                          axle      takes over the brakes
                        then per substep of at most 1 ms:
                          up        axle -> gearbox -> engine: momentum, inertia and reaction torque of each shaft
                          down      engine -> gearbox -> axle: drive torque through clutch, gears and final drive
                          advance   momentum += dt·torque, of engine, input shaft of the gearbox, axle
        publish         sensors, from the parts to the Vehicle channel
        """
        self.load_inputs()
        self.feed_states(delta_time)
        self.solver.step(delta_time)
        self.publish()

    def load_inputs(self) -> None:
        """Input and Settings channels -> inputs of the parts. Positions beyond a pedal's travel count as its end.

        GearShift = 0 acknowledges that the gearbox has the shift.
        """
        controls = self.data.input
        engine = self.engine
        engine.ignition_input = max(-1, min(controls[InputData.KEY], 1))
        engine.throttle_input = _travel(controls[InputData.THROTTLE])
        engine.clutch_input = _travel(_FULL_TRAVEL - controls[InputData.CLUTCH])  # the pedal disengages
        gearbox = self.gearbox
        gearbox.manual_gear = controls[InputData.MANUAL_GEAR]
        gearbox.automatic_gear = controls[InputData.AUTOMATIC_GEAR]
        gearbox.gear_shift += controls[InputData.GEAR_SHIFT]
        controls[InputData.GEAR_SHIFT] = 0
        gearbox.auto_shift_override = self.data.settings[SettingsData.AUTO_SHIFT_OVERRIDE]
        gearbox.min_gear_override = self.data.settings[SettingsData.MIN_GEAR_OVERRIDE]
        gearbox.max_gear_override = self.data.settings[SettingsData.MAX_GEAR_OVERRIDE]
        self.retarder.retarder_input = controls[InputData.RETARDER]
        self.axle.brake_input = _travel(controls[InputData.BRAKE])
        self.axle.handbrake_input = _travel(controls[InputData.HANDBRAKE])

    def feed_states(self, delta_time: float) -> None:
        """Sensors of parts -> states of others: the gearbox knows the drive, and works the clutch beside the driver."""
        engine, gearbox, axle = self.engine, self.gearbox, self.axle
        states = gearbox.states
        states.speed = axle.sensor_speed
        states.throttle = engine.throttle_input
        states.brake = axle.brake_input
        states.engine_rpm = engine.sensor_rpm
        gearbox.work_clutch(delta_time)
        engine.clutch_input *= gearbox.sensor_clutch_request
        engine.target_rpms = gearbox.sensor_target_rpm
        engine.auto_rpms = engine.target_rpms >= 0.0

    def publish(self) -> None:
        """Sensors of the parts -> Vehicle channel. Entries of absent parts (ABS, ESC, ASR) stay 0."""
        values = self.data.vehicle
        speed = abs(self.axle.sensor_speed)
        values[VehicleData.SPEED] = to_raw(speed, 1000)

        engine = self.engine
        load = engine.sensor_load
        values[VehicleData.ENGINE_RPM] = to_raw(engine.sensor_rpm, 1000)
        values[VehicleData.ENGINE_STALLED] = 1 if engine.sensor_stalled else 0
        values[VehicleData.ENGINE_WORKING] = 1 if engine.sensor_working else 0
        values[VehicleData.ENGINE_STARTING] = 1 if engine.sensor_starting else 0
        values[VehicleData.ENGINE_LIMITER] = 1 if engine.sensor_rpm_limiter else 0
        values[VehicleData.ENGINE_LOAD] = to_raw(load, 1000) if load >= 0.0 else UNAVAILABLE_LOAD
        values[VehicleData.ENGINE_TORQUE] = to_raw(engine.sensor_flywheel_torque, 1000)
        values[VehicleData.ENGINE_POWER] = to_raw(engine.sensor_power, 1000)
        values[VehicleData.ENGINE_FUEL_RATE] = to_raw(engine.sensor_fuel_rate, 1000)
        values[VehicleData.FUEL_CONSUMPTION] = to_raw(engine.calculate_instant_fuel_consumption(speed), 1000)
        values[VehicleData.THROTTLE_SIGNAL] = to_raw(engine.throttle_input, 10000)
        values[VehicleData.TCS_ENGAGED] = 1 if engine.sensor_tcs_engaged else 0

        values[VehicleData.CLUTCH_TORQUE] = to_raw(engine.sensor_output_torque, 1000)
        values[VehicleData.CLUTCH_LOCK] = to_raw(engine.sensor_clutch_lock, 1000)
        values[VehicleData.CLUTCH_SIGNAL] = to_raw(engine.clutch_input, 10000)

        gearbox = self.gearbox
        values[VehicleData.GEARBOX_GEAR] = gearbox.sensor_gear
        values[VehicleData.GEARBOX_MODE] = gearbox.sensor_mode
        values[VehicleData.GEARBOX_SHIFTING] = 1 if gearbox.sensor_shifting else 0
        values[VehicleData.TRANSMISSION_RPM] = to_raw(gearbox.sensor_output_rpm, 1000)
        values[VehicleData.RETARDER_TORQUE] = to_raw(self.retarder.sensor_torque, 1000)

        values[VehicleData.AIDED_STEER] = self.data.input[InputData.STEER]

    def get_state_vars(self) -> VehicleState:
        """The state between two steps, to be given back to `set_state_vars` of a vehicle with equal settings."""
        return VehicleState(
            self.solver.time,
            self.engine.get_state_vars(),
            self.gearbox.get_state_vars(),
            self.retarder.get_state_vars(),
            self.axle.get_state_vars(),
        )

    def set_state_vars(self, state: VehicleState) -> None:
        """Goes on from a saved state, bit by bit; the bus shows it, with the controls as they stand on the bus."""
        self.load_inputs()
        self.solver.step_time.time = state.time
        self.engine.set_state_vars(state.engine)
        self.gearbox.set_state_vars(state.gearbox)
        self.engine.clutch_input *= self.gearbox.sensor_clutch_request
        self.retarder.set_state_vars(state.retarder)
        self.axle.set_state_vars(state.axle)
        self.solver.update_shafts()
        self.publish()


def _powertrain(settings: VehicleSettings, engine: Engine) -> Powertrain:
    """What the gearbox must know of the parts around it."""
    limiter = settings.engine.rpm_limiter_max if settings.engine.rpm_limiter else settings.engine.max_rpm
    return Powertrain(
        idle_rpm=settings.engine.idle_rpm,
        limit_rpm=min(limiter, settings.engine.max_rpm),
        torque=engine.calculate_torque,
        engine_inertia=settings.engine.inertia,
        converter=settings.clutch.type not in {ClutchType.FRICTION_DISC, ClutchType.LOCK_RATIO},
        clutch_torque=settings.clutch.max_torque_transfer,
        mass=settings.body.mass,
        lead=settings.axle.wheel_radius / settings.axle.final_drive,
    )


def _travel(raw: int) -> float:
    """A pedal's integer as 0 .. 1."""
    return max(0, min(raw, _FULL_TRAVEL)) / _FULL_TRAVEL
