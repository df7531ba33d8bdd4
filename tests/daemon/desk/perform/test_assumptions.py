"""What of a vehicle file is assumed, and what hangs on it."""

from pathlib import Path

import pytest

from hilbridge.bench.drive.trace import Trace
from hilbridge.desk.perform.assumptions import Assumption, Effect, Sensitivity, assumptions, sensitivity
from hilbridge.files.configuration.vehiclefile import VehicleFile, load_vehicle

CAR = """\
name: car
engine:
  inertia: 0.2                # assumed for petrol
  # assumed, ±20: as of motored engines,
  # which nobody has measured
  friction_torque: 30.0
  max_fuel_per_rev: 0.07      # SHEET: not assumed
gearbox:
  ratios: [4.0, 2.0, 1.0]     # RULE: as of others
  efficiency: 0.95            # RULE
body: {mass: 1200, drag_area: 0.7} # assumed
wheels:
  rolling_resistance: 0.01    # friction: assumed, ±0.002; of a label
  rolling_resistance_speed: 0.0 # RULE: none
brakes:
  max_torque: 2000.0          # RULE: brakes burn nothing
"""

CRUISE = Trace("cruise", (0.0, 4.0, 8.0), (0.0, 5.0, 5.0), warm=True)


def car(folder: Path, text: str = CAR) -> VehicleFile:
    path = folder / "car.yaml"
    path.write_text(text, encoding="utf-8")
    return load_vehicle(str(path))


def test_comments_say_what_is_assumed_and_by_how_much(tmp_path: Path) -> None:
    """A spread behind ± counts, then the table's, then a tenth; a source, zero and the brakes are no assumption."""
    found = assumptions(car(tmp_path))
    assert [each.key for each in found] == [
        "engine.inertia",
        "engine.friction_torque",
        "gearbox.ratios",
        "gearbox.efficiency",
        "body.mass",
        "body.drag_area",
        "wheels.rolling_resistance",
    ]
    assert [each.spread for each in found] == pytest.approx([0.02, 20.0, 0.1, 0.02, 120.0, 0.07, 0.002])
    assert found[2].moved(-1.0) == pytest.approx([3.6, 1.8, 0.9])


def test_more_resistance_burns_what_its_work_needs(tmp_path: Path) -> None:
    """Fuel changes with the road load, which here is nothing but rolling resistance, up as much as down."""
    file = car(tmp_path, "body: {mass: 1300, drag_area: 0.0}\nwheels: {rolling_resistance: 0.02} # assumed, ±0.01\n")
    found = sensitivity(file, CRUISE, assumptions(file))
    assert found is not None
    assert found.complete
    (effect,) = found.effects
    assert effect.lower is not None
    assert effect.higher is not None
    assert effect.lower < 0.0 < effect.higher
    assert effect.higher == pytest.approx(-effect.lower, rel=0.2)


def test_of_an_electric_car_it_is_the_electricity_from_the_wall(tmp_path: Path) -> None:
    """A hundredth more loss of charging is a hundredth more from the wall; a motor's losses by their spread."""
    file = car(
        tmp_path,
        "gearbox: {type: automatic, ratios: [1.0], reverse_ratios: [-1.0]}\ndriveline: {front: {ratio: 8.0}}\n"
        "electric:\n  topology: battery-electric\n  motor:\n    loss_factor: 1.0 # RULE\n"
        "  battery:\n    charging_efficiency: 0.9 # assumed, ±0.009\n",
    )
    found = sensitivity(file, CRUISE, assumptions(file))
    assert found is not None
    assert found.electric
    effects = {each.assumption.key: each for each in found.effects}
    assert effects["electric.battery.charging_efficiency"].lower == pytest.approx(1.0 / 0.99 - 1.0)
    motor = effects["electric.motor.loss_factor"]
    assert motor.assumption.spread == 0.4
    assert motor.lower is not None
    assert motor.higher is not None
    assert motor.lower < 0.0 < motor.higher


def test_a_value_beyond_its_bounds_is_left_out(tmp_path: Path) -> None:
    """No gearbox gives more than it takes."""
    file = car(tmp_path, "gearbox: {efficiency: 0.99} # assumed\n")
    found = sensitivity(file, CRUISE, assumptions(file))
    assert found is not None
    (effect,) = found.effects
    assert effect.higher is None
    assert effect.lower is not None
    assert effect.lower > 0.0


def test_independent_effects_add_by_their_squares() -> None:
    effects = [Effect(Assumption("a", 1.0, 0.1), -0.02, 0.03), Effect(Assumption("b", 1.0, 0.1), None, -0.04)]
    assert Sensitivity("udds", 8.0, effects).together == pytest.approx(0.05)


def test_it_ends_where_the_user_wants(tmp_path: Path) -> None:
    """With what was driven by then."""
    file = car(tmp_path)
    found = sensitivity(file, CRUISE, assumptions(file), stopped=lambda: True)
    assert found is None or not found.complete
