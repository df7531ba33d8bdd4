"""The vehicle: builds the drivetrain, steps it, and joins it to the data bus. Read this first.

    Engine (with clutch) ── Gearbox ── Driveline (differentials) ── Wheels ── Chassis

Between these join blocks of the user, and equipment: what not every vehicle has, as a retarder or an electric motor
(`equipment/`). One step is `step`: controls from the bus to the parts, integration, sensors of the parts to the bus.
"""

from dataclasses import replace
from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.aids.driving_aids import DrivingAids
from vehiclesim.auxiliary.auxiliaries import Auxiliaries
from vehiclesim.block import RPM_TO_W, Block, Connection
from vehiclesim.chassis.body import Body
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.chassis.chassis import Chassis
from vehiclesim.chassis.rolling import make_chassis, make_wheel
from vehiclesim.chassis.steering import Steering
from vehiclesim.chassis.trailer import Trailer
from vehiclesim.chassis.tyre import on_axle
from vehiclesim.chassis.wheel import Wheel
from vehiclesim.databus import DataBus
from vehiclesim.electric.electric_drive import ElectricDrive
from vehiclesim.engine.engine import Engine
from vehiclesim.equipment.electric import ElectricEquipment
from vehiclesim.equipment.equipment import Car, Equipment, Stages, make_equipment
from vehiclesim.equipment.trailer import TrailerEquipment
from vehiclesim.extensions import Extensions, replace_shafts
from vehiclesim.loader import Loader
from vehiclesim.motion import Motion
from vehiclesim.parameters import GRAVITY, ClutchType, ElectricTopology, EngineSettings, TyreSettings, VehicleSettings
from vehiclesim.publisher import Publisher
from vehiclesim.sensors import Sensors
from vehiclesim.solver import Solver
from vehiclesim.state import SavedState, Stateful
from vehiclesim.transmission.fixed_gear import FixedGear
from vehiclesim.transmission.gearbox import Gearbox
from vehiclesim.transmission.layouts import Driveline, build_driveline
from vehiclesim.transmission.shifting import Powertrain

_RATED_SCAN: Final = 20.0
"""[1/min], in which the speed of the highest power is looked for."""

