"""One TCP connection of a tester, as the entity sees it: what was read, who it is, what waits for it."""

from collections import deque
from dataclasses import dataclass
from typing import Any, Final

from hilbridge.bench.doip.messages import Message, MessageReader, pack

OUTPUT_LIMIT: Final = 256 << 10
"""[bytes] that wait for a tester; further answers are dropped and counted."""

INPUT_LIMIT: Final = 64 << 10
"""[bytes] read ahead of what was carried out, beside one message of any allowed length."""


@dataclass(slots=True)
class Question:
    """A routing activation that waits for signs of life of others: it gets a place that one of them gives up."""

    request: Message
    others: list["Tester"]
    asked: int
    """[ns]"""
    denial: int
    """The code of the response if all others are alive."""


class Tester:
    """A tester on one connection. `source`: its address once its routing is activated.

    `heard` [ns]: its last message, or the last one to it; None while it is new. `alive` [ns]: its last sign of life.
    """

    __slots__ = (
        "_longest",
        "_ready",
        "alive",
        "channels",
        "closed",
        "heard",
        "output",
        "question",
        "queued",
        "reader",
        "source",
        "version",
    )

    def __init__(self, reader: MessageReader, longest: int, version: int, ready: "deque[Tester]") -> None:
        """`longest` [bytes] of a message; `ready`: the testers of whom something is to be carried out."""
        self.output: Final = bytearray()
        self.reader: Final = reader
        self._longest: Final = longest
        self._ready: Final = ready
        self.version = version
        self.source: int | None = None
        self.heard: int | None = None
        self.alive = -1
        self.closed: int | None = None
        """[ns] when the entity ended the connection; what it has said before is still sent."""

        self.question: Question | None = None
        self.queued = False
        self.channels: Final[dict[str, Any]] = {}
        """Its ways to control units, by their names."""

    @property
    def room(self) -> int:
        """Bytes that are taken at present."""
        return max(0, self._longest + INPUT_LIMIT - len(self.reader.waiting))

    def feed(self, data: bytes, t: int) -> None:
        """Take bytes of the tester; the entity carries them out."""
        if self.closed is None:
            self.reader.feed(data)
            self.queue()

    def queue(self) -> None:
        """Stand in line for the entity, if there is something to be carried out."""
        if not self.queued and self.reader.waiting:
            self.queued = True
            self._ready.append(self)

    def say(self, payload_type: int, payload: bytes) -> bool:
        """Queue a message for the tester; return False if there is no room for it, or no one to read it."""
        message = pack(self.version, payload_type, payload)
        if self.closed is not None or len(self.output) + len(message) > OUTPUT_LIMIT:
            return False
        self.output.extend(message)
        return True

    def close(self, t: int) -> None:
        """End the connection, once what waits is sent."""
        if self.closed is None:
            self.closed = t
        self.source = None
        self.question = None
        self.channels.clear()
        self.reader.waiting.clear()

    @property
    def is_finished(self) -> bool:
        """Whether the connection is to be closed when the output has been sent."""
        return self.closed is not None

    @property
    def gives_way(self) -> bool:
        """Whether its place goes to a newcomer: it has no routing, and waits for none."""
        return self.source is None and self.question is None
