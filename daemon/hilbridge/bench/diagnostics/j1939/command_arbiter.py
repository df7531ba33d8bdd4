"""Arbitration of commands on a J1939 bus (TSC1, XBR, ERC1, EBC1; commands.py).

A command is valid until its sender ends it, or until three of its frames are missing: at the rate that a TSC1 states,
at 40 ms for XBR, 100 ms for ERC1 and EBC1. Counter and checksum of XBR (SPN 3189, 3188) and TSC1 (SPN 4206, 4207) must
be correct, or the frame is ignored; a TSC1 whose last byte is FF has neither.

If several senders demand the same entry:

    EngineRpm, EngineTorque     the highest TSC1 priority wins, among equals the first sender. It alone: the engine
                                follows a speed or a torque, never both
    limits, AllowedFuelRatio    the lowest wins
    RetarderRatio, BrakeRatio   the highest wins; of XBR only those of the highest XBR priority count

Frames of the bench's own control units are not commands; while none of them has an address, no frame is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.j1939.address_claim import BRAKES, ENGINE, RETARDERS, Name
from hilbridge.bench.diagnostics.j1939.commands import EBC1, ERC1, LENGTH, TSC1, XBR, CommandDecoder, ControlCommand
from hilbridge.files.settings.protection import ProtectionSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import ERROR, EXTENDED, REMOTE, Frame
from hilbridge.frames.codec.pgn import GLOBAL, Identifier, split
from hilbridge.frames.protection.build import build_checker
from hilbridge.frames.protection.checker import Checker
from vehiclesim.channels import RequestData

MAX_MISSED: Final = 3
"""Missing frames after which a command ends."""

MAX_SENDERS: Final = 16
"""Senders with a valid command; commands of others are dropped until one of these ends."""

_FORMATS: Final = frozenset(group >> 8 for group in (TSC1, XBR, ERC1))
_UNPROTECTED: Final = 0xFF
_PROTECTION: Final = {TSC1: (ProtectionSettings(preset="j1939"),), XBR: (ProtectionSettings(preset="j1939-xbr"),)}
_EXCLUSIVE: Final = (RequestData.ENGINE_RPM, RequestData.ENGINE_TORQUE)
_HIGHEST_WINS: Final = (RequestData.RETARDER_RATIO, RequestData.BRAKE_RATIO)


class RequestEntries(Protocol):
    """The entries of the Request channel, by id."""

    def set(self, index: int, value: float, t: int) -> None: ...

    def release(self, index: int) -> None: ...


class CommandedUnit(Protocol):
    """A control unit of the bench, as far as commands address it."""

    @property
    def name(self) -> Name: ...

    @property
    def address(self) -> int | None: ...


@dataclass(slots=True)
class ControlStatistics:
    """Counters of commands."""

    accepted: int = 0
    wrong_length: int = 0
    wrong_protection: int = 0
    timed_out: int = 0
    dropped: int = 0  # from too many senders


class _ActiveCommand(NamedTuple):
    """A command, and the time [ns] until which it is valid."""

    command: ControlCommand
    until: int


class CommandArbiter:
    """Takes commands to the control units of the bench: a node of the bus."""

    def __init__(
        self, bus: Bus, units: Sequence[CommandedUnit], commands: CommandDecoder, requests: RequestEntries
    ) -> None:
        self.statistics: Final = ControlStatistics()
        self._units: Final = tuple(units)
        self._commands: Final = commands
        self._requests: Final = requests
        self._active: Final[dict[int, _ActiveCommand]] = {}  # by identifier, in the order in which they came
        self._held: frozenset[int] = frozenset()
        self._checkers: Final[dict[int, Checker | None]] = {}  # by identifier
        bus.attach(self)

    def receive(self, frame: Frame, t: int) -> None:
        """Take a frame of the bus."""
        can_id = frame.can_id
        if can_id >> 16 & 0x3FF not in _FORMATS or not can_id & EXTENDED or can_id & (REMOTE | ERROR) or frame.flags:
            return
        identifier = split(can_id)
        addresses = [unit.address for unit in self._units if unit.address is not None]
        if not addresses or identifier.source in addresses:
            return
        if identifier.pgn == TSC1:
            self._receive_tsc1(identifier, frame, t)
        elif identifier.pgn == XBR:
            if BRAKES in self._functions(identifier) and self._is_long_enough(frame) and self._is_right(XBR, frame):
                self._accept(can_id, self._commands.brakes(frame.data), t)
        elif identifier.pgn in (ERC1, EBC1) and self._is_long_enough(frame):
            decode = self._commands.external_retarder if identifier.pgn == ERC1 else self._commands.external_brake
            self._accept(can_id, decode(frame.data), t)

    def serve(self, t: int) -> None:
        """End the commands whose frames are missing; called once a tick."""
        if not self._active:
            return
        late = [can_id for can_id, one in self._active.items() if t > one.until]
        for can_id in late:
            del self._active[can_id]
            self.statistics.timed_out += 1
        if late:
            self._arbitrate(t)

    def _receive_tsc1(self, identifier: Identifier, frame: Frame, t: int) -> None:
        functions = self._functions(identifier)
        if ENGINE in functions:
            decode = self._commands.engine
        elif any(function in RETARDERS for function in functions):
            decode = self._commands.retarder
        else:
            return
        if not self._is_long_enough(frame):
            return
        if frame.data[LENGTH - 1] == _UNPROTECTED or self._is_right(TSC1, frame):
            self._accept(frame.can_id, decode(frame.data), t)

    def _functions(self, identifier: Identifier) -> list[int]:
        """Return the functions of the units that a frame is for."""
        return [
            unit.name.function
            for unit in self._units
            if unit.address is not None and identifier.destination in (unit.address, GLOBAL)
        ]

    def _is_long_enough(self, frame: Frame) -> bool:
        if len(frame.data) >= LENGTH:
            return True
        self.statistics.wrong_length += 1
        return False

    def _is_right(self, pgn: int, frame: Frame) -> bool:
        """Return whether counter and checksum are correct."""
        if frame.can_id not in self._checkers:
            if len(self._checkers) >= MAX_SENDERS:
                del self._checkers[next(iter(self._checkers))]
            self._checkers[frame.can_id] = build_checker(_PROTECTION[pgn], None, frame.can_id, LENGTH, ())
        checker = self._checkers[frame.can_id]
        if checker is None or checker.check(frame.data) is None:
            return True
        self.statistics.wrong_protection += 1
        return False

    def _accept(self, can_id: int, command: ControlCommand, t: int) -> None:
        """Take a command of the sender with this identifier."""
        self.statistics.accepted += 1
        if not command.demands:
            if self._active.pop(can_id, None) is not None:
                self._arbitrate(t)
            return
        if can_id not in self._active and len(self._active) >= MAX_SENDERS:
            self.statistics.dropped += 1
            return
        self._active[can_id] = _ActiveCommand(command, t + MAX_MISSED * command.interval * MILLISECOND)
        self._arbitrate(t)

    def _arbitrate(self, t: int) -> None:
        """Set the entries that are demanded, and release those that no longer are."""
        wanted: dict[int, float] = {}
        exclusive = [one.command.priority for one in self._active.values() if one.command.exclusive]
        for command, _ in sorted(self._active.values(), key=lambda one: one.command.priority):
            if command.exclusive and command.priority > min(exclusive):
                continue
            for index, value in command.demands.items():
                if index in _EXCLUSIVE:
                    if not any(one in wanted for one in _EXCLUSIVE):
                        wanted[index] = value
                elif index in _HIGHEST_WINS:
                    wanted[index] = max(value, wanted.get(index, value))
                else:
                    wanted[index] = min(value, wanted.get(index, value))
        for index in sorted(index for index in self._held if index not in wanted):
            self._requests.release(index)
        for index, value in wanted.items():
            self._requests.set(index, value, t)
        self._held = frozenset(wanted)
