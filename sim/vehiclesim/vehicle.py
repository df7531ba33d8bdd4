"""The vehicle: builds the drivetrain, steps it, and joins it to the data bus. Read this first.

    Engine (with clutch) ── Gearbox ── (Retarder) ── Driveline (differentials) ── Wheels ── Chassis (body, road)

One step is `step`: controls from the bus to the parts, integration, sensors of the parts to the bus.
"""

from typing import Final, NamedTuple

from mypy_extensions import mypyc_attr

from vehiclesim.block import Block
from vehiclesim.body import Body
from vehiclesim.brakes import Brakes
from vehiclesim.channels import (
    NAN,
    UNAVAILABLE_LOAD,
    ChassisData,
    FaultData,
    InputData,
    RequestData,
    RoadData,
    SettingsData,
    VehicleData,
)
from vehiclesim.chassis import Chassis, ChassisState
from vehiclesim.databus import DataBus, to_raw
from vehiclesim.driveline import DividerState
from vehiclesim.engine import Engine, EngineState
from vehiclesim.gearbox import Gearbox, GearboxState
from vehiclesim.layouts import Driveline, build_driveline
from vehiclesim.parameters import ClutchType, VehicleSettings
from vehiclesim.retarder import Retarder, RetarderState
from vehiclesim.rolling import make_chassis, make_wheel
from vehiclesim.shifting import Powertrain
from vehiclesim.solver import Solver
from vehiclesim.steering import DEGREE, Steering
from vehiclesim.wheel import Wheel, WheelState

_FULL_TRAVEL: Final = 10000
"""Bus integer of a pedal that is fully down."""

_UNLIMITED: Final = float("inf")
_NOT_A_NUMBER: Final = float("nan")


class VehicleState(NamedTuple):
    """What a Vehicle must know to go on exactly. What is on the bus for it (controls, road ...) is input, not state."""

    time: float
    engine: EngineState
    gearbox: GearboxState
    retarder: RetarderState
    driveline: tuple[DividerState, ...]
    chassis: ChassisState
    wheels: tuple[WheelState, ...]


