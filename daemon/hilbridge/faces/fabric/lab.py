"""The benches that are up, as a program elsewhere sees them."""

import contextlib
import queue
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import zenoh

from hilbridge.base.common.errors import ConfigurationError, nearest
from hilbridge.boundary.control.lines import Answer, Command, encode_command
from hilbridge.client import talks
from hilbridge.client.sync_client import AnyClient
from hilbridge.client.talks import TIMEOUT, UnreachableError
from hilbridge.faces.fabric.keys import ALIVE, COMMAND, SUMMARY, bench_of, key_of
from hilbridge.faces.fabric.session import Connection, FabricError
from hilbridge.faces.fabric.summaries import read_summary

_GRACE: Final = 0.5
"""[s] in which a bench may come back: all are away for a moment when the one that keeps the meeting point ends."""
_ROUND: Final = 0.05
MOST_BENCHES: Final = 1000
_LIST_TIMEOUT: Final = 2.0
"""[s] for all benches to say what they are."""


class Change(NamedTuple):
    """A bench that came, or went."""

    bench: str
    session: str
    is_up: bool


class Lab:
    """A look at the benches on the fabric; a context manager. FabricError: there is none."""

    def __init__(self, port: int, config: Path | None = None) -> None:
        try:
            self._connection: Final = Connection(port, config, keeps=False)
        except FabricError as error:
            raise FabricError(f"no bench is up: {error.message}; one is with 'hilbridge run BENCH --fabric'") from None
        self.session: Final = self._connection.session

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def names(self) -> Counter[str]:
        """Return how many benches have which name."""
        replies = self.session.liveliness().get(key_of("*", ALIVE, "*"), timeout=_LIST_TIMEOUT)
        return Counter(bench_of(str(reply.ok.key_expr)) for reply in _bounded(replies) if reply.ok is not None)

    def summaries(self) -> list[dict[str, Any]]:
        """Return what each bench says of itself, by name; one that says nothing in time is there with its name.

        What fits no summary (summaries.py) is there with its name and the reason.
        """
        answers = self.session.get(
            key_of("*", SUMMARY),
            target=zenoh.QueryTarget.ALL,
            consolidation=zenoh.ConsolidationMode.NONE,
            timeout=_LIST_TIMEOUT,
        )
        told = [
            read_summary(bench_of(str(reply.ok.key_expr)), reply.ok.payload.to_bytes())
            for reply in _bounded(answers)
            if reply.ok is not None
        ]
        silent = self.names() - Counter(one["bench"] for one in told)
        return sorted([*told, *({"bench": name} for name in silent.elements())], key=lambda one: str(one["bench"]))

    def changes(self) -> Iterator[Change]:
        """Yield what comes and goes, first what is there; without end."""
        told: queue.SimpleQueue[tuple[float, Change]] = queue.SimpleQueue()

        def note(sample: zenoh.Sample) -> None:
            _, bench, _, session = str(sample.key_expr).split("/")
            told.put((time.monotonic(), Change(bench, session, sample.kind == zenoh.SampleKind.PUT)))

        up: set[tuple[str, str]] = set()
        leaving: dict[tuple[str, str], float] = {}
        with self.session.liveliness().declare_subscriber(key_of("*", ALIVE, "*"), note, history=True):
            while True:
                with contextlib.suppress(queue.Empty):
                    at, change = told.get(timeout=_ROUND)
                    one = change.bench, change.session
                    if not change.is_up:
                        leaving.setdefault(one, at)
                    elif leaving.pop(one, None) is None and one not in up:
                        up.add(one)
                        if len(up) > MOST_BENCHES:
                            raise FabricError(f"more than {MOST_BENCHES} benches on the fabric: somebody floods it")
                        yield change
                for one in [one for one, at in leaving.items() if time.monotonic() - at > _GRACE]:
                    del leaving[one]
                    up.discard(one)
                    yield Change(*one, is_up=False)

    def client(self, bench: str) -> "LabClient":
        """Return a client of a bench. ConfigurationError: there is none of that name, or several."""
        names = self.names()
        if names[bench] > 1:
            raise ConfigurationError(f"{names[bench]} benches on the fabric are named {bench!r}: rename all but one")
        if not names[bench]:
            meant = nearest(bench, names)
            hint = f": did you mean {meant}?" if meant else "; 'hilbridge lab' lists them"
            raise ConfigurationError(f"no bench named {bench!r} is up{hint}")
        return LabClient(self.session, bench)


class LabClient(AnyClient):
    """A bench by way of the fabric: what `hilbridge ctl` does, as far as its bench file allows it."""

    def __init__(self, session: zenoh.Session, bench: str) -> None:
        self._session: Final = session
        self.bench: Final = bench

    def close(self) -> None:
        """Do nothing: the session is that of the lab."""

    def exchange(self, command: Command) -> Answer:
        replies = self._session.get(key_of(self.bench, COMMAND), payload=encode_command(command), timeout=TIMEOUT)
        who = f"the bench {self.bench}"
        reason = UnreachableError(f"{who} does not answer on the fabric")
        for reply in _bounded(replies):
            if reply.ok is not None:
                try:
                    return talks.read(reply.ok.payload.to_bytes(), command, who)
                except UnreachableError as error:  # another bench on the fabric may answer yet
                    reason = error
        raise reason


def _bounded(replies: Iterable[zenoh.Reply]) -> Iterator[zenoh.Reply]:
    """Yield replies, no more than a lab has benches. FabricError: there are more."""
    for number, reply in enumerate(replies):
        if number == MOST_BENCHES:
            raise FabricError(f"more than {MOST_BENCHES} answers on the fabric: somebody floods it")
        yield reply
