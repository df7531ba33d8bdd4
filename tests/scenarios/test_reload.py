"""The bench file is changed under a running bench, and SIGHUP or `hilbridge ctl reload` makes it read anew."""

import json
import os
import re
import signal
from itertools import pairwise
from pathlib import Path
from random import Random

import can
import pytest

from hilbridge.boundary.record.boundary_records import RELOAD
from hilbridge.boundary.record.recording import Recording

from ..program import PATIENCE, Program, database, decoded, demo_bench, hilbridge, running, slcan_client

RAW = """    raw:
      Counter: {id: 0x700, period: 20, data: "0000AA0000000000", protection: [{counter: {at: {bit: 0, width: 4}}}]}
      Fixed: {id: 0x701, period: 20, data: BB}
"""


def bench_file(folder: Path) -> Path:
    """The demo bench at 200 ticks/s, with two frames without a database."""
    control = f"control: {{socket: {folder / 'control.sock'}}}\nrate: 200 "
    return demo_bench(folder, ("rate: 1000 ", control), ("    transmit:", RAW + "    transmit:"))


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def hang_up(program: Program) -> None:
    os.kill(program.process.pid, signal.SIGHUP)


def counted(bus: can.BusABC, number: int) -> list[int]:
    """The counters of so many frames 0x700."""
    found: list[int] = []
    while len(found) < number:
        frame = bus.recv(PATIENCE)
        assert frame is not None
        if frame.arbitration_id == 0x700:
            found.append(frame.data[0] & 15)
    return found


def test_a_running_bench_follows_its_file_and_the_replay_is_identical(tmp_path: Path) -> None:
    """Three reloads under traffic: no client is dropped, no tick counts as missed for them, counters go on."""
    bench, directory = bench_file(tmp_path), tmp_path / "recording"
    with running(bench, "--record", directory, "--seed", 7) as program:
        with slcan_client(program.slcan_port()) as client:
            program.wait_for("ready")
            numbers = counted(client, 5)
            for old, new in (("0000AA", "0000CC"), ("20, data: BB", "40, data: BB"), ("data: BB", "data: DD")):
                change(bench, old, new)
                hang_up(program)
                program.wait_for("reloaded")
            numbers += counted(client, 200)
            steps = {(b - a) % 16 for a, b in pairwise(numbers[5:])}
            assert steps == {1}
            statistics = program.statistics()
            assert (statistics["reload"]["count"], statistics["reload"]["refused"]) == (3, 0)
            link = statistics["links"]["powertrain"]
            assert (link["connected"], link.get("disconnected", 0)) == (1, 0)
        program.stop()
    recording = Recording(directory)
    assert recording.manifest["seed"] == 7
    assert sum(one.kind == RELOAD for one in recording.records()) >= 3
    outcome = hilbridge("replay", directory, "--json")
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    assert json.loads(outcome.stdout)["identical"] is True


@pytest.mark.nightly
def test_a_large_log_is_played_and_replayed_from_the_recording_alone(tmp_path: Path) -> None:
    """More than a megabyte of frames that nothing can compress; the file is gone when the recording is replayed."""
    bench, directory, log = bench_file(tmp_path), tmp_path / "recording", tmp_path / "drive.log"
    random = Random(1)
    lines = [f"({n / 5000:.6f}) can0 7A{n % 10}#{random.randbytes(8).hex()}" for n in range(135_000)]
    log.write_text("\n".join(lines) + "\n", encoding="ascii")
    with running(bench, "--record", directory) as program:
        with slcan_client(program.slcan_port()) as client:
            program.wait_for("ready")
            change(bench, "    raw:\n", "    rest_bus: {file: drive.log}\n    raw:\n")
            hang_up(program)
            program.wait_for("reloaded")
            frame = client.recv(PATIENCE)
            while frame is not None and frame.arbitration_id != 0x7A9:
                frame = client.recv(PATIENCE)
            assert frame is not None
            assert program.statistics()["reload"]["count"] == 1
        log.unlink()
        program.stop()
    pieces = [one.payload for one in Recording(directory).records() if one.kind == RELOAD]
    assert sum(map(len, pieces)) > 1 << 20
    outcome = hilbridge("replay", directory, "--json")
    assert json.loads(outcome.stdout)["identical"] is True, outcome.stdout + outcome.stderr


