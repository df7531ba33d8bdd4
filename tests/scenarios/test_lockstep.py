"""Control units that a run on the virtual clock waits for: the same run each time, and a clear end without them."""

import socket
import subprocess
import threading
from pathlib import Path
from typing import Final

import pytest

from hilbridge.boundary.record.boundary_records import FRAME, FrameRecord
from hilbridge.boundary.record.recording import Recording
from hilbridge.commands.cli import main
from hilbridge.frames.codec.frame import Frame

from ..program import demo_bench

SOURCE: Final = Path(__file__).with_name("lockstep_hashes.c")
BASIS, PRIME = 2166136261, 16777619

IN_PYTHON: Final = """
import os
import socket

bench = socket.socket(fileno=int(os.environ["HILBRIDGE_LOCKSTEP"]))
lines, answer, value = bench.makefile("rb"), bench.makefile("wb"), 2166136261
for line in lines:
    if line == b"end\\n":
        break
    for letter in line:
        value = (value ^ letter) * 16777619 & 0xFFFFFFFF
    if line.startswith(b"done "):
        answer.write(b"t7004%08X\\ndone\\n" % value)
        answer.flush()
"""

DRIVER: Final = """
from hilbridge.frames.codec.frame import Frame

class Driver:
    '''It answers each engine speed, says hello in each turn, and stumbles when it is told to.'''

    def __init__(self, stumbles=1e9):
        self.stumbles = stumbles

    def receive(self, frame, t):
        return [Frame(0x600, frame.data[:2])] if frame.can_id == 0x100 else []

    def tick(self, t):
        if t >= self.stumbles:
            raise RuntimeError("out of fuel")
        return [Frame(0x601, b"")]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the programs of clients."""
    folder = tmp_path_factory.mktemp("lockstep")
    subprocess.run(["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", folder / "in_c", SOURCE], check=True)
    (folder / "in_python.py").write_text(IN_PYTHON, encoding="utf-8")
    (folder / "driver.py").write_text(DRIVER, encoding="utf-8")
    (folder / "hung").write_text("#!/bin/sh\nsleep 60\n", encoding="utf-8")
    (folder / "killed.py").write_text(
        IN_PYTHON.replace(
            "if line ==", 'if line.startswith(b"done 2"):\n        os.kill(os.getpid(), 9)\n    if line =='
        )
    )
    return folder


def run(folder: Path, name: str, clients: str, *more: str, seconds: float = 0.5) -> int:
    """Run the demo with clients, in 0.5 s of its time; the recording has the name."""
    bench = demo_bench(folder)
    bench.write_text(f"{bench.read_text(encoding='utf-8')}\nlockstep:\n{clients}\n", encoding="utf-8")
    words = ["run", str(bench), "--pace", "lockstep", "--duration", str(seconds), "--trust", "--log", "json"]
    return main([*words, "--record", str(folder / name), *more])


def content(recording: Path) -> bytes:
    return b"".join(segment.read_bytes() for segment in sorted(recording.glob("record.*")))


def frames(recording: Path) -> list[tuple[int, FrameRecord]]:
    """The frames of a recording with their times."""
    records = (each for each in Recording(recording).records() if each.kind == FRAME)
    return [(each.t, FrameRecord.decode(each.payload)) for each in records]


def test_clients_in_c_and_in_python_hear_the_same_and_two_runs_are_alike(folder: Path) -> None:
    """The hash of all lines is in the frames, so equal recordings mean equal lines; the third is made by hand below."""
    c, python = (f"  one: {{bus: powertrain, program: {name}}}" for name in ("in_c", "in_python.py"))
    assert [run(folder, name, client) for name, client in (("c", c), ("again", c), ("python", python))] == [0, 0, 0]
    assert content(folder / "c") == content(folder / "again") == content(folder / "python")
    assert main(["replay", str(folder / "c")]) == 0

    lines, sent, heard = [b"lockstep 1 one powertrain 1000000\n"], [], frames(folder / "c")
    for t in range(0, 500_000_000, 1_000_000):
        lines.append(b"done %d\n" % t)
        value = BASIS
        for letter in b"".join(lines):
            value = (value ^ letter) * PRIME & 0xFFFFFFFF
        sent.append((t, Frame(0x700, value.to_bytes(4, "big"))))
        if len(sent) == 50:
            break
        told = (each.frame for at, each in heard if at == t and not each.received)
        lines += [b"%d t%03X%X%b\n" % (t, can_id, len(data), data.hex().upper().encode()) for can_id, data, _ in told]
    assert [(t, each.frame) for t, each in heard if each.received][:50] == sent


def test_clients_in_the_bench_and_beside_it_hear_each_other_in_the_order_of_their_names(folder: Path) -> None:
    """Every 10 ms the driver has its turn, every 20 ms the program, which hears the driver too."""
    clients = "  b: {bus: powertrain, program: in_c, every: 20}\n"
    clients += "  a: {bus: powertrain, python: 'driver.py:Driver', every: 10}"
    assert run(folder, "both", clients, seconds=0.1) == 0
    received = [(t, each.frame) for t, each in frames(folder / "both") if each.received]
    assert [t for t, frame in received if frame.can_id == 0x601] == [t * 10_000_000 for t in range(10)]
    assert [t for t, frame in received if frame.can_id == 0x700] == [t * 20_000_000 for t in range(5)]
    at_20 = [frame.can_id for t, frame in received if t == 20_000_000]
    assert at_20 == sorted(at_20)
    assert at_20[-2:] == [0x601, 0x700]
    assert main(["replay", str(folder / "both")]) == 0


