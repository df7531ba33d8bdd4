"""The port of an FMU, whose process is played: answers that are due, late, wrong, or never come."""

import os
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.base.process.child_process import Child
from hilbridge.boundary.fmu.port import FmuPort
from hilbridge.files.fmu.physical_units import Line


class Rig:
    """A port, and the other end of its socket."""

    def __init__(self, folder: Path) -> None:
        ours, self.other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        pid = os.posix_spawn("/bin/sleep", ["sleep", "60"], {})
        self.folder = folder / "unpacked"
        self.folder.mkdir()
        takes, gives = [Line(2.0, 1.0), Line()], [Line(0.5, 0.0)]
        self.port = FmuPort("one", Child(pid), ours, self.folder, takes=takes, gives=gives, timeout=0.2)
        self.lost: list[tuple[str, str]] = []
        self.port.lost = lambda verdict, words: self.lost.append((verdict, words))

    def answer(self, *values: float) -> None:
        self.other.send(b"\0" + struct.pack(f"<{len(values)}d", *values))


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    one = Rig(tmp_path)
    yield one
    one.port._child.kill()
    one.port.close()
    one.other.close()


def test_values_are_converted_on_both_ways(rig: Rig) -> None:
    rig.answer(8.0)
    rig.port.begin(waits=True)
    assert rig.port.poll(0) == struct.pack("<d", 4.0)
    rig.port.ask(3, [1.5, 0.25], 0, MILLISECOND)
    assert rig.other.recv(100) == struct.pack("<I2d", 3, 4.0, 0.25)


@pytest.mark.parametrize("waits", [True, False])
def test_an_answer_comes_when_it_is_due_and_not_before(rig: Rig, waits: bool) -> None:
    rig.answer(1.0)
    rig.port.begin(waits=waits)
    assert rig.port.poll(0)
    rig.port.ask(1, [0.0, 0.0], 0, 5 * MILLISECOND)
    rig.answer(2.0)
    assert [bool(rig.port.poll(t * MILLISECOND)) for t in range(1, 8)] == [False] * 4 + [True] + [False] * 2


def test_in_real_time_a_late_one_comes_when_it_is_there_and_nothing_waits(rig: Rig) -> None:
    rig.answer(1.0)
    rig.port.begin(waits=False)
    rig.port.poll(0)
    rig.port.ask(1, [0.0, 0.0], 0, MILLISECOND)
    assert rig.port.poll(MILLISECOND) == rig.port.poll(2 * MILLISECOND) == b""
    rig.answer(2.0)
    assert rig.port.poll(3 * MILLISECOND) == struct.pack("<d", 1.0)
    assert rig.lost == []


@pytest.mark.parametrize("waits", [True, False])
def test_one_that_does_not_answer_in_its_time_is_ended(rig: Rig, waits: bool) -> None:
    rig.answer(1.0)
    rig.port.begin(waits=waits)
    rig.port.poll(0)
    rig.port.ask(1, [0.0, 0.0], 0, MILLISECOND)
    assert rig.port.poll(SECOND) == b""
    assert rig.lost == [("hung", "FMU one has not answered within 0.2 s, and was ended")]
    assert rig.port.trouble == rig.lost[0][1]
    assert rig.port._child.wait(5) == -9
    rig.port.ask(1, [0.0, 0.0], SECOND, SECOND)  # which nobody hears
    assert rig.port.poll(2 * SECOND) == b""


@pytest.mark.parametrize(
    ("packet", "words"),
    [
        (b"\1it is broken", "FMU one has failed: it is broken"),
        (b"\1\xff\x1b[2J", "FMU one has failed: \N{REPLACEMENT CHARACTER}\\x1b[2J"),
        (b"\0" + bytes(7), "FMU one has sent 8 bytes, which are no answer"),
        (b"\0" + bytes(16), "FMU one has sent 17 bytes, which are no answer"),
        (b"\2" + bytes(8), "FMU one has sent 9 bytes, which are no answer"),
    ],
)
def test_what_is_no_answer_is_told_in_words(rig: Rig, packet: bytes, words: str) -> None:
    rig.other.send(packet)
    rig.port.begin(waits=True)
    assert rig.lost == [("died", words)]


def test_a_process_that_has_ended_is_told_with_its_end(rig: Rig) -> None:
    rig.port._child.kill()
    rig.other.close()
    rig.port.begin(waits=True)
    assert rig.lost == [("died", "FMU one has gone: its process was ended by SIGKILL")]


def test_its_folder_is_removed(rig: Rig) -> None:
    rig.port._child.kill()
    rig.port.close()
    assert not rig.folder.exists()
