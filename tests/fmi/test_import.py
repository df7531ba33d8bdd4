"""Imported FMUs: a lag with an analytic solution, our own car beside itself, and units that fail, hang or are late.

For an environment of its own, with FMPy in it: `make test-fmi`.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from math import exp
from pathlib import Path
from typing import Any

import pytest
from fmpy import simulate_fmu
from fmpy.validation import validate_fmu

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.boundary.lockstep.client import ClientError
from hilbridge.boundary.record.recording import Recording
from hilbridge.desk.fmu.archive import write
from hilbridge.desk.fmu.variables import variables
from hilbridge.files.configuration.vehiclefile import load_vehicle
from hilbridge.runs.run.replay import replay
from hilbridge.testing import VirtualBench
from vehiclesim.channels import CUSTOM
from vehiclesim.entries import STANDARD

from ..fmus import make_lag

BENCH = """\
name: lagged
vehicle: compact
buses:
  can:
    interface: embedded
    raw:
      echo: {id: 0x100, data: "00 00", period: 10}
custom:
  U: {range: [-1000, 1000], default: 1}
  Y: {range: [-1000, 1000]}
  N: {range: [0, 1000000]}
  On: {codes: {0: "no", 1: "yes"}, default: 1}
  Bad: {range: [0, 9]}
fmu:
  lag:
    file: lag.fmu
    inputs: {u: custom.U, on: custom.On, bad: custom.Bad}
    outputs: {y: custom.Y, steps: custom.N}
    start: {tau: 0.5, k: 2}
    timeout: 10
"""
ROUNDED = 0.0005
"""Half of the resolution of the entry."""


@pytest.fixture(scope="module", params=[2, 3], ids=["FMI 2", "FMI 3"])
def version(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture(scope="module")
def lag(version: int, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_lag(tmp_path_factory.mktemp("lag") / "lag.fmu", version)


@pytest.fixture
def bench(lag: Path, tmp_path: Path) -> Path:
    shutil.copy(lag, tmp_path)
    file = tmp_path / "bench.yaml"
    file.write_text(BENCH)
    return file


def processes() -> list[int]:
    """The processes of FMUs that are children of this one."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1] if folder.name.isdigit() else ""
            if parent == str(os.getpid()) and b"hilbridge.boundary.fmu.child" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            pass
    return found


def test_fmpy_finds_nothing_to_say_of_the_lag(lag: Path) -> None:
    assert validate_fmu(str(lag)) == []


def test_it_is_the_analytic_solution_one_tick_late(bench: Path) -> None:
    """In tick n it has made n steps: y = k u (1 - exp(-n h / tau)). FMPy alone says the same."""
    alone = simulate_fmu(
        str(bench.parent / "lag.fmu"), stop_time=1.0, output_interval=0.001, start_values={"u": 1, "tau": 0.5, "k": 2}
    )
    with VirtualBench(bench, trust=True) as one:
        for n in range(1000):
            one.advance(0.001)  # the end of tick n
            expected = 2 * (1 - exp(-n * 0.001 / 0.5))
            assert one.read("custom.N") == n
            assert one.read("custom.Y") == pytest.approx(expected, abs=ROUNDED + 1e-9)
            assert alone["y"][n] == pytest.approx(expected, abs=1e-9)


def test_a_boolean_and_a_longer_step(bench: Path) -> None:
    """Its values stay over the step; what it is given in a tick in between counts from the next exchange on."""
    bench.write_text(BENCH + "    step: 10\n")
    with VirtualBench(bench, trust=True) as one:
        one.advance(0.025)
        assert one.read("custom.N") == 2
        assert one.read("custom.Y") == pytest.approx(2 * (1 - exp(-0.04)), abs=ROUNDED)
        one.set("custom.On", 0)
        one.advance(0.010)  # asked in tick 30, shown in tick 40
        assert one.read("custom.Y") > 0
        one.advance(0.010)
        assert (one.read("custom.N"), one.read("custom.Y")) == (4, 0.0)


