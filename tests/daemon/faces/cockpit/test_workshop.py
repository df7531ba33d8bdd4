"""The engine workshop without its page."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.resources import Kind, names
from hilbridge.faces.cockpit.workshop import Workshop
from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim.parameters import EngineSettings

WORKSHOP = Workshop(None)


def parameters(vehicle: str) -> dict[str, dict[str, Any]]:
    groups = WORKSHOP.engine(vehicle)["groups"]
    told = [parameter for group in groups for parameter in group["parameters"]]
    assert len({parameter["name"] for parameter in told}) == len(told)
    return {parameter["name"]: parameter for parameter in told}


def test_the_shipped_vehicles_are_there_and_the_one_that_runs(tmp_path: Path) -> None:
    """It stands over a shipped one of its name."""
    assert WORKSHOP.vehicles() == {"vehicles": names(Kind.VEHICLE), "running": None}
    own = tmp_path / "compact.yaml"
    own.write_text("name: mine\n", encoding="utf-8")
    workshop = Workshop(own)
    assert workshop.vehicles()["running"] == "compact"
    assert workshop.engine("compact")["title"] == "mine"


def test_no_parameter_is_forgotten() -> None:
    """Those of a curve or of a table, each of which replaces the other, are all; firing pulses change no curve."""
    shown = parameters("compact").keys() | parameters("320d-g20").keys()
    pulses = {"firing_pulses", "firing_order", "cycle_variation", "cycle_seed"}
    assert shown == {one.name for one in fields(EngineSettings)} - pulses
    assert "peak_rpm" not in parameters("320d-g20")
    assert "table_rpm" not in parameters("compact")


@pytest.mark.parametrize("vehicle", names(Kind.VEHICLE))
def test_sliders_lie_within_the_bounds_and_reach_the_value(vehicle: str) -> None:
    for parameter in parameters(vehicle).values():
        if "from" in parameter:
            values = parameter["value"] if isinstance(parameter["value"], list) else [parameter["value"]]
            assert parameter["from"] <= min(values)
            assert max(values) <= parameter["to"] <= (parameter["maximum"] or float("inf"))
            assert 0 < parameter["step"] <= (parameter["to"] - parameter["from"]) / 50


def test_units_defaults_and_choices_are_the_definitions() -> None:
    told = parameters("compact")
    assert (told["idle_rpm"]["unit"], told["idle_rpm"]["default"]) == ("rpm", 1000.0)
    assert told["rpm_limiter_mode"]["choices"] == ["injection-cut", "injection-limit"]
    assert told["torque_cap"]["text"] == "limit the torque to torque_cap_limit"


def test_the_numbers_are_the_published_ones() -> None:
    """The default engine of Vehicle Physics Pro: 191 Nm at 3850 rpm, 87 kW at 4850 rpm; to the scan's step."""
    result = WORKSHOP.measure("compact", {})
    sheet = result["sheet"]
    assert (round(sheet["max_torque_at_peak"]), round(sheet["peak_rpm"], -1)) == (191, 3850)
    assert (round(sheet["max_power_in_kw"]), round(sheet["max_power_rpm"], -1)) == (87, 4850)
    assert result["limiter"] == 6000.0
    assert max(result["curves"]["torque"]) == pytest.approx(191, abs=0.5)


def test_it_is_json_whatever_the_engine() -> None:
    """Also of one that delivers no work at its highest speed: null for what has no value."""
    for vehicle in names(Kind.VEHICLE):
        json.dumps(WORKSHOP.measure(vehicle, {}), allow_nan=False)


def test_a_cap_cuts_the_torque_off() -> None:
    result = WORKSHOP.measure("compact", {"torque_cap": True, "torque_cap_limit": 150.0})
    assert max(result["curves"]["torque"]) == 150.0
    assert max(result["curves"]["uncapped_torque"]) > 190.0


def test_what_changed_is_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "engine.yaml"
    file.write_text(WORKSHOP.measure("compact", {"peak_rpm_torque": 210.0})["yaml"], encoding="utf-8")
    assert load_vehicle(str(file)).settings.engine.peak_rpm_torque == 210.0


def test_figures_that_no_engine_has_are_told_with_their_parameter() -> None:
    """191 Nm with half of the fuel would be 120 g/kWh; the engine is drawn all the same."""
    assert WORKSHOP.measure("compact", {})["warnings"] == []
    (warning,) = WORKSHOP.measure("compact", {"max_fuel_per_rev": 0.04})["warnings"]
    assert warning["parameter"] == "max_fuel_per_rev"
    assert "the best consumption is 120 g/kWh" in warning["reason"]


@pytest.mark.parametrize(("changes", "reason", "place"), [
    ({"max_rpm": 4000.0}, "max_rpm: 4000 is not above peak_rpm 4200", ("max_rpm",)),
    ({"peak_rpm": 900.0}, "peak_rpm: 900.0 is not above idle_rpm 1000.0", ("peak_rpm",)),
    ({"viscous_friction": 0.2}, "the friction at max_rpm", ()),
    ({"inertia": 0.0}, "inertia: must be at least 0.001", ("inertia",)),
    ({"inertia": "x: {"}, "inertia: needs a number", ("inertia",)),
    ({"no_such": 1.0}, "no_such", ("no_such",)),
])  # fmt: skip
def test_an_engine_that_cannot_be_is_refused_with_the_reason(
    changes: dict[str, Any], reason: str, place: tuple[str, ...]
) -> None:
    with pytest.raises(ConfigurationError, match=reason) as caught:
        WORKSHOP.measure("compact", changes)
    assert caught.value.place == place


def test_a_vehicle_that_is_not_listed_is_not_read() -> None:
    with pytest.raises(ConfigurationError, match="there is no vehicle"):
        WORKSHOP.engine("../vehicles/compact")
