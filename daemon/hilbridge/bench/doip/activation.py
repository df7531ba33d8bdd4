"""Routing activation (ISO 13400-2): which tester may send diagnostic messages on a connection.

| checked in this order | code | the connection |
|---|---|---|
| the source address is none of a tester | 00 | ends |
| the type of activation is not supported | 06 | ends |
| this connection is another tester's | 02 | ends |
| the address is active on another connection, which is alive | 03 | ends |
| all places are taken, and who has them is alive | 01 | ends |
| the function of the user does not let it in | 04 | stays, without routing or with the one before |
| else | 10 | has its routing |

Who is asked whether it is alive, and does not answer within T_TCP_Alive_Check, loses its connection.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.doip.messages import ALIVE_REQUEST, Message
from hilbridge.bench.doip.tester import Question, Tester
from hilbridge.files.settings.doip import DoipSettings

ALIVE_CHECK: Final = 500 * MILLISECOND
"""[ns] T_TCP_Alive_Check."""

UNKNOWN_SOURCE: Final = 0x00
NO_SOCKET: Final = 0x01
OTHER_SOURCE: Final = 0x02
SOURCE_ACTIVE: Final = 0x03
NOT_AUTHENTICATED: Final = 0x04
UNSUPPORTED_TYPE: Final = 0x06
SUCCESS: Final = 0x10

_WITHOUT_MAKER: Final = 7
"""[bytes] of a request without the four bytes of the maker."""


class Decision(NamedTuple):
    """The response to a routing activation."""

    source: int
    code: int

    @property
    def is_success(self) -> bool:
        """Whether the routing is activated."""
        return self.code == SUCCESS

    @property
    def ends_connection(self) -> bool:
        """Whether the connection ends with it."""
        return self.code not in (SUCCESS, NOT_AUTHENTICATED)


class Failures(Protocol):
    """Counters of the entity."""

    hook_failures: int
    inactive: int


class Activation:
    """The decisions on routing activations of `testers`."""

    def __init__(
        self,
        settings: DoipSettings,
        testers: Sequence[Tester],
        statistics: Failures,
        authenticate: Callable[[int, int, bytes], object] | None,
    ) -> None:
        self._settings: Final = settings
        self._testers: Final = testers
        self._statistics: Final = statistics
        self._authenticate: Final = authenticate

    def decide(self, tester: Tester, request: Message, t: int) -> Decision | None:
        """Return the response to a request; None: it waits for signs of life of others (`settle`)."""
        payload = request.payload
        source, kind = int.from_bytes(payload[:2], "big"), payload[2]
        if not self._settings.is_tester(source):
            return Decision(source, UNKNOWN_SOURCE)
        if f"{kind:02X}" not in self._settings.activation:
            return Decision(source, UNSUPPORTED_TYPE)
        if tester.source is None:
            active = [one for one in self._testers if one.source is not None]
            same = [one for one in active if one.source == source]
            if same or len(active) >= self._settings.sockets:
                denial = SOURCE_ACTIVE if same else NO_SOCKET
                for other in same or active:
                    other.say(ALIVE_REQUEST, b"")
                tester.question = Question(request, same or active, t, denial)
                return None
        elif tester.source != source:
            return Decision(source, OTHER_SOURCE)
        if not self._lets_in(source, kind, payload[_WITHOUT_MAKER:]):
            return Decision(source, NOT_AUTHENTICATED)
        tester.source = source
        return Decision(source, SUCCESS)

    def settle(self, tester: Tester, t: int) -> Decision | None:
        """Return the response to a request that waits; None: it waits still."""
        question = tester.question
        if question is None:
            return None
        silent = [one for one in question.others if one.source is not None and one.alive < question.asked]
        gone = any(one.source is None for one in question.others)
        if not gone and silent:
            if t - question.asked < ALIVE_CHECK:
                return None
            for one in silent:
                self._statistics.inactive += 1
                one.close(t)
            gone = True
        tester.question = None
        if gone:
            return self.decide(tester, question.request, t)
        return Decision(int.from_bytes(question.request.payload[:2], "big"), question.denial)

    def _lets_in(self, source: int, kind: int, maker: bytes) -> bool:
        """Return whether a type is open, or the function of the user lets the tester in by it."""
        if self._settings.activation[f"{kind:02X}"] == "open":
            return True
        try:
            return self._authenticate is not None and self._authenticate(source, kind, maker) is True
        except Exception:  # noqa: BLE001 - a function of the user may raise anything
            self._statistics.hook_failures += 1
            return False
