"""The vehicle: builds the drivetrain, steps it, and joins it to the data bus. Read this first.

    Engine (with clutch) ── Gearbox ── (Retarder) ── Driveline (differentials) ── Wheels ── Chassis (body, road)

One step is `step`: controls from the bus to the parts, integration, sensors of the parts to the bus.
"""

from typing import Any, Final, NamedTuple

from mypy_extensions import mypyc_attr

from vehiclesim.aids.driving_aids import AidsState, DrivingAids
from vehiclesim.auxiliary.auxiliaries import Auxiliaries, AuxiliaryState
from vehiclesim.block import RPM_TO_W, Block, Connection
from vehiclesim.body import Body
from vehiclesim.brakes import Brakes
from vehiclesim.channels import (
    NAN,
    FaultData,
    InputData,
    RequestData,
    RoadData,
    SettingsData,
)
from vehiclesim.chassis import Chassis, ChassisState
from vehiclesim.databus import DataBus
from vehiclesim.driveline import DividerState
from vehiclesim.engine import Engine, EngineState
from vehiclesim.extensions import Extensions, rejoin
from vehiclesim.gearbox import Gearbox, GearboxState
from vehiclesim.layouts import Driveline, build_driveline
from vehiclesim.parameters import ClutchType, VehicleSettings
from vehiclesim.publisher import Publisher
from vehiclesim.retarder import Retarder, RetarderState
from vehiclesim.rolling import make_chassis, make_wheel
from vehiclesim.shifting import Powertrain
from vehiclesim.solver import Solver
from vehiclesim.steering import Steering
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
    aids: AidsState
    auxiliaries: AuxiliaryState
    extensions: tuple[Any, ...]


