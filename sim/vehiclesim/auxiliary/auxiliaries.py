"""All auxiliaries of a vehicle: their inputs, the order of their steps, and their values on the bus. Read this first.

    every step      engine ── fuel flow ──> tank
                    speed, wheels ────────> odometer, trip, pulses
                    key, speed ───────────> run time, hours, revolutions
                    fuel, mixture, rpm ───> air flow, intake pressure
                    key, levers ──────────> turn signals
    every 10 ms     fuel, friction, wind ─> temperatures
                    alternator, switches ─> load of the accessories
                    coolant, mixture ─────> friction, idle speed and fuel of the cold engine
                    starter, temperatures > voltage, charge, starter supply
                    load, temperatures ───> mixture, timing, oil pressure

The second group changes over seconds; it takes the fuel of all steps since its last one, so that no heat is lost.
"""

from dataclasses import replace
from typing import ClassVar, Final, NamedTuple

from vehiclesim.air import (
    REFERENCE_TEMPERATURE,
    STANDARD_PRESSURE,
    bounded_pressure,
    bounded_temperature,
    density_ratio,
)
from vehiclesim.auxiliary.accessories import Accessories
from vehiclesim.auxiliary.air_path import RECIRCULATES_FROM, AirPath
from vehiclesim.auxiliary.cold import ColdRunning
from vehiclesim.auxiliary.counters import MICROLITRES, Distances, RunTime, Tank
from vehiclesim.auxiliary.electrics import Electrics
from vehiclesim.auxiliary.knock import KnockControl
from vehiclesim.auxiliary.mixture import OPEN_COLD, Mixture
from vehiclesim.auxiliary.operating_point import Lubrication, ignition_advance, injection_advance, rail_pressure
from vehiclesim.auxiliary.thermal import Thermal
from vehiclesim.auxiliary.turn_signals import TurnSignals
from vehiclesim.block import RPM_TO_W
from vehiclesim.channels import AUXILIARY, AuxiliaryData
from vehiclesim.curves import clamp
from vehiclesim.databus import Channel, keep
from vehiclesim.engine.engine import Engine
from vehiclesim.engine.throttling import displacement_of
from vehiclesim.entries import ENTRIES
from vehiclesim.fuel import Fuel, fuel_of
from vehiclesim.parameters import EngineSettings
from vehiclesim.parameters.auxiliary import AuxiliarySettings, FuelKind
from vehiclesim.parameters.operation import AccessorySettings, ColdSettings
from vehiclesim.state import SavedState, Stateful

_SLOW_PERIOD: Final = 0.0099
"""[s] after which the slow group is due: 10 ms, less a margin for rounding."""

_FUEL_LEVEL: Final = ENTRIES[AUXILIARY][AuxiliaryData.FUEL_LEVEL].resolution
_FUEL_SHARE: Final = ENTRIES[AUXILIARY][AuxiliaryData.FUEL_SHARE].resolution
"""Integers per litre, and per full tank."""

_CONVERTER_RPM: Final = 10.0
"""Multiple of the idle speed at which an alternator gives what a DC converter does: nearly its full current."""

_NONE: Final = float("nan")
"""The value of what this engine does not have."""

_FASTEST: Final = 200.0
"""[m/s] highest plausible speed of the air through the radiator."""


class AuxiliaryMemory(NamedTuple):
    """The non-volatile values of a vehicle: plain numbers, stored under their names.

    Each integral is a count of whole units and the fraction carried over, so that a restart loses nothing.
    """

    odometer: int  # [mm]
    odometer_fraction: float
    trip_start: int  # odometer at the last reset of the trip [mm]
    fuel_left: int  # [µl]
    fuel_used: int  # [µl]
    fuel_used_fraction: float
    engine_hours: int  # [1e-6 h]
    engine_hours_fraction: float
    engine_revolutions: int
    engine_revolutions_fraction: float
    battery_charge: float
    long_fuel_trim: float


class SensorErrors:
    """Errors of the sensors that the engine control follows: readings less the truth, of air over the truth."""

    def __init__(self) -> None:
        self.coolant: float = 0.0  # [K]
        self.lambda_: float = 0.0
        self.metering: float = 1.0


