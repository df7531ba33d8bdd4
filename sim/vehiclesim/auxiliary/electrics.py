"""Battery, alternator and starter motor as one node: every current flows through the same terminal voltage.

    U = (E·G + I_a) / (G + G_c + G_s)

E open-circuit voltage and G conductance of the battery, I_a current of the alternator, G_c and G_s conductances of the
consumers and of the starter motor. The battery gives with its internal conductance and takes with the much smaller
one of its charge acceptance. The alternator gives what holds U at its regulated voltage, as far as it can: a fixed one,
or that of a charge control. Its regulator reports at terminal L whether it charges at all.
"""

from typing import ClassVar, Final

from vehiclesim.auxiliary.charge_control import ChargeControl
from vehiclesim.curves import clamp
from vehiclesim.parameters.auxiliary import ElectricsSettings
from vehiclesim.state import Stateful
from vehiclesim.tables import Table

_REFERENCE: Final = 25.0
"""[°C] of all figures of the battery and the regulator."""

_COLD_RESISTANCE: Final = 0.02
"""[1/K] by which the internal resistance grows below 25 °C: it has nearly doubled at -20 °C (assumed)."""

_COLD_DRAG: Final = 0.006
"""[1/K] by which thick oil brakes the starter motor below 20 °C, of an engine without cold friction (assumed)."""

_REGULATOR_DRIFT: Final = 0.007
"""[V/K] by which a 12 V regulator lowers the voltage as it gets warmer (assumed: half of what the cells want)."""

_ACCEPTANCE: Final = 2.7
"""[S/Ah] of an empty battery, falling to 0 when full: 26 A at 14.2 V into 60 Ah at 90 % (assumed)."""

_HALF_OUTPUT: Final = 0.6
"""Share of the idle speed at which the alternator gives half of its current; 62 % at idle (assumed)."""

_EXCITATION_TIME: Final = 1.0
"""[s] in which the alternator comes up to full output, so that a start is not loaded at once (assumed)."""

_BROKEN: Final = 0.5
"""Lost share of the current from which the regulator reports a fault: more than one phase of three (assumed)."""

_CONSUMER_VOLTAGE: Final = 13.0 / 12.0
"""Voltage at which the settings' currents flow, per nominal voltage."""

_LEAST_CHARGE: Final = 0.02
"""Charge below which the internal resistance grows no further."""

_LEAST_BATTERY: Final = 1e-6
"""Remaining share of a battery whose loss is 1: nearly nothing, without a division by zero."""