def test_units_are_converted(version: int, tmp_path: Path) -> None:
    """6000 1/min are 628.3 rad/s; 628.3 K, as the lag has them at once, are 355.2 °C."""
    make_lag(tmp_path / "lag.fmu", version, units={"u": "rad/s", "y": "K"})
    text = BENCH.replace("U: {range: [-1000, 1000], default: 1}", "U: {range: [0, 9000], unit: rpm, default: 6000}")
    text = text.replace("Y: {range: [-1000, 1000]}", "Y: {range: [-300, 1000], unit: °C}")
    (tmp_path / "bench.yaml").write_text(text.replace("{tau: 0.5, k: 2}", "{tau: 0.000001, k: 1}"))
    with VirtualBench(tmp_path / "bench.yaml", trust=True) as one:
        one.advance(0.005)
        assert one.read("custom.Y") == pytest.approx(628.3185 - 273.15, abs=ROUNDED + 1e-4)


def test_what_it_gives_is_limited_and_counted(bench: Path) -> None:
    bench.write_text(BENCH.replace("Y: {range: [-1000, 1000]}", "Y: {range: [0, 0.5]}"))
    with VirtualBench(bench, trust=True) as one:
        one.advance(1.0)
        assert one.read("custom.Y") == 0.5
        assert one.status("fmu")["fmu"]["lag"]["counters"]["limited"] > 100


def test_a_command_holds_over_it(bench: Path) -> None:
    with VirtualBench(bench, trust=True) as one:
        one.advance(0.5)
        one.set("custom.Y", -3)
        one.advance(0.1)
        assert one.read("custom.Y") == -3
        one.release("custom.Y")
        one.advance(0.1)
        assert one.read("custom.Y") > 1


@pytest.mark.parametrize(
    ("bad", "verdict", "words"),
    [
        (1, "died", r"FMU lag has failed: fmi\dDoStep failed with status 3 \(error\)"),
        (2, "died", "FMU lag has gone: its process was ended by SIGABRT"),
        (3, "hung", "FMU lag has not answered within 5 s, and was ended"),
    ],
)
def test_one_that_is_lost_is_an_error_and_nothing_hangs(bench: Path, bad: int, verdict: str, words: str) -> None:
    bench.write_text(BENCH.replace("timeout: 10", "timeout: 5"))
    one = VirtualBench(bench, trust=True)
    one.set("custom.Bad", bad)
    with pytest.raises(ClientError, match=words) as error:
        one.advance(0.1)
    assert error.value.verdict == verdict
    one.close()
    assert processes() == []


def test_a_token_of_another_library_is_refused_in_words(version: int, bench: Path) -> None:
    make_lag(bench.parent / "lag.fmu", version, token="{of-another}")
    with pytest.raises(ConfigurationError, match=r"bench.yaml:\d+: fmu.lag: .*the token is of another unit"):
        VirtualBench(bench, trust=True)
    assert processes() == []


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("u: custom.U", "v: custom.U", "fmu.lag.inputs.v: has no variable 'v'"),
        ("u: custom.U", "y: custom.U", "fmu.lag.inputs.y: 'y' is no input: its causality is 'output'"),
        ("y: custom.Y", "y: vehicle.Speeed", "did you mean vehicle.Speed"),
        ("y: custom.Y", "y: clock.Year", "clock.Year is written by the bench itself"),
        ("y: custom.Y", "y: input.GearShift", "input.GearShift takes steps, and no position"),
        ("y: custom.Y", "y: custom.N", "fmu.lag.outputs.steps: the same entry as fmu.lag.outputs"),
        ("{y: custom.Y, steps: custom.N}", "[custom.Y, custom.Y]", "fmu.lag.outputs: names one twice"),
        ("{y: custom.Y, steps: custom.N}", "{}", "fmu.lag.outputs: must not be empty"),
        ("tau: 0.5", "tua: 0.5", "fmu.lag.start.tua: has no variable 'tua'"),
        ("timeout: 10", "step: 0.5", "0.5 ms is no multiple of the tick"),
        ("file: lag.fmu", "file: gal.fmu", "there is no file"),
        ("timeout: 10", f"sha256: {'0' * 64}", "is another file: its SHA-256 is"),
    ],
)
def test_a_table_that_does_not_fit_is_refused_with_its_line(bench: Path, before: str, after: str, words: str) -> None:
    bench.write_text(BENCH.replace(before, after))
    with pytest.raises(ConfigurationError) as error:
        VirtualBench(bench, trust=True)
    assert "bench.yaml:" in str(error.value)
    assert words in str(error.value)
    assert processes() == []


