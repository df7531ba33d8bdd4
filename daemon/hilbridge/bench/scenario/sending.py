"""A step that sends frames as a foreign control unit does: by commands, so that a recording has each of them."""

from typing import Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH, FRAME_LENGTHS
from hilbridge.base.common.words import counted
from hilbridge.bench.scenario.context import ScenarioContext
from hilbridge.bench.scenario.engine import Ending
from hilbridge.boundary.control.lines import HandleCommand, execute
from hilbridge.files.settings.scenario_wire import SendSettings
from hilbridge.frames.bus.bus import Node
from hilbridge.frames.codec.codec import CompiledMessage, compile_message
from hilbridge.frames.codec.database import unknown
from hilbridge.frames.codec.frame import EXTENDED, FD, STANDARD_MASK, Frame
from hilbridge.frames.protection import Protector, build_protector


class CommandedSender:
    """Puts frames on a bus by commands."""

    def __init__(self, bus: str, obey: HandleCommand) -> None:
        self._bus: Final = bus
        self._obey: Final = obey

    def transmit(self, frame: Frame, origin: Node | None = None) -> None:
        """Send a frame. ConfigurationError: the command is refused."""
        keys = {"id": frame.identifier, "extended": frame.is_extended, "data": frame.data.hex().upper()}
        execute(self._obey, "send", bus=self._bus, **keys, fd=bool(frame.flags & FD))


class SendFrames:
    """Sends a frame once, or `every` so many ns for a time [ns]; without `duration` to the end of the scenario.

    `protector` fills its counters and checksums, if it has such.
    """

    acts: Final = True

    def __init__(
        self,
        frame: Frame,
        protector: Protector | None,
        sender: CommandedSender,
        every: int | None,
        duration: int | None,
    ) -> None:
        self.endless: Final = every is not None and duration is None
        self._frame: Final = frame
        self._protector: Final = protector
        self._sender: Final = sender
        self._every: Final = every
        self._duration: Final = duration
        self._begin = 0
        self._count = 0

    def begin(self, t: int) -> None:
        self._begin = t

    def evaluate(self, t: int) -> Ending | None:
        lasted = t - self._begin
        if self._duration is not None and lasted >= self._duration:
            return self._over()
        if lasted >= self._count * (self._every or 0):
            self._sender.transmit(self._protected())
            self._count += 1
        return self._over() if self._every is None else None

    def _protected(self) -> Frame:
        if self._protector is None:
            return self._frame
        data = bytearray(self._frame.data)
        self._protector.protect(data)
        return self._frame._replace(data=bytes(data))

    def close(self, t: int) -> Ending | None:
        return self._over() if self.endless else None

    def _over(self) -> Ending:
        return Ending(passed=True, seen=counted(self._count, "frame") if self._every is not None else "")


def build_sending(
    settings: SendSettings, every: int | None, duration: int | None, context: ScenarioContext, place: KeyPath
) -> SendFrames:
    """Return the activity; times in ns. ConfigurationError, with the key path: the bench has no such frame."""
    context.check_bus(settings.bus, (*place, "bus"))
    sender = CommandedSender(settings.bus, context.obey)
    frame, codec = _frame(settings, context, place)
    here = (*place, "protection")
    protector = build_protector(settings.protection, codec, frame.can_id, len(frame.data), here)
    return SendFrames(frame, protector, sender, every, duration)


def can_id(identifier: int) -> int:
    """Return an identifier with its flag: above 0x7FF it has 29 bits."""
    return identifier | (EXTENDED if identifier > STANDARD_MASK else 0)


def _frame(settings: SendSettings, context: ScenarioContext, place: KeyPath) -> tuple[Frame, CompiledMessage | None]:
    """Return the frame, and its codec where a database has it."""
    if isinstance(settings.message, int):
        data = bytes.fromhex(settings.data or "")
        if len(data) not in FRAME_LENGTHS:
            raise ConfigurationError(f"no frame has {len(data)} bytes", (*place, "data"))
        return Frame(can_id(settings.message), data, _flags(data)), None
    message = context.database(settings.bus, (*place, "bus")).message(settings.message, (*place, "message"))
    codec = compile_message(message)
    if codec.header is not None:
        raise ConfigurationError(f"{codec.name} goes in a container, and none is sent", (*place, "message"))
    if codec.is_long:
        reason = f"no frame holds its {codec.length} bytes: 'messages' of the bench sends it in packets of J1939"
        raise ConfigurationError(reason, (*place, "message"))
    for name, value in settings.signals.items():
        where = (*place, "signals", name)
        if name not in codec.signals:
            raise unknown(f"signal of {codec.name}", name, codec.signals, where)
        if isinstance(value, str) and value not in codec.signals[name].numbers:
            raise unknown(f"value of {name}", value, codec.signals[name].numbers, where)
    try:
        data = codec.encode(settings.signals)
    except ValueError as error:  # a name of several values
        raise ConfigurationError(str(error), (*place, "signals")) from None
    return Frame(codec.can_id, data, _flags(data)), codec


def _flags(data: bytes) -> int:
    return FD if len(data) > CLASSIC_LENGTH else 0
