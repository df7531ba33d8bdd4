"""The bill of materials of an environment."""

import json
import subprocess
import sys
from importlib.metadata import distributions

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from ..program import CHECKOUT


@pytest.fixture(scope="module")
def text() -> str:
    """As `make sbom`, `make install` and the Debian package write it."""
    command = [sys.executable, "-I", "systemd/sbom.py"]
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout


def test_it_keeps_the_published_schema(text: str) -> None:
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None


def test_it_names_all_that_is_installed_and_what_needs_what(text: str) -> None:
    bill = json.loads(text)
    there = {(one["name"], one["version"]) for one in bill["components"]}
    installed = {(one.name, one.version) for one in distributions()}
    assert there | {("hilbridge", bill["metadata"]["component"]["version"])} == installed
    needs = {one["ref"].partition("@")[0]: one["dependsOn"] for one in bill["dependencies"]}
    assert "pkg:pypi/argparse-addons" in {need.partition("@")[0] for need in needs["pkg:pypi/cantools"]}
    assert not any(need.startswith("pkg:pypi/scapy@") for need in needs["pkg:pypi/hilbridge"]), "an extra for tests"


def test_nothing_of_the_machine_or_the_time_is_in_it(text: str) -> None:
    assert str(CHECKOUT) not in text
    assert not {"serialNumber", "timestamp"} & (json.loads(text).keys() | json.loads(text)["metadata"].keys())
