"""The fuel that a drive owes its 12 V battery: one that ends with less charge than it had was fed for nothing.

    V = (c_start - c_end)·Q·U / η · W

V [l], c charge, Q capacity, U nominal voltage, η efficiency of the alternator. W is the fuel that a running engine
burns for one more kilowatt hour at its crankshaft: 0.264 l of petrol, 0.280 in a charged engine, 0.220 of diesel
(Commission Implementing Decision (EU) 2020/728, table 2). The form is that of UN GTR No. 15, Annex 6, Appendix 2.
"""

from typing import Final

from vehiclesim.parameters import FuelKind, VehicleSettings

_PETROL: Final = 0.264
_CHARGED_PETROL: Final = 0.280
_DIESEL: Final = 0.220
"""[l/kWh]"""


def owed(vehicle: VehicleSettings, start: float, end: float) -> float | None:
    """Return the litres that bring the battery back from its charge at the end; None: its current costs no fuel."""
    efficiency = vehicle.accessories.alternator_efficiency
    if efficiency == 0.0:
        return None
    electrics, air = vehicle.auxiliary.electrics, vehicle.auxiliary.air_path
    energy = (start - end) * electrics.capacity * electrics.nominal_voltage / 1000.0
    if air.fuel is FuelKind.DIESEL:
        return energy / efficiency * _DIESEL
    return energy / efficiency * (_CHARGED_PETROL if air.max_boost > 0.0 else _PETROL)
