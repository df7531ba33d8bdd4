"""The values that steps name, and the limits that they set."""

import math
from typing import Any

import pytest

from hilbridge.bench.scenario.limits import limits, named
from hilbridge.files.settings.scenario import StepSettings


def step(**keys: Any) -> StepSettings:
    return StepSettings.model_validate(keys, strict=True)


FRAME = {"bus": "can", "message": "EngineData1"}


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"set": {"Throttle": 1.0, "road.Slope": 0.1}}, ["input.Throttle", "road.Slope"]),
        ({"release": ["input.Key"]}, ["input.Key"]),
        ({"release": ["all"]}, []),
        ({"expect": "vehicle.Speed > 1 or not vehicle.EngineWorking"}, ["vehicle.Speed", "vehicle.EngineWorking"]),
        ({"always": "1", "for": 1.0}, []),
        ({"wait": {"until": "vehicle.Speed > 1", "timeout": 1.0}}, ["vehicle.Speed"]),
        ({"frame": FRAME | {"signals": {"EngineRpm": 800.0}}, "within": 1.0}, ["can.EngineData1.EngineRpm"]),
        ({"absent": FRAME, "for": 1.0}, []),
        ({"fault": {"kind": "physics", "entry": "Misfire", "value": 0.2}}, ["fault.Misfire"]),
        ({"fault": {"kind": "sensor", "entry": "OilPressure", "effect": "open"}}, ["auxiliary.OilPressure"]),
        ({"fault": {"kind": "physics", "entry": "fault.Misfire", "value": 0.2}}, ["fault.Misfire"]),
        (
            {"fault": FRAME | {"kind": "signal", "signal": "EngineRpm", "effect": "stuck"}},
            ["can.EngineData1.EngineRpm"],
        ),
        ({"fault": FRAME | {"kind": "frame", "effect": "drop"}}, []),
    ],
)
def test_steps_name_entries_and_signals(settings: dict[str, Any], names: list[str]) -> None:
    """By their full names, whatever the scenario calls them."""
    assert named(step(**settings)) == names


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("950 < vehicle.EngineRpm <= 1050", (950.0, 1050.0)),
        ("vehicle.EngineRpm >= -5", (-5.0, math.inf)),
        ("5 > vehicle.EngineRpm", (-math.inf, 5.0)),
        ("vehicle.EngineRpm == 0", (0.0, 0.0)),
        ("vehicle.EngineRpm > 1 and (vehicle.EngineRpm < 3 and vehicle.EngineRpm > 2)", (2.0, 3.0)),
    ],
)
def test_a_comparison_with_a_number_is_a_limit(condition: str, expected: tuple[float, float]) -> None:
    assert limits(step(expect=f"\n {condition}")) == {"vehicle.EngineRpm": expected}


@pytest.mark.parametrize(
    "condition",
    [
        "vehicle.Speed > 1 or vehicle.Speed < -1",
        "not vehicle.Speed > 1",
        "vehicle.Speed * 2 > 1",
        "vehicle.Speed > vehicle.EngineRpm",
        "vehicle.EngineWorking",
    ],
)
def test_what_is_no_comparison_or_only_one_way_out_has_none(condition: str) -> None:
    assert limits(step(always=condition, background=True)) == {}


def test_inequality_is_no_limit() -> None:
    assert limits(step(expect="vehicle.Speed != 0")) == {"vehicle.Speed": (-math.inf, math.inf)}


def test_signals_have_limits_too() -> None:
    """A number, a range, a comparison; the name of a value has none."""
    wanted = {"A": 800.0, "B": [700.0, 900.0], "C": "> 500", "D": "<= 3", "E": "Yes"}
    assert limits(step(frame=FRAME | {"signals": wanted}, within=1.0)) == {
        "can.EngineData1.A": (800.0, 800.0),
        "can.EngineData1.B": (700.0, 900.0),
        "can.EngineData1.C": (500.0, math.inf),
        "can.EngineData1.D": (-math.inf, 3.0),
    }
