"""A serial bus of telegrams, such as the K-bus: listened to before a telegram, and read back behind it.

    line quiet for `quiet`               a telegram that waits is written; one of a kind at most waits, the newest
    other bytes come back                a collision: the telegram is tried again
    not all comes back in time           silence: likewise
    `attempts` were made                 it is lost, and counted
    a telegram of `replies_to` heard     the reply goes, beside its own times

    quiet before attempt n = n * quiet

All that it decides it decides from the bytes heard and from the time, never from what a port has taken: so a replay,
which has the bytes and no port, sends the same.
"""

from collections.abc import Iterator
from typing import ClassVar, Final

from hilbridge.base.common.errors import ConfigurationError, ErrorCollector, KeyPath
from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.base.common.words import counted
from hilbridge.bench.lines.layout import Layout, Splitter
from hilbridge.bench.lines.line_port import LinePort
from hilbridge.bench.lines.senders import Senders, duration
from hilbridge.bench.lines.statistics import LineStatistics
from hilbridge.files.settings.lines import Telegram, TelegramLine
from hilbridge.files.settings.request_patterns import Pattern
from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.plan.planned import PlannedFrame
from hilbridge.frames.plan.raw import placed_frame, reply_frame
from hilbridge.frames.plan.selection import Outgoing
from vehiclesim.databus import DataBus

_SLACK: Final = 50 * MILLISECOND
"""[ns] for an echo, beside the time of its bytes: adapters collect bytes for up to 16 ms."""

_LEAST: Final = 64
"""[byte] that are read in a tick at least."""


