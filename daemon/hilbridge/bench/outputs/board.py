"""A board behind a serial line: greeted, set up, fed with values and the engine's angle (docs/board-protocol.md).

    angle = integral of the engine speed by the trapezoidal rule, in exact integers: it never drifts from the bus

What the board reports decides only what is said to it, never what the vehicle does: a replay needs no board. What it
measures is an input of its own (bench/inputs/board.py), and recorded.
"""

import struct
from dataclasses import dataclass
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, ErrorCollector, KeyPath
from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.base.common.words import counted
from hilbridge.bench.outputs.output import OutputStatistics, OutputValueSource, Way
from hilbridge.bench.outputs.wheels import levels
from hilbridge.files.settings.boards import BoardChannel, BoardSettings
from hilbridge.files.settings.common import in_whole_ticks
from hilbridge.frames.codec.board_packets import (
    ENGINE,
    HELLO,
    SETUP,
    STATUS,
    VALUES,
    VERSION,
    WATCHDOG,
    number_of,
    packet,
    read_packet,
)
from hilbridge.frames.codec.sources import Channels
from vehiclesim.channels import VEHICLE, VehicleData
from vehiclesim.entries import ENTRIES, STANDARD, Entries

KINDS: Final = {"digital": 1, "pwm": 2, "analog": 3, "resistance": 4, "frequency": 5, "stepper": 6, "wheel": 7}
MEASURES: Final = {"width": 16, "period": 17, "voltage": 18, "switch": 19}

_RPM: Final = VehicleData.ENGINE_RPM
_CYCLE: Final = 2 * 120 * ENTRIES[VEHICLE][_RPM].resolution * SECOND
"""Twice the integral of the engine speed's integer over nanoseconds in a cycle of two revolutions."""
_SPEED: Final = (1 << 24) * SECOND
"""The unit of speed is 2^-24 cycles a second."""
_TIME_UNIT: Final = 500
"""[ns]"""

_GREETING: Final = SECOND // 2
"""[ns] from hello to hello."""
_PATIENCE: Final = SECOND
"""[ns] without a report after which the board is greeted again."""
_RETRY: Final = 10 * SECOND
"""[ns] after which a board that lacks some of its channels is set up anew; meanwhile the others work."""
_LONGEST: Final = 128
"""[byte] of a packet of the board without its end."""


@dataclass(slots=True)
class BoardStatistics(OutputStatistics):
    """Counters since the start of the run; they only ever grow."""

    greeted: int = 0
    """Times the board was greeted."""
    damaged: int = 0
    """Packets of the board that cannot be read."""