@mypyc_attr(allow_interpreted_subclasses=True)
class Vehicle:
    """A vehicle on four wheels: `data` is its bus, `step` its only verb."""

    def __init__(
        self,
        settings: VehicleSettings = VehicleSettings(),  # noqa: B008 - frozen
        extensions: Extensions | None = None,
    ) -> None:
        """`extensions`: the parts that settings.blocks and settings.components describe, made by the caller."""
        self.settings: VehicleSettings = settings
        self.extensions: Extensions = Extensions() if extensions is None else extensions
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
        driven = [place for place, wheel in enumerate(self.wheels) if wheel.inputs[0] is not None]
        self._driven: list[Wheel] = [self.wheels[place] for place in driven]
        self.aids: DrivingAids = DrivingAids(settings.aids, self.chassis, self.engine, driven)
        self.auxiliaries: Auxiliaries = Auxiliaries(settings.auxiliary, self.engine, settings.engine)
        self._shaft: Connection = _output(self.engine)
        self._efficiency: float = settings.gearbox.efficiency
        self._converter: bool = _has_converter(settings)
        self._publisher: Publisher = Publisher(self.data, self.gearbox, self.retarder, self.aids, self.auxiliaries)
        self._publisher.publish()

    def _connect(self) -> list[Block]:
        """Joins all blocks, those of the user and their shafts too."""
        settings = self.settings
        Block.connect(self.gearbox, self.engine)
        if settings.retarder.levels > 0:
            Block.connect(self.retarder, self.gearbox)
            Block.connect(self.driveline.root, self.retarder)
        else:
            Block.connect(self.driveline.root, self.gearbox)
        blocks = self.named_blocks()
        rejoin(blocks, settings.shafts)
        return list(dict.fromkeys([*blocks.values(), *self.driveline.blocks, self.chassis]))  # each once

    def named_blocks(self) -> dict[str, Block]:
        """The blocks that shafts may join, by the names that vehicle files give them."""
        front_left, front_right, rear_left, rear_right = self.wheels
        own: dict[str, Block | None] = {
            "engine": self.engine,
            "gearbox": self.gearbox,
            "retarder": self.retarder if self.settings.retarder.levels > 0 else None,
            "driveline": self.driveline.root,
            "front_differential": self.driveline.front,
            "rear_differential": self.driveline.rear,
            "centre": self.driveline.centre,
            "sides": self.driveline.sides,
            "front_left": front_left,
            "front_right": front_right,
            "rear_left": rear_left,
            "rear_right": rear_right,
        }
        named = {name: block for name, block in own.items() if block is not None}
        return {**named, **self.extensions.blocks}

    def step(self, delta_time: float) -> None:
        """Advances the vehicle by `delta_time` [s] (0.001 .. 0.1): the whole order of a step.

        components      parts of the user's read and write the bus
        load_inputs     from the bus to the parts: controls (Input), overrides (Settings), what control units ask for
                        (Request), road and weather (Road), what is broken (Fault)
        feed_states     what parts must know of one another
        aids.step       what ABS, TCS, ESC, ASR and steering aids make of brakes, engine and steering
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
        auxiliaries     temperatures, battery, tank, air path; odometer and all that is counted
        publish         from the parts to the bus: Vehicle, Chassis and Auxiliary channels
        """
        for component in self.extensions.components:
            component.update(self.data, delta_time)
        self.load_inputs()
        self.feed_states(delta_time)
        self.aids.step(delta_time)
        self.solver.step(delta_time)
        self.feed_auxiliaries()
        self.auxiliaries.step(delta_time)
        self._publisher.publish()

    # -- from the bus -----------------------------------------------------------------------------------------------

    def load_inputs(self) -> None:
        """Input, Settings, Request, Road and Fault channels -> inputs of the parts."""
        self._load_engine()
        self._load_gearbox()
        self._load_running_gear()
        self._load_aids()
        self._load_auxiliaries()

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

    def _load_aids(self) -> None:
        """After engine and brakes: the aids look at what they are told."""
        overrides, aids = self.data.settings, self.aids
        aids.steer_input = self.data.input[InputData.STEER] / _FULL_TRAVEL
        aids.throttle_input = self.engine.throttle_input
        aids.brake_input = self.brakes.brake_input
        aids.abs_override = overrides[SettingsData.ABS_OVERRIDE]
        aids.esc_override = overrides[SettingsData.ESC_OVERRIDE]
        aids.tcs_override = overrides[SettingsData.TCS_OVERRIDE]
        aids.asr_override = overrides[SettingsData.ASR_OVERRIDE]
        aids.steering_aids_override = overrides[SettingsData.STEERING_AIDS_OVERRIDE]

    def _load_auxiliaries(self) -> None:
        """Weather and faults; what battery and tank have left goes to the engine."""
        road, faults, auxiliaries = self.data.road, self.data.fault, self.auxiliaries
        self.engine.starter_supply = auxiliaries.starter_supply
        self.engine.fuel_supply = 1.0 if auxiliaries.fuel_left else 0.0
        auxiliaries.head_wind = road[RoadData.HEAD_WIND] / 1000
        auxiliaries.ambient_temperature = road[RoadData.AMBIENT_TEMPERATURE] / 1000
        auxiliaries.air_pressure = road[RoadData.AIR_PRESSURE] / 1000
        auxiliaries.cooling_loss = faults[FaultData.COOLING_LOSS] / 10000
        auxiliaries.charging_loss = faults[FaultData.CHARGING_LOSS] / 10000
        auxiliaries.battery_loss = faults[FaultData.BATTERY_LOSS] / 10000
        auxiliaries.overcharge = faults[FaultData.OVERCHARGE] / 10000
        auxiliaries.lean_mixture = faults[FaultData.LEAN_MIXTURE] / 10000
        auxiliaries.misfire = faults[FaultData.MISFIRE] / 10000

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

    def feed_auxiliaries(self) -> None:
        """Sensors of parts -> inputs of the auxiliaries: motion, and the heat of converter and gears.

        P_heat = P_engine - P_gearbox,in + (1 - eta)·|P_gearbox,in|; a dry clutch keeps its heat for itself.
        """
        engine, auxiliaries = self.engine, self.auxiliaries
        auxiliaries.speed = self.chassis.sensor_speed
        spins = auxiliaries.wheel_spins
        for place in range(4):
            spins[place] = self.wheels[place].spin
        given = engine.sensor_output_torque * self._shaft.L / self._shaft.I
        lost = (1.0 - self._efficiency) * (given if given >= 0.0 else -given)
        if self._converter:
            taken = engine.sensor_clutch_torque * engine.sensor_rpm * RPM_TO_W
            lost += taken - given if taken > given else 0.0
        auxiliaries.transmission_heat = lost

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
            self.aids.get_state_vars(),
            self.auxiliaries.get_state_vars(),
            self.extensions.get_state_vars(),
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
        self.aids.set_state_vars(state.aids)  # before the chassis, which turns its front wheels as they say
        self.chassis.set_state_vars(state.chassis)
        for wheel, wheel_state in zip(self.wheels, state.wheels, strict=True):
            wheel.set_state_vars(wheel_state)
        self.auxiliaries.set_state_vars(state.auxiliaries)
        self.extensions.set_state_vars(state.extensions)
        self.solver.update_shafts()
        self._publisher.publish()


def _powertrain(settings: VehicleSettings, engine: Engine) -> Powertrain:
    """What the gearbox must know of the parts around it."""
    limiter = settings.engine.rpm_limiter_max if settings.engine.rpm_limiter else settings.engine.max_rpm
    return Powertrain(
        idle_rpm=settings.engine.idle_rpm,
        limit_rpm=min(limiter, settings.engine.max_rpm),
        torque=engine.calculate_torque,
        engine_inertia=settings.engine.inertia,
        converter=_has_converter(settings),
        clutch_torque=settings.clutch.max_torque_transfer,
        mass=settings.body.mass,
        lead=settings.wheels.radius / settings.driveline.total_ratio,
    )


def _has_converter(settings: VehicleSettings) -> bool:
    return settings.clutch.type not in {ClutchType.FRICTION_DISC, ClutchType.LOCK_RATIO}


def _output(block: Block) -> Connection:
    """The shaft behind a block."""
    shaft = block.outputs[0]
    if shaft is None:
        raise ValueError("the vehicle is not complete")
    return shaft


def _travel(raw: int) -> float:
    """A pedal's integer as 0 .. 1; no request (NAN) is 0."""
    return max(0, min(raw, _FULL_TRAVEL)) / _FULL_TRAVEL


def _requested(raw: int, resolution: int, otherwise: float) -> float:
    """What a control unit asks for, in the entry's unit, or what stands for no request."""
    return otherwise if raw == NAN else raw / resolution
