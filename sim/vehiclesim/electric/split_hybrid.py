"""Hybrids with a generator of their own: the power split of a planetary gear, and the series hybrid."""

from typing import ClassVar, Final

from vehiclesim.block import RPM_TO_W
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.curves import clamp
from vehiclesim.electric.best_line import BestLine
from vehiclesim.electric.charge_band import FUEL_CUT, ChargeBand
from vehiclesim.electric.engine_on_demand import EngineOnDemand
from vehiclesim.electric.motor import Motor
from vehiclesim.electric.planetary import GeneratorRotor, Planetary
from vehiclesim.electric.shaft_drive import ShaftDrive
from vehiclesim.engine.engine import Engine
from vehiclesim.engine.stop_start import CRANK, RUN
from vehiclesim.parameters import ElectricSettings, ElectricTopology, EngineSettings

_RESPONSE: Final = 0.2
"""[s], with which the generator brings the engine to its speed (assumed)."""

_RATE: Final = 300.0
"""[rad/s²] of the engine at most, 2900 1/min a second (assumed)."""

_AT_REST: Final = 1.0
"""[rad/s] of an engine that its own friction stops, without the generator."""

_CRANKED: Final = 1.1
"""Multiple of the idle speed to which the generator cranks (assumed)."""

_IDLING: Final = 1.05
"""Multiple of the idle speed that the generator holds at least, so that the idle control does not work against it."""

_ROOM: Final = 0.9
"""Share of the battery's power that reaches the shaft, at which the motor alone is not enough (assumed)."""

_HELD: Final = 0.95
"""Share of what the generator can hold that the engine is asked for at most: the rest is for its control (assumed)."""

_FASTEST: Final = 0.95
"""Share of the generator's highest speed that the control keeps to."""


