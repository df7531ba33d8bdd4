"""A vehicle file names parts written in Python, and what is wrong with one is reported with its line."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import InvalidFileError
from hilbridge.files.configuration.vehiclefile import load_vehicle

pytestmark = pytest.mark.usefixtures("own_code")

PARTS = """
from vehiclesim import Block, Component

class Cruise(Component):
    def __init__(self, speed=10.0):
        if speed < 0:
            raise ValueError("no way back")

class Other:
    pass

class Loose(Block):
    def initialize(self):
        self.set_inputs(1)
        self.set_outputs(1)

    def check_connections(self):
        return self.inputs[0] is not None
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "parts.py").write_text(PARTS)
    (tmp_path / "broken.py").write_text("import nothing_of_this_name")
    return tmp_path


def load(folder: Path, text: str) -> object:
    (folder / "car.yaml").write_text(f"name: car\n{text}\n")
    return load_vehicle(str(folder / "car.yaml")).build()


def test_the_packaged_example_turns_its_engine_slower() -> None:
    """The overdrive block of overdrive.py lies between gearbox and driveline."""
    car = load_vehicle("overdrive").build()
    gearbox, overdrive = car.gearbox.outputs[0], car.named_blocks()["overdrive"]
    assert gearbox is not None
    assert gearbox.downstream is overdrive
    assert overdrive.outputs[0] is not None
    assert overdrive.outputs[0].downstream is car.driveline.root


def test_each_vehicle_has_parts_of_its_own() -> None:
    """Two builds of one file share nothing."""
    file = load_vehicle("overdrive")
    assert file.build().named_blocks()["overdrive"] is not file.build().named_blocks()["overdrive"]


def test_a_component_is_made_with_its_settings(folder: Path) -> None:
    load(folder, "components:\n  - {type: 'parts.py:Cruise', settings: {speed: 20.0}}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("components:\n  - {type: Cruise}", "car.yaml:3: components[0].type: needs FILE.py:CLASS or MODULE:CLASS"),
        ("components:\n  - {type: 'no.py:Cruise'}", 'no.py: "FileNotFoundError'),
        ("components:\n  - {type: 'no_module:Cruise'}", "components[0].type: cannot import no_module"),
        ("components:\n  - {type: 'broken.py:X'}", 'broken.py: "ModuleNotFoundError'),
        ("components:\n  - {type: 'parts.py:Other'}", "parts.py has no class Other that is derived from"),
        ("components:\n  - {type: 'parts.py:Cruise', settings: {sped: 1}}", "components[0].settings: Cruise cannot"),
        ("components:\n  - {type: 'parts.py:Cruise', settings: {speed: -1}}", "no way back"),
        ("blocks:\n  - {type: 'parts.py:Loose'}", "blocks[0].name: needs a name of its own"),
        ("blocks:\n  - {name: x, type: 'parts.py:Loose'}", "shafts: Loose lacks a connection"),
        ("shafts:\n  - {upstream: gearbox, downstream: here}", "shafts: there is no block 'here'"),
        ("blocks: 3", "blocks: needs a list"),
    ],
)
def test_what_is_wrong_with_a_part_is_told(folder: Path, text: str, reason: str) -> None:
    with pytest.raises(InvalidFileError) as caught:
        load(folder, text)
    assert reason in str(caught.value)
    assert "car.yaml:" in str(caught.value)
