"""A vehicle that begins in motion: what it shows must be what such a vehicle has, and stay so."""

import math

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.drive.start_state import reach
from hilbridge.files.configuration.vehiclefile import load_vehicle
from hilbridge.files.settings.start import StartSettings
from vehiclesim import Vehicle
from vehiclesim.entries import find


def begun(vehicle: str, **start: float) -> Vehicle:
    """Another vehicle of the same file, in the state that was reached."""
    file = load_vehicle(vehicle)
    reached = reach(file.build(), StartSettings.model_validate(start, strict=True))
    other = file.build()
    for index, value in reached.controls.items():
        other.data.input[index] = value
    other.set_state_vars(reached.state)
    return other


def read(vehicle: Vehicle, entry: str) -> float:
    place = find(entry)
    assert place is not None
    return vehicle.data.read(*place)


@pytest.mark.parametrize(("name", "speed", "gear"), [("compact", 80, 4), ("compact", 40, 2), ("mx5-nd", 100, None)])
def test_engine_gears_and_wheels_fit_and_keep_the_speed(name: str, speed: int, gear: int | None) -> None:
    """rpm = v/(2 pi R) * gear * final drive * 60, with a closed clutch; ten seconds later too."""
    vehicle = begun(name, speed=speed, **({} if gear is None else {"gear": gear}))
    settings = vehicle.settings
    for _ in range(2):
        now = read(vehicle, "vehicle.Speed")
        assert now == pytest.approx(speed / 3.6, rel=0.02)
        taken = round(read(vehicle, "vehicle.GearboxGear"))
        assert taken == (gear or taken) > 0
        ratio = settings.gearbox.ratios[taken - 1] * settings.driveline.total_ratio
        rpm = now / (math.tau * settings.wheels.radius) * ratio * 60
        assert read(vehicle, "vehicle.EngineRpm") == pytest.approx(rpm, rel=0.03)
        for _ in range(1000):
            vehicle.step(0.01)


def test_an_automatic_is_in_the_gear_that_it_chooses() -> None:
    vehicle = begun("320d-g20", speed=70)
    assert read(vehicle, "vehicle.Speed") == pytest.approx(70 / 3.6, rel=0.02)
    assert read(vehicle, "vehicle.GearboxGear") >= 3
    with pytest.raises(ConfigurationError, match="the automatic drives 70 km/h in gear"):
        begun("320d-g20", speed=70, gear=3)


def test_without_a_speed_the_engine_idles_warm() -> None:
    vehicle = begun("compact", coolant=90)
    assert read(vehicle, "vehicle.EngineRpm") == pytest.approx(vehicle.settings.engine.idle_rpm, rel=0.05)
    assert (read(vehicle, "vehicle.Speed"), read(vehicle, "vehicle.GearboxGear")) == (0, 0)
    assert read(vehicle, "auxiliary.CoolantTemperature") == 90


@pytest.mark.parametrize(
    ("start", "key", "reason"),
    [
        ({"speed": 120, "gear": 1}, "gear", "at 120 km/h in gear 1 the engine turns at .* rpm, and can do"),
        ({"speed": 10, "gear": 5}, "gear", "at 10 km/h in gear 5 the engine turns at .* rpm, and idles at 1000"),
        ({"speed": 80, "gear": 9}, "gear", "has . gears"),
        ({"gear": 1}, "gear", "a vehicle that stands is in neutral"),
        ({"speed": 390}, "speed", "does not get there: it reaches"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(start: dict[str, float], key: str, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=reason) as raised:
        begun("compact", **start)
    assert raised.value.place == (key,)
