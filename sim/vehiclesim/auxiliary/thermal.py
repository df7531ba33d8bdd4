"""Temperatures of coolant, oils, catalyst and intake air: one energy balance each.

    C·dT/dt = P + Σ G_k·(T_k - T)

C heat capacity [J/K], P heat [W], G conductances [W/K] to surroundings at T_k [°C]. Every balance is solved implicitly
over the step, so that no step is too long for a light part: T' = (T + dt/C·(P + ΣG_k·T_k)) / (1 + dt/C·ΣG_k).

Of the fuel's power the cylinder walls take `coolant_share` and the exhaust 30 % (Heywood, table 12.1: 17 .. 26 % and
34 .. 45 % at full load, part of it lost on the way to the catalyst). Friction heats block and oil. Figures without a
source are assumed: they make a small car warm within 5 to 10 minutes of driving, and its oil run 5 to 25 K above
the coolant.
"""

from typing import ClassVar, Final

from vehiclesim.air import REFERENCE_TEMPERATURE
from vehiclesim.curves import clamp
from vehiclesim.parameters.auxiliary import ThermalSettings
from vehiclesim.state import Stateful

_FRICTION_TO_COOLANT: Final = 0.4
"""Pistons and liners; another share heats the oil, the rest (pumping, accessories) leaves with gas and air."""

_FRICTION_TO_OIL: Final = 0.3

_DESIGN_AIR_SPEED: Final = 25.0
"""[m/s], 90 km/h: the speed that `radiator_reserve` refers to."""

_HALF_AIR_SPEED: Final = 10.0
"""[m/s] at which the radiator has half of the conductance that it has in a very fast stream."""

_FAN_AIR_SPEED: Final = 4.0
"""[m/s] through the radiator, from the fan alone."""

_BLOCK_TO_AIR: Final = 4.0
"""[W/(K·l)] by convection from the engine's outside; a tenth of it more per m/s."""

_OIL_TO_COOLANT: Final = 60.0
"""[W/(K·l)] per 1000/min: oil that circulates."""

_OIL_AT_REST: Final = 15.0
"""[W/(K·l)] between oil and block when nothing turns."""

_SUMP_TO_AIR: Final = 2.0
"""[W/(K·l)], and a tenth of it more per m/s."""

_HOUSING_TO_AIR: Final = 5.0
"""[W/K] of the transmission, and a tenth of it more per m/s."""

_HOUSING_TO_ENGINE: Final = 10.0
"""[W/K] through the flange."""

_EXHAUST_SHARE: Final = 0.30

_EXHAUST_HEAT_CAPACITY: Final = 1.15
"""[J/(g·K)] of hot exhaust gas at constant pressure."""

_PIPE_LOSS: Final = 2.0
"""[W/(K·l)] between cylinder and catalyst."""

_CATALYST_LOSS: Final = 0.5
"""[W/(K·l)]"""

_LIGHT_OFF: Final = 250.0
"""[°C] at which the catalyst begins to convert; it converts everything 100 K above."""

_EXHAUST_FUEL: Final = 0.03
"""Share of the fuel's power that a healthy engine leaves to the catalyst, as CO, H2 and HC."""

_DRIVEN_TRANSMISSION: Final = 80.0
"""[°C] after half an hour on the road (assumed)."""

_DRIVEN_CATALYST: Final = 500.0
"""[°C] the same."""

_EXHAUST_SENSOR_CAPACITY: Final = 30.0
"""[J/K] of sensor and pipe wall that the gas heats first: some 2 s at idle, 0.3 s at full load (assumed)."""

_STILL_GAS: Final = 60.0
"""[s] in which resting gas takes the temperature of the catalyst beside it (assumed)."""

_INTAKE_HEAT_CAPACITY: Final = 400.0
"""[J/K] of sensor, duct and filter box."""

_INTAKE_TO_ENGINE: Final = 1.0
"""[W/K]"""

_INTAKE_TO_AIR: Final = 4.0
"""[W/K], a tenth of it more per m/s, and what the air that is drawn in carries: 1 J/(g·K)."""


