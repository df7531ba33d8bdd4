"""What is shown of a measurement."""

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from hilbridge.bench.drive.series import TimeSeries
from hilbridge.desk.perform.assumptions import Assumption, Effect, Sensitivity
from hilbridge.desk.perform.measurement import Figure, Measurement
from hilbridge.desk.perform.report import figures, plot, print_figures, print_sensitivity
from vehiclesim.parameters import PublishedSettings, VehicleSettings

VEHICLE = VehicleSettings(name="a [b] c", published=PublishedSettings(to_100=8.0))


def measurement() -> Measurement:
    names = ("acceleration", "gear 1", "braking", "circle")
    series = TimeSeries(
        time=[0.0, 1.0, 2.0],
        speed=[0.0, 3.0, 6.0],
        distance=[0.0, 1.5, 6.0],
        lateral_acceleration=[0.0, 1.0, 2.0],
        steering_wheel=[0.0, 5.0, 11.0],
    )
    return Measurement(
        [
            Figure("to_100", 8.4, 8.0),
            Figure("to_160", None, 20.0),
            Figure("top_speed_in_gear", 51.23, None, 1),
            Figure("trip", 7.0, None),
            Figure("trip_wall", 15.0, None),
            Figure("udds_battery", 10.2, 10.0),
        ],
        dict.fromkeys(names, series),
        complete=True,
    )


def printed(measured: Measurement) -> list[str]:
    output = io.StringIO()
    print_figures(measured, VEHICLE, Console(file=output, width=120))
    return [" ".join(line.split()) for line in output.getvalue().splitlines()]


def test_a_line_has_what_was_measured_and_what_is_published() -> None:
    """As the vehicle file names it, with the unit and the deviation; a dash where there is nothing."""
    lines = printed(measurement())
    assert lines[0] == "a [b] c"
    assert "0 to 100 km/h 8.40 8.00 s +5.0 %" in lines
    assert "0 to 160 km/h - 20.00 s" in lines
    assert "highest speed in gear 1 51.23 - km/h" in lines
    assert "consumption in trip 7.00 - l/100 km" in lines
    assert "energy from the wall, in trip 15.00 - kWh/100 km" in lines
    assert "energy out of the traction battery, in the UDDS 10.20 10.00 kWh/100 km +2.0 %" in lines


def test_an_interrupted_measurement_says_so_first() -> None:
    part = replace(measurement(), complete=False)
    assert printed(part)[1] == "interrupted: the figures until then"
    assert figures(part, VEHICLE)["complete"] is False


def test_json_has_the_same_with_all_digits() -> None:
    values = json.loads(json.dumps(figures(measurement(), VEHICLE), allow_nan=False))
    assert values["figures"][0] == {
        "name": "to_100",
        "measured": 8.4,
        "published": 8.0,
        "gear": None,
        "unit": "s",
        "deviation": pytest.approx(0.05),
    }
    assert values["figures"][2]["unit"] == "km/h"


def test_a_picture_shows_the_runs_and_is_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        plot(measurement(), VEHICLE, tmp_path / name)
    text = (tmp_path / "one.svg").read_text(encoding="utf-8")
    assert text == (tmp_path / "two.svg").read_text(encoding="utf-8")
    for label in ("acceleration", "published", "gear 1", "braking", "lateral acceleration, g", "way, m"):
        assert f"<!-- {label} -->" in text


def test_a_measurement_without_runs_has_a_picture(tmp_path: Path) -> None:
    plot(Measurement(), VEHICLE, tmp_path / "none.png")
    assert (tmp_path / "none.png").stat().st_size > 0


def test_what_hangs_on_assumptions_is_told_from_the_largest_on() -> None:
    """Lower and higher in per cent, a dash beyond the bounds, lists by their share, and all together."""
    found = Sensitivity(
        "udds",
        8.0,
        [
            Effect(Assumption("engine.friction_torque", 30.0, 15.0), -0.04, 0.03),
            Effect(Assumption("gearbox.ratios", (4.0, 2.0), 0.1), 0.03, None),
            Effect(Assumption("engine.inertia", 0.2, 0.02), 0.0001, -0.0001),
        ],
        complete=True,
    )
    output = io.StringIO()
    print_sensitivity(found, Console(file=output, width=120))
    lines = [" ".join(line.split()) for line in output.getvalue().splitlines()]
    assert "engine.friction_torque 30 15 -4.0 % +3.0 %" in lines
    assert "gearbox.ratios 2 values 10 % +3.0 % -" in lines
    assert "1 more change it by less than 0.1 %" in lines
    assert "together, where they are independent: ±5 %" in lines
    assert figures(measurement(), VEHICLE, [found])["assumptions"]["udds"]["together"] == pytest.approx(0.05, abs=1e-5)