class Electrics(Stateful):
    """The electrical system of one vehicle. The attributes up to `overcharge` are inputs."""

    state_vars: ClassVar[tuple[str, ...]] = (
        "charge",
        "alternator_current",
        "voltage",
        "battery_current",
        "starter_supply",
        "regulated_voltage",
        "charge_indicator",
        "controls",
    )

    def __init__(self, settings: ElectricsSettings, idle_rpm: float, *, cold_friction: bool = False) -> None:
        """Take the idle speed [1/min]; with `cold_friction` the engine itself is harder to turn in the cold."""
        self.key_on: bool = False
        self.running: bool = False
        self.fan: bool = False
        self.rpm: float = 0.0
        self.cranking: bool = False  # the starter motor is on
        self.temperature: float = _REFERENCE  # of the battery [°C]
        self.oil_temperature: float = _REFERENCE  # [°C]
        self.charging_loss: float = 0.0  # share of the alternator's current that is lost
        self.battery_loss: float = 0.0  # share of the battery's conductance that is lost
        self.overcharge: float = 0.0  # share by which the regulated voltage is too high

        self._drag: float = 0.0 if cold_friction else _COLD_DRAG
        self._scale: float = settings.nominal_voltage / 12.0
        self._resistance: float = settings.internal_resistance
        self._capacity: float = 3600.0 * settings.capacity  # [A s]
        self._acceptance: float = _ACCEPTANCE * settings.capacity / self._scale
        self._charger: bool = settings.charger
        # [V] of a rested 12 V battery by its charge: published for flooded lead-acid cells at 25 °C
        self._open_circuit: Table = Table([0.0, 0.25, 0.5, 0.75, 1.0], [11.89, 12.06, 12.24, 12.45, 12.65])
        full = self._scale * self._open_circuit.at(1.0)
        self._starter_resistance: float = full / settings.starter_current - settings.internal_resistance
        self._starter_current: float = settings.starter_current
        self._regulated: float = settings.alternator_voltage
        self.controls: list[ChargeControl] = [ChargeControl(settings)] if settings.alternator_control.enabled else []
        self._most_current: float = settings.alternator_current
        self._half_rpm: float = _HALF_OUTPUT * idle_rpm
        self._free_rpm: float = settings.starter_rpm / settings.starter_ratio
        consumer_voltage = _CONSUMER_VOLTAGE * settings.nominal_voltage
        self._standby: float = settings.standby_current / consumer_voltage  # [S]
        self._ignition: float = settings.ignition_current / consumer_voltage
        self._engine: float = settings.engine_current / consumer_voltage
        self._fan: float = settings.fan_current / consumer_voltage

        self.charge: float = settings.initial_charge
        self.alternator_current: float = 0.0
        self.battery_current: float = 0.0  # [A], positive when it is charged
        self.voltage: float = self.open_circuit_voltage()
        self.regulated_voltage: float = settings.alternator_voltage  # [V] that the alternator is to hold
        self.charge_indicator: bool = False  # terminal L: with the key on it does not turn, or is broken
        self.starter_supply: float = 1.0  # share of its torque that the starter motor has

    def open_circuit_voltage(self) -> float:
        """Return E [V] at the battery's charge."""
        return self._scale * self._open_circuit.at(self.charge)

    def internal_resistance(self) -> float:
        """Return R [Ω], which grows in the cold, and as 1/charge while the battery is drained (assumed)."""
        cold = 1.0 + _COLD_RESISTANCE * clamp(_REFERENCE - self.temperature, 0.0, 60.0)
        charge = self.charge if self.charge > _LEAST_CHARGE else _LEAST_CHARGE
        left = 1.0 - self.battery_loss
        return self._resistance * cold / (charge * (left if left > _LEAST_BATTERY else _LEAST_BATTERY))

    def step(self, delta_time: float) -> None:
        """Advance by `delta_time` [s]: voltage and currents at its end, and the charge."""
        e = self.open_circuit_voltage()
        resistance = self.internal_resistance()
        load = self._consumer_conductance() + self._starter_conductance(resistance)
        charging = self._acceptance * (1.0 - self.charge) * (1.0 - self.battery_loss)
        for control in self.controls:
            control.step(self.charge, delta_time)
            self._regulated = control.voltage
        current = self._regulate(e, load, charging, 1.0 / resistance, delta_time)
        conductance = charging if current > e * load else 1.0 / resistance
        self.voltage = (e * conductance + current) / (conductance + load)
        self.battery_current = (self.voltage - e) * conductance
        if not self._charger:
            self.charge = clamp(self.charge + self.battery_current * delta_time / self._capacity, 0.0, 1.0)
        self.starter_supply = self._starter_share(e, resistance)
        self.charge_indicator = self.key_on and not (self.running and self.charging_loss <= _BROKEN)

    def _consumer_conductance(self) -> float:
        """Return the conductance [S] of all consumers that are switched on."""
        load = self._standby
        if self.key_on:
            load += self._ignition
        if self.running:
            load += self._engine
        if self.fan and self.key_on:
            load += self._fan
        return load

    def _starter_conductance(self, resistance: float) -> float:
        """Return the conductance [S] that draws E/(R + R_s)·(1 - n/n_free): a turning motor has a counter voltage."""
        if not self.cranking:
            return 0.0
        slowing = clamp(1.0 - self.rpm / self._free_rpm, 0.0, 1.0)
        return slowing / (self._starter_resistance + resistance * (1.0 - slowing))

    def _regulate(self, e: float, load: float, charging: float, giving: float, delta_time: float) -> float:
        """Return the current [A] that holds the regulated voltage, at most I_max·n/(n + n_half), built up in 1 s.

        None where the battery alone holds it, with the conductance [S] by which it is `giving`.
        """
        drift = clamp(_REGULATOR_DRIFT * (_REFERENCE - self.temperature), -0.3, 0.4)
        u = (self._regulated + self._scale * drift) * (1.0 + self.overcharge)
        self.regulated_voltage = u
        if not self.running:
            self.alternator_current = 0.0
            return 0.0
        wanted = u * load + (u - e) * (charging if u > e else giving)
        if wanted < 0.0:
            wanted = 0.0
        most = (1.0 - self.charging_loss) * self._most_current * self.rpm / (self.rpm + self._half_rpm)
        ramp = self.alternator_current + self._most_current * delta_time / _EXCITATION_TIME
        self.alternator_current = min(wanted, most, ramp)
        return self.alternator_current

    def _starter_share(self, e: float, resistance: float) -> float:
        """Return the share of the starter torque: current E/(R + R_s) over nominal current and drag of cold oil."""
        current = e / (resistance + self._starter_resistance)
        drag = 1.0 + self._drag * clamp(20.0 - self.oil_temperature, 0.0, 60.0)
        return clamp(current / (self._starter_current * drag), 0.0, 1.0)
