"""A LIN with the bench as its master (LIN 2.2A): headers by a schedule, answers of its own, answers of others.

    header     break, 55, identifier with two parity bits
    parity     P0 = ID0 ^ ID1 ^ ID2 ^ ID4, P1 = not (ID1 ^ ID3 ^ ID4 ^ ID5)
    checksum   inverted sum with carry, of the data (classic) or of identifier with parity and data (enhanced)

The break lasts as many whole ticks as its 13 bits need; slaves accept a longer one. It is always ended: by its header,
or alone if the line is no longer armed. A slot begins where the one before it ends; what has not answered by then is
counted. While no terminal of the line is on, nothing is sent; before that the nodes are sent to sleep
(3C 00 FF FF FF FF FF FF FF).
"""

from collections.abc import Iterator
from typing import ClassVar, Final

from hilbridge.base.common.errors import ConfigurationError, ErrorCollector, KeyPath
from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.base.common.words import counted
from hilbridge.bench.lines.line_port import LinePort
from hilbridge.bench.lines.senders import duration
from hilbridge.bench.lines.statistics import LineStatistics
from hilbridge.files.settings.common import in_whole_ticks
from hilbridge.files.settings.lines import DIAGNOSTIC_IDS, LinFrame, LinLine
from hilbridge.frames.plan.raw import reply_frame
from hilbridge.frames.plan.selection import Outgoing
from hilbridge.frames.plan.terminals import Terminals, terminal_bits
from vehiclesim.databus import DataBus

SYNC: Final = b"\x55"
BREAK: Final = b"\x00"
"""A break, as a receiver of bytes hears it."""

SLEEP: Final = bytes([0x00, *[0xFF] * 7])
_SLEEP_ID: Final = 0x3C
_SLEEP_NAME: Final = ""
"""No frame of a file has it."""

_BREAK_BITS: Final = 13

LONGEST: Final = 64
"""[byte] that are read in a tick at most."""


def protected(identifier: int) -> int:
    """Return an identifier of 6 bits with its parity."""
    bit = [identifier >> place & 1 for place in range(6)]
    p0 = bit[0] ^ bit[1] ^ bit[2] ^ bit[4]
    p1 = 1 ^ bit[1] ^ bit[3] ^ bit[4] ^ bit[5]
    return identifier | p0 << 6 | p1 << 7


def checksum(data: bytes, pid: int | None) -> int:
    """Return the classic checksum of data, or with `pid` the enhanced one."""
    whole = sum(data) + (pid or 0)
    while whole > 0xFF:
        whole = (whole & 0xFF) + (whole >> 8)
    return ~whole & 0xFF


def checksum_of(settings: LinLine, frame: LinFrame, data: bytes) -> int:
    """Return the checksum of a frame with this data, of the kind that the frame or else its line has."""
    classic = (frame.checksum or settings.checksum) == "classic" or frame.id in DIAGNOSTIC_IDS
    return checksum(data, None if classic else protected(frame.id))


def frame_rows(settings: LinLine) -> dict[str, str]:
    """Return the frames of a line by name, as people read them."""
    return {
        name: f"0x{one.id:02X} (0x{protected(one.id):02X}), "
        + (f"{len(one.content)} bytes" if one.is_sent else f"{one.length} bytes of another node")
        for name, one in settings.frames.items()
    }


def answers_of(
    settings: LinLine, tick: int, place: KeyPath, data: DataBus, errors: ErrorCollector
) -> dict[str, Outgoing]:
    """Return what a node of ours answers, by the name of the frame. `errors` takes what is wrong, with its key path."""
    found = {}
    for name, frame in settings.frames.items():
        if frame.is_sent:
            with errors.attempt():
                here = (*place, "frames", name)
                found[name] = reply_frame(name, frame, frame.id, frame.signals, tick, here, data.entries)
    return found


