"""What waits for a client, how much of it, and how a client that has gone is told from one that is slow."""

import socket
from collections.abc import Iterator

import pytest

from hilbridge.links.slcan_client import QUEUE_LIMIT, SlcanClient

LINE = b"t1233112233\r"


@pytest.fixture
def pair() -> Iterator[tuple[SlcanClient, socket.socket]]:
    """A client, and the program at the other end."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        theirs.setblocking(False)
        yield SlcanClient(ours.fileno()), theirs


def test_a_line_is_queued_whole_or_not_at_all(pair: tuple[SlcanClient, socket.socket]) -> None:
    client, _ = pair
    while client.offer(LINE):
        pass
    assert len(client.queue) == QUEUE_LIMIT // len(LINE) * len(LINE)


def test_what_has_been_written_is_not_written_again(pair: tuple[SlcanClient, socket.socket]) -> None:
    """However little of it the other end takes at a time."""
    client, program = pair
    written = b""
    heard = b""
    while len(written) < 1_000_000:
        line = b"%07d\r" % (len(written) // 8)
        if client.offer(line):
            written += line
        assert client.write()
        if len(client.queue) > QUEUE_LIMIT - 8:
            heard += program.recv(997)
    while client.queue:
        heard += program.recv(4096)
        assert client.write()
    program.settimeout(5)
    while len(heard) < len(written):
        heard += program.recv(4096)
    assert heard == written


def test_nothing_there_is_not_the_end(pair: tuple[SlcanClient, socket.socket]) -> None:
    """Empty bytes while the program is silent, None when it has gone."""
    client, program = pair
    assert client.read(100) == b""
    program.send(LINE)
    assert client.read(100) == LINE
    program.close()
    assert client.read(100) is None
    client.offer(LINE)
    assert not client.write()


def test_the_queue_has_room_for_half_a_second_of_a_busy_bus() -> None:
    """2,000 frames of 8 bytes, of 27 characters each."""
    assert QUEUE_LIMIT > 2_000 * 27
