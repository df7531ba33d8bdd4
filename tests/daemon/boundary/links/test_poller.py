"""Who has something to do: reported by the kernel, and in rounds."""

import socket

from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.poller import ROUND, Poller


def test_a_way_is_ready_while_there_is_something_to_read() -> None:
    """And those that cannot tell are ready in every tick."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        watch = Poller()
        watch.add(None)
        watch.add(ours.fileno())
        watch.ready(0)
        assert ours.fileno() not in watch.ready(1 * MILLISECOND)
        theirs.send(b"x")
        assert all({None, ours.fileno()} == watch.ready(t * MILLISECOND) for t in (2, 3))
        ours.recv(1)
        assert ours.fileno() not in watch.ready(4 * MILLISECOND)
        assert None in watch.ready(5 * MILLISECOND)
        watch.close()


def test_everybody_has_a_turn_in_each_round() -> None:
    """The first one is in the first tick."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        watch = Poller()
        watch.add(ours.fileno())
        turns = [t for t in range(0, 3 * ROUND, MILLISECOND) if ours.fileno() in watch.ready(t)]
        assert turns == [0, ROUND, 2 * ROUND]
        watch.close()


def test_ways_that_cannot_tell_are_ready_all_the_time() -> None:
    """Without any other the kernel is not asked."""
    watch = Poller()
    watch.add(None)
    assert all(None in watch.ready(t) for t in range(0, 2 * ROUND, MILLISECOND))
    watch.close()
