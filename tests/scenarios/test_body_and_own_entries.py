"""The body and the entries that a bench declares by itself: set, computed, sent, recorded, replayed, reloaded."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.bench import Bench
from hilbridge.bench.bench_files import load_bench_files
from hilbridge.boundary.record.recording import Recording
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.settings.custom import MOST
from hilbridge.runs.run.replay import replay
from hilbridge.testing import VirtualBench
from vehiclesim.channels import BODY, BodyData
from vehiclesim.entries import ENTRIES, MOST_CUSTOM

from ..program import hilbridge

BENCH = """
name: own
rate: 200
vehicle: compact
custom:
  Half: {unit: "%", expression: custom.OilLife / 2, meaning: of what follows}
  OilLife: {unit: "%", range: [0, 100], default: 80, meaning: what is left of the oil}
  Service: {codes: {0: none, 1: soon, 2: now}, default: soon}
  Warning: {expression: custom.Service == 'now' and body.LeftTurnLamp, range: [0, 1]}
  NoLoad: {expression: vehicle.EngineLoad}
buses:
  one:
    interface: embedded
    armed: true
    raw:
      Own:
        id: 0x100
        period: 10
        data: "0000000000000000"
        signals:
          Oil: {bit: 0, width: 8, from: custom.OilLife}
          Half: {bit: 8, width: 8, from: custom.Half}
          Service: {bit: 16, width: 8, from: custom.Service}
          Warning: {bit: 24, width: 8, expression: custom.Warning}
      Body:
        id: 0x101
        period: 10
        data: "0000000000000000"
        signals:
SIGNALS
inputs:
  - source: serial
    port: pty
    timeout: 500
    signals:
      custom.OilLife: {field: oil}
      body.TurnSignal: {field: turn}
      body.DriveMode: {field: mode, safe: eco}
