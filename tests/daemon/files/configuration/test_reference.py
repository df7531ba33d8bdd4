"""config/README.md and the pages of config/reference say what the program accepts."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from hilbridge.boundary.control.commands import command_schema
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

CONFIG = Path(__file__).parents[4] / "config"
INDEX = CONFIG / "README.md"
PAGES = sorted((CONFIG / "reference").glob("*.md"))
WHOLE = "\n".join(page.read_text() for page in PAGES)
LONGEST = 700
"""Lines of a page."""


def test_the_pages_are_up_to_date(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """After a change of the settings: `hilbridge schema --reference config`."""
    made = reference(targets_schema(), command_schema())
    assert {path: (CONFIG / path).read_text() for path in made} == made
    assert {CONFIG / path for path in made} == {INDEX, *PAGES}
    assert main(["schema", "--reference", f"{tmp_path}"]) == 0
    assert {path: (tmp_path / path).read_text() for path in made} == made
    assert main(["schema", "--reference", "frames"]) == 0
    assert capsys.readouterr().out == made["reference/frames.md"]
    assert main(["schema", "--reference", "nothing"]) == 2
    assert "is no folder, and no page of README, bench, buses" in capsys.readouterr().err


def test_no_page_is_longer_than_one_reads() -> None:
    """And the index leads to each."""
    assert all(len(page.read_text().splitlines()) <= LONGEST for page in PAGES)
    assert set(re.findall(r"\]\(reference/(.*?)\)", INDEX.read_text())) == {page.name for page in PAGES}


def test_every_key_is_on_the_page() -> None:
    """By name, in the first column of a table."""
    keys = set(re.findall(r"^\| `(\w+)` \|", WHOLE, re.MULTILINE))
    assert set(BenchSettings.model_fields) <= keys
    for entry, kind, _ in quantities(VehicleSettings):
        assert entry.name in keys
        if entry.name != "name":
            section = (*get_args(kind), kind)[0]  # of a list, of one that may be left out, or itself
            assert {inner.name for inner, _, _ in quantities(section)} <= keys


def test_a_key_without_an_example_is_marked_as_advanced() -> None:
    """In shipped files, examples of the page and blocks of the guides; and no other is marked."""
    root = CONFIG.parent
    pages = [INDEX, *PAGES, root / "README.md", root / "systemd/README.md", *(root / "docs").rglob("*.md")]
    blocks = [block for page in pages for block in re.findall(r"```\w*\n(.*?)```", page.read_text(), re.DOTALL)]
    files = (file for file in CONFIG.rglob("*.yaml") if file.name != "vss.yaml")  # its keys are paths, and states
    shown = "\n".join([*blocks, *(file.read_text() for file in files)])
    schema = bench_schema()
    keys = {key for section in (schema, *schema["$defs"].values()) for key in section.get("properties", ())}
    assert {key for key in keys if not re.search(rf"(?<![\w.-]){re.escape(key)}[\"']?:", shown)} == ADVANCED


def test_every_section_is_described_once() -> None:
    """No heading twice, and no text with its table twice."""
    headings = re.findall(r"^#+ .*$", WHOLE, re.MULTILINE)
    assert len(headings) == len(set(headings))
    sections = [text for text in re.split(r"^##.*\n", WHOLE, flags=re.MULTILINE) if "\n| Key |" in text]
    assert len(sections) == len(set(sections))


def test_a_place_that_allows_a_section_described_elsewhere_links_to_it() -> None:
    """By the heading's anchor: lower case, without punctuation, blanks as hyphens."""
    anchors: dict[str, set[str]] = {}
    for page in PAGES:
        headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
        anchors[page.name] = {re.sub(r"[^a-z0-9_ -]", "", one.lower()).replace(" ", "-") for one in headings}
    within = across = 0
    for page in PAGES:
        for other, anchor in re.findall(r"\]\((\w+\.md)?#([^)]*)\)", page.read_text()):
            assert anchor in anchors[other or page.name]
            within, across = within + (not other), across + bool(other)
    assert within
    assert across


