"""config/README.md says what the program accepts."""

import re
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest
import yaml

from hilbridge.configuration.benchfile import bench_schema, load_bench
from hilbridge.configuration.reference import reference
from hilbridge.configuration.scenariofile import load_scenario, scenario_schema
from hilbridge.configuration.vehiclefile import vehicle_schema
from hilbridge.settings import BenchSettings
from vehiclesim.parameters import VehicleSettings, quantities

PAGE = Path(__file__).parents[3] / "config/README.md"


def test_the_page_is_up_to_date() -> None:
    """After a change of the settings: `hilbridge schema --reference > config/README.md`."""
    assert PAGE.read_text() == reference()


def test_every_key_is_on_the_page() -> None:
    """By name, in the first column of a table."""
    keys = set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE))
    assert set(BenchSettings.model_fields) <= keys
    for entry, kind, _ in quantities(VehicleSettings):
        assert entry.name in keys
        if entry.name != "name":
            section = get_args(kind)[0] if get_origin(kind) is tuple else kind
            assert {inner.name for inner, _, _ in quantities(section)} <= keys


def test_every_section_is_described_once() -> None:
    """No heading twice, and no text with its table twice."""
    page = PAGE.read_text()
    headings = re.findall(r"^#+ .*$", page, re.MULTILINE)
    assert len(headings) == len(set(headings))
    sections = [text for text in re.split(r"^##.*\n", page, flags=re.MULTILINE) if "\n| Key |" in text]
    assert len(sections) == len(set(sections))


def test_a_place_that_allows_a_section_described_elsewhere_links_to_it() -> None:
    """By the heading's anchor: lower case, without punctuation, blanks as hyphens."""
    page = PAGE.read_text()
    headings = re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    anchors = {re.sub(r"[^a-z0-9_ -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    links = re.findall(r"\]\(#([^)]*)\)", page)
    assert links
    assert set(links) <= anchors


@pytest.mark.parametrize(
    "schema", [bench_schema(), vehicle_schema(), scenario_schema()], ids=["bench", "vehicle", "scenario"]
)
def test_every_section_of_a_schema_has_its_text_on_the_page(schema: dict[str, Any]) -> None:
    """And every key of it a row."""
    page = PAGE.read_text()
    for node in schema.get("$defs", {}).values():
        if "properties" in node and node.get("type") == "object" and "const" not in node:
            assert page.count(f"\n{node['description']}\n") >= 1
            assert all(f"\n| `{key}` |" in page for key in node["properties"])


def test_the_examples_on_the_page_can_be_used(tmp_path: Path) -> None:
    """A reader who copies the bench or the scenario gets no error."""
    bench, scenario = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(), re.DOTALL)
    (tmp_path / "desk.yaml").write_text(bench)
    assert load_bench(f"{tmp_path}/desk.yaml").settings.name == yaml.safe_load(bench)["name"]
    (tmp_path / "town.yaml").write_text(scenario)
    assert len(load_scenario(f"{tmp_path}/town.yaml").settings.steps) == len(yaml.safe_load(scenario)["steps"])