@mypyc_attr(allow_interpreted_subclasses=True)
class Vehicle:
    """A vehicle on four wheels: `data` is its bus, `step` its only verb."""

    def __init__(self, settings: VehicleSettings = VehicleSettings()) -> None:  # noqa: B008 - frozen
        self.settings: VehicleSettings = settings
        self.data: DataBus = DataBus()
        self.engine: Engine = Engine(settings.engine, settings.clutch)
        self.gearbox: Gearbox = Gearbox(settings.gearbox, settings.shifting, _powertrain(settings, self.engine))
        self.retarder: Retarder = Retarder(settings.retarder)
        self.body: Body = Body(settings.body)
        self.brakes: Brakes = Brakes(settings.brakes)
        self.steering: Steering = Steering(settings.steering, settings.chassis)
        self.wheels: list[Wheel] = [make_wheel(settings.wheels, settings.tyre) for _ in range(4)]
        self.chassis: Chassis = make_chassis(settings.chassis, self.body, self.wheels, self.steering, self.brakes)
        self.driveline: Driveline = build_driveline(settings.driveline, self.wheels, settings.tyre.tyre_dynamics)
        self.solver: Solver = Solver(self._connect())
        self._driven: list[Wheel] = [wheel for wheel in self.wheels if wheel.inputs[0] is not None]
        self.publish()

    def _connect(self) -> list[Block]:
        """Joins the blocks that the constructor made; all of them."""
        blocks: list[Block] = [self.engine, self.gearbox, *self.driveline.blocks, self.chassis, *self.wheels]
        Block.connect(self.gearbox, self.engine)
        if self.settings.retarder.levels == 0:
            Block.connect(self.driveline.root, self.gearbox)
            return blocks
        Block.connect(self.retarder, self.gearbox)
        Block.connect(self.driveline.root, self.retarder)
        return [*blocks, self.retarder]

    def step(self, delta_time: float) -> None:
        """Advances the vehicle by `delta_time` [s] (0.001 .. 0.1): the whole order of a step.

        load_inputs     from the bus to the parts: controls (Input), overrides (Settings), what control units ask for
                        (Request), road and weather (Road), what is broken (Fault)
        feed_states     what parts must know of one another
        solver.step     integration. Once: pre_step of every block
                          engine      takes over pedal, key, clutch and requests
                          gearbox     begins and ends shifts, as driver or automatic want them
                          retarder    takes over its level
                          driveline   takes over the locks of its differentials
                          chassis     turns the front wheels, and tells every wheel what its brake can hold
                        then per substep of at most 1 ms:
                          chassis     tells every wheel its load and its speed over ground
                          up          wheels -> driveline -> retarder -> gearbox -> engine: each shaft's momentum,
                                      inertia and reaction torque; the tyres' forces
                          down        engine -> clutch -> gears -> retarder -> differentials -> wheels: drive torque
                          advance     momentum += dt·torque, of engine, input shaft, chassis and wheels
        publish         from the parts to the bus: Vehicle and Chassis channels
        """
        self.load_inputs()
        self.feed_states(delta_time)
        self.solver.step(delta_time)
        self.publish()

    # -- from the bus -----------------------------------------------------------------------------------------------

    def load_inputs(self) -> None:
        """Input, Settings, Request, Road and Fault channels -> inputs of the parts."""
        self._load_engine()
        self._load_gearbox()
        self._load_running_gear()

    def _load_engine(self) -> None:
        """Positions beyond a pedal's travel count as its end; a throttle that is stuck does not follow the pedal."""
        controls, requests, faults = self.data.input, self.data.request, self.data.fault
        engine = self.engine
        engine.ignition_input = max(-1, min(controls[InputData.KEY], 1))
        stuck = faults[FaultData.STUCK_THROTTLE]
        engine.throttle_input = _travel(controls[InputData.THROTTLE] if stuck == NAN else stuck)
        engine.clutch_input = _travel(_FULL_TRAVEL - controls[InputData.CLUTCH])  # the pedal disengages
        engine.misfire = faults[FaultData.MISFIRE] / 10000
        engine.lean_mixture = faults[FaultData.LEAN_MIXTURE] / 10000
        engine.torque_request = _requested(requests[RequestData.ENGINE_TORQUE], 1000, _NOT_A_NUMBER)
        engine.torque_limit = _requested(requests[RequestData.ENGINE_TORQUE_LIMIT], 1000, _UNLIMITED)
        engine.target_rpms = _requested(requests[RequestData.ENGINE_RPM], 1000, -1.0)
        engine.rpm_limit = _requested(requests[RequestData.ENGINE_RPM_LIMIT], 1000, _UNLIMITED)
        engine.allowed_fuel_ratio = _requested(requests[RequestData.ALLOWED_FUEL_RATIO], 10000, 1.0)
        engine.tcs_rpms = _requested(requests[RequestData.TCS_RPM], 1000, -1.0)
        engine.tcs_ratio = _requested(requests[RequestData.TCS_RATIO], 10000, 1.0)
        engine.tcs_throttle_factor = _requested(requests[RequestData.TCS_THROTTLE_FACTOR], 10000, 1.0)

    def _load_gearbox(self) -> None:
        """GearShift = 0 acknowledges that the gearbox has the shift."""
        controls, overrides = self.data.input, self.data.settings
        gearbox = self.gearbox
        gearbox.manual_gear = controls[InputData.MANUAL_GEAR]
        gearbox.automatic_gear = controls[InputData.AUTOMATIC_GEAR]
        gearbox.gear_shift += controls[InputData.GEAR_SHIFT]
        controls[InputData.GEAR_SHIFT] = 0
        gearbox.auto_shift_override = overrides[SettingsData.AUTO_SHIFT_OVERRIDE]
        gearbox.min_gear_override = overrides[SettingsData.MIN_GEAR_OVERRIDE]
        gearbox.max_gear_override = overrides[SettingsData.MAX_GEAR_OVERRIDE]
        self.retarder.retarder_input = controls[InputData.RETARDER]
        self.retarder.ratio_request = _travel(self.data.request[RequestData.RETARDER_RATIO])

    def _load_running_gear(self) -> None:
        """The brakes follow pedal or control unit, whichever asks for more."""
        controls, overrides, road = self.data.input, self.data.settings, self.data.road
        self.brakes.brake_input = _travel(max(controls[InputData.BRAKE], self.data.request[RequestData.BRAKE_RATIO]))
        self.brakes.handbrake_input = _travel(controls[InputData.HANDBRAKE])
        self.steering.steer_input = controls[InputData.STEER] / _FULL_TRAVEL
        self.driveline.override_locks(
            overrides[SettingsData.DIFFERENTIAL_LOCK],
            overrides[SettingsData.FRONT_DIFFERENTIAL_LOCK],
            overrides[SettingsData.REAR_DIFFERENTIAL_LOCK],
            overrides[SettingsData.DRIVELINE_LOCK],
        )
        self.body.slope = road[RoadData.SLOPE] / 10000
        self.body.wind = road[RoadData.HEAD_WIND] / 1000
        friction = road[RoadData.FRICTION] / 10000
        for wheel in self.wheels:
            wheel.road_friction = friction

    def feed_states(self, delta_time: float) -> None:
        """Sensors of parts -> states of others: the gearbox knows the drive, and works clutch and engine as it needs.

        A control unit that asks for an engine speed goes before the gearbox.
        """
        engine, gearbox, chassis = self.engine, self.gearbox, self.chassis
        states = gearbox.states
        states.speed = chassis.sensor_speed
        states.throttle = engine.throttle_input
        states.brake = self.brakes.brake_input
        states.engine_rpm = engine.sensor_rpm
        states.lateral_acceleration = chassis.sensor_lateral_acceleration
        states.slipping = False
        for wheel in self._driven:
            if wheel.sensor_spinning:
                states.slipping = True
        gearbox.work_clutch(delta_time)
        engine.clutch_input *= gearbox.sensor_clutch_request
        engine.shift_torque = gearbox.sensor_shift_torque
        if engine.target_rpms < 0.0:
            engine.target_rpms = gearbox.sensor_target_rpm
        engine.auto_rpms = engine.target_rpms >= 0.0

    # -- to the bus -------------------------------------------------------------------------------------------------

    def publish(self) -> None:
        """Sensors of the parts -> Vehicle and Chassis channels."""
        self._publish_powertrain()
        self._publish_chassis()

    def _publish_powertrain(self) -> None:
        values = self.data.vehicle
        speed = self.chassis.sensor_ground_speed
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
        values[VehicleData.THROTTLE_SIGNAL] = _position(engine.throttle_input)
        values[VehicleData.TCS_ENGAGED] = 1 if engine.sensor_tcs_engaged else 0

        values[VehicleData.CLUTCH_TORQUE] = to_raw(engine.sensor_output_torque, 1000)
        values[VehicleData.CLUTCH_LOCK] = to_raw(engine.sensor_clutch_lock, 1000)
        values[VehicleData.CLUTCH_SIGNAL] = _position(engine.clutch_input)

        gearbox = self.gearbox
        values[VehicleData.GEARBOX_GEAR] = gearbox.sensor_gear
        values[VehicleData.GEARBOX_MODE] = gearbox.sensor_mode
        values[VehicleData.GEARBOX_SHIFTING] = 1 if gearbox.sensor_shifting else 0
        values[VehicleData.TRANSMISSION_RPM] = to_raw(gearbox.sensor_output_rpm, 1000)
        values[VehicleData.RETARDER_TORQUE] = to_raw(self.retarder.sensor_torque, 1000)

        values[VehicleData.AIDED_STEER] = _position(self.steering.steer_input)

    def _publish_chassis(self) -> None:
        values = self.data.chassis
        front_left, front_right, rear_left, rear_right = self.wheels
        values[ChassisData.WHEEL_SPEED_FRONT_LEFT] = to_raw(front_left.spin * front_left.radius, 1000)
        values[ChassisData.WHEEL_SPEED_FRONT_RIGHT] = to_raw(front_right.spin * front_right.radius, 1000)
        values[ChassisData.WHEEL_SPEED_REAR_LEFT] = to_raw(rear_left.spin * rear_left.radius, 1000)
        values[ChassisData.WHEEL_SPEED_REAR_RIGHT] = to_raw(rear_right.spin * rear_right.radius, 1000)
        chassis, pose = self.chassis, self.chassis.pose
        values[ChassisData.ACCELERATION] = to_raw(chassis.sensor_acceleration, 1000)
        values[ChassisData.LATERAL_ACCELERATION] = to_raw(chassis.sensor_lateral_acceleration, 1000)
        values[ChassisData.YAW_RATE] = to_raw(chassis.sensor_yaw_rate / DEGREE, 1000)
        values[ChassisData.LATERAL_SPEED] = to_raw(chassis.sensor_lateral_speed, 1000)
        values[ChassisData.STEERING_WHEEL_ANGLE] = to_raw(self.steering.sensor_wheel_angle, 1000)
        values[ChassisData.BRAKE_PRESSURE] = _position(self.brakes.brake_input)
        values[ChassisData.POSITION_X] = to_raw(pose.x, 1000)
        values[ChassisData.POSITION_Y] = to_raw(pose.y, 1000)
        values[ChassisData.HEADING] = to_raw(pose.yaw / DEGREE, 1000)

    # -- saving and restoring ---------------------------------------------------------------------------------------

    def get_state_vars(self) -> VehicleState:
        """The state between two steps, to be given back to `set_state_vars` of a vehicle with equal settings."""
        return VehicleState(
            self.solver.time,
            self.engine.get_state_vars(),
            self.gearbox.get_state_vars(),
            self.retarder.get_state_vars(),
            tuple([divider.get_state_vars() for divider in self.driveline.blocks]),
            self.chassis.get_state_vars(),
            tuple([wheel.get_state_vars() for wheel in self.wheels]),
        )

    def set_state_vars(self, state: VehicleState) -> None:
        """Goes on from a saved state, bit by bit; the bus shows it, with the controls as they stand on the bus."""
        self.load_inputs()
        self.solver.step_time.time = state.time
        self.engine.set_state_vars(state.engine)
        self.gearbox.set_state_vars(state.gearbox)
        self.engine.clutch_input *= self.gearbox.sensor_clutch_request
        self.retarder.set_state_vars(state.retarder)
        for divider, divider_state in zip(self.driveline.blocks, state.driveline, strict=True):
            divider.set_state_vars(divider_state)
        self.chassis.set_state_vars(state.chassis)
        for wheel, wheel_state in zip(self.wheels, state.wheels, strict=True):
            wheel.set_state_vars(wheel_state)
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
        lead=settings.wheels.radius / settings.driveline.total_ratio,
    )


def _travel(raw: int) -> float:
    """A pedal's integer as 0 .. 1; no request (NAN) is 0."""
    return max(0, min(raw, _FULL_TRAVEL)) / _FULL_TRAVEL


def _position(share: float) -> int:
    """The other way: -1 .. 1 as the nearest integer, so that what came from the bus goes back unchanged."""
    return int(share * _FULL_TRAVEL + (0.5 if share >= 0.0 else -0.5))


def _requested(raw: int, resolution: int, otherwise: float) -> float:
    """What a control unit asks for, in the entry's unit, or what stands for no request."""
    return otherwise if raw == NAN else raw / resolution
