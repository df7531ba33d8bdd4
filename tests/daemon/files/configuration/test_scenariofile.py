"""The scenario file."""

from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.resources import Kind, names
from hilbridge.files.configuration.scenariofile import find_scenarios, load_scenario, scenario_schema
from hilbridge.files.configuration.yamlfile import YamlFile

SHIPPED = Path(__file__).parents[4] / "config/scenarios"


def test_scenarios_are_found_by_name() -> None:
    assert set(names(Kind.SCENARIO)) >= {"launch", "lost-frames", "hill"}
    assert load_scenario("launch").path.read_bytes() == (SHIPPED / "launch.yaml").read_bytes()


def test_a_scenario_that_there_is_not() -> None:
    with pytest.raises(ConfigurationError, match="did you mean 'launch'"):
        load_scenario("lunch")


def test_steps_know_their_line() -> None:
    file = load_scenario("launch")
    lines = file.path.read_text(encoding="utf-8").splitlines()
    for i, step in enumerate(file.settings.steps):
        assert lines[file.line(("steps", i)) - 1].startswith("  - ")
        assert step.name is None or step.name in lines[file.line(("steps", i)) - 1]


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.yaml")), ids=lambda path: path.stem)
def test_shipped_scenarios_fit_the_schema(path: Path) -> None:
    """As an editor would check them, with another implementation of JSON Schema."""
    schema = scenario_schema()
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(YamlFile.load(path).data)


def test_a_suite_that_is_shipped_is_found_by_the_name_of_its_folder() -> None:
    """In the order of its names; a scenario of one name stays what it is."""
    found = find_scenarios(["tester", "hill"])
    assert found[-1] == "hill"
    assert found[:-1] == sorted(found[:-1])
    assert {Path(name).parent.name for name in found[:-1]} == {"tester"}
    assert len(found) > 20


def test_a_folder_without_scenarios_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="there is no scenario in"):
        find_scenarios([str(tmp_path)])
