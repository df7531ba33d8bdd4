"""A LIN with the bench as one of its slaves: another node, such as a cluster, sends the headers (LIN 2.2A).

    header     break, 55, identifier with two parity bits
    answer     data and checksum, in the tick in which the header of a frame with `data` was heard

A break is heard as the byte 00, so a header is 00 55 and an identifier whose parity is right. Where the answer of
another node is awaited, the header of a frame of this line means that none came; in the middle of an answer 00 55 is
data until its checksum is wrong, or its time over: 1.4 times its bits, and two ticks. So long an echo is awaited too.
While no terminal of the line is on, nothing is answered.
"""

from collections.abc import Iterator
from typing import ClassVar, Final

from hilbridge.base.common.errors import ErrorCollector, KeyPath
from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.base.common.words import counted
from hilbridge.bench.lines.lin_line import BREAK, LONGEST, SYNC, answers_of, checksum_of, frame_rows, protected
from hilbridge.bench.lines.line_port import LinePort
from hilbridge.bench.lines.senders import duration
from hilbridge.bench.lines.statistics import LineStatistics
from hilbridge.files.settings.common import RATES
from hilbridge.files.settings.lines import LinFrame, LinLine
from hilbridge.frames.plan.terminals import Terminals, terminal_bits
from vehiclesim.databus import DataBus

_HEADER: Final = BREAK + SYNC


