"""Service 86, response on event: `86 type window record request` has a request answered each time an event happens.

    01, 02, 03, 07    sets up an event (events.py); the same event once more takes the place of the first
    05                starts what is set up, and its windows of time
    00                stops it
    06                forgets it
    04                reports it

Bit 6 of the type stores: such events, and whether they are started, outlast their session, a reset and the supply, but
not the program. They must be set up in the default session, and rest in others. All others end with the session.
The windows are 02 endless, 03 short, 04 medium, 05 long; at the end of one its answer is sent again with the number of
events. The services that an event may ask for are 19, 22, 2F and 31.

    another length than the type has            13
    another window, no such record, too many    31
    another service, or one that is unknown     31
    start of nothing                            24
"""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Final

from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.bench.diagnostics.refusal import INCORRECT_LENGTH, REQUEST_OUT_OF_RANGE, REQUEST_SEQUENCE_ERROR, Refusal
from hilbridge.bench.diagnostics.uds.dids import Identifiers
from hilbridge.bench.diagnostics.uds.events import RECORD_LENGTHS, Event, build_event
from hilbridge.bench.diagnostics.uds.service import DiagnosticSession, TroubleMemory, UnaskedService
from hilbridge.files.settings.uds_periodic import EventSettings
from hilbridge.files.settings.uds_sessions import DEFAULT

STOP: Final = 0x00
REPORT: Final = 0x04
START: Final = 0x05
CLEAR: Final = 0x06
STORED: Final = 0x40

ENDLESS: Final = 0x02

_RESPONSE: Final = 0xC6
_SERVICES: Final = frozenset((0x19, 0x22, 0x2F, 0x31))
_MOST_COUNTED: Final = 0xFF


class _SetUp:
    """An event that is set up: its bytes in requests, and the event itself while it is started."""

    __slots__ = ("count", "ends", "event", "kind", "record", "request", "stored", "window")

    def __init__(self, kind: int, window: int, record: bytes, request: bytes, *, stored: bool) -> None:
        self.kind: Final = kind
        self.window: Final = window
        self.record: Final = record
        self.request: Final = request
        self.stored: Final = stored
        self.event: Event | None = None
        self.ends: int | None = None  # [ns], known when it is looked at first
        self.count = 0

    @property
    def tail(self) -> bytes:
        """The bytes behind the count in answers."""
        return bytes((self.window,)) + self.record + self.request


class ResponseOnEvent(UnaskedService):
    """Service 86."""

    sid = 0x86

    def __init__(
        self,
        session: DiagnosticSession,
        settings: EventSettings,
        identifiers: Identifiers,
        memory: TroubleMemory,
        dispatch: Callable[[bytes, int], bytes | None],
    ) -> None:
        """`dispatch`: answers a request, as if a tester had sent it."""
        super().__init__(session)
        kinds = (STOP, REPORT, START, CLEAR, *RECORD_LENGTHS)
        self.subfunctions = frozenset((*kinds, *(kind | STORED for kind in kinds if kind != REPORT)))
        self._identifiers: Final = identifiers
        self._memory: Final = memory
        self._dispatch: Final = dispatch
        self._periods: Final[Mapping[int, int]] = {
            number: round(period * MILLISECOND) for number, period in settings.periods.items()
        }
        seconds = {3: settings.short_window, 4: settings.medium_window, 5: settings.long_window}
        self._windows: Final = {number: round(window * SECOND) for number, window in seconds.items()}
        self._interval: Final = round(settings.interval * MILLISECOND)
        self._most: Final = settings.most
        self._set_up: list[_SetUp] = []
        self._started = False
        self._stored_start = False
        self._next = 0  # [ns]
        self._messages: Final[deque[bytes]] = deque()
        session.on_change("events", self._on_session_change)

    @property
    def active(self) -> bool:
        """Whether events are looked for, or an answer waits."""
        return self._started or bool(self._messages)

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        if not data:
            raise Refusal(INCORRECT_LENGTH)
        kind, stored = subfunction & ~STORED, bool(subfunction & STORED)
        if data[0] != ENDLESS and data[0] not in self._windows:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        if kind in RECORD_LENGTHS:
            self._add(kind, data, stored=stored)
            return b"\x00" + data
        self.require_length(data, 1)
        if kind == REPORT:
            return bytes((len(self._set_up),)) + b"".join(bytes((one.kind,)) + one.tail for one in self._set_up)
        if kind == START:
            self._start()
        else:
            self._stop()
        if stored:
            self._stored_start = kind == START
        if kind == CLEAR:
            self._set_up = []
            self._stored_start = False
        return b"\x00" + data

    def poll(self, t: int) -> bytes | None:
        """Look for events at the interval; return the next answer on an event, if there is one."""
        if self._started and not self._messages and t >= self._next:
            self._next = t + self._interval
            for one in list(self._set_up):
                self._look(one, t)
            self._started = any(one.event is not None for one in self._set_up)
        return self._messages.popleft() if self._messages else None

    def _add(self, kind: int, data: bytes, *, stored: bool) -> None:
        window, length = data[0], RECORD_LENGTHS[kind]
        record, request = data[1 : 1 + length], data[1 + length :]
        if len(record) < length or not request:
            raise Refusal(INCORRECT_LENGTH)
        build_event(kind, record, self._identifiers, self._memory, self._periods)
        if request[0] not in _SERVICES or (stored and self.session.active != DEFAULT):
            raise Refusal(REQUEST_OUT_OF_RANGE)
        others = [one for one in self._set_up if (one.kind, one.record) != (kind, record)]
        if len(others) >= self._most:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        self._set_up = [*others, _SetUp(kind, window, record, request, stored=stored)]

    def _start(self) -> None:
        if not self._set_up:
            raise Refusal(REQUEST_SEQUENCE_ERROR)
        for one in self._set_up:
            one.event = build_event(one.kind, one.record, self._identifiers, self._memory, self._periods)
            one.ends = None
            one.count = 0
        self._started = True

    def _stop(self) -> None:
        self._started = False
        self._messages.clear()
        for one in self._set_up:
            one.event = None

    def _look(self, one: _SetUp, t: int) -> None:
        """Answer the request of an event that has happened; end it with its window."""
        if one.event is None:
            return
        if one.ends is None and one.window != ENDLESS:
            one.ends = t + self._windows[one.window]
        if one.event.happened(t):
            one.count = min(one.count + 1, _MOST_COUNTED)
            answer = self._dispatch(one.request, t)
            if answer is not None:
                self._messages.append(answer)
        if one.ends is not None and t >= one.ends:
            one.event = None
            self._messages.append(bytes((_RESPONSE, one.kind | STORED * one.stored, one.count)) + one.tail)

    def _on_session_change(self) -> None:
        """Forget what does not outlast the session; go on with what does in the default session."""
        self._stop()
        self._set_up = [one for one in self._set_up if one.stored]
        if self.session.active == DEFAULT and self._stored_start and self._set_up:
            self._start()