class Auxiliaries(Stateful):
    """The auxiliaries of one vehicle. The attributes up to `sensed` are inputs, set by the vehicle before `step`."""

    state_vars: ClassVar[tuple[str, ...]] = (
        "thermal",
        "electrics",
        "tank",
        "distances",
        "mixture",
        "air_path",
        "run_time",
        "turn_signals",
        "accessories",
        "cold",
        "_soaked",
        "_pending",
        "_fuel",
        "_friction_torque",
        "_advance",
        "lubrication",
        "knock",
        "_rail",
        "_flow",
    )

    def __init__(
        self,
        settings: AuxiliarySettings,
        engine: Engine,
        engine_settings: EngineSettings,
        accessories: AccessorySettings = AccessorySettings(),  # noqa: B008 - frozen
        cold: ColdSettings = ColdSettings(),  # noqa: B008 - frozen
    ) -> None:
        self.speed: float = 0.0  # [m/s], signed or not
        self.wheel_spins: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
        """[rad/s] front left, front right, rear left, rear right"""

        self.head_wind: float = 0.0  # [m/s]
        self.ambient_temperature: float = REFERENCE_TEMPERATURE  # [°C]
        self.air_pressure: float = STANDARD_PRESSURE  # [kPa]
        self.transmission_heat: float = 0.0  # [W] lost in gears and torque converter
        self.converter: bool = False  # a DC converter of an electric drive feeds the battery
        self.trip_reset: bool = False
        self.cooling_loss: float = 0.0  # the faults: shares 0..1
        self.charging_loss: float = 0.0
        self.battery_loss: float = 0.0
        self.overcharge: float = 0.0
        self.lean_mixture: float = 0.0
        self.misfire: float = 0.0
        self.sensed: SensorErrors = SensorErrors()

        engine_settings = replace(engine_settings, max_fuel_per_rev=engine.calculate_fuel_per_rev())
        litres = displacement_of(settings.air_path, engine_settings)
        fuel: Fuel = fuel_of(settings.air_path.fuel)
        top_rpm = engine_settings.max_rpm
        full_fuel = engine_settings.max_fuel_per_rev * top_rpm / 60.0 * fuel.heating_value
        full_friction = engine.calculate_friction(top_rpm) * top_rpm * RPM_TO_W
        self.thermal: Thermal = Thermal(settings.thermal, litres, full_fuel, full_friction)
        cold_friction = cold.friction_exponent > 0.0
        self.electrics: Electrics = Electrics(settings.electrics, engine_settings.idle_rpm, cold_friction=cold_friction)
        self.tank: Tank = Tank(settings.tank)
        self.distances: Distances = Distances(settings.distances)
        self.mixture: Mixture = Mixture(fuel.full_load_lambda)
        self.air_path: AirPath = AirPath(settings.air_path, engine_settings)
        self.run_time: RunTime = RunTime()
        self.turn_signals: TurnSignals = TurnSignals()
        self.accessories: Accessories = Accessories(accessories, top_rpm)
        self.cold: ColdRunning = ColdRunning(cold, settings.thermal.thermostat_opens, engine_settings.idle_rpm)
        self.loads_engine: bool = accessories != AccessorySettings() or cold != ColdSettings()
        self.lubrication: Lubrication = Lubrication(settings.lubrication, engine_settings.idle_rpm)

        self.knock: KnockControl = KnockControl()

        self._engine: Engine = engine
        self._charged: bool = settings.air_path.max_boost > 0.0
        self._recirculates: bool = settings.air_path.exhaust_recirculation > 0.0
        self._heating_value: float = fuel.heating_value
        self._petrol: bool = settings.air_path.fuel is FuelKind.PETROL
        self._idle_rpm: float = engine_settings.idle_rpm
        self._soaked: bool = False
        self._pending: float = 0.0
        self._fuel: float = 0.0
        self._friction_torque: float = 0.0
        self._advance: float = 0.0
        self._rail: float = 0.0  # [kPa]
        self._flow: float = 0.0
        self._changed: bool = True  # the slow group has values that are not on the bus yet

    # -- outputs to the engine --------------------------------------------------------------------------------------

    @property
    def starter_supply(self) -> float:
        """Share of the starter motor's torque, 0..1, limited by battery and cold: the engine's input of that name."""
        return self.electrics.starter_supply

    @property
    def fuel_left(self) -> bool:
        """True unless the tank is empty; then the engine's `fuel_supply` is to be 0."""
        return self.tank.left > 0

    def load_engine(self) -> None:
        """Write what accessories and cold take from the engine to its inputs."""
        engine, cold = self._engine, self.cold
        engine.accessory_power = self.accessories.power
        engine.friction_factor = cold.friction_factor
        engine.idle_rise = cold.idle_rise
        engine.enrichment = cold.enrichment

    def warm_up(self) -> None:
        """Bring all parts to the temperatures of a car that has been driven: for measurements on a warm engine."""
        self.thermal.warm_up(self._ambient())
        self.cold.step(self.thermal.coolant, 1.0)
        self._soaked = True
        self._changed = True

    # -- one step ---------------------------------------------------------------------------------------------------

    def step(self, delta_time: float) -> None:
        """Advance by `delta_time` [s], after the solver's step."""
        engine = self._engine
        rpm = engine.sensor_rpm
        rate = engine.sensor_fuel_rate
        if not self._soaked:
            self.thermal.soak(self._ambient())
            self.cold.step(self.thermal.coolant, self.mixture.commanded)
            self._soaked = True

        # Fuel per distance times speed is fuel per time, at any speed: at 100 m/s, 1 l/100 km is 1 ml/s. So tank, fuel
        # flow and the bus's FuelConsumption have one conversion from gram to litre, that of the engine.
        self._flow = 0.001 * engine.calculate_instant_fuel_consumption(100.0)
        self.tank.step(self._flow, delta_time)
        if self.trip_reset:
            self.distances.reset_trip()
        self.distances.step(self.speed, self.wheel_spins, delta_time)
        self.run_time.step(engine.ignition_input >= 0, engine.sensor_working, rpm, delta_time)
        self.turn_signals.ignition = engine.ignition_input >= 0
        self.turn_signals.step(delta_time)

        air = self.air_path
        air.rpm = rpm
        air.fuel_rate = rate
        air.air_fuel_rate = engine.sensor_air_fuel_rate
        air.inflow = engine.sensor_inflow
        air.air_pressure = bounded_pressure(self.air_pressure)
        air.pressure = engine.sensor_manifold_pressure
        air.intake_temperature = self.thermal.intake
        air.mixture = self.mixture.lambda_
        air.missed = clamp(self.misfire, 0.0, 1.0)
        air.step()

        self._pending += delta_time
        self._fuel += rate * delta_time
        if self._pending >= _SLOW_PERIOD:
            self._step_slowly(rpm, self._pending)
            self._pending = 0.0
            self._fuel = 0.0
            self._changed = True

    def _step_slowly(self, rpm: float, delta_time: float) -> None:
        engine = self._engine
        load = engine.sensor_load
        load = clamp(load, 0.0, 1.0)  # not-a-number, of an engine that does not run, is 0
        running = engine.sensor_working
        self._friction_torque = engine.calculate_friction(rpm) * engine.friction_factor if rpm > 0.0 else 0.0
        self._step_thermal(rpm, delta_time)
        if self.converter:
            self._step_electrics(_CONVERTER_RPM * self._idle_rpm, True, delta_time)
        else:
            self._step_electrics(rpm, running, delta_time)

        self.air_path.load = load
        self.air_path.warm = self.thermal.coolant > RECIRCULATES_FROM
        self.lubrication.step(rpm, self.thermal.oil, delta_time)
        over_idle = rpm - self._idle_rpm
        if not running:
            self._advance = 0.0
        elif self._petrol:
            self.knock.step(load, delta_time)
            self._advance = ignition_advance(over_idle, load, self.thermal.catalyst) - self.knock.retard
        else:
            self._advance = injection_advance(over_idle, load)
        if self._petrol:
            engine.spark_loss = self.knock.torque_loss if running else 0.0
            mixture = self.mixture
            mixture.running = running
            mixture.burning = self._fuel > 0.0
            mixture.load = load
            mixture.rpm = rpm
            mixture.coolant = self.thermal.coolant + self.sensed.coolant
            mixture.sensor_error = self.sensed.lambda_
            mixture.metering = self.sensed.metering
            mixture.catalyst = self.thermal.catalyst
            mixture.fault = clamp(self.lean_mixture, 0.0, 1.0)
            mixture.missed = clamp(self.misfire, 0.0, 1.0)
            mixture.step(delta_time)
        elif running:
            self._rail = rail_pressure(rpm, load)
        else:
            self._rail = 0.0
        if self.loads_engine:
            electrics = self.electrics
            generated = 0.0 if self.converter else electrics.voltage * electrics.alternator_current
            self.accessories.step(generated, self.thermal.fan, rpm)
            cold = self.mixture.status == OPEN_COLD
            self.cold.step(self.thermal.coolant, self.mixture.commanded if cold else 1.0, self.sensed.coolant)

    def _step_thermal(self, rpm: float, delta_time: float) -> None:
        thermal = self.thermal
        rate = self._fuel / delta_time
        wind = self.speed + self.head_wind
        thermal.fuel_power = rate * self._heating_value
        thermal.friction_power = self._friction_torque * rpm * RPM_TO_W
        thermal.transmission_heat = clamp(self.transmission_heat, 0.0, 1e7)
        thermal.air_flow = self.air_path.flow
        thermal.exhaust_flow = self.air_path.flow + rate
        thermal.rpm = rpm
        thermal.air_speed = clamp(wind if wind >= 0.0 else -wind, 0.0, _FASTEST)
        thermal.air_density = density_ratio(self.air_pressure, self.ambient_temperature)
        thermal.ambient = self._ambient()
        thermal.misfire = clamp(self.misfire, 0.0, 1.0)
        thermal.coolant_error = self.sensed.coolant
        thermal.cooling_loss = clamp(self.cooling_loss, 0.0, 1.0)
        thermal.step(delta_time)

    def _step_electrics(self, rpm: float, running: bool, delta_time: float) -> None:
        electrics = self.electrics
        electrics.key_on = self._engine.ignition_input >= 0
        electrics.running = running
        electrics.fan = self.thermal.fan
        electrics.rpm = rpm
        electrics.cranking = self._engine.sensor_starting
        electrics.temperature = self._ambient()
        electrics.oil_temperature = self.thermal.oil
        electrics.charging_loss = clamp(self.charging_loss, 0.0, 1.0)
        electrics.battery_loss = clamp(self.battery_loss, 0.0, 1.0)
        electrics.overcharge = clamp(self.overcharge, 0.0, 1.0)
        for control in electrics.controls:
            engine = self._engine
            driven = running and engine.sensor_output_torque < 0.0
            control.overrun = driven and self._fuel == 0.0 and not engine.sensor_rpm_limiter
            control.load = engine.sensor_load
        electrics.step(delta_time)

    def _ambient(self) -> float:
        return bounded_temperature(self.ambient_temperature)

    # -- bus and non-volatile values --------------------------------------------------------------------------------

    def publish(self, channel: Channel) -> None:
        """Write the Auxiliary channel, the same one each time; the slow group only when it has changed."""
        tank, distances, times, air = self.tank, self.distances, self.run_time, self.air_path
        values = channel.values
        front_left, front_right, rear_left, rear_right = distances.wheels
        keep(values, AuxiliaryData.FUEL_LEVEL, tank.left * _FUEL_LEVEL // MICROLITRES)
        keep(values, AuxiliaryData.FUEL_SHARE, tank.left * _FUEL_SHARE // tank.capacity)
        channel.write(AuxiliaryData.FUEL_FLOW, 3600.0 * self._flow)
        keep(values, AuxiliaryData.FUEL_USED, tank.used.count)
        keep(values, AuxiliaryData.ODOMETER, distances.odometer.count)
        keep(values, AuxiliaryData.TRIP, distances.trip)
        keep(values, AuxiliaryData.DISTANCE_PULSES, distances.pulses.count)
        keep(values, AuxiliaryData.PULSES_FRONT_LEFT, front_left.count)
        keep(values, AuxiliaryData.PULSES_FRONT_RIGHT, front_right.count)
        keep(values, AuxiliaryData.PULSES_REAR_LEFT, rear_left.count)
        keep(values, AuxiliaryData.PULSES_REAR_RIGHT, rear_right.count)
        keep(values, AuxiliaryData.RUN_TIME, times.since_start.count)
        keep(values, AuxiliaryData.ENGINE_HOURS, times.hours.count)
        keep(values, AuxiliaryData.ENGINE_REVOLUTIONS, times.revolutions.count)
        channel.write(AuxiliaryData.INTAKE_PRESSURE, air.pressure)
        channel.write(AuxiliaryData.THROTTLE_POSITION, self._engine.sensor_throttle)
        channel.write(AuxiliaryData.THROTTLE_COMMAND, self._engine.sensor_throttle_command)
        channel.write(AuxiliaryData.AIR_MASS_FLOW, air.flow)
        channel.write(AuxiliaryData.LAMBDA, air.lambda_)
        channel.write(AuxiliaryData.ABSOLUTE_LOAD, air.absolute_load)
        if self._changed:
            self._publish_slow(channel)
            self._changed = False

    def _publish_slow(self, channel: Channel) -> None:
        thermal = self.thermal
        channel.write(AuxiliaryData.COOLANT_TEMPERATURE, thermal.coolant)
        channel.write(AuxiliaryData.OIL_TEMPERATURE, thermal.oil)
        channel.write(AuxiliaryData.TRANSMISSION_TEMPERATURE, thermal.transmission)
        channel.write(AuxiliaryData.CATALYST_TEMPERATURE, thermal.catalyst)
        channel.write(AuxiliaryData.INTAKE_TEMPERATURE, thermal.intake)
        channel.write(AuxiliaryData.OIL_PRESSURE, self.lubrication.pressure)
        channel.write(AuxiliaryData.EXHAUST_TEMPERATURE, thermal.exhaust)
        channel.write(AuxiliaryData.EXHAUST_RECIRCULATION, self.air_path.recirculated)
        engine, petrol, charged = self._engine, self._petrol, self._charged
        recirculation = self.air_path.recirculated if self._recirculates else _NONE
        channel.write(AuxiliaryData.RECIRCULATION_COMMAND, recirculation)
        channel.write(AuxiliaryData.BOOST_PRESSURE, engine.sensor_charge_pressure if charged else _NONE)
        channel.write(AuxiliaryData.BOOST_COMMAND, engine.sensor_boost_command if charged else _NONE)
        channel.write(AuxiliaryData.KNOCK_RETARD, self.knock.retard if petrol else _NONE)
        channel.write(AuxiliaryData.RAIL_PRESSURE, _NONE if petrol else self._rail)

        electrics = self.electrics
        channel.write(AuxiliaryData.BATTERY_VOLTAGE, electrics.voltage)
        channel.write(AuxiliaryData.BATTERY_CHARGE, electrics.charge)
        channel.write(AuxiliaryData.BATTERY_CURRENT, electrics.battery_current)
        channel.write(AuxiliaryData.CHARGING_VOLTAGE, electrics.regulated_voltage)
        channel.values[AuxiliaryData.CHARGE_INDICATOR] = 1 if electrics.charge_indicator else 0

        mixture = self.mixture
        channel.write(AuxiliaryData.IGNITION_ADVANCE, self._advance)
        channel.write(AuxiliaryData.FRICTION_TORQUE, self._friction_torque + self._engine.sensor_throttling_torque)
        channel.write(AuxiliaryData.SHORT_FUEL_TRIM, mixture.short_trim)
        channel.write(AuxiliaryData.LONG_FUEL_TRIM, mixture.long_trim)
        channel.values[AuxiliaryData.FUEL_SYSTEM] = mixture.status
        channel.write(AuxiliaryData.COMMANDED_LAMBDA, mixture.commanded)
        channel.write(AuxiliaryData.REAR_OXYGEN_VOLTAGE, mixture.rear_voltage)

    def memory(self) -> AuxiliaryMemory:
        """Return the values to be stored before the power is switched off."""
        odometer, used = self.distances.odometer, self.tank.used
        hours, revolutions = self.run_time.hours, self.run_time.revolutions
        return AuxiliaryMemory(
            odometer.count,
            odometer.fraction,
            self.distances.trip_start,
            self.tank.left,
            used.count,
            used.fraction,
            hours.count,
            hours.fraction,
            revolutions.count,
            revolutions.fraction,
            self.electrics.charge,
            self.mixture.long_trim,
        )

    def start_from(self, memory: AuxiliaryMemory) -> None:
        """Continue from stored values; a tank or battery that has become smaller since is full at most."""
        self.distances.odometer.start_from(memory.odometer, memory.odometer_fraction)
        self.distances.trip_start = memory.trip_start
        self.tank.fill(memory.fuel_left)
        self.tank.used.start_from(memory.fuel_used, memory.fuel_used_fraction)
        self.run_time.hours.start_from(memory.engine_hours, memory.engine_hours_fraction)
        self.run_time.revolutions.start_from(memory.engine_revolutions, memory.engine_revolutions_fraction)
        self.electrics.charge = clamp(memory.battery_charge, 0.0, 1.0)
        self.mixture.long_trim = memory.long_fuel_trim
        self._changed = True

    def set_state_vars(self, state: SavedState) -> None:
        """Restore a saved state; the slow group is written to the bus again."""
        super().set_state_vars(state)
        self._changed = True
