"""The process of the fabric: publishes one bench, and answers questions about it.

    python -m hilbridge.faces.fabric.server RINGS TICK SETUP

The first two are descriptors: of the rings, which are read here as the page does, and of a socket to the tick process,
which hears of what changed (process.py) and whose end ends this one. What needs an answer of the tick goes through the
bench's own control socket. Where the fabric cannot be reached, it is tried again each second.
"""

import contextlib
import json
import os
import queue
import signal
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import zenoh

from hilbridge.base.process.child_process import DAEMON_SIGNALS
from hilbridge.base.process.scheduling import become_ordinary
from hilbridge.boundary.observe.events import About, Snapshot
from hilbridge.boundary.observe.rings import Rings
from hilbridge.client.sync_client import Client
from hilbridge.faces.fabric.door import Door
from hilbridge.faces.fabric.feed import Feed
from hilbridge.faces.fabric.keys import ALIVE, COMMAND, ENTRIES, SUMMARY, key_of
from hilbridge.faces.fabric.session import Connection, FabricError
from hilbridge.faces.fabric.setup import Setup

_ROUND: Final = 0.05
_AGAIN: Final = 1.0
"""[s]"""
_LONELY: Final = 2.0
"""[s] without anybody after which that is told; another meeting point is there sooner."""
_MOST_WAITING: Final = 64
"""Questions that wait; who asks one more is not answered."""


class Server:
    """One bench on the fabric, until the tick process ends."""

    def __init__(self, rings: Rings, tick: socket.socket, setup: Setup) -> None:
        self._rings: Final = rings
        self._about: Final = About.decode(rings.about)
        self._tick: Final = tick
        self._setup: Final = setup
        self._door: Final = Door(None if setup.control is None else Client(Path(setup.control)), setup.allow)
        self._queries: Final[queue.Queue[zenoh.Query]] = queue.Queue(_MOST_WAITING)
        self._others: Final[queue.SimpleQueue[str]] = queue.SimpleQueue()
        self._told: dict[str, Any] = {}
        tick.setblocking(False)

    def run(self) -> None:
        """Connect and serve; again a second later where that fails."""
        while self._is_wanted():
            try:
                connection = Connection(self._setup.port, _path(self._setup.config), keeps=True)
            except FabricError as error:
                self._tell(trouble=error.message)
                time.sleep(_AGAIN)
                continue
            try:
                self._serve(connection)
            finally:
                connection.close()

    def _serve(self, connection: Connection) -> None:
        session, bench, zid = connection.session, self._setup.bench, str(connection.session.zid())
        twins: set[str] = set()
        heard = time.monotonic()
        with contextlib.ExitStack() as declared:
            for key in ((SUMMARY,), (COMMAND,), (ENTRIES, "*")):
                declared.enter_context(session.declare_queryable(key_of(bench, *key), self._take, complete=True))
            feed = Feed(session, self._rings, self._door, self._setup)
            alive = session.liveliness()
            declared.enter_context(alive.declare_token(key_of(bench, ALIVE, zid)))
            declared.enter_context(alive.declare_subscriber(key_of(bench, ALIVE, "*"), self._note, history=True))
            while self._is_wanted():
                connection.tend()
                twins = self._twins(twins, zid)
                heard = time.monotonic() if connection.is_connected else heard
                twin = "another bench has this name" if twins else ""
                lonely = time.monotonic() - heard > _LONELY
                self._tell(where=connection.where, trouble="nobody else is there" if lonely else twin)
                feed.publish()
                self._answer(feed, zid)

    def _take(self, query: zenoh.Query) -> None:
        """Put a question, which comes in a thread of Zenoh's, where it waits."""
        try:
            self._queries.put_nowait(query)
        except queue.Full:
            with query:  # and leave it unanswered
                return

    def _note(self, sample: zenoh.Sample) -> None:
        sign = "+" if sample.kind == zenoh.SampleKind.PUT else "-"
        self._others.put(sign + str(sample.key_expr).rsplit("/", 1)[1])

    def _twins(self, known: set[str], own: str) -> set[str]:
        """Return the other sessions with a bench of this name."""
        while not self._others.empty():
            change = self._others.get()
            known = known | {change[1:]} if change[0] == "+" else known - {change[1:]}
        return known - {own}

    def _answer(self, feed: Feed, zid: str) -> None:
        """Wait for a question for one round, and answer those that have come."""
        until = time.monotonic() + min(_ROUND, 1 / self._setup.rate)
        while (left := until - time.monotonic()) > 0:
            try:
                query = self._queries.get(timeout=left)
            except queue.Empty:
                return
            with query:
                self._reply(query, feed, zid)

    def _reply(self, query: zenoh.Query, feed: Feed, zid: str) -> None:
        bench, asked = self._setup.bench, query.key_expr
        summary, command = key_of(bench, SUMMARY), key_of(bench, COMMAND)
        if asked.intersects(summary):
            query.reply(summary, json.dumps(self._summary(zid)))
        if str(asked) == command:  # a pattern would be heard by many benches
            query.reply(command, self._door.answer(b"" if query.payload is None else query.payload.to_bytes()))
        if asked.intersects(key_of(bench, ENTRIES, "*")):
            for path, entry in feed.entries().items():
                if asked.intersects(key := key_of(bench, ENTRIES, path)):
                    query.reply(key, json.dumps(entry, ensure_ascii=False))

    def _summary(self, zid: str) -> dict[str, Any]:
        about, setup, content = self._about, self._setup, self._rings.snapshots.get()
        facts = {
            "bench": setup.bench,
            "session": zid,
            "host": socket.gethostname(),
            "process": os.getppid(),
            "version": about.version,
            "vehicle": setup.vehicle,
            "rate_hz": about.rate,
            "pace": about.pace,
            "allow": setup.allow,
        }
        if content is None:
            return facts
        snapshot = Snapshot.decode(content)
        unarmed = [name for index, name in enumerate(about.buses) if snapshot.unarmed >> index & 1]
        return facts | {
            "time": (snapshot.ticks + snapshot.missed) / about.rate,
            "ticks": snapshot.ticks,
            "missed_ticks": snapshot.missed,
            "overload": snapshot.overload,
            "listens_only": unarmed,
        }

    def _tell(self, *, where: str = "", trouble: str = "") -> None:
        """Tell the tick process what has changed."""
        state = {"where": where, "trouble": trouble}
        if state != self._told:
            self._told = state
            try:
                self._tick.send(json.dumps(state).encode())
            except OSError:  # it has ended
                return

    def _is_wanted(self) -> bool:
        """Return whether the tick process is there: it says nothing until it ends."""
        try:
            return bool(self._tick.recv(1))
        except BlockingIOError:
            return True
        except OSError:
            return False


def _path(config: str | None) -> Path | None:
    return None if config is None else Path(config)


def main(words: Sequence[str]) -> None:
    """Serve until the daemon ends."""
    signal.pthread_sigmask(signal.SIG_BLOCK, DAEMON_SIGNALS)
    become_ordinary()
    rings, tick, setup = words
    Server(Rings(int(rings)), socket.socket(fileno=int(tick)), Setup.decode(setup)).run()


if __name__ == "__main__":
    main(sys.argv[1:])