def settle(temperature: float, inflow: float, conductance: float, capacity: float, delta_time: float) -> float:
    """Return T' of the balance in the module's docstring after `delta_time` [s], with inflow = P + Σ G_k·T_k [W]."""
    share = delta_time / capacity
    return (temperature + share * inflow) / (1.0 + share * conductance)


class Thermal(Stateful):
    """The temperatures of one vehicle. The attributes up to `cooling_loss` are inputs, in the units beside them."""

    state_vars: ClassVar[tuple[str, ...]] = ("coolant", "oil", "transmission", "catalyst", "intake", "exhaust", "fan")

    def __init__(self, settings: ThermalSettings, displacement: float, full_fuel: float, full_friction: float) -> None:
        """Scale to an engine of `displacement` [l] with these powers [W] of fuel and friction at its highest speed."""
        self.fuel_power: float = 0.0  # [W]
        self.friction_power: float = 0.0  # [W]
        self.transmission_heat: float = 0.0  # [W] lost in gears and converter
        self.air_flow: float = 0.0  # [g/s] drawn in
        self.exhaust_flow: float = 0.0  # [g/s]
        self.rpm: float = 0.0
        self.air_speed: float = 0.0  # [m/s]
        self.air_density: float = 1.0  # over that of the reference condition, for which the radiator is laid out
        self.ambient: float = REFERENCE_TEMPERATURE  # [°C]
        self.misfire: float = 0.0  # share of the fuel that burns in the catalyst instead
        self.cooling_loss: float = 0.0  # share of the radiator that is lost
        self.coolant_error: float = 0.0  # [K] by which the sensor that the fan follows reads too much

        self.coolant: float = REFERENCE_TEMPERATURE
        self.oil: float = REFERENCE_TEMPERATURE
        self.transmission: float = REFERENCE_TEMPERATURE
        self.catalyst: float = REFERENCE_TEMPERATURE
        self.intake: float = REFERENCE_TEMPERATURE
        self.exhaust: float = REFERENCE_TEMPERATURE  # of the gas before the catalyst, as a sensor feels it
        self.fan: bool = False

        self._litres: float = displacement
        self._block_capacity: float = settings.engine_heat_capacity * displacement
        self._oil_capacity: float = settings.oil_heat_capacity * displacement
        self._transmission_capacity: float = settings.transmission_heat_capacity
        self._catalyst_capacity: float = settings.catalyst_heat_capacity * displacement
        self._coolant_share: float = settings.coolant_share
        self._opens: float = settings.thermostat_opens
        self._travel: float = settings.thermostat_open - settings.thermostat_opens
        self._fan_on: float = settings.fan_on
        self._fan_off: float = settings.fan_off
        self._boiling: float = settings.boiling
        full_heat = settings.coolant_share * full_fuel + (_FRICTION_TO_COOLANT + _FRICTION_TO_OIL) * full_friction
        rise = max(settings.thermostat_open - REFERENCE_TEMPERATURE, 1.0)
        self._radiator: float = (  # [W/K] in a very fast stream of air
            settings.radiator_reserve * full_heat / rise * (_DESIGN_AIR_SPEED + _HALF_AIR_SPEED) / _DESIGN_AIR_SPEED
        )

    def soak(self, ambient: float) -> None:
        """Set all parts to the temperature of the air [°C], as after a night."""
        self.coolant = self.oil = self.transmission = self.catalyst = self.intake = self.exhaust = ambient

    def warm_up(self, ambient: float) -> None:
        """Set engine, gears and catalyst to temperatures of driving, in air of a temperature [°C]."""
        self.soak(ambient)
        self.coolant = self.oil = self._opens
        self.transmission = _DRIVEN_TRANSMISSION
        self.catalyst = self.exhaust = _DRIVEN_CATALYST

    def step(self, delta_time: float) -> None:
        """Advance all temperatures by `delta_time` [s]."""
        draught = 1.0 + 0.1 * self.air_speed
        self._cool(draught, delta_time)
        self._warm_transmission(draught, delta_time)
        self._warm_catalyst(delta_time)
        self._warm_intake(draught, delta_time)

    def radiator_conductance(self) -> float:
        """Return [W/K] = full conductance · thermostat opening · v/(v + 10 m/s).

        v is the speed of the air, or the fan's, times its density: what counts is the mass of the stream.
        """
        opening = clamp((self.coolant - self._opens) / self._travel, 0.0, 1.0)
        v = self.air_speed
        if self.fan and v < _FAN_AIR_SPEED:
            v = _FAN_AIR_SPEED
        v *= self.air_density
        left = 1.0 - self.cooling_loss
        return self._radiator * left * opening * v / (v + _HALF_AIR_SPEED)

    def _cool(self, draught: float, delta_time: float) -> None:
        """Advance block with coolant, and oil; both exchange heat as the oil circulates. Boiling limits the coolant."""
        sensed = self.coolant + self.coolant_error
        if sensed >= self._fan_on:
            self.fan = True
        elif sensed <= self._fan_off:
            self.fan = False
        litres = self._litres
        exchange = litres * (_OIL_AT_REST + _OIL_TO_COOLANT * 0.001 * self.rpm)
        to_air = self.radiator_conductance() + _BLOCK_TO_AIR * litres * draught
        heat = self._coolant_share * self.fuel_power * (1.0 - self.misfire) + _FRICTION_TO_COOLANT * self.friction_power
        inflow = heat + exchange * self.oil + to_air * self.ambient
        coolant = settle(self.coolant, inflow, exchange + to_air, self._block_capacity, delta_time)
        self.coolant = coolant if coolant < self._boiling else self._boiling

        sump = _SUMP_TO_AIR * litres * draught
        inflow = _FRICTION_TO_OIL * self.friction_power + exchange * self.coolant + sump * self.ambient
        self.oil = settle(self.oil, inflow, exchange + sump, self._oil_capacity, delta_time)

    def _warm_transmission(self, draught: float, delta_time: float) -> None:
        to_air = _HOUSING_TO_AIR * draught
        inflow = self.transmission_heat + _HOUSING_TO_ENGINE * self.coolant + to_air * self.ambient
        conductance = _HOUSING_TO_ENGINE + to_air
        self.transmission = settle(self.transmission, inflow, conductance, self._transmission_capacity, delta_time)

    def _warm_catalyst(self, delta_time: float) -> None:
        """Advance the catalyst: gas arrives with T = T_air + (T_cylinder - T_air)·W/(W + pipe loss), W = flow·cp.

        It leaves at the temperature of the brick, which above light-off burns the fuel left in the gas.
        """
        flow = _EXHAUST_HEAT_CAPACITY * self.exhaust_flow
        pipe = _PIPE_LOSS * self._litres
        arriving = flow / (flow + pipe)
        burnt = self.fuel_power * (1.0 - self.misfire)
        carried = arriving * (_EXHAUST_SHARE * burnt + flow * (self.coolant - self.ambient)) + flow * self.ambient
        if flow > 0.0:
            exchange = flow * delta_time / _EXHAUST_SENSOR_CAPACITY
            self.exhaust += (carried / flow - self.exhaust) * exchange / (1.0 + exchange)
        else:
            self.exhaust += (self.catalyst - self.exhaust) * delta_time / (_STILL_GAS + delta_time)
        conversion = clamp(0.01 * (self.catalyst - _LIGHT_OFF), 0.0, 1.0)
        heat = conversion * (_EXHAUST_FUEL * burnt + self.misfire * self.fuel_power)
        loss = _CATALYST_LOSS * self._litres
        inflow = carried + heat + loss * self.ambient
        self.catalyst = settle(self.catalyst, inflow, flow + loss, self._catalyst_capacity, delta_time)

    def _warm_intake(self, draught: float, delta_time: float) -> None:
        to_air = _INTAKE_TO_AIR * draught + self.air_flow
        inflow = _INTAKE_TO_ENGINE * self.coolant + to_air * self.ambient
        self.intake = settle(self.intake, inflow, _INTAKE_TO_ENGINE + to_air, _INTAKE_HEAT_CAPACITY, delta_time)
