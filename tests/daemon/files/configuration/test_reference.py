"""config/README.md says what the program accepts."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from hilbridge.commands.cli import main
from hilbridge.desk.fit.targets import targets_schema
from hilbridge.files.configuration.advanced import ADVANCED
from hilbridge.files.configuration.benchfile import bench_schema
from hilbridge.files.configuration.layouts import load_layout
from hilbridge.files.configuration.reference import reference
from hilbridge.files.configuration.scenariofile import load_scenario, scenario_schema
from hilbridge.files.configuration.vehiclefile import load_vehicle, vehicle_schema
from hilbridge.files.settings import BenchSettings
from vehiclesim.parameters import VehicleSettings, quantities

PAGE = Path(__file__).parents[4] / "config/README.md"


def test_the_page_is_up_to_date() -> None:
    """After a change of the settings: `hilbridge schema --reference > config/README.md`."""
    assert PAGE.read_text() == reference(targets_schema())


def test_every_key_is_on_the_page() -> None:
    """By name, in the first column of a table."""
    keys = set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE))
    assert set(BenchSettings.model_fields) <= keys
    for entry, kind, _ in quantities(VehicleSettings):
        assert entry.name in keys
        if entry.name != "name":
            section = (*get_args(kind), kind)[0]  # of a list, of one that may be left out, or itself
            assert {inner.name for inner, _, _ in quantities(section)} <= keys


def test_a_key_without_an_example_is_marked_as_advanced() -> None:
    """In shipped files, examples of the page and blocks of the guides; and no other is marked."""
    root = PAGE.parent.parent
    pages = [PAGE, root / "README.md", root / "systemd/README.md", *(root / "docs").rglob("*.md")]
    blocks = [block for page in pages for block in re.findall(r"```\w*\n(.*?)```", page.read_text(), re.DOTALL)]
    shown = "\n".join([*blocks, *(file.read_text() for file in PAGE.parent.rglob("*.yaml"))])
    schema = bench_schema()
    keys = {key for section in (schema, *schema["$defs"].values()) for key in section.get("properties", ())}
    assert {key for key in keys if not re.search(rf"(?<![\w.-]){re.escape(key)}[\"']?:", shown)} == ADVANCED


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
    "schema",
    [bench_schema(), vehicle_schema(), scenario_schema(), targets_schema()],
    ids=["bench", "vehicle", "scenario", "targets"],
)
def test_every_section_of_a_schema_has_its_text_on_the_page(schema: dict[str, Any]) -> None:
    """And every key of it a row."""
    page = PAGE.read_text()
    for node in schema.get("$defs", {}).values():
        if "properties" in node and node.get("type") == "object" and "const" not in node:
            assert re.search(rf"^{re.escape(node['description'])}( `.*`: as in .*)?$", page, re.MULTILINE)
            assert all(f"\n| `{key}` |" in page for key in node["properties"])


def merged(base: Any, part: Any) -> Any:
    """A file with a part of it exchanged, key by key."""
    if not (isinstance(base, dict) and isinstance(part, dict)):
        return part
    return base | {key: merged(base.get(key), value) for key, value in part.items()}


def examples(heading: str) -> list[str]:
    """The examples below a heading of the second level."""
    (chapter,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    return re.findall(r"```yaml\n(.*?)```", chapter, re.DOTALL)


@pytest.mark.parametrize("example", ["", *examples("Bench file")])
def test_an_example_of_the_bench_file_can_be_used(
    example: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Put into the bench to start from, it is a bench that `check` accepts."""
    (start,) = examples("A bench to start from")
    bench = merged(yaml.safe_load(start), yaml.safe_load(example) or {})
    (tmp_path / "pedal-box.log").write_bytes((PAGE.parent / "benches/pedal-box.log").read_bytes())
    (tmp_path / "desk.yaml").write_text(yaml.safe_dump(bench, sort_keys=False))
    assert main(["check", f"{tmp_path}/desk.yaml"]) == 0, capsys.readouterr().err


@pytest.mark.parametrize("example", examples("Vehicle file"))
def test_an_example_of_the_vehicle_file_can_be_used(example: str, tmp_path: Path) -> None:
    """Put into the compact car, it is a vehicle."""
    compact = yaml.safe_load((PAGE.parent / "vehicles/compact.yaml").read_text())
    (tmp_path / "car.yaml").write_text(yaml.safe_dump(merged(compact, yaml.safe_load(example)), sort_keys=False))
    assert load_vehicle(f"{tmp_path}/car.yaml").settings.name == "compact"


@pytest.mark.parametrize("scenario", examples("Scenario file"))
def test_an_example_of_the_scenario_file_can_be_used(scenario: str, tmp_path: Path) -> None:
    """It loads with all its steps."""
    (tmp_path / "town.yaml").write_text(scenario)
    places = load_scenario(f"{tmp_path}/town.yaml").expansion.places
    assert {place[1] for place in places} == set(range(len(yaml.safe_load(scenario)["steps"])))


def test_every_chapter_has_an_example() -> None:
    """Below a heading of the third level stands one, but for the rules and what another page describes."""
    chapters = re.findall(r"^### ([^`\n]+)\n(.*?)(?=^##|\Z)", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    without = {title for title, text in chapters if "```yaml" not in text}
    assert without == {"What must fit together"}


@pytest.mark.parametrize("layout", examples("Layout file"))
def test_an_example_of_a_layout_can_be_used(layout: str, tmp_path: Path) -> None:
    """It loads with all its fields."""
    (tmp_path / "my-game.yaml").write_text(layout)
    assert list(load_layout(f"{tmp_path}/my-game.yaml").settings.fields) == list(yaml.safe_load(layout)["fields"])
