"""`hilbridge learn`: the report, the bench file with signals, and what is refused."""

import json
import math
from pathlib import Path

import can
import pytest

from hilbridge.commands.cli import main
from hilbridge.desk.learn.learn import learn
from hilbridge.desk.learn.log import read_frames
from hilbridge.desk.learn.report import notes
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.testing import VirtualBench

SECONDS = 20


def speed(t: float) -> float:
    """A drive [km/h]."""
    return 60 + 50 * math.sin(t / 3)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A speed in bytes 2 and 3, Motorola, in 0.01 km/h, xor in byte 0; a frame that rests; one that came once."""
    lines = []
    for tick in range(SECONDS * 100):
        t = tick / 100
        raw = round(speed(t) * 100)
        rest = bytes([tick % 16, raw >> 8, raw & 255, 0x55])
        lines.append((t, f"1A0#{rest[0] ^ rest[1] ^ rest[2] ^ rest[3]:02X}{rest.hex()}"))
        if tick % 20 == 0:
            lines.append((t + 0.001, "3D0#DEADBEEF"))
    lines.append((5.0005, "7FF#01"))
    path = tmp_path / "drive.log"
    path.write_text("".join(f"({1000 + t:.6f}) can0 {frame}\n" for t, frame in sorted(lines)))
    return path


@pytest.fixture
def values(tmp_path: Path) -> Path:
    path = tmp_path / "values.csv"
    rows = "".join(f"{t / 50},{speed(t / 50)},{t % 7}\n" for t in range(SECONDS * 50))
    path.write_text(f"time [s],vehicle speed [km/h],noise\n{rows}")
    return path


def test_the_bench_carries_signals_of_known_values(
    log: Path, values: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Frames, protection, and the model's value behind the one that is known."""
    file = tmp_path / "my.yaml"
    assert main(["learn", str(log), "-o", str(file), "--against", str(values)]) == 0
    report = capsys.readouterr().out
    assert "drive.log (candump): 2101 frames of 3 identifiers in 20.0 s, bus can0" in report
    assert "0x1A0: sure: vehicle speed = number · 0.01 + 0, 16 bits Motorola from byte 3, bit 0" in report
    bus = load_bench(str(file)).settings.buses["can"]
    assert {name: (frame.id, frame.period, frame.send) for name, frame in bus.raw.items()} == {
        "Frame1A0": (0x1A0, 10, None),
        "Frame3D0": (0x3D0, 200, None),
        "Frame7FF": (0x7FF, None, "once"),
    }
    (signal,) = bus.raw["Frame1A0"].signals.values()
    assert (signal.source, signal.unit) == ("vehicle.Speed", "km/h")
    assert (signal.bit, signal.width, signal.order, signal.scale) == (23, 16, "big", 0.01)
    (group,) = bus.raw["Frame1A0"].protection
    assert group.preset == "vw-pq"
    assert main(["check", str(file)]) == 0


def test_the_report_is_there_for_programs(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", str(log), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    first, second, third = found["identifiers"]
    assert first["goes"]["period"] == 10
    assert first["counters"] == [{"at": {"bit": 8, "width": 4}, "certainty": "sure"}]
    assert (second["constant"], second["payload"]) == (True, "DE AD BE EF")
    assert third["goes"]["kind"] == "once"


def test_a_rest_bus_has_only_what_rests(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rest.yaml"
    assert main(["learn", str(log), "-o", str(file), "--rest-bus"]) == 0
    assert set(load_bench(str(file)).settings.buses["can"].raw) == {"Frame3D0", "Frame7FF"}
    assert "left out, because their content changes: 0x1A0" in file.read_text()
    assert main(["learn", str(log), "-o", str(file)]) == 2
    assert "--force overwrites it" in capsys.readouterr().err
    assert main(["learn", str(log), "--rest-bus"]) == 2
    assert "--output" in capsys.readouterr().err


def test_pages_that_rotate_are_sent_in_turn(tmp_path: Path) -> None:
    """Each with the bytes that it had."""
    pages = ["0011223344556677", "02AABBCCDDEEFF01", "0111111111111111"]
    lines = [f"({tick / 20:.3f}) can0 600#{pages[tick % 3]}\n" for tick in range(200)]
    (tmp_path / "dash.log").write_text("".join(lines))
    assert main(["learn", str(tmp_path / "dash.log"), "-o", str(tmp_path / "dash.yaml")]) == 0
    with VirtualBench(tmp_path / "dash.yaml") as bench:
        bench.advance(1.0)
        bench.record(tmp_path / "again.log")
    sent = [message.data.hex().upper() for message in can.LogReader(tmp_path / "again.log")]
    assert sent[:6] in [(pages * 3)[start : start + 6] for start in range(3)]


def test_what_was_found_is_kept_at_an_interruption(log: Path) -> None:
    """The identifiers that were not looked at are named."""
    answers = iter([False, True])
    learned = learn(read_frames(log, None), [], stopped=lambda: next(answers))
    assert [frame.series.name for frame in learned.frames] == ["0x1A0"]
    assert "  interrupted: not looked at: 0x3D0, 0x7FF" in list(notes(learned))
