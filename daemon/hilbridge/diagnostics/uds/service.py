"""What all UDS services share: diagnostic session, base class, interfaces of the control unit, statistics.

Each service has a file of its own with a class that names its identifier, sessions and sub-functions:

    class TesterPresent(Service):
        sid = 0x3E
        subfunctions = frozenset((0,))

        def answer(self, subfunction: int, data: bytes, t: int) -> Answer:
            ...

The server has checked service, session and sub-function (server.py), and puts service and sub-function in front of
the answer.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Protocol, TypeAlias

from hilbridge.common.units import MILLISECOND
from hilbridge.diagnostics.dtc.trouble import Trouble
from hilbridge.diagnostics.refusal import INCORRECT_LENGTH, SECURITY_ACCESS_DENIED, Refusal
from vehiclesim.databus import DataBus

DEFAULT: Final = 0x01
EXTENDED: Final = 0x03

ALL: Final = frozenset((DEFAULT, EXTENDED))
EXTENDED_ONLY: Final = frozenset((EXTENDED,))

P2: Final = 50 * MILLISECOND
"""[ns] from a request to its answer, or to "response pending"."""

P2_STAR: Final = 5000 * MILLISECOND
"""[ns] from "response pending" to the answer, or to the next one."""

S3: Final = 5000 * MILLISECOND
"""[ns] that a session lasts without a request."""


class DiagnosticSession:
    """The diagnostic session of a control unit (ISO 14229-1, 10.2; ISO 14229-2, 7).

        default, 01    at start, after a reset, and S3 after the last request of another session
        extended, 03   entered by service 10, until S3 ends or the default session is entered

    A change of session locks security access, also from a session to itself; `unlocked` is the level, 0 for none.
    `followers` are called after each change: they end what the new session does not permit. There is no programming
    session, because there is no software to program.
    """

    def __init__(self) -> None:
        self.active = DEFAULT
        self.unlocked = 0
        self.followers: Final[list[Callable[[], None]]] = []
        self._ends = 0  # [ns]

    def enter(self, session: int) -> None:
        self.active = session
        self.unlocked = 0
        for follow in self.followers:
            follow()

    def keep_alive(self, t: int) -> None:
        """A request was dealt with."""
        self._ends = t + S3

    def expire(self, t: int) -> bool:
        """Goes back to the default session when S3 is over; whether it just did."""
        if self.active == DEFAULT or t < self._ends:
            return False
        self.enter(DEFAULT)
        return True

    def permits(self, level: int) -> bool:
        """Whether something that needs this level of security may be done; 0 needs none."""
        return level in (0, self.unlocked)


PendingAnswer: TypeAlias = Callable[[int], bytes | None]
"""Asked with the time [ns] in every tick until it gives the answer or refuses; the server says "response pending"."""

Answer: TypeAlias = bytes | PendingAnswer


class UdsService(ABC):
    """`subfunctions` is empty for a service without sub-function; `subfunction` is 0 there."""

    sid: ClassVar[int]
    sessions: ClassVar[frozenset[int]] = ALL
    subfunctions: frozenset[int] = frozenset()

    def __init__(self, session: DiagnosticSession) -> None:
        self.session: Final = session

    @abstractmethod
    def answer(self, subfunction: int, data: bytes, t: int) -> Answer:
        """What follows service and sub-function in the positive response. Refusal: the negative one."""

    def require_length(self, data: bytes, length: int) -> None:
        if len(data) != length:
            raise Refusal(INCORRECT_LENGTH)

    def require_security(self, level: int) -> None:
        if not self.session.permits(level):
            raise Refusal(SECURITY_ACCESS_DENIED)


class TroubleMemory(Protocol):
    """The store of trouble codes."""

    recording: bool
    """Off: test results change nothing (service 85)."""

    @property
    def troubles(self) -> Mapping[str, Trouble]:
        """All codes that the control unit knows, by their J2012 form."""

    def clear(self, codes: Iterable[str] | None = None) -> None:
        """Forgets some codes, or all."""


class EntryOverrides(Protocol):
    """Entries of the data bus held over all other sources; ConfigurationError where that cannot be."""

    def set(self, entry: str, value: float, until: int | None = None) -> None:
        """Holds an entry, in its unit, until it is released (or a time [ns])."""

    def release(self, entry: str) -> None:
        """Gives it back."""


class NormalCommunication(Protocol):
    """The frames that the control unit sends beside diagnostics."""

    def set_normal_transmission(self, enabled: bool) -> None:
        """Sends them, or is silent."""


@dataclass(frozen=True, slots=True)
class EcuInterface:
    """What a tester reaches through the server.

    `read_pid`: the data bytes of OBD-II service 01, None where not supported. `reset`: called with 1 for a hard reset,
    2 for key off and on, 3 for a soft one; process and vehicle go on, but whoever keeps diagnostic state forgets it.
    """

    data: DataBus
    troubles: TroubleMemory
    overrides: EntryOverrides
    communication: NormalCommunication
    read_pid: Callable[[int], bytes | None]
    reset: Callable[[int], None]
    vin: str | None = None
    seed: int = 0
    """Of the bench: seeds of security access come from it."""


@dataclass(slots=True)
class UdsStatistics:
    """Counters since the start of the run; they only ever grow."""

    requests: int = 0
    positive: int = 0  # answers
    negative: int = 0  # answers
    suppressed: int = 0  # positive, which the request did not want to hear
    unsaid: int = 0  # negative, which a functional request is not told
    pending: int = 0  # said that an answer takes longer
    busy: int = 0  # requests refused because another one was being worked on
    ignored: int = 0  # nothing in it, or an answer of somebody else
    session_timeouts: int = 0
    unlocked: int = 0
    wrong_keys: int = 0
    provider_failures: int = 0  # of the user's function for keys