def test_what_cannot_be_is_refused_and_the_old_configuration_goes_on(tmp_path: Path) -> None:
    """A mistake is reported with its line, a changed rate with its key; then a good file is adopted all the same."""
    bench = bench_file(tmp_path)
    good = bench.read_text(encoding="utf-8")
    with running(bench) as program:
        program.wait_for("ready")
        change(bench, "data: BB", "datum: BB")
        hang_up(program)
        line = next(n for n, text in enumerate(bench.read_text().splitlines(), 1) if "datum" in text)
        assert f"{bench}:{line}: " in program.wait_for("reload refused")["reason"]
        bench.write_text(good.replace("rate: 200", "rate: 100"))
        hang_up(program)
        assert program.wait_for("reload refused")["reason"] == "needs restart: rate"
        bench.write_text(good)
        run = hilbridge("ctl", "--bench", tmp_path / "control.sock", "reload")
        assert run.returncode == 0, run.stderr
        program.wait_for("reloaded")
        assert program.statistics()["reload"]["refused"] == 2


def test_ctl_reload_reports_the_outcome(tmp_path: Path) -> None:
    """A deployment script needs no log: the outcome is printed, and is the exit status."""
    bench = bench_file(tmp_path)

    def reload(*words: object) -> tuple[int, str, str]:
        run = hilbridge("ctl", "--bench", tmp_path / "control.sock", *words, "reload")
        return run.returncode, run.stdout, run.stderr

    with running(bench) as program:
        program.wait_for("ready")
        change(bench, "data: BB", "data: DD")
        status, printed, complaint = reload()
        assert (status, complaint) == (0, "")
        assert re.fullmatch(r"reloaded in \d+ ms\n", printed)
        assert program.statistics()["reload"]["count"] == 1
        change(bench, "rate: 200", "rate: 100")
        assert reload() == (1, "", "reload refused: needs restart: rate\n")
        status, printed, _ = reload("--json")
        outcome = json.loads(printed)
        assert (status, outcome["outcome"], outcome["reason"]) == (1, "refused", "needs restart: rate")


def test_a_unit_names_its_process_and_waits_for_the_outcome(tmp_path: Path) -> None:
    """`ExecReload=` has no name of a bench: the socket is found at whatever path, also when the file says nothing."""
    bench = bench_file(tmp_path)
    good = bench.read_text(encoding="utf-8")
    with running(bench) as program:
        program.wait_for("ready")
        words = ("ctl", "reload", "--process", program.process.pid)
        assert hilbridge(*words).returncode == 0
        bench.write_text("name: [\n", encoding="utf-8")
        run = hilbridge(*words)
        assert run.returncode == 1
        assert re.match(rf"reload refused: {re.escape(str(bench))}:[12]: ", run.stderr)
        bench.write_text(good, encoding="utf-8")
        assert hilbridge(*words).returncode == 0
        program.stop()
    assert hilbridge(*words).returncode == 1  # it has ended


@pytest.mark.way_out("reload")
def test_a_bench_without_a_control_socket_is_told_by_a_signal(tmp_path: Path) -> None:
    """Nothing can be waited for then, which is said."""
    bench = demo_bench(tmp_path, ("rate: 1000 ", "control: {enabled: false}\nrate: 200 "))
    with running(bench) as program:
        program.wait_for("ready")
        run = hilbridge("ctl", "reload", "--process", program.process.pid)
        assert (run.returncode, run.stdout) == (0, "")
        assert "the log has the outcome" in run.stderr
        program.wait_for("reloaded")
        program.stop()


@pytest.mark.nightly
def test_while_a_scenario_is_played_nothing_is_reloaded(tmp_path: Path) -> None:
    """It listens to frames as they were when it began; afterwards the file is read again."""
    bench, scenario = bench_file(tmp_path), tmp_path / "scenario.yaml"
    scenario.write_text('steps: [{wait: {until: "vehicle.Speed > 100", timeout: 100}}]\n', encoding="utf-8")

    def ctl(*words: object) -> None:
        run = hilbridge("ctl", "--bench", tmp_path / "control.sock", *words)
        assert run.returncode == 0, run.stderr

    with running(bench) as program:
        program.wait_for("ready")
        ctl("scenario", "start", scenario)
        hang_up(program)
        assert "a scenario is played" in program.wait_for("reload refused")["reason"]
        ctl("scenario", "stop")
        hang_up(program)
        program.wait_for("reloaded")


def test_at_the_end_the_bus_shows_the_ignition_off_and_falls_silent(tmp_path: Path) -> None:
    """Each frame of the plan goes once more after the stop was asked for; the replay has the same end."""
    bench, directory = bench_file(tmp_path), tmp_path / "recording"
    with running(bench, "--record", directory) as program:
        while program.wait_for("status")["rpm"] < 800.0:  # the demo driver starts the engine
            pass
        program.stop()
    frames = [one for one in can.BLFReader(directory / "frames.blf") if one.arbitration_id == 0x100]
    engine = database().get_message_by_name("EngineData1")
    works = [decoded(engine, frame)["EngineWorking"] for frame in frames]
    assert (max(works), works[-1]) == (1.0, 0.0)
    outcome = hilbridge("replay", directory, "--json")
    assert json.loads(outcome.stdout)["identical"] is True