# -- the program -------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of what is trusted, and stored states, of this test alone."""
    folder = tmp_path_factory.mktemp("state")
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(folder))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)


def hilbridge(*words: object, **more: Any) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "hilbridge", *map(str, words)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        **more,
    )


def scenario(folder: Path, *steps: str) -> Path:
    """Write a scenario that lasts a second after its steps."""
    file = folder / "scenario.yaml"
    last = '{always: "custom.N >= 0", for: 1}'
    file.write_text("steps:\n" + "".join(f"  - {step}\n" for step in (*steps, last)))
    return file


def test_nobody_has_trusted_it_and_it_is_not_run(bench: Path) -> None:
    for words in (("run", bench, "--clock", "virtual", "--duration", "1"), ("run", bench), ("check", bench)):
        done = hilbridge(*words)
        assert done.returncode == 2
        assert "bench.yaml:16: fmu.lag.file: " in done.stderr
        assert "lag.fmu' is code that nobody has trusted here" in done.stderr


def test_a_recording_has_its_digest_and_replays_without_it(bench: Path, tmp_path: Path) -> None:
    fmu, recording = bench.parent / "lag.fmu", tmp_path / "recording"
    digest = sha256(fmu.read_bytes()).hexdigest()
    steps = scenario(tmp_path, "{after: 0.2, set: {custom.U: 5}}", "{after: 0.5, set: {custom.U: -1}}")
    done = hilbridge("run", bench, "--clock", "virtual", "--trust", "--record", recording, "--scenario", steps)
    assert done.returncode == 0, done.stderr
    assert digest in (recording / "bench/bench.yaml").read_text()
    assert not list(recording.rglob("*.fmu"))
    fmu.unlink()
    seen: list[tuple[float, float]] = []
    result = replay(Recording(recording), watch=lambda data, t: seen.append((t / SECOND, data.read(CUSTOM, 1))))
    assert result.identical
    at = dict(seen)
    begin = 2 * (1 - exp(-0.2 / 0.5))
    assert at[0.2] == pytest.approx(begin, abs=0.01)  # the command takes a tick or two, 2 (U - y / 2) / tau each
    assert at[0.7] == pytest.approx(10 + (begin - 10) * exp(-0.5 / 0.5), abs=0.05)


def test_a_run_that_loses_it_fails_with_its_tick(bench: Path, tmp_path: Path) -> None:
    steps = scenario(tmp_path, "{after: 0.1, set: {custom.Bad: 2}}")
    done = hilbridge("run", bench, "--clock", "virtual", "--trust", "--scenario", steps)
    assert done.returncode == 1
    assert "FMU lag has gone: its process was ended by SIGABRT, in tick" in done.stderr


def in_real_time(bench: Path, steps: Path) -> tuple[dict[str, Any], str]:
    """Return what the log says at the end, and all of it; the recording replays."""
    recording = steps.parent / "recording"
    done = hilbridge("run", bench, "--trust", "--no-web", "--log", "json", "--record", recording, "--scenario", steps)
    assert done.returncode == 0, done.stdout + done.stderr
    assert hilbridge("replay", recording).returncode == 0
    rows = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    return next(row for row in rows if row["event"] == "stopped"), done.stderr


def test_in_real_time_a_late_answer_keeps_the_last_value_and_is_counted(bench: Path, tmp_path: Path) -> None:
    """Its steps take 50 ms for a while, and then none; those that were missed are made up for, up to 20 ms."""
    steps = scenario(
        tmp_path,
        "{after: 0.3, set: {custom.Bad: 4}}",
        "{after: 0.5, set: {custom.Bad: 0}}",
        "{after: 1, release: [custom.Bad]}",
    )
    stopped, _ = in_real_time(bench, steps)
    counts = stopped["fmu"]["lag"]
    assert counts["late"] > 100
    assert counts["skipped"] > 10
    assert counts["answers"] > 100