OPEN_CLUTCH: Final = 0.1
"""Share of its engagement below which the driver's clutch is open, for the switch of the start interlock."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Vehicle(Stateful):
    """A vehicle on four wheels: `data` is its bus, and `step` advances it."""

    state_vars: ClassVar[tuple[str, ...]] = (
        "solver",
        "engine",
        "gearbox",
        "driveline",
        "brakes",
        "steering",
        "aids",
        "chassis",
        "wheels",
        "auxiliaries",
        "equipment",
        "extensions",
    )

    def __init__(
        self,
        settings: VehicleSettings = VehicleSettings(),  # noqa: B008 - frozen
        extensions: Extensions | None = None,
    ) -> None:
        """Build the parts; the caller makes `extensions`, which settings.blocks and settings.components describe."""
        self.settings: VehicleSettings = settings
        self.extensions: Extensions = Extensions() if extensions is None else extensions
        self.data: DataBus = DataBus()
        self.engine: Engine = Engine(
            _with_rotor(settings, settings.engine),
            settings.clutch,
            air=settings.auxiliary.air_path,
            electrics=settings.auxiliary.electrics,
        )
        self.brakes: Brakes = Brakes(settings.brakes)
        self.equipment: list[Equipment] = make_equipment(settings, self.engine, self.brakes)
        self.electric: ElectricDrive | None = _electric(self.equipment)
        gearbox = replace(settings.gearbox, inertia=settings.input_shaft_inertia)
        powertrain = _powertrain(settings, self.engine, self.electric)
        kind = FixedGear if settings.electric.has_generator else Gearbox
        self.gearbox: Gearbox = kind(gearbox, settings.shifting, powertrain)
        self.body: Body = Body(settings.body)
        self.steering: Steering = Steering(settings.steering, settings.chassis)
        self.wheels: list[Wheel] = [make_wheel(settings.wheels, tyre) for tyre in _tyres(settings)]
        self.chassis: Chassis = make_chassis(
            settings.chassis, self.body, self.wheels, self.steering, self.brakes, _trailer(self.equipment)
        )
        self.driveline: Driveline = build_driveline(settings.driveline, self.wheels, settings.tyre.tyre_dynamics)
        self.solver: Solver = Solver(self._connect())
        driven = [place for place, wheel in enumerate(self.wheels) if wheel.inputs[0] is not None]
        self._driven: list[Wheel] = [self.wheels[place] for place in driven]
        self.brakes.driven = driven
        self.aids: DrivingAids = DrivingAids(settings.aids, self.chassis, self.engine, driven)
        self.auxiliaries: Auxiliaries = Auxiliaries(
            settings.auxiliary, self.engine, settings.engine, settings.accessories, settings.cold
        )
        self._shaft: Connection = _output(self.engine)
        self._efficiency: float = settings.gearbox.efficiency
        self._converter: bool = _has_converter(settings)
        self._start_interlock: bool = settings.gearbox.start_interlock
        self.motion: Motion = Motion(self.chassis, self.engine, self.gearbox, settings.engine)
        self._loader: Loader = Loader(self.data, self.gearbox, self.driveline, self.aids, self.auxiliaries, self.motion)
        self._publisher: Publisher = Publisher(self.data, self.gearbox, self.aids, self.auxiliaries)
        self.sensors: Sensors = Sensors(self.data, self.auxiliaries)
        car = Car(self.data, self._loader, self.gearbox, self.aids, self.auxiliaries)
        for part in self.equipment:
            part.join(car)
        self._stages: Stages = Stages(self.equipment)
        self._publish()

    def _connect(self) -> list[Block]:
        """Join all blocks: first those of every vehicle, then equipment, then those of the user by their shafts."""
        Block.connect(self.gearbox, self.engine)
        Block.connect(self.driveline.root, self.gearbox)
        blocks = self.named_blocks()
        for part in self.equipment:
            replace_shafts(blocks, part.shafts())
        replace_shafts(blocks, self.settings.shafts)
        return list(dict.fromkeys([*blocks.values(), *self.driveline.blocks, self.chassis]))  # each once

    def named_blocks(self) -> dict[str, Block]:
        """Return the blocks that shafts may join, by their names in vehicle files."""
        front_left, front_right, rear_left, rear_right = self.wheels
        own: dict[str, Block | None] = {
            "engine": self.engine,
            "gearbox": self.gearbox,
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
        for part in self.equipment:
            named.update(part.blocks())
        return {**named, **self.extensions.blocks}

    def retune(self, engine: EngineSettings) -> None:
        """Take other settings of the engine between two steps; `settings` stay those that the vehicle was built with.

        What was made to fit the engine stays too: shift program, cooling, alternator, lubrication.
        """
        self.engine.retune(_with_rotor(self.settings, engine), self.settings.clutch)
        self.solver.update_shafts()

    def step(self, delta_time: float) -> None:
        """Advance the vehicle by `delta_time` [s] (0.001 .. 0.1), in this order.

        components      user-written parts read and write the bus
        equipment       what not every vehicle has takes part at the stages marked *: load, feed, act, end_step, publish
        load            from the bus to the parts: controls (Input), overrides (Settings), requests of control units
                        (Request), road and weather (Road), faults (Fault), turn signals (Body); *; a speed limiter
                        takes its part of the pedal
        feed_states     values of parts that are inputs of others; *; work of an automatic clutch
        aids.step       ABS, TCS, ESC, ASR and steering aids act on brakes, engine and steering
        act             *: an electric drive sets its torque and the engine's part for this step
        solver.step     integration. Once: pre_step of every block
                          engine      takes over pedal, key, clutch and requests
                          gearbox     begins and ends shifts selected by driver or automatic
                          driveline   takes over the locks of its differentials
                          chassis     turns the front wheels, and sets the torque that each brake can hold
                        then per substep of at most 1 ms:
                          chassis     sets load and speed over ground of every wheel, and what valves hold of its brake
                          up          wheels -> driveline -> gearbox -> engine: each shaft's momentum, inertia and
                                      reaction torque; the tyres' forces
                          down        engine -> clutch -> gears -> differentials -> wheels: drive torque
                          advance     momentum += dt·torque, of engine, input shaft, chassis and wheels
        motion          where one is prescribed: wheels and engine turn as it says, with the clutch open before
        end_step        *: an electric drive takes its energy from the battery
        auxiliaries     temperatures, battery, tank, air path; odometer and other counters
        publish         from the parts to the bus: Vehicle, Chassis and Auxiliary channels, and part of Body; *
        sensors         those that are wrong put their readings in place of the values
        """
        for component in self.extensions.components:
            component.update(self.data, delta_time)
        sensors = self.sensors
        if sensors.wrong:
            sensors.restore()
        stages = self._stages
        self._loader.load()
        stages.load()
        if self.aids.limits_speed:
            self.aids.limit_speed()
        self.feed_states(delta_time)
        self.aids.step(delta_time)
        stages.act(delta_time)
        if self.motion.prescribed:
            self.motion.hold()
        self.solver.step(delta_time)
        if self.motion.prescribed:
            self.motion.impose(delta_time)
            self.solver.update_shafts()
        stages.end_step(delta_time)
        self.feed_auxiliaries()
        self.auxiliaries.step(delta_time)
        self._publish()
        if sensors.wrong:
            sensors.falsify(delta_time)

    def _publish(self) -> None:
        self._publisher.publish()
        self._stages.publish()

    def feed_states(self, delta_time: float) -> None:
        """Pass sensors to the states of the gearbox, and its requests to clutch and engine.

        A gearbox shifted by the driver needs neither. A control unit's request of an engine speed takes precedence.
        The start interlock turns a key at start back to on, in gear and with the clutch closed.
        """
        engine = self.engine
        if engine.ignition_input > 0 and self._interlocked():
            engine.ignition_input = 0
        self._stages.feed(delta_time)
        if self.gearbox.automated:
            self._feed_gearbox(delta_time)
        engine.auto_rpms = engine.target_rpms >= 0.0

    def _interlocked(self) -> bool:
        """Return whether the starter motor would move the vehicle, and there is a start interlock."""
        return self._start_interlock and self.gearbox.sensor_in_gear and self.engine.clutch_input > OPEN_CLUTCH

    def _feed_gearbox(self, delta_time: float) -> None:
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
        engine.lock_up_input = gearbox.sensor_gear != 0
        engine.clutch_input *= gearbox.sensor_clutch_request
        engine.shift_torque = gearbox.sensor_shift_torque
        if engine.target_rpms < 0.0:
            engine.target_rpms = gearbox.sensor_target_rpm

    def feed_auxiliaries(self) -> None:
        """Pass sensors to the inputs of the auxiliaries: motion, and the heat of converter, clutches and gears.

        P_heat = P_engine - P_gearbox,in + (1 - eta)·|P_gearbox,in| + P_slip of the gearbox's own clutches; a dry clutch
        before it does not heat the transmission.
        """
        engine, auxiliaries = self.engine, self.auxiliaries
        auxiliaries.speed = self.chassis.sensor_speed
        front_left, front_right, rear_left, rear_right = self.wheels
        auxiliaries.wheel_spins = (front_left.spin, front_right.spin, rear_left.spin, rear_right.spin)
        given = engine.sensor_output_torque * self._shaft.L / self._shaft.I
        lost = (1.0 - self._efficiency) * (given if given >= 0.0 else -given)
        if self._converter:
            taken = engine.sensor_clutch_torque * engine.sensor_rpm * RPM_TO_W
            lost += taken - given if taken > given else 0.0
            lost += self.gearbox.sensor_slip_power
        auxiliaries.transmission_heat = lost

    def set_state_vars(self, state: SavedState) -> None:
        """Restore a saved state to the bit; the bus then shows it, with the controls that are on the bus now.

        Values on the bus for the vehicle (controls, road ...) are inputs, not state. Steering and brakes come before
        the chassis, which passes them on to its wheels.
        """
        stages = self._stages
        self._loader.load()
        stages.load()
        self.sensors.restore()
        super().set_state_vars(state)
        if self.aids.limits_speed:
            self.aids.limit_speed()
        if self.gearbox.automated:
            self.engine.clutch_input *= self.gearbox.sensor_clutch_request
        stages.restore()
        self.solver.update_shafts()
        self._publish()


def _tyres(settings: VehicleSettings) -> tuple[TyreSettings, TyreSettings, TyreSettings, TyreSettings]:
    """Return the tyre of each wheel, with the compliance of its axle."""
    chassis, load = settings.chassis, 0.5 * GRAVITY * settings.body.mass
    hitch, trailer = 0.5 * GRAVITY * settings.trailer.hitch_mass, settings.trailer
    front_hitch = hitch * trailer.hitch_ahead / chassis.wheelbase
    front = on_axle(settings.tyre, chassis.front_cornering_compliance, load * chassis.front_weight + front_hitch)
    tyre = settings.rear_tyre or settings.tyre
    rear_load = load * (1.0 - chassis.front_weight) + hitch - front_hitch
    rear = on_axle(tyre, chassis.rear_cornering_compliance, rear_load)
    return front, front, rear, rear


def _trailer(equipment: list[Equipment]) -> Trailer | None:
    """Return the trailer, which the chassis moves."""
    return next((one.trailer for one in equipment if isinstance(one, TrailerEquipment)), None)


def _with_rotor(settings: VehicleSettings, engine: EngineSettings) -> EngineSettings:
    """Return the engine's parameters with the rotor of a motor on its belt."""
    if settings.electric.topology is not ElectricTopology.P0_HYBRID:
        return engine
    return replace(engine, inertia=engine.inertia + settings.electric.rotor_inertia)