class SplitHybrid(ShaftDrive):
    """w_engine follows the best line of its power; T_motor = T_demand - (1-a)·T_carrier; a the sun's share of torque.

    The engine gives P = P_demand + P_band + losses of both machines + auxiliaries, at most what driver and battery
    take: the charge is sustained (`ChargeBand`). As long as the battery wants some of it, it is `electric_power` at
    least; with the pedal released the engine stops, but for a charge below the band.

    The generator holds the engine's speed, T_g = I_g·dw_g/dt - a·T_engine, cranks it, and stops it; w_g =
    (w_engine - (1-a)·w_ring)/a bounds the engine's speed from above and, at speed, from below.

    T_demand is what pedals and creeping ask for, of at most what the sheet says of the system, and what engine and
    battery can. In reverse, in N and P the engine stops: the ring of this model turns forward in reverse.

    A control unit's limit of the torque at the flywheel holds for the shaft of the motor.
    """

    state_vars: ClassVar[tuple[str, ...]] = (
        *ShaftDrive.state_vars,
        "generator",
        "rotor",
        "split",
        "on_demand",
        "carried",
    )

    def __init__(
        self,
        settings: ElectricSettings,
        motor: Motor,
        engine: Engine,
        brakes: Brakes,
        mass: float,
        radius: float,
        engine_settings: EngineSettings,
    ) -> None:
        super().__init__(settings, motor, engine, brakes, mass, radius)
        planetary, hybrid = settings.planetary, settings.hybrid
        self._sun: float = 1.0
        if settings.topology is ElectricTopology.POWER_SPLIT:
            self._sun = planetary.sun_teeth / (planetary.sun_teeth + planetary.ring_teeth)
        self._ring: float = 1.0 - self._sun
        self.generator: Motor = Motor(settings.generator)
        self.split: Planetary = Planetary(self._sun)
        self.rotor: GeneratorRotor = GeneratorRotor(self.generator, settings.generator_inertia)
        self.on_demand: EngineOnDemand = EngineOnDemand(hybrid)
        self._band: ChargeBand = ChargeBand(hybrid)
        self._line: BestLine = BestLine(engine, engine_settings)
        self._max_torque: float = hybrid.max_torque
        self._max_power: float = hybrid.max_power * 1e3
        self._idle_w: float = engine_settings.idle_rpm * RPM_TO_W
        self._engine_inertia: float = engine_settings.inertia
        generator = settings.generator
        self._low: float = hybrid.low_charge
        self._least: float = hybrid.electric_power * 1e3  # [W], below which the engine is not worth its fuel
        self._power: float = 0.0  # that the engine is asked for [W]
        self._fastest: float = _FASTEST * generator.max_rpm * RPM_TO_W / generator.ratio  # of the sun
        self._direct: float = self._ring * self._line.most / self._line.speed(self._line.most)  # of the engine, at most

    def most_torque(self, w: float) -> float:
        motor, w = self.motor, w if w >= 0.0 else -w
        together = motor.most_torque(w * motor.ratio) * motor.ratio + self._direct
        together = together if together < self._max_torque else self._max_torque
        power = self._line.most + self.battery.most_discharge()
        power = power if power < self._max_power else self._max_power
        return power / w if together * w > power else together

    def pedal_torque(self, rpm: float, throttle: float) -> float:
        return throttle * self.most_torque(rpm * RPM_TO_W)

    @property
    def engine_rests(self) -> bool:
        """True: no clutch is worked, engine and carrier always turn together."""
        return True

    def hold_engine(self) -> None:
        engine = self.engine
        engine.stop_start = self.on_demand.command
        engine.clutch_input = 1.0
        if engine.ignition_input > 0:
            engine.ignition_input = 0

    def control(self, delta_time: float) -> None:
        around, engine = self.surroundings, self.engine
        self.turn_key()
        driving = self.ready and around.gear != 0 and around.lead > 0.0
        torque = relief = 0.0
        if driving:
            torque, relief = self.pedals(around.lead)
            torque = torque if torque < engine.torque_limit else engine.torque_limit
        torque = self.without_slip(torque)
        w = self.motor.w / self.motor.ratio
        self._work_engine(driving, torque, w, delta_time)
        self._turn_engine(w)
        generator = self.generator
        self.extra_power = generator.torque * generator.w + generator.loss(generator.w, generator.torque)
        self.carried = self._ring * engine.sensor_output_torque
        self.drive(torque - self.carried if driving else 0.0, relief, around.lead)
        engine.tcs_rpms = -1.0
        engine.auto_rpms = False

    def step(self, delta_time: float) -> None:
        generator = self.generator
        generator.end_step(self.rotor.w * generator.ratio)
        self.extra_power = generator.sensor_power + generator.sensor_loss
        super().step(delta_time)

    def _work_engine(self, driving: bool, torque: float, w: float, delta_time: float) -> None:
        """Stop or start the engine, and ask it for its power, at a speed [rad/s] of the ring."""
        engine, on_demand, battery, around = self.engine, self.on_demand, self.battery, self.surroundings
        power = torque * w
        power = power if power > 0.0 else 0.0
        forward = driving and around.gear > 0
        on_demand.in_gear = forward
        on_demand.fuel = engine.fuel_supply > 0.0
        on_demand.speed = around.speed if around.speed >= 0.0 else -around.speed
        on_demand.power = power
        on_demand.enough = torque <= self._electric_torque(w) and self._ring * w < self._sun * self._fastest
        on_demand.charge = battery.charge
        on_demand.charging = power > 0.0 or battery.charge < self._low
        on_demand.running = engine.sensor_working
        on_demand.step(delta_time)
        self.hold_engine()
        engine.drive_request = FUEL_CUT
        self._power = 0.0
        if not forward or not on_demand.charging:
            return
        lost = self.motor.sensor_loss + self.generator.sensor_loss + self._auxiliary_power
        most = power + battery.most_charge()
        most = most if most < self._line.most else self._line.most
        taken = self._band.power(battery.charge)
        wanted = power + taken + lost
        if taken > 0.0 and wanted < self._least:
            wanted = self._least
        wanted = clamp(wanted, 0.0, most)
        speed = engine.sensor_rpm * RPM_TO_W
        if wanted > 0.0 and speed > 0.0:
            self._power = wanted
            asked = wanted / (speed if speed > self._idle_w else self._idle_w)
            generator = self.generator
            held = _HELD * generator.most_torque(generator.w) * generator.ratio / self._sun
            if held > 0.0:
                engine.drive_request = asked if asked < held else held

    def _turn_engine(self, w: float) -> None:
        """Set the generator's torque at a speed [rad/s] of the ring."""
        engine, generator, on_demand = self.engine, self.generator, self.on_demand
        speed = engine.sensor_rpm * RPM_TO_W
        target = 0.0
        if on_demand.command == RUN:
            idle = _IDLING * (self._idle_w + engine.idle_rise * RPM_TO_W)
            target = self._line.speed(self._power)
            target = target if target > idle else idle
        elif on_demand.command == CRANK:
            target = _CRANKED * self._idle_w
            engine.starter_supply = 0.0
        least, most = self._ring * w - self._sun * self._fastest, self._ring * w + self._sun * self._fastest
        target = clamp(target, least, most)
        if not self.ready or (target <= 0.0 and speed < _AT_REST):
            generator.torque = 0.0
            return
        rise = clamp((target - speed) / _RESPONSE, -_RATE, _RATE)
        own = engine.sensor_mean_torque - self._engine_inertia * rise
        ratio = generator.ratio
        bound = generator.most_torque(generator.w)
        generator.torque = clamp((self.rotor.inertia * rise / self._sun - self._sun * own) / ratio, -bound, bound)

    def _electric_torque(self, w: float) -> float:
        """Return what motor and battery can give at a speed [rad/s] of the ring [N m]."""
        motor = self.motor
        torque = motor.most_torque(w * motor.ratio) * motor.ratio
        power = _ROOM * self.battery.most_discharge()
        return power / w if torque * w > power else torque
