"""Units of `hilbridge fmu`, judged by FMPy, and by an importer in C on a system without Python.

For an environment of its own, with FMPy in it: `make test-fmi`.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import fmpy
import pytest
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu

from hilbridge.bench.drive.cycles import find_cycle
from hilbridge.bench.drive.driver import CONTROLS, PERIOD, Driver
from hilbridge.bench.drive.dynamics import InverseVehicle
from hilbridge.desk.fmu.archive import write
from hilbridge.desk.fmu.variables import variables
from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import INPUT, InputData, Vehicle

from ..pages import Reader
from ..program import CHECKOUT

SHIPPED = (
    "compact",
    "320d-g20",
    "awd-estate",
    "ioniq-hybrid",
    "leaf-ze1",
    "mx5-nd",
    "prius-zvw50",
    "swift-sport-hybrid",
    "truck",
)
VARIABLES = variables()
REFERENCES = {one.entry.path: place for place, one in enumerate(VARIABLES)}
KEY, THROTTLE, RPM = REFERENCES["input.Key"], REFERENCES["input.Throttle"], REFERENCES["vehicle.EngineRpm"]
DROP = 5.0
"""[s] in which the process of a unit must have ended."""


class Unit:
    """An instance of a unit in FMPy, with its values as numbers whatever their type, and what it has logged."""

    def __init__(self, path: Path, folder: Path) -> None:
        description = fmpy.read_model_description(path)
        self.said: list[str] = []
        self.version = 2 if description.fmiVersion == "2.0" else 3
        kind = FMU2Slave if self.version == 2 else FMU3Slave
        self.fmu = kind(
            guid=description.guid,
            unzipDirectory=fmpy.extract(path, str(folder)),
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName="car",
        )
        if self.version == 2:
            self.fmu.instantiate()
            self.fmu.setupExperiment(startTime=0.0)
        else:
            self.fmu.instantiate(loggingOn=True, logMessage=lambda _e, _s, _c, text: self.said.append(text.decode()))
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()
        self.time = 0.0

    def set(self, reference: int, value: float) -> None:
        kind = VARIABLES[reference].kind
        if kind == "real":
            (self.fmu.setReal if self.version == 2 else self.fmu.setFloat64)([reference], [value])
        elif kind == "boolean":
            self.fmu.setBoolean([reference], [bool(value)])
        elif self.version == 2:
            self.fmu.setInteger([reference], [round(value)])
        else:
            (self.fmu.setInt64 if kind == "enumeration" else self.fmu.setInt32)([reference], [round(value)])

    def values(self) -> list[float]:
        """All of them, read as reals, which the library takes for each type."""
        references = list(range(len(VARIABLES)))
        return list((self.fmu.getReal if self.version == 2 else self.fmu.getFloat64)(references))

    def step(self, seconds: float = PERIOD) -> None:
        self.fmu.doStep(currentCommunicationPoint=self.time, communicationStepSize=seconds)
        self.time += seconds

    def state(self) -> tuple[Any, bytes]:
        get, serialize = (
            (self.fmu.getFMUstate, self.fmu.serializeFMUstate)
            if self.version == 2
            else (self.fmu.getFMUState, self.fmu.serializeFMUState)
        )
        state = get()
        return state, bytes(serialize(state))

    def restore(self, serialized: bytes) -> None:
        if self.version == 2:
            self.fmu.setFMUstate(self.fmu.deSerializeFMUstate(serialized))
        else:
            self.fmu.setFMUState(self.fmu.deserializeFMUState(serialized))


def make(folder: Path, name: str, version: int) -> Path:
    path = folder / f"{name}-{version}.fmu"
    write(load_vehicle(name), path, version)
    return path


@pytest.fixture(scope="module", params=[2, 3], ids=["FMI 2", "FMI 3"])
def archive(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("archive"), "compact", request.param)


@pytest.fixture
def unit(archive: Path, tmp_path: Path) -> Iterator[Unit]:
    one = Unit(archive, tmp_path)
    yield one
    one.fmu.freeInstance()


def idle(unit: Unit) -> None:
    """Start the engine: a second of cranking, and two of idling."""
    unit.set(KEY, 1)
    unit.step(1.0)
    unit.set(KEY, 0)
    unit.step(2.0)


def workers() -> set[int]:
    """The processes of units that are children of this one."""
    found = set()
    for folder in Path("/proc").iterdir():
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1] if folder.name.isdigit() else ""
            if parent == str(os.getpid()) and b"worker.py" in (folder / "cmdline").read_bytes():
                found.add(int(folder.name))
        except OSError:
            pass
    return found


def test_fmpy_finds_nothing_to_say(archive: Path) -> None:
    assert validate_fmu(str(archive)) == []


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("name", [pytest.param(one, marks=pytest.mark.nightly) for one in SHIPPED[1:]])
def test_nor_of_the_other_vehicles(name: str, version: int, tmp_path: Path) -> None:
    assert validate_fmu(str(make(tmp_path, name, version))) == []


def test_units_and_states_are_those_of_the_bus(archive: Path) -> None:
    read = {one.name: one for one in fmpy.read_model_description(archive).modelVariables}
    assert (read["vehicle.EngineRpm"].unit, read["vehicle.EngineRpm"].causality) == ("rpm", "output")
    assert (float(read["input.Throttle"].max), float(read["input.Throttle"].start)) == (1.0, 0.0)
    items = read["input.Key"].declaredType.items
    assert [(one.name, int(one.value)) for one in items] == [("off", -1), ("on", 0), ("start", 1)]


def follow(unit: Unit, vehicle: Vehicle, seconds: float) -> None:
    """Drive the vehicle along NEDC, and the unit by the same controls: every value is equal to the bit."""
    trace = find_cycle("nedc")
    driver = Driver(vehicle.data, InverseVehicle(vehicle.settings), trace)
    began: float | None = None
    for tick in range(round(seconds / PERIOD)):
        driver.start() if began is None else driver.drive(tick * PERIOD - began)
        if began is None and driver.ready and tick > 200:
            began = tick * PERIOD
        for control, value in zip(CONTROLS, driver.values, strict=True):
            if vehicle.data.input[control] != value:
                vehicle.data.input[control] = value
                unit.set(
                    next(p for p, v in enumerate(VARIABLES) if (v.channel, v.place) == (INPUT, control)),
                    vehicle.data.read(INPUT, control),
                )
        for _ in range(10):
            vehicle.step(0.001)
        unit.step()
        if tick % 50 == 0:
            expected = [vehicle.data.read(one.channel, one.place) for one in VARIABLES]
            assert repr(unit.values()) == repr(expected)
    assert began is not None


def test_it_is_the_vehicle_to_the_bit(unit: Unit) -> None:
    follow(unit, load_vehicle("compact").build(), 40.0)


@pytest.mark.nightly
@pytest.mark.parametrize("name", SHIPPED)
def test_each_vehicle_over_the_whole_cycle(name: str, tmp_path: Path) -> None:
    one = Unit(make(tmp_path, name, 3), tmp_path / "unpacked")
    follow(one, load_vehicle(name).build(), 1190.0)
    one.fmu.freeInstance()


def test_a_state_is_restored_to_the_bit(unit: Unit) -> None:
    idle(unit)
    unit.set(THROTTLE, 0.3)
    unit.step(0.1)
    _, serialized = unit.state()
    unit.step(1.0)
    ahead = unit.values()
    unit.fmu.reset()
    unit.restore(serialized)
    unit.step(1.0)
    assert repr(unit.values()) == repr(ahead)


def test_bytes_that_are_no_state_are_refused_and_the_unit_goes_on(unit: Unit) -> None:
    idle(unit)
    _, serialized = unit.state()
    harmful = b"cos\nsystem\n(S'touch /tmp/x'\ntR."
    for body in (b"", b"?", harmful, serialized[16:-5] + b"....."):
        head = serialized[:8] + len(body).to_bytes(8, "little")
        with pytest.raises(Exception, match=r"failed|status|Error"):
            unit.restore(head + body)
    unit.step()
    assert unit.values()[RPM] > 500


def test_an_input_beyond_its_limits_is_an_error_that_names_it(archive: Path, tmp_path: Path) -> None:
    one = Unit(archive, tmp_path)
    one.set(THROTTLE, 1.5)
    with pytest.raises(Exception, match=r"failed|status|Error"):
        one.step()
    if one.version == 3:
        assert one.said == ["input.Throttle: 1.5 is beyond 0 to 1"]
    one.set(THROTTLE, 1.0)
    one.step()
    one.fmu.freeInstance()


def test_a_step_need_not_be_whole_ticks(unit: Unit) -> None:
    idle(unit)
    for seconds in (0.0, 0.0001, 0.0015, 1 / 3):
        unit.step(seconds)
    assert 500 < unit.values()[RPM] < 1500


def test_a_killed_process_is_an_error_and_nothing_hangs(archive: Path, tmp_path: Path) -> None:
    before = workers()
    one = Unit(archive, tmp_path)
    (worker,) = workers() - before
    os.kill(worker, signal.SIGKILL)
    with pytest.raises(Exception, match=r"failed|status|Error"):
        one.step()
    one.fmu.freeInstance()
    assert workers() == before


def test_the_process_ends_with_its_importer(archive: Path, tmp_path: Path) -> None:
    code = (
        "import os, sys, time; from pathlib import Path; from tests.fmi.test_fmpy import Unit, workers; "
        "one = Unit(Path(sys.argv[1]), Path(sys.argv[2])); print(*workers(), flush=True); os._exit(3)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, archive, tmp_path],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    worker = Path("/proc") / done.stdout.split()[-1]
    until = time.monotonic() + DROP
    while worker.exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not worker.exists()


def _libraries(files: Sequence[Path]) -> set[Path]:
    """What the loader needs for files: the C library, and itself."""
    told = subprocess.run(["ldd", *files], capture_output=True, text=True, check=True).stdout
    return {
        Path(word) for line in told.splitlines() for word in line.split() if word.startswith("/") and ":" not in word
    }


@pytest.mark.skipif(os.geteuid() != 0, reason="chroot is for root")
def test_it_runs_where_no_python_is(tmp_path: Path) -> None:
    """A root folder with the C library, an importer in C, and the unpacked unit; no variables of the environment."""
    archive = make(tmp_path, "compact", 3)
    root = tmp_path / "root"
    fmpy.extract(archive, str(root / "unit"))
    host = root / "host"
    subprocess.run(["cc", "-o", host, Path(__file__).parent / "host.c"], check=True)
    system = [
        one
        for one in _libraries([host, *(root / "unit").rglob("*.so"), Path(sys.executable).resolve()])
        if "/runtime/" not in str(one)
    ]
    for library in system:
        if library.name.startswith(("libc.", "libm.", "ld-", "libdl.", "libpthread.", "librt.", "libutil.")):
            there = root / library.relative_to("/")
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, there)
    (root / "dev").mkdir()
    (root / "dev/null").touch()
    words = ["/host", "/unit/binaries/x86_64-linux/compact.so", "/unit/resources", str(KEY), str(RPM)]
    done = subprocess.run(
        [shutil.which("chroot") or "chroot", root, *words],
        env={},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    vehicle = load_vehicle("compact").build()
    for tick in range(3000):
        vehicle.data.input[InputData.KEY] = 1 if tick < 1000 else 0
        vehicle.step(0.001)
    assert float(done.stdout) == vehicle.data.read(VARIABLES[RPM].channel, VARIABLES[RPM].place)


def test_the_guide(tmp_path: Path) -> None:
    Reader(tmp_path).follow((CHECKOUT / "docs/guides/fmi.md").read_text(encoding="utf-8"))
