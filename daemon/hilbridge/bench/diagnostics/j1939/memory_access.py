"""Memory of a control unit over J1939 (SAE J1939-73, DM14, DM15, DM16), for one tool at a time.

    DM14  55552  request    length, command, pointer (4 bytes), key or user level
    DM15  55296  answer     length, status, error (3 bytes), FF, seed
    DM16  55040  data       how many bytes (FF in a long message), the bytes

Length has 11 bits: byte 1, and bits 7 to 5 of byte 2, whose bits 3 to 1 are command or status. The pointer is an
address of the unit's memory, lowest byte first, of either type of pointer.

    read     DM14 read; DM15 proceed, DM16 data, DM15 completed; DM14 completed
    write    DM14 write; DM15 proceed; DM16 data; DM15 completed; DM14 completed
    erase    DM14 erase; DM15 proceed, DM15 completed; DM14 completed
    status   DM14 status; DM15 completed

A place with a level of security access wants a key first: DM15 proceed with length 0 and a seed, then DM14 again with
the key that the function of the user gives for the seed and the level. A wrong key ends the access; after three of them
every request is refused for ten seconds. Without a function, or when it fails, such a place is closed.

Erasing fills with the region's own byte. Regions of flash are read only: UDS programs them. A tool that says nothing
for five seconds has lost its turn.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from typing import Any, Final, NamedTuple

from hilbridge.base.common.run_seed import MakeRandom
from hilbridge.base.common.units import SECOND
from hilbridge.bench.diagnostics.nvram import Nvram
from hilbridge.bench.diagnostics.refusal import Refusal
from hilbridge.bench.diagnostics.uds.memory import Memory, Place

DM14: Final = 0xD900
DM15: Final = 0xD800
DM16: Final = 0xD700

LONGEST: Final = 1784
"""[byte] The transport protocol carries 1785, one of which is the count."""

PATIENCE: Final = 5 * SECOND
"""[ns] for which a tool may say nothing."""

ATTEMPTS: Final = 3
DELAY: Final = 10 * SECOND
"""[ns] without access after so many wrong keys."""

NO_SEED: Final = 0xFFFF
_LENGTH: Final = 8
_COUNTED: Final = 7
"""[byte] of data in one frame; of more the count is FF."""


class Command(IntEnum):
    """A request of a tool."""

    ERASE = 0
    READ = 1
    WRITE = 2
    STATUS = 3
    COMPLETED = 4
    FAILED = 5


class Status(IntEnum):
    """An answer of the unit."""

    PROCEED = 0
    BUSY = 1
    COMPLETED = 4
    FAILED = 5


class AccessError(IntEnum):
    """Why a request failed (SAE J1939-73, SPN 1644)."""

    NONE = 0
    GENERAL = 0x001
    BUSY_WITH_OTHER = 0x002
    ADDRESS = 0x100
    LENGTH = 0x102
    ERASE_FIRST = 0x105
    SECURITY = 0x1000
    KEY = 0x1003
    NO_RESPONSE = 0x10002


class _State(Enum):
    KEY = auto()  # the seed is sent
    DATA = auto()  # of a write
    READING = auto()  # DM16 is on its way
    WRITING = auto()  # what was changed is being written
    END = auto()  # DM15 completed is sent


class Request(NamedTuple):
    """A DM14."""

    command: int
    length: int
    pointer: int
    key: int


def parse(data: bytes) -> Request | None:
    """Return the request of a DM14; None if it is too short."""
    if len(data) < _LENGTH:
        return None
    length = data[0] | (data[1] >> 5) << 8
    return Request(data[1] >> 1 & 7, length, int.from_bytes(data[2:6], "little"), int.from_bytes(data[6:8], "little"))


def answer(status: Status, length: int = 0, error: AccessError = AccessError.NONE, seed: int = NO_SEED) -> bytes:
    """Return a DM15; reserved bits are 1."""
    head = bytes((length & 0xFF, (length >> 8) << 5 | 0x11 | status << 1))
    return head + error.to_bytes(3, "little") + b"\xff" + seed.to_bytes(2, "little")


@dataclass(slots=True)
class _Access:
    """The access of one tool."""

    tool: int
    request: Request
    place: Place
    state: _State
    until: int  # [ns]
    expected: int | None = None  # key
    writing: int = 0  # its number


class MemoryAccess:
    """Serves DM14 and DM16 of tools.

    `send` sends a message (PGN, payload, tool, time) and returns whether it could; `sending` returns whether a long one
    to a tool is still on its way. "Completed" waits until `nvram` has written what a tool has changed.
    """

    def __init__(
        self,
        memory: Memory,
        key: Callable[[int, int], Any] | None,
        generator: MakeRandom,
        send: Callable[[int, bytes, int, int], bool],
        sending: Callable[[int], bool],
        nvram: Nvram,
    ) -> None:
        """`key` returns the key [0…65535] of a level and a seed; `generator` makes the random numbers of the run."""
        self._memory: Final = memory
        self._key: Final = key
        self._random: Final = generator("memory access {}")
        self._send: Final = send
        self._sending: Final = sending
        self._nvram: Final = nvram
        self._access: _Access | None = None
        self._wrong = 0
        self._closed_until = 0  # [ns]

    def receive(self, tool: int, data: bytes, t: int) -> None:
        """Take a DM14."""
        request = parse(data)
        if request is None:
            return
        access = self._access
        if access is not None and access.tool != tool:
            self._tell(tool, t, Status.BUSY, error=AccessError.BUSY_WITH_OTHER)
        elif request.command in (Command.COMPLETED, Command.FAILED):
            self._access = None
        elif request.command == Command.STATUS:
            self._tell(tool, t, Status.COMPLETED if access is None else Status.BUSY)
        elif access is not None and access.state is _State.KEY:
            self._check_key(access, request, t)
        else:
            self._access = None
            self._begin(tool, request, t)

    def receive_data(self, tool: int, payload: bytes, t: int) -> None:
        """Take a DM16."""
        access = self._access
        if access is None or access.tool != tool or access.state is not _State.DATA or not payload:
            return
        data = payload[1:] if payload[0] > _COUNTED else payload[1 : 1 + payload[0]]
        if len(data) < access.place.length:
            self._fail(tool, t, AccessError.LENGTH)
            return
        place = access.place
        place.region.write(place.start, data[: place.length])
        self._write(access, t)

    @property
    def is_busy(self) -> bool:
        """Whether a tool has access."""
        return self._access is not None

    def poll(self, t: int) -> None:
        """Complete a read whose data has left, and end the access of a tool that says nothing."""
        access = self._access
        if access is None:
            return
        if access.state is _State.READING:
            if not self._sending(access.tool):
                self._complete(access, t)
        elif access.state is _State.WRITING:
            written = self._nvram.is_written(access.writing)
            if written:
                self._complete(access, t)
            elif written is False:
                self._fail(access.tool, t, AccessError.GENERAL)
        elif t >= access.until:
            if access.state is not _State.END:
                self._fail(access.tool, t, AccessError.NO_RESPONSE)
            self._access = None

    def reset(self) -> None:
        """End every access: the unit has no address any more."""
        self._access = None

    # -- steps ------------------------------------------------------------------------------------------------

    def _begin(self, tool: int, request: Request, t: int) -> None:
        try:
            place = self._memory.find(request.pointer, request.length)
        except Refusal:
            self._fail(tool, t, AccessError.ADDRESS)
            return
        region, reads = place.region, request.command == Command.READ
        if request.command not in (Command.READ, Command.WRITE, Command.ERASE):
            self._fail(tool, t, AccessError.GENERAL)
        elif request.length > LONGEST:
            self._fail(tool, t, AccessError.LENGTH)
        elif not (region.readable if reads else region.writable):
            self._fail(tool, t, AccessError.ERASE_FIRST if region.flash and not reads else AccessError.ADDRESS)
        else:
            access = self._access = _Access(tool, request, place, _State.KEY, t + PATIENCE)
            level = region.security if reads else region.writing_level
            if level:
                self._ask_for_key(access, level, t)
            else:
                self._proceed(access, t)

    def _ask_for_key(self, access: _Access, level: int, t: int) -> None:
        """Send a seed. It fails closed: without a key that the function gives there is no access."""
        seed = self._random.randrange(1, NO_SEED - 1)
        access.expected = None if t < self._closed_until else self._key_for(seed, level)
        if access.expected is None:
            self._fail(access.tool, t, AccessError.SECURITY)
        else:
            self._tell(access.tool, t, Status.PROCEED, seed=seed)

    def _key_for(self, seed: int, level: int) -> int | None:
        if self._key is None:
            return None
        try:
            key = self._key(level, seed)
        except Exception:  # noqa: BLE001 - a function of the user may raise anything
            return None
        return key if type(key) is int and 0 <= key <= NO_SEED else None

    def _check_key(self, access: _Access, request: Request, t: int) -> None:
        if request._replace(key=0) != access.request._replace(key=0):
            self._access = None
            self._begin(access.tool, request, t)
        elif request.key == access.expected:
            self._wrong = 0
            self._proceed(access, t)
        else:
            self._wrong += 1
            if self._wrong >= ATTEMPTS:
                self._wrong, self._closed_until = 0, t + DELAY
            self._fail(access.tool, t, AccessError.KEY)

    def _proceed(self, access: _Access, t: int) -> None:
        place = access.place
        self._tell(access.tool, t, Status.PROCEED, length=place.length)
        if access.request.command == Command.WRITE:
            access.state, access.until = _State.DATA, t + PATIENCE
        elif access.request.command == Command.ERASE:
            for _ in place.region.erase(place.start, place.length):  # of so few bytes all in this tick
                pass
            self._write(access, t)
        else:
            data = place.region.read(place.start, place.length)
            count = len(data) if len(data) <= _COUNTED else 0xFF
            if self._send(DM16, bytes((count,)) + data, access.tool, t):
                access.state = _State.READING
            else:
                self._fail(access.tool, t, AccessError.GENERAL)

    def _write(self, access: _Access, t: int) -> None:
        """Count a change, and complete the access when it is written."""
        self._memory.changes += 1
        if self._nvram.connected:
            access.state, access.writing = _State.WRITING, self._nvram.write()
        else:
            self._complete(access, t)

    def _complete(self, access: _Access, t: int) -> None:
        access.state, access.until = _State.END, t + PATIENCE
        self._tell(access.tool, t, Status.COMPLETED)

    def _fail(self, tool: int, t: int, error: AccessError) -> None:
        self._access = None
        self._tell(tool, t, Status.FAILED, error=error)

    def _tell(
        self,
        tool: int,
        t: int,
        status: Status,
        *,
        length: int = 0,
        error: AccessError = AccessError.NONE,
        seed: int = NO_SEED,
    ) -> None:
        self._send(DM15, answer(status, length, error, seed), tool, t)
