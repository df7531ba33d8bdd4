"""A bench as a network unit, beside a unit in C that knows the standard alone (partner.c), in FMPy.

What both hear is compared with what the same control unit hears as a lockstep client of the same bench (partner.py).

For an environment of its own, with FMPy in it: `make test-fmi`.
"""

import subprocess
import sys
import zipfile
from ctypes import c_double, c_int32
from pathlib import Path

import fmpy
import pytest
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu
from lxml import etree  # type: ignore[import-untyped]

from hilbridge.desk.fmu.network_archive import write_network
from hilbridge.files.configuration.benchfile import load_bench

HERE = Path(__file__).parent
CHANGED = 2
TRIGGERED = "triggered"
CLOCKS = ("countdown", TRIGGERED)
COUNTS_DOWN = (
    'causality="input" variability="discrete" intervalVariability="countdown"',
    'causality="output" variability="discrete" intervalVariability="triggered"',
)
NO_CLOCK = ('<Output valueReference="3"/>', '<Output valueReference="3"/><Output valueReference="4"/>')
STEP = 0.001
SECONDS = 3.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("network")


@pytest.fixture(scope="module", params=CLOCKS)
def clock(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def bench(folder: Path, clock: str) -> Path:
    path = folder / f"bench-{clock}.fmu"
    write_network(load_bench("demo"), path, clock=clock)
    return path


@pytest.fixture(scope="module")
def partner(folder: Path, clock: str) -> Path:
    library, description = folder / f"{clock}.so", (HERE / "partner.xml").read_text(encoding="utf-8")
    flags = ["-DTRIGGERED"] if clock == TRIGGERED else []
    subprocess.run(["cc", "-std=gnu11", "-fPIC", "-shared", *flags, "-o", library, HERE / "partner.c"], check=True)
    if clock == TRIGGERED:
        description = description.replace(*COUNTS_DOWN).replace(*NO_CLOCK)
    with zipfile.ZipFile(folder / f"partner-{clock}.fmu", "w") as archive:
        archive.writestr("modelDescription.xml", description)
        archive.write(library, "binaries/x86_64-linux/partner.so")
    return folder / f"partner-{clock}.fmu"


@pytest.fixture(scope="module")
def heard_in_lockstep(folder: Path) -> str:
    """What a lockstep client hears of the same bench."""
    place = folder / "lockstep"
    place.mkdir()
    text = (find_bench("demo")).read_text(encoding="utf-8")
    (place / "partner.py").write_text((HERE / "partner.py").read_text(encoding="utf-8"), encoding="utf-8")
    client = f'{{bus: powertrain, python: "partner.py:Partner", arguments: ["{place / "heard.txt"}"]}}'
    (place / "bench.yaml").write_text(f"{text}\nlockstep:\n  partner: {client}\n", encoding="utf-8")
    command = [sys.executable, "-m", "hilbridge", "run", "bench.yaml", "--pace", "lockstep", "--trust"]
    subprocess.run([*command, f"--duration={SECONDS:g}"], cwd=place, check=True, timeout=120, capture_output=True)
    return (place / "heard.txt").read_text(encoding="ascii")


def find_bench(name: str) -> Path:
    return load_bench(name).path


class Node:
    """A unit in FMPy, with the terminal that a bus has."""

    def __init__(self, archive: Path, folder: Path, terminal: str, **start: float) -> None:
        read = fmpy.read_model_description(archive, validate=True)
        self.of = {one.name: one.valueReference for one in read.modelVariables}
        self.members = {one: self.of[f"{terminal}.{one}"] for one in ("Rx_Data", "Rx_Clock", "Tx_Data", "Tx_Clock")}
        self.is_triggered = self.of_clock(read) == TRIGGERED
        self.said: list[str] = []
        self.fmu = FMU3Slave(
            guid=read.guid,
            unzipDirectory=fmpy.extract(archive, str(folder / archive.stem)),
            modelIdentifier=read.coSimulation.modelIdentifier,
            instanceName=archive.stem,
        )
        log = lambda _e, _s, _c, text: self.said.append(text.decode())  # noqa: E731
        self.fmu.instantiate(loggingOn=True, eventModeUsed=True, logMessage=log)
        self.fmu.enterInitializationMode()
        for name, value in start.items():
            self.fmu.setFloat64([self.of[name.replace("__", ".")]], [value])
        self.fmu.exitInitializationMode()
        self.fmu.updateDiscreteStates()
        self.due = 0.0
        self.count_down(0.0)
        self.fmu.enterStepMode()

    def of_clock(self, read: fmpy.model_description.ModelDescription) -> str:
        reference = self.members["Tx_Clock"]
        return str(next(one.intervalVariability for one in read.modelVariables if one.valueReference == reference))

    def count_down(self, now: float) -> None:
        if self.is_triggered:
            self.due = now + STEP
            return
        interval, qualifier = (c_double * 1)(), (c_int32 * 1)()
        reference = (fmpy.fmi3.fmi3ValueReference * 1)(self.members["Tx_Clock"])
        self.fmu.getIntervalDecimal(reference, interval, qualifier)
        if qualifier[0] == CHANGED:
            self.due = now + interval[0]

    def sent(self) -> bytes:
        if not self.is_triggered:
            self.fmu.setClock([self.members["Tx_Clock"]], [True])
        elif not self.fmu.getClock([self.members["Tx_Clock"]])[0]:
            return b""
        return bytes(self.fmu.getBinary([self.members["Tx_Data"]])[0] or b"")

    def give(self, data: bytes) -> None:
        if data:
            self.fmu.setClock([self.members["Rx_Clock"]], [True])
            self.fmu.setBinary([self.members["Rx_Data"]], [data])

    def values(self, *names: str) -> list[float]:
        return list(self.fmu.getFloat64([self.of[name] for name in names]))


def couple(one: Node, other: Node, seconds: float) -> None:
    """Run two units whose terminals are connected: from one point in time that a clock has asked for to the next.

    Where clocks are triggered, steps are those of a tick.
    """
    now = 0.0
    while now < seconds - 1e-6:
        then = min(one.due, other.due)
        for node in (one, other):
            node.fmu.doStep(currentCommunicationPoint=now, communicationStepSize=then - now)
            node.fmu.enterEventMode()
        now = then
        ticking = [node for node in (one, other) if node.due <= now + 1e-9]
        for node, data in [(node, node.sent()) for node in ticking]:
            (other if node is one else one).give(data)
        for node in (one, other):
            node.fmu.updateDiscreteStates()
            node.count_down(now)
            node.fmu.enterStepMode()


def test_fmpy_finds_nothing_to_say(bench: Path, partner: Path, clock: str) -> None:
    """But for an output clock, which it misses among the initial unknowns: FMI 3.0 has no clocks there."""
    for one in (bench, partner):
        said = validate_fmu(str(one))
        assert said == [] if clock != TRIGGERED else len(said) == 1 and "Tx_Clock" in said[0]


def test_its_terminals_are_valid_by_the_schema_of_fmi(bench: Path) -> None:
    schema = etree.XMLSchema(etree.parse(Path(fmpy.__file__).parent / "schema/fmi3/fmi3TerminalsAndIcons.xsd"))
    with zipfile.ZipFile(bench) as archive:
        for place in ("icons", "terminalsAndIcons"):
            schema.assertValid(etree.fromstring(archive.read(f"{place}/terminalsAndIcons.xml")))
        manifest = etree.fromstring(archive.read("extra/org.fmi-standard.fmi-ls-bus/fmi-ls-manifest.xml"))
    name = "{http://fmi-standard.org/fmi-ls-manifest}fmi-ls-"
    assert (manifest.get(f"{name}name"), manifest.get(f"{name}version")) == ("org.fmi-standard.fmi-ls-bus", "1.0.0")


def test_two_units_hear_each_other_as_in_lockstep(
    bench: Path, partner: Path, heard_in_lockstep: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every frame, its time, its bytes; the engine runs because the other unit has turned its key."""
    monkeypatch.setenv("PARTNER_LOG", str(tmp_path / "heard.txt"))
    car, driver = Node(bench, tmp_path, "powertrain"), Node(partner, tmp_path, "node")
    couple(car, driver, SECONDS)
    rpm, sent, received, *wrong = car.values(
        "vehicle.EngineRpm",
        *(f"powertrain.{one}" for one in ("FramesSent", "FramesReceived", "FramesDropped", "Errors")),
    )
    car.fmu.freeInstance()
    driver.fmu.freeInstance()
    heard = (tmp_path / "heard.txt").read_text(encoding="ascii").splitlines()
    expected = [line for line in heard_in_lockstep.splitlines() if int(line.split()[0]) <= SECONDS * 1000]
    assert " 7E8 " in heard_in_lockstep
    assert len(expected) > 1000
    assert heard[: len(expected)] == expected
    assert (len(heard), received, wrong) == (
        sent,
        299 + 29 + 29,
        [0.0, 0.0],
    )  # the last of 300 come with the last event
    assert rpm > 1000
    assert car.said == []


@pytest.mark.parametrize(
    ("python", "words"),
    [("/nowhere/python", "no Python at '/nowhere/python'"), ("/bin/true", "is hilbridge installed for it?")],
)
def test_without_hilbridge_it_says_what_to_set(
    python: str, words: str, bench: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HILBRIDGE_PYTHON", python)
    assert words in refusal(bench, tmp_path, events=True)


def test_the_variable_names_the_python_in_place_of_the_unit_s(
    bench: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(bench) as read, zipfile.ZipFile(tmp_path / "moved.fmu", "w") as moved:
        for name in read.namelist():
            moved.writestr(name, b"/nowhere/python\n" if name == "resources/python" else read.read(name))
    monkeypatch.setenv("HILBRIDGE_PYTHON", sys.executable)
    node = Node(tmp_path / "moved.fmu", tmp_path, "powertrain")
    node.fmu.freeInstance()
    monkeypatch.delenv("HILBRIDGE_PYTHON")
    assert "HILBRIDGE_PYTHON" in refusal(tmp_path / "moved.fmu", tmp_path, events=True)


def test_without_events_it_refuses(bench: Path, tmp_path: Path) -> None:
    assert "needs eventModeUsed" in refusal(bench, tmp_path, events=False)


def refusal(archive: Path, folder: Path, *, events: bool) -> str:
    """Return what a unit says that cannot be instantiated."""
    said: list[str] = []
    read = fmpy.read_model_description(archive)
    place = fmpy.extract(archive, str(folder / "refused"))
    model = read.coSimulation.modelIdentifier
    fmu = FMU3Slave(guid=read.guid, unzipDirectory=place, modelIdentifier=model, instanceName="one")
    with pytest.raises(Exception, match="nstantiate"):
        fmu.instantiate(
            loggingOn=True, eventModeUsed=events, logMessage=lambda _e, _s, _c, text: said.append(text.decode())
        )
    return " ".join(said)
