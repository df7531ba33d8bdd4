"""A record of fastsim's catalogue as a vehicle file, by one rule for all records.

fastsim has no gears and no engine speed: its engine has an efficiency over the power that it gives. The rule gives the
car what the record says, and what it does not say as cars of its kind have it; the engine comes out of `hilbridge fit`.

| record | vehicle file |
|---|---|
| `veh_kg`, `wheel_base_m`, `veh_cg_m` | mass, wheelbase, height of the centre of gravity |
| `drag_coef`, `frontal_area_m2` | drag area, for the air of 1.225 kg/m³ in place of fastsim's 1.2 |
| `wheel_rr_coef` | rolling resistance, the same at all speeds |
| `wheel_radius_m`, `wheel_inertia_kg_m2` | wheels |
| `trans_eff` | efficiency of the gearbox |
| `aux_kw`, `alt_eff` | power that the accessories take from the crankshaft all the time |
| `fc_max_kw` | power, at `RATED`; the torque at that speed and 15 % on a plateau below it |
| `fc_eff_map` up to a fifth of the power | consumption at part load, at `WORKING`, where cars are driven |
| `fc_eff_map` above | consumption at full load, at the speed where that is the power |
| nothing | six gears in even steps, the longest with `TOP` km/h at 1000/min, first with a sixth of it |
"""

from typing import Any, Final, NamedTuple

from vehiclesim.fuel import HEATING_VALUE
from vehiclesim.parameters.body import AIR_DENSITY

FASTSIM_AIR_DENSITY: Final = 1.2
"""[kg/m³], of fastsim's PhysicalProperties."""


class Kind(NamedTuple):
    """What cars with engines for one fuel have in common."""

    fuel: str
    idle: float  # [1/min]
    working: float  # [1/min] at part load
    plateau: tuple[float, float]  # [1/min] of the highest torque
    rated: float  # [1/min] of the highest power
    limiter: float  # [1/min]
    top: float  # [km/h] at 1000/min in the longest gear


KINDS: Final = {
    "SI": Kind("petrol", 700.0, 1800.0, (2500.0, 4500.0), 6000.0, 6500.0, 46.0),
    "Diesel": Kind("diesel", 800.0, 1500.0, (1750.0, 2750.0), 4000.0, 4500.0, 56.0),
}
"""By `fc_eff_type`."""

GEARS: Final = 6
SPREAD: Final = 6.0
"""Of the first gear's ratio over that of the longest."""

TORQUE: Final = 1.15
"""Of the plateau, over the torque at the highest power."""

PART_LOAD: Final = (0.04, 0.2)
"""Shares of the highest power between which a point of the map is one of part load."""

TOLERANCE: Final = 0.05
"""Of a consumption: an efficiency over the power alone is no engine's to the last per cent."""


def targets(record: dict[str, Any]) -> dict[str, Any]:
    """Return the engine as a targets file of `hilbridge fit`."""
    kind = KINDS[record["fc_eff_type"]]
    most = record["fc_max_kw"]
    torque = TORQUE * most * 9549.3 / kind.rated
    sheet = {
        "name": record["scenario_name"],
        "fuel": kind.fuel,
        "torque": {"value": round(torque, 1), "rpm": list(kind.plateau)},
        "power": {"value": round(most, 2), "rpm": kind.rated},
        "idle": {"rpm": kind.idle},
        "limiter_rpm": kind.limiter,
    }
    low, high = PART_LOAD
    points = []
    for share, efficiency in zip(record["fc_pwr_out_perc"], record["fc_eff_map"], strict=True):
        point = {"value": round(3.6e6 / (HEATING_VALUE * efficiency), 2), "tolerance": TOLERANCE}
        if low <= share <= high:
            points.append({"rpm": kind.working, "power": round(share * most, 3), **point})
        elif share > high:
            points.append({"rpm": round(full_load_speed(share, kind)), **point})
    return sheet | {"consumption": points}


def full_load_speed(share: float, kind: Kind) -> float:
    """Return the speed [1/min] at which the full load has a share of the highest power.

    On the plateau that is share·n_rated/1.15; above, the torque goes in a straight line to that at rated speed.
    """
    begin, end = kind.plateau
    speed = share * kind.rated / TORQUE
    if speed <= end:
        return max(speed, begin)
    low, high = end, kind.rated
    for _ in range(40):
        middle = 0.5 * (low + high)
        torque = TORQUE + (1.0 - TORQUE) * (middle - end) / (kind.rated - end)
        low, high = (middle, high) if torque * middle < share * kind.rated else (low, middle)
    return high


def vehicle(record: dict[str, Any]) -> dict[str, Any]:
    """Return the rest of the vehicle file."""
    kind = KINDS[record["fc_eff_type"]]
    step = SPREAD ** (1.0 / (GEARS - 1))
    return {
        "accessories": {"power_steering": round(1e3 * record["aux_kw"] / record["alt_eff"], 1)},
        "gearbox": {
            "type": "manual",
            "ratios": [round(step**number, 4) for number in reversed(range(GEARS))],
            "efficiency": record["trans_eff"],
        },
        "driveline": {
            "layout": "front-wheel-drive",
            "front": {"ratio": round(1000.0 * 0.3769911 * record["wheel_radius_m"] / kind.top, 4)},
        },
        "clutch": {"max_torque_transfer": round(1.5 * TORQUE * record["fc_max_kw"] * 9549.3 / kind.rated, 1)},
        "wheels": {
            "radius": record["wheel_radius_m"],
            "inertia": record["wheel_inertia_kg_m2"],
            "rolling_resistance": record["wheel_rr_coef"],
            "rolling_resistance_speed": 0.0,
        },
        "chassis": {"wheelbase": record["wheel_base_m"], "centre_of_gravity_height": record["veh_cg_m"]},
        "body": {
            "mass": round(record["veh_kg"], 1),
            "drag_area": round(record["drag_coef"] * record["frontal_area_m2"] * FASTSIM_AIR_DENSITY / AIR_DENSITY, 4),
        },
    }
