"""Faults by command and by bench file, in the real program, as a python-can client on the bus sees them."""

import json
import os
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import can
import pytest
from crccheck.crc import Crc8SaeJ1850  # type: ignore[import-untyped]

from hilbridge.client import Client

from ..program import PATIENCE, Program, database, decoded, demo_bench, hilbridge, record, running, slcan_client

ENGINE = database().get_message_by_name("EngineData1")
PERIOD = 0.01
"""[s] of EngineData1."""

END = 0x7FF
"""A frame of another client: who has heard it has heard everything before."""

TRIP = """database: powertrain.dbc
    messages:
      TripData:
        period: 10
    raw:
      Alive:
        id: 0x3D0
        data: "00 11 22 00"
        period: 10
        protection:
          - counter: {at: {bit: 0, width: 4}}
            checksum: {at: {bit: 24, width: 8}, algorithm: crc8}"""


def faulty(folder: Path, *faults: str) -> Path:
    """The demo bench with a protected raw frame, a control socket of its own, and faults."""
    bench = demo_bench(folder, ("database: powertrain.dbc", TRIP))
    with bench.open("a", encoding="utf-8") as text:
        text.write(f"\nseed: 4\ncontrol: {{socket: {folder}/ctl.sock, mode: '600'}}\n")
        if faults:
            text.write("faults:\n" + "".join(f"  - {{{fault}}}\n" for fault in faults))
    return bench


def ctl(bench: Path, *words: object) -> Any:
    run = hilbridge("ctl", "--bench", bench.parent / "ctl.sock", "--json", *words)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def command(bench: Path, name: str, **arguments: Any) -> dict[str, Any]:
    """The answer to a command, without the time that `hilbridge ctl` takes to start."""
    with Client(bench.parent / "ctl.sock") as client:
        return client.command(name, **arguments)


def heard(client: can.BusABC, identifier: int, count: int) -> list[can.Message]:
    """So many frames of an identifier."""
    frames: list[can.Message] = []
    while len(frames) < count:
        frame = client.recv(10.0)
        assert frame is not None
        if frame.arbitration_id == identifier:
            frames.append(frame)
    return frames


def heard_so_far(client: can.BusABC, port: int, identifier: int) -> list[can.Message]:
    """Its frames that came while nobody listened, and until now."""
    with slcan_client(port) as other:
        other.send(can.Message(arbitration_id=END, is_extended_id=False))
    deadline = time.monotonic() + PATIENCE
    frames: list[can.Message] = []
    while not frames or frames[-1].arbitration_id != END:
        frame = client.recv(PATIENCE)
        assert frame is not None
        assert time.monotonic() < deadline, "the last frame of another client has not come"
        frames.append(frame)
    return [frame for frame in frames if frame.arbitration_id == identifier]


def wrong(frame: can.Message) -> bool:
    return bool(frame.data[3] != Crc8SaeJ1850.calc(bytes(frame.data[:3])))


def over(program: Program, number: int) -> dict[str, Any]:
    return program.wait_for("fault over", fault=number)


@pytest.mark.nightly
def test_dropped_frames_stop_and_come_back(tmp_path: Path) -> None:
    """By command, for half a second: the log tells begin and end, the status shows it, the client misses frames."""
    bench = faulty(tmp_path)
    with running(bench) as program:
        with slcan_client(program.slcan_port()) as client:
            heard(client, ENGINE.frame_id, 1)
            assert ctl(bench, "fault", "add", "frame", "powertrain.EngineData1", "drop", "--for", 0.5) == {"fault": 1}
            begin = program.wait_for("fault begins", fault=1)
            shown = ctl(bench, "status")["faults"]
            end = over(program, 1)
            heard(client, ENGINE.frame_id, 20)
        assert (begin["what"], end["reason"]) == ("frame powertrain.EngineData1 drop", "its time is over")
        assert end["t"] - begin["t"] == pytest.approx(0.5, abs=PERIOD)
        assert end["hits"] == pytest.approx(0.5 / PERIOD, abs=2)
        assert [one["what"] for one in shown] == ["frame powertrain.EngineData1 drop"]
        wide = os.environ | {"COLUMNS": "200"}
        table = hilbridge("ctl", "--bench", tmp_path / "ctl.sock", "fault", "list", env=wide).stdout
        assert "frame powertrain.EngineData1 drop" in table
        (told,) = ctl(bench, "fault", "list")["faults"]
        assert (told["state"], told["hits"]) == ("over", end["hits"])


def test_exactly_so_many_frames_have_a_wrong_checksum(tmp_path: Path) -> None:
    """An independent calculation finds seven, one after the other; the counter has no gap."""
    bench = faulty(tmp_path)
    with running(bench) as program, slcan_client(port := program.slcan_port()) as client:
        heard(client, 0x3D0, 5)
        ctl(bench, "fault", "add", "frame", "powertrain.0x3D0", "checksum", "wrong=random", "--frames", 7)
        over(program, 1)
        frames = [*heard_so_far(client, port, 0x3D0), *heard(client, 0x3D0, 50)]
    assert sum(map(wrong, frames)) == 7
    first = [wrong(frame) for frame in frames].index(True)
    assert all(wrong(frame) for frame in frames[first : first + 7])
    assert {(b.data[0] - a.data[0]) % 16 for a, b in pairwise(frames)} == {1}


