"""Every byte of a terminal arrives, in order, though the terminal is read after edges alone; and its end does."""

import os
import random
import select
import tty
from collections.abc import Iterator

import pytest

from hilbridge.boundary.links.tty_reader import TtyReader

MOST = 100
PATIENCE = 10.0
"""[s]"""


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    """Of a pseudo terminal: where it is written, where it is read."""
    written, read = os.openpty()
    tty.setraw(read)
    os.set_blocking(read, False)
    os.set_blocking(written, False)
    yield written, read
    for one in (written, read):
        if is_open(one):
            os.close(one)


@pytest.fixture
def arrivals(ends: tuple[int, int]) -> Iterator[TtyReader]:
    made = TtyReader(MOST)
    made.watch(ends[1])
    yield made
    made.close()


def is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def is_ready(arrivals: TtyReader, patience: float = PATIENCE) -> bool:
    return bool(select.select([arrivals.descriptor], [], [], patience)[0])


def read(arrivals: TtyReader) -> bytes | None:
    assert is_ready(arrivals)
    return arrivals.read()


def test_it_is_ready_while_there_is_something_and_only_then(ends: tuple[int, int], arrivals: TtyReader) -> None:
    for word in (b"one", b"two"):
        assert not is_ready(arrivals, 0)
        assert arrivals.read() == b""
        os.write(ends[0], word)
        assert read(arrivals) == word


@pytest.mark.parametrize("length", [MOST - 1, MOST, MOST + 1, 2 * MOST, 7 * MOST + 3])
def test_what_one_read_leaves_the_next_one_finds(ends: tuple[int, int], arrivals: TtyReader, length: int) -> None:
    """Without another byte that would be an edge; pieces are of MOST bytes but for the last."""
    os.write(ends[0], bytes(range(256)) * 4)
    found = b""
    while len(found) < 1024:
        piece = read(arrivals)
        assert piece
        found += piece
    assert found == bytes(range(256)) * 4
    assert not is_ready(arrivals, 0.01)
    os.write(ends[0], b"x" * length)
    lengths: list[int] = []
    while sum(lengths) < length:
        lengths.append(len(read(arrivals) or b""))
    assert max(lengths) <= MOST
    assert arrivals.read() == b""


def test_a_stream_is_complete(ends: tuple[int, int], arrivals: TtyReader) -> None:
    """200,000 bytes in bursts of any length, read whenever there is something."""
    chance = random.Random(8)
    noise, written, found = chance.randbytes(200_000), 0, bytearray()
    while len(found) < len(noise):
        if written < len(noise):
            try:
                written += os.write(ends[0], noise[written : written + chance.randrange(1, 700)])
            except BlockingIOError:  # the terminal is full
                assert is_ready(arrivals)
        if written == len(noise) or chance.random() < 0.7:
            found += arrivals.read() or b""
    assert found == noise


def test_a_hang_up_is_told_after_what_came_before_it(ends: tuple[int, int], arrivals: TtyReader) -> None:
    os.write(ends[0], b"last words")
    assert is_ready(arrivals)
    os.close(ends[0])
    heard = b""
    while (piece := read(arrivals)) is not None:
        heard += piece
    assert heard in (b"last words", b"")  # a hang-up may throw away what nobody has read


def test_what_was_there_before_is_read_too(ends: tuple[int, int]) -> None:
    os.write(ends[0], b"early")
    arrivals = TtyReader(MOST)
    arrivals.watch(ends[1])
    assert read(arrivals) == b"early"
    arrivals.close()


def test_what_is_forgotten_is_read_no_more(ends: tuple[int, int], arrivals: TtyReader) -> None:
    arrivals.forget(ends[1])
    os.write(ends[0], b"unheard")
    assert not is_ready(arrivals, 0.05)
    assert arrivals.read() == b""