@pytest.mark.parametrize(
    "schema",
    [bench_schema(), vehicle_schema(), scenario_schema(), targets_schema()],
    ids=["bench", "vehicle", "scenario", "targets"],
)
def test_every_section_of_a_schema_has_its_text_on_the_page(schema: dict[str, Any]) -> None:
    """And every key of it a row."""
    for node in schema.get("$defs", {}).values():
        if "properties" in node and node.get("type") == "object" and "const" not in node:
            assert re.search(rf"^{re.escape(node['description'])}( `.*`: as in .*)?$", WHOLE, re.MULTILINE)
            assert all(f"\n| `{key}` |" in WHOLE for key in node["properties"])


def merged(base: Any, part: Any) -> Any:
    """A file with a part of it exchanged, key by key."""
    if not (isinstance(base, dict) and isinstance(part, dict)):
        return part
    return base | {key: merged(base.get(key), value) for key, value in part.items()}


def examples(*names: str) -> list[str]:
    """The examples of pages."""
    text = "\n".join((CONFIG / f"{name}.md").read_text() for name in names)
    return re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)


BENCH = [f"reference/{name}" for name in ("bench", "buses", "frames", "inputs", "outputs", "testers", "faults")]
VEHICLE = [f"reference/{name}" for name in ("vehicle", "powertrain", "chassis")]


@pytest.mark.parametrize("example", ["", *examples(*BENCH)])
def test_an_example_of_the_bench_file_can_be_used(
    example: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Put into the bench to start from, it is a bench that `check` accepts."""
    (start,) = examples("README")
    bench = merged(yaml.safe_load(start), yaml.safe_load(example) or {})
    (tmp_path / "pedal-box.log").write_bytes((CONFIG / "benches/pedal-box.log").read_bytes())
    (tmp_path / "desk.yaml").write_text(yaml.safe_dump(bench, sort_keys=False))
    assert main(["check", f"{tmp_path}/desk.yaml"]) == 0, capsys.readouterr().err


@pytest.mark.parametrize("example", examples(*VEHICLE))
def test_an_example_of_the_vehicle_file_can_be_used(example: str, tmp_path: Path) -> None:
    """Put into the compact car, it is a vehicle."""
    compact = yaml.safe_load((CONFIG / "vehicles/compact.yaml").read_text())
    (tmp_path / "car.yaml").write_text(yaml.safe_dump(merged(compact, yaml.safe_load(example)), sort_keys=False))
    assert load_vehicle(f"{tmp_path}/car.yaml").settings.name == "compact"


@pytest.mark.parametrize("scenario", examples("reference/scenario"))
def test_an_example_of_the_scenario_file_can_be_used(scenario: str, tmp_path: Path) -> None:
    """It loads with all its steps."""
    (tmp_path / "town.yaml").write_text(scenario)
    places = load_scenario(f"{tmp_path}/town.yaml").expansion.places
    assert {place[1] for place in places} == set(range(len(yaml.safe_load(scenario)["steps"])))


def test_every_chapter_has_an_example() -> None:
    """But for the rules, the columns of measurements, and what is no file."""
    without = set()
    for page in PAGES:
        chapters = re.split(r"^##? ", page.read_text(), flags=re.MULTILINE)[1:]
        named = [one.partition("\n") for one in chapters if not one.startswith("`")]
        without |= {title for title, _, text in named if text.strip() and "```yaml" not in text}
    # an FMU is a compiled file: docs/guides/fmi.md has the example, with the file
    assert without == {"What must fit together", "Files of measurements", "Control protocol", "FMUs"}


@pytest.mark.parametrize("layout", examples("reference/layout"))
def test_an_example_of_a_layout_can_be_used(layout: str, tmp_path: Path) -> None:
    """It loads with all its fields."""
    (tmp_path / "my-game.yaml").write_text(layout)
    assert list(load_layout(f"{tmp_path}/my-game.yaml").settings.fields) == list(yaml.safe_load(layout)["fields"])