class LinBus:
    """One LIN; `armed` may change at any time."""

    port_kind: ClassVar[str] = "serial bus"

    def __init__(self, name: str, settings: LinLine, tick: int, place: KeyPath, data: DataBus) -> None:
        """`tick` [ns]. ConfigurationError, with the key path: a slot is too short; see `placed_frame`."""
        self.name: Final = name
        self.settings: Final = settings
        self.armed = settings.armed or not settings.is_hardware
        self.statistics = LineStatistics()
        self.last = ""
        self._channels: Final = data.channels
        self._terminals: Final = Terminals(data)
        self._awake_on: Final = terminal_bits(settings.terminals)
        errors = ErrorCollector()
        self._outgoing: Final = answers_of(settings, tick, place, data, errors)
        self._slots: Final[list[tuple[str, LinFrame, int]]] = []
        for index, slot in enumerate(settings.schedule):
            with errors.attempt():
                here = (*place, "schedule", index)
                length = in_whole_ticks(slot.time, tick, (*here, "time"))
                frame = settings.frames[slot.frame]
                _require_time(frame, length, tick, settings.baudrate, (*here, "time"))
                self._slots.append((slot.frame, frame, length))
        errors.verdict()
        self._tick: Final = tick
        self._next = 0  # index of the next slot
        self._due = 0  # [ns] when it begins
        self._ready: tuple[str, LinFrame] | None = None  # the frame whose break is under way
        self._speak_at = 0  # [ns] when it ends
        self._is_dominant = False  # a break of the line before this one has to end
        self._expected = b""
        self._is_whole = False  # what is expected ends with the answer of our own
        self._answer: tuple[str, LinFrame] | None = None
        self._heard = b""
        self._is_awake = False

    # -- what is heard ------------------------------------------------------------------------------------------

    def feed(self, data: bytes, t: int, trouble: str = "") -> None:
        """Take the bytes of the port at `t` [ns]."""
        if not data:
            return
        if len(data) > LONGEST:
            self.statistics.flooded += len(data) - LONGEST
            data = data[:LONGEST]
        if self._expected:
            data = self._compared(data)
        if self._answer is not None:
            self._heard += data
            self._take_answer(*self._answer)
        elif data:
            self.statistics.damaged += 1

    def _compared(self, data: bytes) -> bytes:
        """Compare bytes with those that were sent; return what is not our own."""
        if self._expected[:1] == BREAK and data[:1] != BREAK:
            self._expected = self._expected[1:]  # some adapters leave the break out
        own = data[: len(self._expected)]
        if self._expected.startswith(own):
            self._expected = self._expected[len(own) :]
            if not self._expected and self._is_whole:
                self.statistics.passed += 1
            return data[len(own) :]
        self.statistics.collisions += 1
        self._expected, self._answer = b"", None
        return b""

    def _take_answer(self, name: str, frame: LinFrame) -> None:
        """Judge the answer of another node once it is whole."""
        length = frame.length or 0
        if len(self._heard) <= length:
            return
        data, found = self._heard[:length], self._heard[length]
        if found == checksum_of(self.settings, frame, data) and len(self._heard) == length + 1:
            self.statistics.heard += 1
            self.last = f"{name}: {data.hex(' ').upper()}"
        else:
            self.statistics.damaged += 1
        self._answer, self._heard = None, b""

    # -- what is sent -------------------------------------------------------------------------------------------

    def publish(self, t: int, port: LinePort | None) -> None:
        """Send what is due at `t` [ns]; `port` None: none is there, as in a replay."""
        if self._terminals.changed():
            awake = bool(self._terminals.on & self._awake_on)
            if self._is_awake and not awake and self.armed:
                sleep = _sleep_frame()
                self._ready = _SLEEP_NAME, sleep
                self._due = t + _needed(sleep, self._tick, self.settings.baudrate)
                self._break(t, port)
                self._is_awake = False
                return
            self._is_awake = awake
        if self._is_dominant:
            self._is_dominant = False
            if port is not None:
                port.set_break(False, t)
        if self._ready is not None:
            if t >= self._speak_at:
                self._speak(*self._ready, t, port)
        elif self._is_awake and t >= self._due:
            self._begin(t, port)

    def _begin(self, t: int, port: LinePort | None) -> None:
        """End the slot before, and begin the next one with its break."""
        if self._answer is not None:
            if self._heard:
                self.statistics.damaged += 1
            else:
                self.statistics.unanswered += 1
        if self._expected not in (b"", BREAK):
            self.statistics.silent += 1
        self._answer, self._heard, self._expected = None, b"", b""
        name, frame, length = self._slots[self._next]
        self._next = (self._next + 1) % len(self._slots)
        self._due = t + length
        if not self.armed:
            self.statistics.unarmed += 1
            return
        self._ready = name, frame
        self._break(t, port)

    def _break(self, t: int, port: LinePort | None) -> None:
        if self.settings.echoes:
            self._expected, self._is_whole = BREAK, False
        self._speak_at = t + _break_time(self._tick, self.settings.baudrate)
        if port is not None:
            port.set_break(True, t)

    def _speak(self, name: str, frame: LinFrame, t: int, port: LinePort | None) -> None:
        """End the break, and send the rest of the header, with the answer if it is ours; not armed, end it only."""
        self._ready = None
        if not self.armed:
            self.statistics.unarmed += 1
            if port is not None:
                port.set_break(False, t)
            return
        pid = protected(frame.id)
        sent = SYNC + bytes([pid])
        if frame.is_sent:
            outgoing = self._outgoing.get(name)
            data = bytearray(frame.content if outgoing is None else outgoing.encode(self._channels))
            if outgoing is not None and outgoing.protector is not None:
                outgoing.protector.protect(data)
            sent += bytes(data) + bytes([checksum_of(self.settings, frame, bytes(data))])
        else:
            self._answer = name, frame
        taken = port is not None and port.set_break(False, t) and port.write(sent, t)
        if self.settings.echoes:
            self._expected += sent
            self._is_whole = frame.is_sent
        elif frame.is_sent:
            self.statistics.passed += taken
            self.statistics.silent += not taken

    # -- the rest -----------------------------------------------------------------------------------------------

    def cut_off(self) -> None:
        """Switch all terminals off for good."""
        self._terminals.cut_off()

    def take_over(self, before: object, t: int) -> None:
        """Continue from `t` [ns] in the place of another line, if it is of this kind."""
        if not isinstance(before, LinBus):
            return
        self.armed, self.statistics, self.last = before.armed, before.statistics, before.last
        self._terminals.take_over(before._terminals)
        self._is_awake, self._due = before._is_awake, before._due
        self._is_dominant = before._is_dominant
        if before._ready is not None:
            name, frame = before._ready
            if name == _SLEEP_NAME or self.settings.frames.get(name) == frame:
                self._ready, self._speak_at = before._ready, before._speak_at
                if self.settings.echoes:
                    self._expected = before._expected
            else:
                self._is_dominant = True
        for name, outgoing in self._outgoing.items():
            old = before._outgoing.get(name)
            if old is not None and old.protector is not None and outgoing.protector is not None:
                outgoing.protector.take_over(old.protector)

    def describe(self) -> str:
        """Return one line for people."""
        settings = self.settings
        whole = sum(slot.time for slot in settings.schedule)
        return f"LIN, {counted(len(self._slots), 'slot')} in {whole:g} ms at {settings.baudrate} bit/s"

    def rows(self) -> dict[str, str]:
        """Return the frames by name."""
        return frame_rows(self.settings)

    def doubts(self) -> Iterator[str]:
        """Yield what the user may not have meant: frames that the schedule leaves out."""
        scheduled = {slot.frame for slot in self.settings.schedule}
        left_out = [name for name in self.settings.frames if name not in scheduled]
        if left_out:
            yield f"line {self.name}: the schedule never has {', '.join(left_out)}"


def _sleep_frame() -> LinFrame:
    return LinFrame(id=_SLEEP_ID, data=SLEEP.hex())


def _break_time(tick: int, baudrate: int) -> int:
    """Return how long a break lasts [ns]: at least 13 bits (LIN 2.2A, 2.3.1.1), in whole ticks."""
    return -(-_BREAK_BITS * SECOND // (baudrate * tick)) * tick


def _needed(frame: LinFrame, tick: int, baudrate: int) -> int:
    """Return the time [ns] of a frame with its header: break, 1.4 times its bits (LIN 2.2A, 2.3.2), and a tick."""
    count = (frame.length or len(frame.content)) + 3
    return _break_time(tick, baudrate) + tick + duration(count, 14, baudrate)


def _require_time(frame: LinFrame, length: int, tick: int, baudrate: int, place: KeyPath) -> None:
    """Require that a slot holds its frame."""
    needed = _needed(frame, tick, baudrate)
    if length < needed:
        reason = f"{length / MILLISECOND:g} ms do not hold the frame, which needs {needed / MILLISECOND:.1f} ms here"
        raise ConfigurationError(reason, place)
