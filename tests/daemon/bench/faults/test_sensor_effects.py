"""What each fault of a sensor reads, by its formula; tests/scenarios/test_sensor_faults.py has the bench as a whole."""

from random import Random
from typing import Any

import pytest

from hilbridge.bench.faults.sensor_effects import circuit_of, reading_of
from hilbridge.files.settings.faults import SensorFault
from vehiclesim.sensors import SENSORS

from .rig import fault

OIL = SENSORS["auxiliary.OilPressure"]
NAN = float("nan")


def course(values: list[float], dt: float = 0.1, **settings: Any) -> list[float]:
    one = fault(kind="sensor", entry=OIL.entry, **settings)
    assert isinstance(one, SensorFault)
    reading = reading_of(one, OIL, Random(1))
    return [reading(value, dt) for value in values]


@pytest.mark.parametrize(
    ("settings", "read"),
    [
        ({"effect": "open"}, [-125.0, -125.0, -125.0]),
        ({"effect": "supply"}, [1125.0, 1125.0, 1125.0]),
        ({"effect": "offset", "value": -20}, [80.0, 180.0, 80.0]),
        ({"effect": "scale", "value": 1.5}, [150.0, 300.0, 150.0]),
        ({"effect": "stuck", "value": 7}, [7.0, 7.0, 7.0]),
        ({"effect": "stuck"}, [100.0, 100.0, 100.0]),
        ({"effect": "slow", "value": 0.1}, [100.0, 150.0, 125.0]),
    ],
)
def test_a_fault_reads_by_its_formula(settings: dict[str, Any], read: list[float]) -> None:
    """Of 100, 200 and 100 kPa, a tenth of a second each."""
    assert course([100.0, 200.0, 100.0], **settings) == pytest.approx(read)


def test_what_is_not_available_is_not_held_nor_lagged() -> None:
    """The first value that there is counts."""
    assert course([NAN, 100.0, 200.0], effect="stuck")[1:] == [100.0, 100.0]
    assert course([NAN, 100.0, 200.0], effect="slow", value=0.1)[1:] == [100.0, 150.0]


def test_noise_has_no_mean_and_keeps_its_width() -> None:
    noise = [value - 100.0 for value in course([100.0] * 2000, effect="noise", value=5)]
    assert -5.0 <= min(noise) < -4.9 < 4.9 < max(noise) < 5.0
    assert abs(sum(noise)) / len(noise) < 0.3


def test_a_line_without_a_supply_cannot_be_shorted_to_it() -> None:
    assert set(circuit_of(SENSORS["auxiliary.BatteryVoltage"])) == {"open", "ground"}
