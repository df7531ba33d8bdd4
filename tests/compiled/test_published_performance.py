"""Every shipped vehicle against what is published of it, by `hilbridge perform`; for the compiled model."""

from typing import Final

import pytest

from hilbridge.configuration.vehiclefile import load_vehicle
from hilbridge.drive.cycles import find_cycle
from hilbridge.perform.measurement import Figure, measure

CARS: Final = ("mx5-nd", "320d-g20", "awd-estate")
"""The compact car, the truck and the overdrive are no particular vehicles: nothing is published of them."""

CONSUMPTION: Final = ("nedc", "wltc", "udds", "hwfet")

PERFORMANCE_TOLERANCE: Final = 0.05
CONSUMPTION_TOLERANCE: Final = 0.10

APART: Final = {
    ("mx5-nd", "to_100"): (0.050, "two changes of gear of 0.37 s; a tester's are shorter"),
    ("mx5-nd", "to_60_mph"): (0.068, "the same; from 60 to 75 mph it needs the 3.1 s that were measured"),
    ("mx5-nd", "quarter_mile"): (0.050, "the same; and American quarter miles begin after a roll-out of a foot"),
    ("mx5-nd", "lateral_acceleration"): (0.123, "the tyre's lateral friction is assumed to be its longitudinal one"),
    ("320d-g20", "to_200"): (-0.123, "the source contradicts itself: its kilometre and its highest speed are met"),
    ("awd-estate", "top_speed"): (0.067, "the drag coefficient is that of another body of this model"),
    ("awd-estate", "nedc"): (-0.147, "accessories and a cold engine are left off"),
}
"""Figures that sourced parameters do not meet: the deviation, which may change by 2 %, and what is behind it."""


def tolerance(figure: Figure) -> float:
    return CONSUMPTION_TOLERANCE if figure.name in CONSUMPTION else PERFORMANCE_TOLERANCE


@pytest.mark.parametrize("car", CARS)
def test_a_car_performs_as_published(car: str) -> None:
    """Times, speeds, ways and lateral acceleration within 5 %, consumption within 10 %, or as far apart as is known."""
    file = load_vehicle(car)
    cycles = [find_cycle(name) for name in CONSUMPTION if getattr(file.settings.published, name) > 0.0]
    deviations = {
        figure.name: (figure.deviation, tolerance(figure))
        for figure in measure(file.build, file.settings, cycles).figures
        if figure.deviation is not None
    }
    assert deviations
    for name, (deviation, allowed) in deviations.items():
        known, _ = APART.get((car, name), (0.0, ""))
        assert abs(deviation - known) <= (0.02 if known else allowed), f"{name}: {deviation:+.1%}"
