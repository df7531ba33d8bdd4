"""What a network unit is made of, and what is refused; what importers make of it: tests/fmi/test_network.py."""

import json
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hilbridge import __version__
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.desk.fmu.network_archive import write_network
from hilbridge.files.configuration.benchfile import load_bench

MADE = datetime(2026, 1, 1, tzinfo=UTC)
MIME = 'application/org.fmi-standard.fmi-ls-bus.can; version="1.0.0"'
BENCH = "name: two\nvehicle: compact\nbuses:\n  drive: {interface: embedded}\n  body-2: {interface: embedded}\n"


def bench_of(folder: Path, text: str) -> Path:
    (folder / "bench.yaml").write_text(text, encoding="utf-8")
    return folder / "bench.yaml"


@pytest.fixture(scope="module", params=["countdown", "triggered"])
def archive(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("archive")
    file = load_bench(str(bench_of(folder, BENCH)))
    for name in ("one", "two"):
        write_network(file, folder / name, MADE, request.param)
    assert (folder / "one").read_bytes() == (folder / "two").read_bytes()
    return zipfile.ZipFile(folder / "one")


def test_each_bus_is_a_terminal_of_the_standard(archive: zipfile.ZipFile) -> None:
    """Attributes and members as in the standard's chapter on terminals; each variable is of one terminal alone."""
    text = archive.read("terminalsAndIcons/terminalsAndIcons.xml")
    assert archive.read("icons/terminalsAndIcons.xml") == text
    buses = ET.fromstring(text).findall("Terminals/Terminal")
    kinds = {(one.get("terminalKind"), one.get("matchingRule")) for one in buses}
    assert [one.get("name") for one in buses] == ["drive", "body-2"]
    assert kinds == {("org.fmi-ls-bus.network-terminal", "org.fmi-ls-bus.transceiver")}
    named: set[str | None] = set()
    for bus in buses:
        members = {one.get("memberName"): one.get("variableName") for one in bus.findall("TerminalMemberVariable")}
        assert set(members) == {"Rx_Data", "Rx_Clock", "Tx_Data", "Tx_Clock"}
        (inner,) = bus.findall("Terminal")
        assert (inner.get("name"), inner.get("matchingRule")) == ("Configuration", "bus")
        assert inner.get("terminalKind") == "org.fmi-ls-bus.network-terminal.configuration"
        (told,) = inner.findall("TerminalMemberVariable")
        assert told.get("memberName") == "BusNotifications"
        named |= {*members.values(), told.get("variableName")}
    described = ET.fromstring(archive.read("modelDescription.xml")).find("ModelVariables")
    assert described is not None
    assert named <= {one.get("name") for one in described}
    assert len(named) == 10


def test_its_variables_have_the_types_of_the_standard(archive: zipfile.ZipFile) -> None:
    root = ET.fromstring(archive.read("modelDescription.xml"))
    variables = {one.get("name"): one for one in root.findall("ModelVariables/*")}
    clock = json.loads(archive.read("resources/network.json"))["clock"]
    for bus in ("drive", "'body-2'"):
        data = [variables[f"{bus}.{way}_Data"] for way in ("Rx", "Tx")]
        clocks = [variables[f"{bus}.{way}_Clock"] for way in ("Rx", "Tx")]
        assert [(one.tag, one.get("causality"), one.get("mimeType")) for one in data] == [
            ("Binary", "input", MIME),
            ("Binary", "output", MIME),
        ]
        assert [one.get("clocks") for one in data] == [one.get("valueReference") for one in clocks]
        assert [(one.get("causality"), one.get("intervalVariability")) for one in clocks] == [
            ("input", "triggered"),
            ("input", "countdown") if clock == "countdown" else ("output", "triggered"),
        ]
        told = variables[f"{bus}.BusNotifications"]
        assert told.tag == "Boolean"
        assert {"causality": "parameter", "variability": "fixed", "start": "false"}.items() <= told.attrib.items()
    one = root.find("CoSimulation")
    assert one is not None
    assert (one.get("hasEventMode"), one.get("canGetAndSetFMUState")) == ("true", None)
    references = [variable.get("valueReference") for variable in variables.values()]
    assert len(references) == len(set(references))


def test_the_manifest_has_the_words_of_the_schema(archive: zipfile.ZipFile) -> None:
    root = ET.fromstring(archive.read("extra/org.fmi-standard.fmi-ls-bus/fmi-ls-manifest.xml"))
    space = "{http://fmi-standard.org/fmi-ls-manifest}fmi-ls-"
    assert (root.tag, root.get("isBusSimulationFMU")) == ("fmiLayeredStandardManifest", "false")
    assert (root.get(f"{space}name"), root.get(f"{space}version")) == ("org.fmi-standard.fmi-ls-bus", "1.0.0")
    assert root.get(f"{space}description") == (
        "Layered Standard for the simulation of bus communication on a Physical Signal Abstraction or Network "
        "Abstraction based level."
    )


def test_it_names_the_python_and_the_version_that_it_needs(archive: zipfile.ZipFile) -> None:
    assert archive.read("resources/python").decode() == f"{sys.executable}\n"
    assert json.loads(archive.read("resources/network.json"))["version"] == __version__


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name: none\nvehicle: compact\n", "has no bus"),
        (f'{BENCH}lockstep:\n  lamp: {{bus: drive, python: "lamp.py:Lamp"}}\n', r"lockstep clients \(lamp\)"),
        (BENCH.replace("compact", "overdrive"), r"code of its own \(overdrive\.py:Gear\)"),
    ],
)
def test_what_a_unit_cannot_be_of_is_refused(text: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=words):
        write_network(load_bench(str(bench_of(tmp_path, text))), tmp_path / "one.fmu")
    assert not (tmp_path / "one.fmu").exists()