def test_a_signal_is_wrong_until_it_is_cleared(tmp_path: Path) -> None:
    """The other signals of the frame stay what they are."""
    bench = faulty(tmp_path)
    with running(bench) as program, slcan_client(port := program.slcan_port()) as client:
        program.wait_for("ready")
        ctl(bench, "fault", "add", "signal", "powertrain.EngineData1.EngineRpm", "stuck", "value=7777")
        heard_so_far(client, port, ENGINE.frame_id)
        values = [decoded(ENGINE, frame)["EngineRpm"] for frame in heard(client, ENGINE.frame_id, 20)]
        assert values[-1] == 7777
        stuck = ctl(bench, "status")["service"]["troubles"]["faults"]
        assert stuck == "fault: signal powertrain.EngineData1.EngineRpm stuck 7777"
        ctl(bench, "fault", "clear", 1)
        over(program, 1)
        ctl(bench, "fault", "add", "physics", "fault.Misfire", "value=0.5")
        held = {one["control"]: one["value"] for one in ctl(bench, "status")["inputs"]}
        heard_so_far(client, port, ENGINE.frame_id)
        values = [decoded(ENGINE, frame)["EngineRpm"] for frame in heard(client, ENGINE.frame_id, 20)]
    assert values[-1] < 7000
    assert held["fault.Misfire"] == 0.5


def test_a_cut_link_is_silent_and_recovers_by_itself(tmp_path: Path) -> None:
    """Shown as trouble while it lasts; the counter has no gap, for nothing is built meanwhile."""
    bench = faulty(tmp_path)
    with running(bench) as program:
        with slcan_client(port := program.slcan_port()) as client:
            before = heard(client, 0x3D0, 10)
            fault = {"kind": "link", "bus": "powertrain", "effect": "bus-off", "for": 0.8}
            command(bench, "fault-add", fault=fault)
            trouble = command(bench, "status")["buses"]["powertrain"]["trouble"]
            program.wait_for("fault begins", fault=1)
            over(program, 1)
            frames = [*before, *heard_so_far(client, port, 0x3D0), *heard(client, 0x3D0, 50)]
        assert trouble == "bus-off by fault 1"
        assert ctl(bench, "status")["buses"]["powertrain"]["trouble"] == ""
    assert {(b.data[0] - a.data[0]) % 16 for a, b in pairwise(frames)} == {1}


def test_a_silent_control_unit(tmp_path: Path) -> None:
    """All messages of its node are gone, the raw frame goes on."""
    bench = faulty(tmp_path)
    with running(bench) as program, slcan_client(port := program.slcan_port()) as client:
        ctl(bench, "fault", "add", "ecu", "powertrain.HILBRIDGE")
        program.wait_for("fault begins", fault=1)
        heard_so_far(client, port, 0x3D0)
        seen: set[int] = set()
        for _ in range(50):
            frame = client.recv(10.0)
            assert frame is not None
            seen.add(frame.arbitration_id)
    assert seen == {0x3D0}


def test_what_does_not_fit_is_refused_with_its_key(tmp_path: Path) -> None:
    """By command in words; in the bench file with its line, before the run."""
    bench = faulty(tmp_path)
    cases = [
        (("frame", "powertrain.Enginedata", "drop"), "message: unknown message that the bench sends"),
        (("frame", "powertrain.EngineData1", "dorp"), "did you mean 'drop'?"),
        (("frame", "powertrain.EngineData1", "counter"), "EngineData1 has no items of protection"),
        (("link", "powertrain", "down", "--probability", 0.5), "unknown key"),
        (("drop",), "begins with its kind"),
    ]
    with running(bench) as program:
        program.wait_for("ready")
        for words, reason in cases:
            run = hilbridge("ctl", "--bench", tmp_path / "ctl.sock", "fault", "add", *words)
            assert (run.returncode, reason in run.stderr) == (2, True), run.stderr
        assert ctl(bench, "fault", "list") == {"faults": []}
    bench = faulty(tmp_path, "kind: link, bus: powertrian, effect: down")
    run = hilbridge("check", bench)
    line = len(bench.read_text(encoding="utf-8").splitlines())
    assert run.returncode == 2
    assert f"{bench}:{line}: faults[0].bus: unknown bus 'powertrian'" in run.stderr


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    """In a run on the virtual clock with chance in every fault; another seed gives others."""
    faults = (
        "kind: signal, bus: powertrain, message: EngineData1, signal: EngineRpm, effect: noise, value: 300",
        "kind: frame, bus: powertrain, message: EngineData2, effect: drop, probability: 0.3",
        "kind: frame, bus: powertrain, message: 0x3D0, effect: delay, delay: 7, probability: 0.5, at: 0.2, for: 1",
        "kind: frame, bus: powertrain, message: 0x3D0, effect: checksum, wrong: random, probability: 0.5",
        "kind: physics, entry: Misfire, value: 0.3, at: 0.5, for: 1",
        "kind: link, bus: powertrain, effect: down, at: 1.5, for: 0.2",
    )
    bench = faulty(tmp_path, *faults)
    runs = [record(bench, tmp_path / name, 2.0) for name in ("one", "same")]
    bench.write_text(bench.read_text(encoding="utf-8").replace("seed: 4", "seed: 5"), encoding="utf-8")
    runs.append(record(bench, tmp_path / "other", 2.0))
    one, same, other = ([(frame.arbitration_id, bytes(frame.data)) for frame in run] for run in runs)
    assert one == same
    assert one != other
    assert any(wrong(frame) for frame in runs[0] if frame.arbitration_id == 0x3D0)
