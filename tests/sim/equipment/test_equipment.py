"""Equipment joins a vehicle by itself: blocks by shafts, values by stages; and where it is not there is no trace."""

import ast
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import pytest

import vehiclesim
from vehiclesim import (
    ElectricSettings,
    ElectricTopology,
    GearboxSettings,
    GearboxType,
    InputData,
    RetarderSettings,
    StopStartSettings,
    Vehicle,
    VehicleSettings,
)
from vehiclesim.equipment.equipment import Equipment, taking_part

RETARDER = RetarderSettings(levels=4)
AUTOMATIC = GearboxSettings(type=GearboxType.AUTOMATIC)
SOURCES = Path(vehiclesim.__file__).parent


def sections() -> dict[str, str]:
    """The sections of a vehicle file that are equipment, with the function that makes each."""
    settings = VehicleSettings()
    made = {field.name: getattr(type(getattr(settings, field.name)), "equipment", "") for field in fields(settings)}
    return {name: where for name, where in made.items() if where}


def test_a_vehicle_without_any_has_no_trace_of_it() -> None:
    """No block, no state, no call in a step."""
    car = Vehicle()
    assert car.equipment == car.get_state_vars()["equipment"] == []
    assert {"retarder", "motor"}.isdisjoint(car.named_blocks())


STAGES = ("load", "feed", "act", "end_step", "publish", "restore")


def stages_of(part: Equipment) -> list[str]:
    return [stage for stage in STAGES if taking_part([part], stage)]


def test_a_stage_calls_those_that_take_part_in_it() -> None:
    """The retarder reads its lever and shows its torque; an electric drive reads no lever."""
    electric = ElectricSettings(topology=ElectricTopology.P2_HYBRID)
    car = Vehicle(VehicleSettings(gearbox=AUTOMATIC, retarder=RETARDER, electric=electric))
    retarder, drive = car.equipment
    assert stages_of(retarder) == ["load", "publish"]
    assert stages_of(drive) == ["feed", "act", "end_step", "publish", "restore"]
    assert taking_part(car.equipment, "publish") == car.equipment


def test_shafts_lead_through_the_blocks() -> None:
    """Each block is the neighbour of the next."""
    electric = ElectricSettings(topology=ElectricTopology.P2_HYBRID)
    car = Vehicle(VehicleSettings(gearbox=AUTOMATIC, retarder=RETARDER, electric=electric))
    blocks = car.named_blocks()
    for name, following in pairwise(("engine", "motor", "gearbox", "retarder", "driveline")):
        shaft = blocks[name].outputs[0]
        assert shaft is not None
        assert shaft.downstream is blocks[following]


def test_the_order_is_that_of_the_settings() -> None:
    """Stop and start gives its command before the motor of a P0 hybrid reads it."""
    electric = ElectricSettings(topology=ElectricTopology.P0_HYBRID)
    stop_start = StopStartSettings(enabled=True)
    car = Vehicle(VehicleSettings(retarder=RETARDER, stop_start=stop_start, electric=electric))
    assert [list(state) for state in car.get_state_vars()["equipment"]] == [["retarder"], ["system"], ["drive"]]


@pytest.mark.parametrize("level", [-1, 256, 300])
def test_a_lever_without_such_a_position_rests(level: int) -> None:
    """Equipment gets what the loader has checked: the stick has 0 to 255."""
    car = Vehicle(VehicleSettings(retarder=RETARDER))
    car.data.input[InputData.RETARDER] = level
    car.step(0.001)
    assert car.named_blocks()["retarder"].retarder_input == 0  # type: ignore[attr-defined]


def test_no_other_module_of_the_model_imports_a_retarder() -> None:
    """Its own file, its parameters with the section, and the names of the package; of all equipment too.

    Of the electric drive the vehicle takes what the shift program and people beside it count on, of the trailer what
    the chassis moves.
    """
    others = {"retarder": ["__init__.py"], "electric": ["vehicle.py"], "trailer": ["vehicle.py"]}
    for name, where in sections().items():
        module = where.partition(":")[0]
        users = [
            path.relative_to(SOURCES).as_posix()
            for path in SOURCES.rglob("*.py")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom) and node.module == module
        ]
        assert users == others.get(name, []), name