"""

SETTABLE = ENTRIES[BODY][: BodyData.LEFT_TURN]


def written(folder: Path, text: str = BENCH) -> Path:
    """A bench that sends every entry of the body, two bits each."""
    lines = [
        f"          {entry.name}: {{bit: {2 * i}, width: 2, from: body.{entry.name}}}"
        for i, entry in enumerate(entry for entry in ENTRIES[BODY] if not entry.unit)
    ]
    file = folder / "own.yaml"
    file.write_text(text.replace("SIGNALS", "\n".join(lines[:32])), encoding="utf-8")
    return file


@pytest.fixture
def bench(tmp_path: Path) -> Any:
    with VirtualBench(written(tmp_path)) as one:
        one.advance(0.05)
        yield one


def sent(bench: VirtualBench) -> list[int]:
    """The signals of the frame Own."""
    newest: dict[int, bytes] = {}
    bench.parts.buses["one"].attach_observer(
        lambda _t, _bus, _received, frame: newest.update({frame.can_id: frame.data})
    )
    bench.advance(0.05)
    return list(newest[0x100][:4])


def test_an_entry_that_nobody_sets_has_its_default_and_others_follow_from_it(bench: VirtualBench) -> None:
    assert sent(bench) == [80, 40, 1, 0]
    assert bench.read("custom.NoLoad") != bench.read("custom.NoLoad")  # the engine stands: not available


def test_an_entry_is_set_as_a_control_is(bench: VirtualBench) -> None:
    """By a command, with a word for a code, and held until it is released, when it stays; not beyond its range."""
    bench.set("custom.OilLife", 30)
    bench.set("custom.Service", "now")
    bench.set("body.HazardLights", "on")
    assert sent(bench) == [30, 15, 2, 1]
    bench.release()
    assert sent(bench)[:3] == [30, 15, 2]
    for entry, value, reason in (
        ("custom.OilLife", 101, "not within 0..100 %"),
        ("custom.Service", "later", "unknown position of custom.Service 'later'"),
        ("custom.Half", 1, "custom.Half is a result"),
        ("custom.OliLife", 1, "did you mean custom.OilLife"),
    ):
        with pytest.raises(ConfigurationError, match=reason):
            bench.set(entry, value)


def test_a_serial_board_sets_body_and_own_entries_by_number_or_word(bench: VirtualBench) -> None:
    """After its time-out a lever stays where it was, or goes where the bench file says."""
    bench.write_serial(b"x=1\noil=55 turn=left mode=sport\n")
    bench.set("input.Key", "on")
    bench.advance(0.1)
    assert [bench.read(one) for one in ("custom.OilLife", "body.TurnSignal", "body.DriveMode")] == [55.0, 1.0, 2.0]
    assert bench.read("body.LeftTurn") == 1.0
    bench.advance(0.6)
    assert [bench.read(one) for one in ("custom.OilLife", "body.TurnSignal", "body.DriveMode")] == [55.0, 1.0, 1.0]


def test_all_frames_have_one_flash(bench: VirtualBench) -> None:
    """In a run: three flashes in two seconds, in the frames as on the data bus."""
    bench.set("input.Key", "on")
    bench.set("body.TurnSignal", "right")
    bench.advance(0.005)
    lamps = []
    for _ in range(200):
        bench.advance(0.01)
        lamps.append(bench.read("body.RightTurnLamp"))
    assert sum(now > before for before, now in pairwise(lamps)) == 3
    assert sum(lamps) == pytest.approx(100, abs=2)


def test_a_scenario_that_moves_everything_is_replayed_to_the_byte(tmp_path: Path) -> None:
    """Each settable entry goes to its end and, with words or numbers, in a ramp where it has a unit."""
    steps: list[dict[str, Any]] = [{"set": {"input.Key": "on", "custom.Service": "now"}}]
    for entry in SETTABLE:
        if entry.codes:
            steps += [{"set": {entry.path: word}, "after": 0.01} for _, word in entry.codes]
        else:
            steps.append({"set": {entry.path: 0.5}, "over": 0.1})
    steps += [
        {"set": {"custom.OilLife": 5}, "over": 0.5},
        {"wait": {"until": "custom.Half < 3 and custom.Service == 'now'", "timeout": 1}},
        {"expect": "body.Language == 'Turkish' and body.Dimming == 0.5"},
        {"release": ["custom.OilLife"]},
    ]
    scenario = tmp_path / "moves.yaml"
    scenario.write_text(json.dumps({"steps": steps}), encoding="utf-8")
    folder = tmp_path / "recording"
    run = hilbridge("run", written(tmp_path), "--scenario", scenario, "--record", folder)
    assert run.returncode == 0, run.stdout + run.stderr
    seen: dict[str, set[float]] = {entry.path: set() for entry in SETTABLE}
    own: list[float] = []

    def watch(data: Any, _t: int) -> None:
        for index, entry in enumerate(SETTABLE):
            seen[entry.path].add(data.read(BODY, index))
        own.append(data.read(*data.entries.find("custom.Half")))

    assert replay(Recording(folder), watch=watch).identical
    assert all(len(values) >= len(entry.codes or (0, 1)) for entry, values in zip(SETTABLE, seen.values(), strict=True))
    assert (own[0], own[-1]) == (40.0, 2.5)


def test_a_reload_keeps_the_values_of_entries_that_keep_their_name(tmp_path: Path) -> None:
    """And what is held; a new one has its default, one whose range has become smaller is limited to it."""
    with VirtualBench(written(tmp_path)) as bench:
        bench.set("custom.OilLife", 60)
        bench.set("custom.Service", "now")
        bench.advance(0.02)
        text = BENCH.replace("  OilLife: {", "  Extra: {range: [1, 9]}\n  OilLife: {").replace(
            "[0, 100], default: 80", "[0, 50]"
        )
        bench.parts.adopt(load_bench_files(load_bench(str(written(tmp_path, text)))), round(bench.time * 1e9))
        bench.advance(0.02)
        values = [bench.read(f"custom.{name}") for name in ("OilLife", "Half", "Extra", "Service")]
        assert values == [50.0, 25.0, 1.0, 2.0]
        with pytest.raises(ConfigurationError, match=r"unknown data bus entry .custom\.OilLife"):
            bench.parts.adopt(
                load_bench_files(load_bench(str(written(tmp_path, text.replace("  OilLife:", "  Oil:"))))), 0
            )
        assert values == [bench.read(f"custom.{name}") for name in ("OilLife", "Half", "Extra", "Service")]
        held = {one.control for one in bench.parts.wiring.arbiter.control_states() if one.source == "command"}
        assert held == {"custom.Service"}


def built(path: Path) -> Bench:
    """The bench of a file, or what `hilbridge check` says about it."""
    file = load_bench(str(path))
    try:
        return Bench(file)
    except ConfigurationError as error:
        raise file.locate(error) from None


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("X: {range: [0, 10], default: 11}", "custom.X.default: 11 is not within 0..10"),
        ("X: {codes: {0: a}, default: b}", "custom.X.default: 'b' is not among the codes"),
        ("X: {range: [5, 5]}", "custom.X.range: must ascend"),
        ("X: {unit: km}", "custom.X: needs 'range' or 'codes' to be set, or 'expression' to be computed"),
        ("X: {expression: custom.Oil}", "custom.X.expression: column 1: unknown data bus entry 'custom.Oil'"),
        ("X: {expression: custom.Half, default: 3}", "custom.X.default: a computed entry has no default"),
        (
            "X: {expression: custom.Y + 1}\n  Y: {expression: 2 * custom.X}",
            "custom.X.expression: depends on itself: X -> Y -> X",
        ),
        ("Half: {range: [0, 1]}", "the key 'Half' is already on line 6"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, line: str, complaint: str) -> None:
    file = written(tmp_path, BENCH.replace("custom:\n", f"custom:\n  {line}\n"))
    with pytest.raises(ConfigurationError) as raised:
        built(file)
    assert f"{file}:" in str(raised.value)
    assert complaint in str(raised.value)


def test_a_bench_declares_as_many_entries_as_there_are_places() -> None:
    assert MOST == MOST_CUSTOM
