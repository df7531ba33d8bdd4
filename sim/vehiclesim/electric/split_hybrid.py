"""Hybrids with a generator of their own: the power split of a planetary gear, and the series hybrid."""

from typing import ClassVar, Final

from vehiclesim.block import RPM_TO_W
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.curves import clamp
from vehiclesim.electric.best_line import BestLine
from vehiclesim.electric.motor import Motor
from vehiclesim.electric.on_demand_hybrid import OnDemandHybrid
from vehiclesim.electric.planetary import GeneratorRotor, Planetary
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

_HELD: Final = 0.95
"""Share of what the generator can hold that the engine is asked for at most: the rest is for its control (assumed)."""

_FASTEST: Final = 0.95
"""Share of the generator's highest speed that the control keeps to."""


class SplitHybrid(OnDemandHybrid):
    """w_engine follows the best line of its power; T_motor = T_demand - (1-a)·T_carrier; a the sun's share of torque.

    The engine gives P = P_demand + P_band + losses of both machines + auxiliaries, at most what driver and battery
    take: the charge is sustained (`ChargeBand`). As long as the battery wants some of it, it is `electric_power` at
    least; with the pedal released the engine stops, but for a charge below the band.

    The generator holds the engine's speed, T_g = I_g·dw_g/dt - a·T_engine, cranks it, and stops it; w_g =
    (w_engine - (1-a)·w_ring)/a bounds the engine's speed from above and, at speed, from below.

    T_demand is what pedals and creeping ask for, of at most what the sheet says of the system, and what engine and
    battery can. The ring is always geared to the wheels. In R it turns backward, by the motor against what the engine
    gives it: T_motor = -T_demand - (1-a)·T_carrier; the engine runs for the battery alone. So it does in P, where the
    pawl holds the ring. In N both machines are off: nothing is charged, and the engine goes on as it was.

    A control unit's limit of the torque at the flywheel holds for the shaft of the motor.
    """

    state_vars: ClassVar[tuple[str, ...]] = (
        *OnDemandHybrid.state_vars,
        "generator",
        "rotor",
        "split",
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
        super().__init__(settings, motor, engine, brakes, mass, radius, engine_settings)
        planetary, hybrid = settings.planetary, settings.hybrid
        self._sun: float = 1.0
        if settings.topology is ElectricTopology.POWER_SPLIT:
            self._sun = planetary.sun_teeth / (planetary.sun_teeth + planetary.ring_teeth)
        self._ring: float = 1.0 - self._sun
        self.generator: Motor = Motor(settings.generator)
        self.split: Planetary = Planetary(self._sun)
        self.rotor: GeneratorRotor = GeneratorRotor(self.generator, settings.generator_inertia)
        self._line: BestLine = BestLine(engine, engine_settings)
        self._engine_inertia: float = engine_settings.inertia
        generator = settings.generator
        self._low: float = hybrid.low_charge
        self._least: float = hybrid.electric_power * 1e3  # [W], below which the engine is not worth its fuel
        self._power: float = 0.0  # that the engine is asked for [W]
        self._fastest: float = _FASTEST * generator.max_rpm * RPM_TO_W / generator.ratio  # of the sun
        self._direct: float = self._ring * self._line.most / self._line.speed(self._line.most)  # of the engine, at most

    def most_torque(self, w: float) -> float:
        motor, w = self.motor, w if w >= 0.0 else -w
        together = motor.most_torque(w * motor.ratio) * motor.ratio
        if self.direction > 0.0:
            together += self._direct
        power, together = self._line.most + self.battery.most_discharge(), self.system.limit(together, w)
        return power / w if together * w > power else together

    @property
    def engine_rests(self) -> bool:
        """True: no clutch is worked, engine and carrier always turn together."""
        return True

    def hold_engine(self) -> None:
        super().hold_engine()
        self.engine.clutch_input = 1.0

    def control(self, delta_time: float) -> None:
        around, engine = self.surroundings, self.engine
        self.turn_key()
        driving = self.ready and around.gear != 0 and around.lead > 0.0
        self.direction = -1.0 if around.gear < 0 else 1.0
        torque = relief = 0.0
        if driving:
            torque, relief = self.pedals(around.lead)
            torque = torque if torque < engine.torque_limit else engine.torque_limit
        torque = self.without_slip(torque)
        w = self.motor.w / self.motor.ratio
        active = driving or (self.ready and around.parked)
        self._work_engine(active, torque, w, delta_time)
        self._turn_engine(active, w)
        generator = self.generator
        self.extra_power = generator.torque * generator.w + generator.loss(generator.w, generator.torque)
        self.carried = self._ring * engine.sensor_output_torque
        self.drive(torque - self.direction * self.carried if driving else 0.0, relief, around.lead)
        engine.tcs_rpms = -1.0
        engine.auto_rpms = False

    def step(self, delta_time: float) -> None:
        generator = self.generator
        generator.end_step(self.rotor.w * generator.ratio)
        self.extra_power = generator.sensor_power + generator.sensor_loss
        super().step(delta_time)

    def _work_engine(self, active: bool, torque: float, w: float, delta_time: float) -> None:
        """Stop or start the engine, and ask it for its power, at a speed [rad/s] of the ring."""
        engine, on_demand, battery = self.engine, self.on_demand, self.battery
        power = self.direction * torque * w
        power = power if power > 0.0 else 0.0
        charging = power > 0.0 or battery.charge < self._low
        on_demand.in_gear = active
        on_demand.held = self.ready and not active
        if self.direction > 0.0:
            enough = torque <= self.electric_torque(w) and self._ring * w < self._sun * self._fastest
            self.call_engine(power, enough, charging, delta_time)
        else:
            self.call_engine(0.0, True, charging, delta_time)
        self._power = 0.0
        if not active or not (charging or on_demand.warms_up):
            return
        if on_demand.warms_up:
            engine.drive_request = 0.0
        lost = self.motor.sensor_loss + self.generator.sensor_loss + self._auxiliary_power
        most = power + battery.most_charge()
        most = most if most < self._line.most else self._line.most
        taken = self.system.band.power(battery.charge)
        wanted = power + taken + lost
        if taken > 0.0 and wanted < self._least:
            wanted = self._least
        wanted = clamp(wanted, 0.0, most)
        speed = engine.sensor_rpm * RPM_TO_W
        if wanted > 0.0 and speed > 0.0:
            self._power = wanted
            idle, generator = self.system.idle_w, self.generator
            asked = wanted / (speed if speed > idle else idle)
            held = _HELD * generator.most_torque(generator.w) * generator.ratio / self._sun
            if held > 0.0:
                engine.drive_request = asked if asked < held else held

    def _turn_engine(self, active: bool, w: float) -> None:
        """Set the generator's torque at a speed [rad/s] of the ring."""
        engine, generator, on_demand = self.engine, self.generator, self.on_demand
        speed = engine.sensor_rpm * RPM_TO_W
        target = 0.0
        if on_demand.command == RUN:
            idle = _IDLING * (self.system.idle_w + engine.idle_rise * RPM_TO_W)
            target = self._line.speed(self._power)
            target = target if target > idle else idle
        elif on_demand.command == CRANK:
            target = _CRANKED * self.system.idle_w
            engine.starter_supply = 0.0
        least, most = self._ring * w - self._sun * self._fastest, self._ring * w + self._sun * self._fastest
        target = clamp(target, least, most)
        if not active or (target <= 0.0 and speed < _AT_REST):
            generator.torque = 0.0
            return
        rise = clamp((target - speed) / _RESPONSE, -_RATE, _RATE)
        own = engine.sensor_mean_torque - self._engine_inertia * rise
        ratio = generator.ratio
        bound = generator.most_torque(generator.w)
        generator.torque = clamp((self.rotor.inertia * rise / self._sun - self._sun * own) / ratio, -bound, bound)