class TelegramBus:
    """One line of telegrams; `armed` may change at any time."""

    port_kind: ClassVar[str] = "serial bus"

    def __init__(self, name: str, settings: TelegramLine, tick: int, place: KeyPath, data: DataBus) -> None:
        """`tick` [ns]. ConfigurationError, with the key path: see `placed_frame`."""
        self.name: Final = name
        self.settings: Final = settings
        self.armed = settings.armed or not settings.is_hardware
        self.statistics = LineStatistics()
        self.last = ""  # the telegram heard last, in hexadecimal
        self._layout: Final = Layout(settings)
        self._splitter: Final = Splitter(self._layout)
        self._bits: Final = 10 if settings.parity == "none" else 11
        self._quiet: Final = round(settings.quiet * MILLISECOND)
        self._most: Final = max(_LEAST, 4 * tick * settings.baudrate // (self._bits * SECOND))
        self._telegrams: Final = list(settings.telegrams.values())
        outgoing = list(_outgoing(settings, tick, (*place, "telegrams"), data))
        self.senders: Final = Senders(name, outgoing, self, data, tick)
        self._replies: Final[list[tuple[Pattern, PlannedFrame]]] = [
            (pattern, frame)
            for telegram, frame in zip(self._telegrams, self.senders.frames, strict=True)
            for pattern in telegram.patterns
        ]
        self._damaged_before = 0  # of the line before a reload
        self._asked: Final[list[PlannedFrame]] = []
        self._waiting: Final[dict[int, bytes]] = {}  # by the number of the telegram
        self._sent = b""  # the telegram on the line, until it has come back
        self._number = 0
        self._expected = b""  # what of it has not come back yet
        self._attempts = 0
        self._due = 0  # [ns] for its echo; without an echo, its end
        self._free = 0  # [ns] from here on the line may be used

    # -- what is heard ------------------------------------------------------------------------------------------

    def feed(self, data: bytes, t: int, trouble: str = "") -> None:
        """Take the bytes of the port at `t` [ns]."""
        if not data:
            return
        if len(data) > self._most:
            self.statistics.flooded += len(data) - self._most
            data = data[: self._most]
        self._free = max(self._free, t + self._quiet)
        if self._expected:
            data = self._compared(data, t)
        for telegram in self._splitter.feed(data):
            self._hear(telegram)

    def _compared(self, data: bytes, t: int) -> bytes:
        """Compare bytes with those that were sent; return what is not our own."""
        own = data[: len(self._expected)]
        if self._expected.startswith(own):
            self._expected = self._expected[len(own) :]
            if not self._expected:
                self.statistics.passed += 1
                self._sent = b""
            return data[len(own) :]
        self.statistics.collisions += 1
        self._try_again(t)
        return data

    def _hear(self, telegram: bytes) -> None:
        self.statistics.heard += 1
        self.last = telegram.hex(" ").upper()
        self._asked.extend(frame for pattern, frame in self._replies if pattern.matches(telegram))

    # -- what is sent -------------------------------------------------------------------------------------------

    def accepts(self, can_id: int) -> bool:
        """Return True: what cannot go at once waits."""
        return True

    def receive(self, frame: Frame, t: int) -> None:
        """Take a telegram that is due; it takes the place of an older one that still waits."""
        if not self.armed:
            self.statistics.unarmed += 1
            return
        self._waiting[frame.can_id] = self._layout.encode(self._telegrams[frame.can_id], frame.data)

    def publish(self, t: int, port: LinePort | None) -> None:
        """Send what is due at `t` [ns]; `port` None: none is there, as in a replay."""
        for frame in self._asked:
            frame.send_on_request(t)
        self._asked.clear()
        self.senders.publish(t)
        if not self.armed:
            self._waiting.clear()
            self._sent = self._expected = b""
        if t >= self._free and not self._splitter.is_empty:
            for telegram in self._splitter.silence():
                self._hear(telegram)
        self.statistics.damaged = self._damaged_before + self._splitter.damaged
        if self._expected and t >= self._due:
            self.statistics.silent += 1
            self._try_again(t)
        if not self._expected and t >= self._free:
            self._begin(t, port)

    def _begin(self, t: int, port: LinePort | None) -> None:
        """Write the telegram that is tried again, or the next one that waits."""
        if not self._sent:
            if not self._waiting:
                return
            self._number = next(iter(self._waiting))
            self._sent = self._waiting.pop(self._number)
            self._attempts = 0
        self._attempts += 1
        self.statistics.repeated += self._attempts > 1
        taken = port is not None and port.write(self._sent, t)
        on_line = duration(len(self._sent), self._bits, self.settings.baudrate)
        self._free = t + on_line + self._quiet
        if self.settings.echoes:
            self._expected = self._sent
            self._due = t + on_line + _SLACK
        else:
            self.statistics.passed += taken
            self.statistics.silent += not taken
            self._sent = b""

    def _try_again(self, t: int) -> None:
        """Give the telegram on the line another attempt after a longer silence, or give it up."""
        self._expected = b""
        if self._attempts >= self.settings.attempts or self._number in self._waiting:
            self.statistics.lost += 1
            self._sent = b""
        self._free = max(self._free, t + (self._attempts + 1) * self._quiet)

    # -- the rest -----------------------------------------------------------------------------------------------

    def cut_off(self) -> None:
        """Switch all terminals off for good."""
        self.senders.cut_off()

    def take_over(self, before: object, t: int) -> None:
        """Continue from `t` [ns] in the place of another line, if it is of this kind."""
        if not isinstance(before, TelegramBus):
            return
        self.armed, self.statistics, self.last = before.armed, before.statistics, before.last
        self._damaged_before = before.statistics.damaged
        self._free = before._free
        self.senders.take_over(before.senders, t)

    def describe(self) -> str:
        """Return one line for people."""
        settings = self.settings
        count = counted(len(self._telegrams), "telegram")
        return f"{count} at {settings.baudrate} bit/s, parity {settings.parity}, {settings.checksum} checksum"

    def rows(self) -> dict[str, str]:
        """Return the telegrams in hexadecimal, without their checksum, by name."""
        shown = {}
        for name, one in self.settings.telegrams.items():
            when = f"every {one.period:g} ms" if one.period else one.send or f"replies to {', '.join(one.replies_to)}"
            shown[name] = f"{self._layout.encode(one, one.content)[:-1].hex(' ').upper()}; {when}"
        return shown

    def doubts(self) -> Iterator[str]:
        """Yield what the user may not have meant: more than the line carries."""
        load = 0.0
        for one in self.settings.telegrams.values():
            if one.period:
                on_line = duration(len(self._layout.encode(one, one.content)), self._bits, self.settings.baudrate)
                load += (on_line + self._quiet) / (one.period * MILLISECOND)
        if load > 1:
            yield f"line {self.name}: its telegrams need {load:.0%} of its time: some will be left out"


def _outgoing(settings: TelegramLine, tick: int, place: KeyPath, data: DataBus) -> Iterator[Outgoing]:
    errors = ErrorCollector()
    for number, (name, one) in enumerate(settings.telegrams.items()):
        with errors.attempt():
            yield _frame(name, one, number, tick, (*place, name), data)
    errors.verdict()


def _frame(name: str, one: Telegram, number: int, tick: int, place: KeyPath, data: DataBus) -> Outgoing:
    if one.replies_to and one.send is None and one.period is None:
        return reply_frame(name, one, number, one.signals, tick, place, data.entries)
    if one.send is None and one.period is None:
        raise ConfigurationError("needs 'period', 'send' or 'replies_to'", place)
    return placed_frame(name, one, number, one.signals, tick, place, data.entries)
