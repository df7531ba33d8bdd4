"""Common parts of all UDS services: diagnostic session, base class, interfaces of the control unit, statistics.

Each service has a file of its own with a class that names its identifier, sessions and sub-functions:

    class TesterPresent(UdsService):
        sid = 0x3E
        subfunctions = frozenset((0,))

        def answer(self, subfunction: int, data: bytes, t: int) -> Answer:
            ...

The server has checked service, session, sub-function and their security access (server.py), and puts service and
sub-function in front of the answer.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final, NamedTuple, Protocol, TypeAlias

from hilbridge.base.common.run_seed import MakeRandom, RunSeed
from hilbridge.bench.diagnostics.dtc.trouble import Trouble
from hilbridge.bench.diagnostics.nvram import Nvram
from hilbridge.bench.diagnostics.refusal import INCORRECT_LENGTH, SECURITY_ACCESS_DENIED, Refusal
from hilbridge.bench.diagnostics.uds.memory_file import Segment
from hilbridge.bench.diagnostics.uds.transitions import Outcome, outcome, transition
from hilbridge.files.settings.uds_sessions import DEFAULT, EXTENDED, PROGRAMMING
from hilbridge.frames.codec.frame import Frame
from vehiclesim.databus import DataBus

ALL: Final = frozenset((DEFAULT, PROGRAMMING, EXTENDED))
NOT_DEFAULT: Final = frozenset((PROGRAMMING, EXTENDED))
EXTENDED_ONLY: Final = frozenset((EXTENDED,))
PROGRAMMING_ONLY: Final = frozenset((PROGRAMMING,))


class SessionTimes(NamedTuple):
    """The times of a session [ns] (ISO 14229-2).

    p2        from a request to its answer, or to "response pending"
    p2_star   from "response pending" to the answer, or to the next "response pending"
    s3        that the session lasts without a request
    """

    p2: int
    p2_star: int
    s3: int


class DiagnosticSession:
    """The diagnostic session of a control unit (ISO 14229-1, 10.2; ISO 14229-2, 7).

        default, 01    at start, after a reset, and S3 after the last request of another session
        others         entered by service 10, until S3 ends or another session is entered

    `unlocked` is the level of security access, 0 for none; `authenticated`: by service 29. The table of
    transitions.py says what a change of session ends, also one from a session to itself.
    """

    def __init__(self, times: Mapping[int, SessionTimes]) -> None:
        """`times`: those of every session that the control unit has."""
        self.sessions: Final = dict(times)
        self.active = DEFAULT
        self.unlocked = 0
        self.authenticated = False
        self._ends_of: Final[list[tuple[str, Callable[[], None], Callable[[], None]]]] = []
        self._ends = 0  # [ns]

    def enter(self, session: int) -> None:
        """Enter a session, and end what does not outlast the change."""
        change = transition(self.active, session)
        self.active = session
        if outcome("security", change) is Outcome.END:
            self.unlocked = 0
        if outcome("authentication", change) is Outcome.END:
            self.authenticated = False
        for function, end, restrict in self._ends_of:
            what = outcome(function, change)
            if what is Outcome.END:
                end()
            elif what is Outcome.PERMITTED:
                restrict()

    def on_change(self, function: str, end: Callable[[], None], restrict: Callable[[], None] | None = None) -> None:
        """Call `end` when a change of session ends a function of transitions.py.

        `restrict` ends what the new session does not permit; default: `end`.
        """
        self._ends_of.append((function, end, restrict or end))

    def close(self) -> None:
        """Let go of the services."""
        self._ends_of.clear()

    @property
    def times(self) -> SessionTimes:
        """The times of the active session."""
        return self.sessions[self.active]

    def keep_alive(self, t: int) -> None:
        """Restart S3: a request was processed at `t` [ns]."""
        self._ends = t + self.times.s3

    def expire(self, t: int) -> bool:
        """Return to the default session when S3 is over; return whether that happened."""
        if self.active == DEFAULT or t < self._ends:
            return False
        self.enter(DEFAULT)
        return True

    def permits(self, level: int) -> bool:
        """Return whether a function with this security level is permitted; level 0 needs no security access."""
        return level in (0, self.unlocked)


PendingAnswer: TypeAlias = Callable[[int], bytes | None]
"""A function that is called every tick with the time [ns] until it returns the answer or refuses."""

Answer: TypeAlias = bytes | PendingAnswer


def answer_from(t: int, answer: Callable[[], bytes]) -> PendingAnswer:
    """Return a function that answers from a time [ns] on."""
    return lambda now: None if now < t else answer()


class UdsService(ABC):
    """Base class of a service. `subfunctions` is empty for a service without sub-function; `subfunction` is then 0.

    `sessions`: those of 01, 02 and 03 in which the service is supported where the settings do not say it; of a
    service in a server, the sessions in which it is supported (sessions.py).
    """

    sid: ClassVar[int]
    sessions: frozenset[int] = ALL
    subfunctions: frozenset[int] = frozenset()

    def __init__(self, session: DiagnosticSession) -> None:
        self.session: Final = session

    @abstractmethod
    def answer(self, subfunction: int, data: bytes, t: int) -> Answer:
        """Return the bytes after service and sub-function of the positive response. Refusal: the negative response."""

    def restart(self) -> None:  # noqa: B027 - most services keep nothing
        """Forget what is lost with the supply, and at a reset; the session ends besides."""

    def require_length(self, data: bytes, length: int) -> None:
        """Refuse data of another length."""
        if len(data) != length:
            raise Refusal(INCORRECT_LENGTH)

    def require_security(self, level: int) -> None:
        """Refuse the request unless this security level is unlocked."""
        if not self.session.permits(level):
            raise Refusal(SECURITY_ACCESS_DENIED)


class UnaskedService(UdsService):
    """A service that also sends without a request at that moment; `poll` is called once a tick while it is active.

    `beside_requests`: also while a request is in progress.
    """

    beside_requests: ClassVar[bool] = False

    @property
    @abstractmethod
    def active(self) -> bool:
        """Whether there is, or may soon be, something to send."""

    @abstractmethod
    def poll(self, t: int) -> bytes | None:
        """Return a message that is due at `t` [ns], or None."""


class TroubleMemory(Protocol):
    """The store of trouble codes, as UDS uses it."""

    recording: bool
    """Whether test results change trouble codes (service 85)."""

    clears: int
    """Number of times that codes were cleared."""

    read_identifier: Callable[[int], bytes | None]
    """Returns the data of an identifier for a snapshot, None if it is not available; the server sets it."""

    @property
    def readiness_groups(self) -> Mapping[str, int]:
        """The numbers of the groups of monitors (service 19 56)."""

    @property
    def troubles(self) -> Mapping[str, Trouble]:
        """All codes of the control unit, by their form of SAE J2012."""

    def clear(self, codes: Collection[str] | None = None, *, readiness: bool = False) -> None:
        """Clear some codes, with the readiness of the monitors or without, or all of the primary memory and it."""


class EntryOverrides(Protocol):
    """Overrides of data bus entries. ConfigurationError: an entry that cannot be overridden."""

    def set(self, entry: str, value: float, until: int | None = None) -> None:
        """Hold an entry at a value in its unit, until it is released or until a time [ns]."""

    def release(self, entry: str) -> None:
        """End the override of an entry."""


class NormalCommunication(Protocol):
    """The frames that the control unit sends besides diagnostics."""

    def set_normal_transmission(self, enabled: bool) -> None:
        """Switch their transmission on or off."""


@dataclass(frozen=True, slots=True)
class EcuInterface:
    """The parts of a control unit that a tester reaches through the server.

    `read_obd`: returns the data bytes of an identifier of OBD-II, F4xx to F8xx, None if not supported.
    """

    data: DataBus
    troubles: TroubleMemory
    overrides: EntryOverrides
    communication: NormalCommunication
    read_obd: Callable[[int], bytes | None]
    vin: str | None = None
    transmit: Callable[[Frame], None] = lambda _frame: None
    """Puts a frame on the bus: a periodic message with an identifier of its own."""

    images: Mapping[str, Sequence[Segment]] = field(default_factory=dict)
    """The content of the files that the settings of memory name."""
    generator: MakeRandom = RunSeed(0).generator
    """Makes the random numbers of security access and authentication of the seed of the run."""
    nvram: Nvram = field(default_factory=Nvram)
    """Where its changes are kept over restarts; positive answers wait for it."""


@dataclass(slots=True)
class UdsStatistics:
    """Counters since the start of the run."""

    requests: int = 0
    positive: int = 0  # answers
    negative: int = 0  # answers
    suppressed: int = 0  # positive answers that the request suppressed
    unsaid: int = 0  # negative answers that a functional request does not get
    pending: int = 0  # "response pending" sent
    busy: int = 0  # requests refused because another one was in progress
    ignored: int = 0  # empty requests, or responses
    session_timeouts: int = 0
    unlocked: int = 0
    wrong_keys: int = 0
    provider_failures: int = 0  # failures of the user's function for keys
    hook_failures: int = 0  # failures of the user's functions for identifiers and routines
    not_written: int = 0  # requests refused because the disk did not take what they changed