@pytest.mark.parametrize(
    ("client", "words"),
    [
        ("program: hung, timeout: 0.3", "lockstep client one has not said 'done' within 0.3 s"),
        ("program: killed.py", "lockstep client one has gone in mid-run: its program ended with status -9"),
        ("python: 'driver.py:Driver', arguments: [0.2]", "lockstep client one has failed: 'RuntimeError: out of fuel'"),
    ],
    ids=["hung", "killed", "stumbling"],
)
def test_a_client_that_is_lost_ends_the_run_in_words(
    client: str, words: str, folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What was recorded up to there is whole, and can be replayed."""
    for name in ("hung", "killed.py", "driver.py"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    assert run(tmp_path, "lost", f"  one: {{bus: powertrain, {client}}}") == 1
    assert words in capfd.readouterr().out
    assert main(["replay", str(tmp_path / "lost")]) == 0


def test_a_program_of_somebody_else_connects_once(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its socket is for its user alone; after the first program nobody can connect any more."""
    path, modes, refused = tmp_path / "one.sock", [], []

    def program() -> None:
        with socket.socket(socket.AF_UNIX) as bench:
            bench.connect(str(path))
            lines = bench.makefile("rb")
            next(lines)
            for line in lines:
                if line == b"done 100000000\n":
                    refused.append(not path.exists())
                if line.startswith(b"done "):
                    bench.sendall(b"t1230\ndone\n")

    listen = socket.socket.listen

    def started(listening: socket.socket, most: int) -> None:
        listen(listening, most)
        modes.append(path.stat().st_mode & 0o777)
        thread.start()

    thread = threading.Thread(target=program)
    monkeypatch.setattr(socket.socket, "listen", started)
    assert run(folder, "socket", f"  one: {{bus: powertrain, socket: {path}}}", seconds=0.2) == 0
    thread.join()
    assert (modes, refused) == ([0o600], [True])
    assert sum(each.received for _, each in frames(folder / "socket")) == 200


@pytest.mark.parametrize(
    ("clients", "words"),
    [
        ("  one: {bus: powertrain, socket: nobody.sock, timeout: 0.1}", "no program came to nobody.sock within 0.1 s"),
        ("  one: {bus: powertrain, socket: in_c}", "cannot listen at in_c: Address already in use; remove it"),
        ("  one: {bus: powertrain, program: not_there}", "lockstep.one.program: cannot be read"),
        ("  one: {bus: powertrain, program: SOURCE}", "cannot be started: Exec format error"),
        ("  one: {bus: powertrain, python: 'driver.py:Nobody'}", "has no class Nobody"),
        (
            "  one: {bus: powertrain, python: 'driver.py:Driver', arguments: [1, 2]}",
            "lockstep.one.python: cannot be made",
        ),
        ("  one: {bus: comfort, program: in_c}", "lockstep.one.bus: there is no bus 'comfort'"),
        (
            "  one: {bus: powertrain, program: in_c, every: 1.5}",
            "lockstep.one.every: 1.5 ms is no multiple of the tick",
        ),
        ("  one: {bus: powertrain}", "lockstep.one: needs one of the keys python, program, firmware, socket"),
        ("  {}", "--pace lockstep: bench demo names no client"),
    ],
)
def test_what_cannot_begin_is_refused_in_words(
    clients: str, words: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    (folder / "SOURCE").write_text("no program\n", encoding="utf-8")
    assert run(folder, "none", clients) == 2
    assert words in capsys.readouterr().err


def test_in_real_time_nothing_waits(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = demo_bench(folder)
    text = bench.read_text(encoding="utf-8") + "\nlockstep: {one: {bus: powertrain, program: in_c}}\n"
    bench.write_text(text, encoding="utf-8")
    assert main(["run", str(bench), "--duration", "1", "--no-web"]) == 2
    assert "lockstep: in real time nothing waits for a client" in capsys.readouterr().err


def test_a_program_that_nobody_trusts_is_not_run(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is refused by its content, and `check` says so too."""
    (tmp_path / "own").write_text(f"#!/bin/sh\ntouch {tmp_path}/traces\n", encoding="utf-8")
    bench = demo_bench(tmp_path)
    text = bench.read_text(encoding="utf-8") + "\nlockstep: {one: {bus: powertrain, program: own}}\n"
    bench.write_text(text, encoding="utf-8")
    for words in (["run", "--pace", "lockstep", "--duration", "1"], ["check"]):
        assert main([words[0], str(bench), *words[1:]]) == 2
        assert "lockstep.one.program: " in (said := capsys.readouterr().err)
        assert "own' is code that nobody has trusted here" in said
    assert not (tmp_path / "traces").exists()