def _electric(equipment: list[Equipment]) -> ElectricDrive | None:
    """Return the drive whose torque the shift program counts on, with that of the engine."""
    return next((one.drive for one in equipment if isinstance(one, ElectricEquipment)), None)


def _powertrain(settings: VehicleSettings, engine: Engine, electric: ElectricDrive | None) -> Powertrain:
    """Return the parameters of the surrounding parts that the gearbox needs."""
    limiter = settings.engine.rpm_limiter_max if settings.engine.rpm_limiter else settings.engine.max_rpm
    return Powertrain(
        idle_rpm=settings.engine.idle_rpm,
        rated_rpm=engine.specifications(_RATED_SCAN).max_power_rpm,
        limit_rpm=min(limiter, settings.engine.max_rpm),
        torque=engine.calculate_torque,
        drive_torque=engine.calculate_torque if electric is None else electric.pedal_torque,
        engine_inertia=settings.crankshaft_inertia,
        converter=_has_converter(settings),
        clutch_torque=settings.clutch.max_torque_transfer,
        mass=settings.train_mass,
        lead=settings.wheels.radius / settings.driveline.total_ratio,
    )


def _has_converter(settings: VehicleSettings) -> bool:
    return settings.clutch.type not in {ClutchType.FRICTION_DISC, ClutchType.LOCK_RATIO}


def _output(block: Block) -> Connection:
    """Return the shaft behind a block."""
    shaft = block.outputs[0]
    if shaft is None:
        raise ValueError("the vehicle is not complete")
    return shaft