def test_in_real_time_one_that_dies_is_told_and_its_values_are_given_back(bench: Path, tmp_path: Path) -> None:
    """Then its computed entry is not available, and the pedal that it held is released: so it is in a replay."""
    bench.write_text(
        BENCH.replace("y: custom.Y", "y: vehicle.EngineRpm").replace("steps: custom.N", "k: input.Throttle")
    )
    steps = scenario(
        tmp_path,
        "{set: {custom.U: 450}}",
        '{after: 3, expect: "vehicle.EngineRpm > 500"}',
        '{expect: "input.Throttle == 1"}',
        "{set: {custom.Bad: 2}}",
    )
    _, log = in_real_time(bench, steps)
    assert '"reason": "FMU lag has gone: its process was ended by SIGABRT"' in log
    last: dict[str, float] = {}
    find = {path: STANDARD.find(path) or (0, 0) for path in ("vehicle.EngineRpm", "input.Throttle")}
    replay(
        Recording(tmp_path / "recording"),
        watch=lambda data, _t: last.update({path: data.read(*place) for path, place in find.items()}),
    )
    assert (repr(last["vehicle.EngineRpm"]), last["input.Throttle"]) == ("nan", 0.0)


def test_a_bench_without_one_imports_nothing_of_it() -> None:
    code = (
        "import sys; from hilbridge.testing import VirtualBench; b = VirtualBench(); b.advance(0.1); "
        "print('fmpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "False\n"


# -- our own car -------------------------------------------------------------------------------------------------------


def drive(one: VirtualBench, look: Callable[[], None]) -> None:
    """Start the engine, pull away in first gear, shift up, brake: a tick at a time."""
    actions: dict[int, dict[str, float]] = {
        0: {"input.Key": 1, "input.Clutch": 1},
        900: {"input.Key": 0, "input.ManualGear": 1, "input.Throttle": 0.2},
        1300: {"input.Clutch": 0, "input.Throttle": 0.6},
        2300: {"input.Clutch": 1, "input.Throttle": 0},
        2400: {"input.GearShift": 1},
        2600: {"input.Clutch": 0, "input.Throttle": 0.7, "road.Slope": 0.02},
        3500: {"input.Throttle": 0, "input.Brake": 0.4},
    }
    for tick in range(4000):
        for entry, value in actions.get(tick, {}).items():
            one.set(entry, value)
        one.advance(0.001)
        look()


@pytest.mark.parametrize("version", [pytest.param(2, marks=pytest.mark.nightly), 3], ids=["2", "3"])
def test_our_own_car_is_the_same_car_one_tick_late(version: int, tmp_path: Path) -> None:
    """Every computed entry of the bench with the FMU is that of the tick before without it, to the last integer."""
    write(load_vehicle("compact"), tmp_path / "car.fmu", version)
    takes = [one.entry.path for one in variables() if one.is_input]
    gives = [one.entry.path for one in variables() if not one.is_input]
    head = "name: twin\nvehicle: compact\n"
    (tmp_path / "own.yaml").write_text(head)
    (tmp_path / "bench.yaml").write_text(
        f"{head}fmu:\n  car:\n    file: car.fmu\n    inputs: [{', '.join(takes)}]\n    outputs: [{', '.join(gives)}]\n"
    )
    places = [(one.channel, one.place) for one in variables() if not one.is_input]

    def driven(file: Path) -> Iterator[list[int]]:
        rows: list[list[int]] = []
        with VirtualBench(file, trust=True) as one:
            drive(one, lambda: rows.append([one.data.get(*place) for place in places]))
        return iter(rows)

    own, imported = driven(tmp_path / "own.yaml"), driven(tmp_path / "bench.yaml")
    next(imported)
    fastest = 0
    for number, (expected, found) in enumerate(zip(own, imported, strict=False)):
        differing = {path: (a, b) for path, a, b in zip(gives, expected, found, strict=True) if a != b}
        assert not differing, number
        fastest = max(fastest, found[gives.index("vehicle.Speed")])
    assert fastest > 3000  # [mm/s]: it has been driven