class Board:
    """One board of the bench file; `armed` may change at any time. Its interface is that of Output."""

    def __init__(
        self, name: str, settings: BoardSettings, tick: int, place: KeyPath, entries: Entries = STANDARD
    ) -> None:
        """`tick` [ns]. ConfigurationError, with the key path: see Output; a wheel that cannot be."""
        self.name: Final = name
        self.armed = settings.armed or not settings.is_hardware
        self.statistics = BoardStatistics()
        self.trouble = ""
        self._settings: Final = settings
        self._period: Final = in_whole_ticks(settings.period, tick, (*place, "period"))
        self._next = 0  # [ns] time of the next values, or of the next hello
        errors = ErrorCollector()
        values: dict[str, OutputValueSource] = {}
        self._setup: Final = [packet(WATCHDOG, struct.pack("<H", settings.watchdog))]
        for number, (one, channel) in enumerate(settings.channels.items()):
            here = (*place, "channels", one)
            with errors.attempt():
                if channel.value is not None:
                    values[one] = OutputValueSource(one, channel.value, (*here, "value"), entries)
                self._setup.append(packet(SETUP, _setup(number, channel, here)))
        errors.verdict()
        for number, measure in enumerate(settings.measures.values()):
            facts = struct.pack("<BBBiII", number, MEASURES[measure.kind], measure.pin, 0, 0, 0)
            self._setup.append(packet(SETUP, facts))
        self._values: Final = values
        self._turns: Final = any(channel.kind == "wheel" for channel in settings.channels.values())
        self._said = 0  # packets of the setup that were sent since the board has answered
        self._known = False  # it has answered
        self._heard = 0  # [ns] time of its last report
        self._welcomed = 0  # [ns] time of its answer
        self._rest = b""
        self._turned = 0  # twice the integral of the engine speed
        self._rpm = 0  # the integer of the engine speed in the tick before
        self._at = 0  # [ns] up to this time

    def publish(self, channels: Channels, port: Way, t: int) -> None:
        """Say what is due at `t` [ns], in one packet or a few; a board that is not armed hears nothing."""
        rpm = max(channels[VEHICLE][_RPM], 0)
        self._turned = (self._turned + (self._rpm + rpm) * (t - self._at)) % _CYCLE
        self._at, self._rpm = t, rpm
        if not self.armed:
            self._known = False
            self.trouble = ""
            if t >= self._next:
                self.statistics.unarmed += 1
                self._next = t - t % self._period + self._period
        elif self._known and t - self._heard > _PATIENCE:
            self._known = False
            self.trouble = "the board does not answer"
        elif self._known and self._said < len(self._setup):
            self._said += self._send(self._setup[self._said], port, t)
        elif t >= self._next:
            self._next = t - t % self._period + self._period
            self._speak(channels, rpm, port, t)

    def _speak(self, channels: Channels, rpm: int, port: Way, t: int) -> None:
        if not self._known:
            self._next = t + _GREETING
            self.statistics.greeted += 1
            self._send(packet(HELLO, bytes([VERSION])), port, t)
            return
        if self._turns:
            angle = (self._turned << 32) // _CYCLE
            speed = 2 * rpm * _SPEED // _CYCLE
            facts = struct.pack("<III", t // _TIME_UNIT & 0xFFFFFFFF, angle, min(speed, 0xFFFFFFFF))
            self._send(packet(ENGINE, facts), port, t)
        if self._values or not self._turns:
            numbers = [self._number(one, channel, channels) for one, channel in self._settings.channels.items()]
            self._send(packet(VALUES, struct.pack(f"<{len(numbers)}i", *numbers)), port, t)

    def _number(self, name: str, channel: BoardChannel, channels: Channels) -> int:
        if channel.kind == "wheel":
            return 0
        value = self._values[name].read(channels)
        return number_of(channel, channel.safe if value != value else value)

    def _send(self, data: bytes, port: Way, t: int) -> bool:
        taken = port.write(data, t)
        self.statistics.count(port, taken)
        return taken

    def hear(self, data: bytes, t: int) -> None:
        """Take bytes of the board at `t` [ns]."""
        if not data:
            return
        *packets, rest = (self._rest + data).split(b"\0")
        self._rest = rest[: _LONGEST + 1]
        for coded in packets:
            if coded:
                content = read_packet(coded) if len(coded) <= _LONGEST else None
                if content is None:
                    self.statistics.damaged += 1
                else:
                    self._understand(content, t)

    def _understand(self, content: bytes, t: int) -> None:
        if content[0] == HELLO and len(content) >= 5:
            self._welcome(content[1], content[2], content[3], content[4], t)
        elif content[0] == STATUS and len(content) >= 6 and self._known:
            self._heard = t
            if t - self._welcomed >= _GREETING:
                self._judge(content[2], content[3], t, is_safe=bool(content[1]))

    def _judge(self, outputs: int, inputs: int, t: int, *, is_safe: bool) -> None:
        """Look at how many channels the board has set up, once there was time for it."""
        wanted = len(self._settings.channels)
        if (outputs, inputs) != (wanted, len(self._settings.measures)):  # it was reset, or has refused a channel
            self._known = outputs + inputs > 0 and t - self._welcomed < _RETRY
            self.trouble = f"the board has set up {outputs} of {counted(wanted, 'channel')}"
        else:
            self.trouble = "the board's outputs are safe: it hears nothing" if is_safe else ""

    def _welcome(self, version: int, channels: int, measures: int, trains: int, t: int) -> None:
        settings = self._settings
        edges = sum(channel.kind in {"wheel", "frequency"} for channel in settings.channels.values())
        if version != VERSION:
            self.trouble = f"the board speaks version {version} of the protocol, not {VERSION}"
        elif channels < len(settings.channels) or measures < len(settings.measures) or trains < edges:
            self.trouble = f"the board has {channels} channels, {measures} measures, {trains} frequencies and wheels"
        else:
            self._known, self._said, self._heard, self._welcomed = True, 0, t, t
            self._next = t  # values follow the setup at once

    def take_over(self, before: object) -> None:
        """Continue in the place of another one, if it is of this kind, armed as that one is; the setup is sent anew."""
        if isinstance(before, Board):
            self.armed, self.statistics = before.armed, before.statistics
            self._turned, self._at, self._rpm, self._next = before._turned, before._at, before._rpm, before._next

    def describe(self) -> str:
        """Return one line for people: `board, 3 channels, 1 measure, every 10 ms`."""
        settings = self._settings
        parts = [counted(len(settings.channels), "channel"), counted(len(settings.measures), "measure")]
        return f"board, {', '.join(parts)}, every {self._period / MILLISECOND:g} ms"

    def rows(self) -> dict[str, str]:
        """Return what each channel and each measure is, by its name."""
        rows = {}
        for name, channel in self._settings.channels.items():
            what = self._values[name].text if name in self._values else f"{channel.pattern}, once a {channel.per}"
            rows[name] = f"{channel.kind} at pin {channel.pin}: {what}"
        rows |= {name: f"measures the {one.kind} at pin {one.pin}" for name, one in self._settings.measures.items()}
        return rows

    def doubts(self, channels: Channels) -> list[str]:
        """Return nothing: what a board is told is small."""
        del channels
        return []


def _setup(number: int, channel: BoardChannel, place: KeyPath) -> bytes:
    first = second = 0
    table = b""
    if channel.kind == "stepper":
        first, second = channel.steps, channel.speed
    elif channel.kind == "wheel":
        try:
            slots = levels(channel)
        except ConfigurationError as error:
            raise ConfigurationError(error.message, (*place, *error.place)) from None
        first, second = int(channel.per == "cycle"), len(slots)
        bits = sum(level << index for index, level in enumerate(slots))
        table = bits.to_bytes(-(-len(slots) // 8), "little")
    safe = 0 if channel.kind == "wheel" else number_of(channel, channel.safe)
    return struct.pack("<BBBiII", number, KINDS[channel.kind], channel.pin, safe, first, second) + table
