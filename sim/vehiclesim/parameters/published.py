"""Published figures of a vehicle: performance and consumption, to compare with (`hilbridge perform`)."""

from dataclasses import dataclass
from typing import Annotated

from vehiclesim.parameters.quantity import Quantity, check


def _time(text: str) -> Quantity:
    return Quantity("s", f"{text}; 0: not published", minimum=0.0, maximum=1000.0)


def _speed(text: str) -> Quantity:
    return Quantity("km/h", f"{text}; 0: not published", minimum=0.0, maximum=1000.0)


def _consumption(cycle: str) -> Quantity:
    return Quantity("l/100 km", f"consumption in the {cycle}; 0: not published", minimum=0.0, maximum=200.0)


def _electricity(cycle: str, where: str) -> Quantity:
    return Quantity("kWh/100 km", f"{where}, in the {cycle}; 0: not published", minimum=0.0, maximum=1000.0)


@dataclass(frozen=True, slots=True)
class PublishedSettings:
    """Published figures of the vehicle, none of which acts on it.

    `hilbridge perform` measures the same and shows both. Times from rest begin with the first movement, or after the
    way `roll_out`, in what is measured too. A list has a value for each forward gear, from first on, with 0 where
    nothing is published; the last ones may be left out.

    Energy out of the traction battery is at its terminals, less what came back; that from the wall recharges it, with
    `electric.battery.charging_efficiency`.
    """

    to_100: Annotated[float, _time("0 to 100 km/h")] = 0.0
    to_60_mph: Annotated[float, _time("0 to 60 mph")] = 0.0
    to_160: Annotated[float, _time("0 to 160 km/h")] = 0.0
    to_200: Annotated[float, _time("0 to 200 km/h")] = 0.0
    metres_400: Annotated[float, _time("400 m from rest")] = 0.0
    quarter_mile: Annotated[float, _time("quarter of a mile from rest")] = 0.0
    kilometre: Annotated[float, _time("1000 m from rest")] = 0.0
    top_speed: Annotated[float, _speed("highest speed")] = 0.0
    from_80_to_120: Annotated[float, _time("80 to 120 km/h of an automatic in D, with kick-down")] = 0.0
    from_80_to_120_in_gear: Annotated[tuple[float, ...], _time("80 to 120 km/h in each gear")] = ()
    top_speed_in_gear: Annotated[tuple[float, ...], _speed("highest speed in each gear")] = ()
    braking_from_100: Annotated[
        float, Quantity("m", "braking, from 100 km/h to rest; 0: not published", minimum=0.0, maximum=1000.0)
    ] = 0.0
    braking_from_60_mph: Annotated[
        float, Quantity("m", "braking, from 60 mph to rest; 0: not published", minimum=0.0, maximum=1000.0)
    ] = 0.0
    lateral_acceleration: Annotated[
        float,
        Quantity("g", "highest lateral acceleration, in a steady circle; 0: not published", minimum=0.0, maximum=10.0),
    ] = 0.0
    understeer: Annotated[
        float,
        Quantity(
            "°/g", "understeer gradient, as an angle of the front wheels; 0: not published", minimum=-20.0, maximum=20.0
        ),
    ] = 0.0
    coast_down: Annotated[float, _time("coast-down, 100 to 50 km/h in neutral")] = 0.0
    idle_consumption: Annotated[
        float, Quantity("l/h", "consumption at standstill, warm; 0: not published", minimum=0.0, maximum=100.0)
    ] = 0.0
    roll_out: Annotated[
        float,
        Quantity(
            "m", "way before the clock of times from rest; American ones have a foot, 0.3048", minimum=0.0, maximum=10.0
        ),
    ] = 0.0
    nedc: Annotated[float, _consumption("NEDC, combined")] = 0.0
    wltc: Annotated[float, _consumption("WLTC, combined")] = 0.0
    udds: Annotated[float, _consumption("UDDS, as measured, not as on a label")] = 0.0
    hwfet: Annotated[float, _consumption("HWFET, the same")] = 0.0
    nedc_wall: Annotated[float, _electricity("NEDC", "energy from the wall")] = 0.0
    nedc_battery: Annotated[float, _electricity("NEDC", "energy out of the traction battery")] = 0.0
    wltc_wall: Annotated[float, _electricity("WLTC", "energy from the wall")] = 0.0
    wltc_battery: Annotated[float, _electricity("WLTC", "energy out of the traction battery")] = 0.0
    udds_wall: Annotated[float, _electricity("UDDS", "energy from the wall")] = 0.0
    udds_battery: Annotated[float, _electricity("UDDS", "energy out of the traction battery")] = 0.0
    hwfet_wall: Annotated[float, _electricity("HWFET", "energy from the wall")] = 0.0
    hwfet_battery: Annotated[float, _electricity("HWFET", "energy out of the traction battery")] = 0.0

    def __post_init__(self) -> None:
        check(self)