class LinSlave:
    """One LIN whose master is another node; `armed` may change at any time."""

    port_kind: ClassVar[str] = "serial bus"

    def __init__(self, name: str, settings: LinLine, tick: int, place: KeyPath, data: DataBus) -> None:
        """`tick` [ns]. ConfigurationError, with the key path: see `placed_frame`."""
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
        errors.verdict()
        self._tick: Final = tick
        self._frames: Final = {protected(frame.id): (name_, frame) for name_, frame in settings.frames.items()}
        self._heard = b""
        self._awaited: tuple[str, LinFrame] | None = None  # the frame of another node whose header was heard
        self._asked: tuple[str, LinFrame] | None = None  # the frame of ours whose header was heard
        self._expected = b""  # what of our answer has not come back yet
        self._until = 0  # [ns] when the time of what is awaited or expected is over

    # -- what is heard ------------------------------------------------------------------------------------------

    def feed(self, data: bytes, t: int, trouble: str = "") -> None:
        """Take the bytes of the port at `t` [ns]."""
        if not data:
            return
        if len(data) > LONGEST:
            self.statistics.flooded += len(data) - LONGEST
            data = data[-LONGEST:]
        if t > self._until:
            self._give_up(data)
        if self._expected:
            data = self._compared(data)
        self._heard += data
        while self._step(t):
            pass
        self._heard = self._heard[-LONGEST:]

    def _give_up(self, data: bytes) -> None:
        """Await and expect nothing any more, unless these bytes complete it: some adapters hand them over late."""
        if self._expected and not data.startswith(self._expected):
            self.statistics.silent += 1
            self._expected = b""
        if self._awaited is None or self._is_right(self._awaited[1], self._heard + data):
            return
        self._awaited = None
        rest = next((one for one in (_HEADER, BREAK) if self._heard.endswith(one)), b"")
        if len(self._heard) > len(rest):
            self.statistics.damaged += 1
        else:
            self.statistics.unanswered += 1
        self._heard = rest

    def _compared(self, data: bytes) -> bytes:
        """Compare bytes with those that were answered; return what is not our own."""
        own = data[: len(self._expected)]
        if self._expected.startswith(own):
            self._expected = self._expected[len(own) :]
            self.statistics.passed += not self._expected
            return data[len(own) :]
        if data.startswith(BREAK):
            self.statistics.silent += 1
        else:
            self.statistics.collisions += 1
        self._expected = b""
        return data

    def _step(self, t: int) -> bool:
        """Take a header or an answer out of what was heard; return whether there was one."""
        if self._awaited is not None and not self._begins():
            return self._take_answer(*self._awaited)
        begin = self._heard.find(_HEADER)
        if begin < 0 or len(self._heard) < begin + 3:
            return False
        pid, self._heard = self._heard[begin + 2], self._heard[begin + 3 :]
        self.statistics.unanswered += (self._awaited is not None) + (self._asked is not None)
        self._awaited = self._asked = None
        if pid != protected(pid & 0x3F):
            self.statistics.damaged += 1
            return True
        found = self._frames.get(pid)
        if found is None:
            self.statistics.others += 1
        elif found[1].is_sent:
            self._asked = found
        else:
            self._awaited = found
            self._until = self._end(t, (found[1].length or 0) + 1)
        return True

    def _end(self, t: int, count: int) -> int:
        """Return the time [ns] when so many bytes from `t` on are over: 1.4 times their bits (LIN 2.2A, 2.3.2)."""
        return t + duration(count, 14, self.settings.baudrate) + 2 * self._tick

    def _begins(self) -> bool:
        """Whether a header of this line stands where the answer of another node was awaited."""
        return self._heard.startswith(_HEADER) and len(self._heard) > 2 and self._heard[2] in self._frames

    def _take_answer(self, name: str, frame: LinFrame) -> bool:
        length = frame.length or 0
        if len(self._heard) <= length:
            return False
        self._awaited = None
        if self._is_right(frame, self._heard):
            self.statistics.heard += 1
            self.last = f"{name}: {self._heard[:length].hex(' ').upper()}"
            self._heard = self._heard[length + 1 :]
        else:
            self.statistics.damaged += 1
        return True

    def _is_right(self, frame: LinFrame, heard: bytes) -> bool:
        """Whether these bytes begin with a whole answer of another node and its checksum."""
        length = frame.length or 0
        return len(heard) > length and heard[length] == checksum_of(self.settings, frame, heard[:length])

    # -- what is sent -------------------------------------------------------------------------------------------

    def publish(self, t: int, port: LinePort | None) -> None:
        """Answer what was asked in this tick, until `t` [ns]; `port` None: none is there, as in a replay."""
        self._terminals.changed()
        if self._asked is None:
            return
        (name, frame), self._asked = self._asked, None
        if self._heard or not self._terminals.on & self._awake_on:
            self.statistics.unanswered += 1  # bytes follow the header already: it is too late, or another one answers
            return
        if not self.armed:
            self.statistics.unarmed += 1
            return
        outgoing = self._outgoing[name]
        data = bytearray(outgoing.encode(self._channels))
        if outgoing.protector is not None:
            outgoing.protector.protect(data)
        sent = bytes(data) + bytes([checksum_of(self.settings, frame, bytes(data))])
        taken = port is not None and port.write(sent, t)
        if self.settings.echoes and (taken or port is None):
            self._expected, self._until = sent, self._end(t, len(sent))
        else:
            self.statistics.passed += taken
            self.statistics.silent += not taken

    # -- the rest -----------------------------------------------------------------------------------------------

    def cut_off(self) -> None:
        """Switch all terminals off for good."""
        self._terminals.cut_off()

    def take_over(self, before: object, t: int) -> None:
        """Continue from `t` [ns] in the place of another line, if it is of this kind."""
        if not isinstance(before, LinSlave):
            return
        self.armed, self.statistics, self.last = before.armed, before.statistics, before.last
        self._terminals.take_over(before._terminals)
        for name, outgoing in self._outgoing.items():
            old = before._outgoing.get(name)
            if old is not None and old.protector is not None and outgoing.protector is not None:
                outgoing.protector.take_over(old.protector)

    def describe(self) -> str:
        """Return one line for people."""
        return f"LIN of another master, {counted(len(self._outgoing), 'answer')} at {self.settings.baudrate} bit/s"

    def rows(self) -> dict[str, str]:
        """Return the frames by name."""
        return frame_rows(self.settings)

    def doubts(self) -> Iterator[str]:
        """Yield what the user may not have meant: answers that begin too late, as the tick is long.

        An answer of n bytes may take 1.4 times its 10 (n + 1) bits (LIN 2.2A, 2.3.2), so 4 (n + 1) bits are reserve.
        """
        sizes = [len(frame.content) for frame in self.settings.frames.values() if frame.is_sent]
        reserve = 4 * (min(sizes, default=8) + 1) * SECOND // self.settings.baudrate
        if sizes and self.settings.is_hardware and self._tick > reserve:
            soon = [rate for rate in RATES if SECOND // rate <= reserve]
            remedy = f"it needs a 'rate' of {soon[0]} or more" if soon else f"the highest 'rate' is {max(RATES)}"
            yield (
                f"line {self.name}: answers begin up to {self._tick / MILLISECOND:g} ms after their header, and LIN "
                f"has a reserve of {reserve / MILLISECOND:.2f} ms, beyond which a strict master hears none: {remedy}"
            )
