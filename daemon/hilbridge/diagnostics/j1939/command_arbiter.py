"""Takes commands from a J1939 bus (TSC1, ERC1, EBC1; commands.py) and says who prevails: a node of the bus.

A sender's command stands until it takes it back, or until three of its frames are missing: TSC1 by the rate that it
names, ERC1 and EBC1 by their 100 ms. A TSC1 whose last byte is FF carries neither counter nor checksum; otherwise both
must be right (SPN 4206, 4207), or the frame does not count.

Where several senders ask for the same:

    EngineRpm, EngineTorque     the one of the highest TSC1 priority; of equal ones the one that came first. It alone:
                                the engine follows a speed or a torque, never both
    limits, AllowedFuelRatio    the lowest
    RetarderRatio, BrakeRatio   the highest

What the bench's own control units send is no command; while none of them has an address, nothing is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from hilbridge.bus.bus import Bus
from hilbridge.codec.frame import ERROR, EXTENDED, REMOTE, Frame
from hilbridge.codec.pgn import GLOBAL, Identifier, split
from hilbridge.common.units import MILLISECOND
from hilbridge.diagnostics.j1939.address_claim import ENGINE, RETARDERS, Name
from hilbridge.diagnostics.j1939.commands import EBC1, ERC1, LENGTH, TSC1, CommandDecoder, ControlCommand
from hilbridge.protection.build import build_checker
from hilbridge.protection.checker import Checker
from hilbridge.settings.protection import ProtectionSettings
from vehiclesim.channels import RequestData

MISSED: Final = 3
"""Frames that may be missing before a command ends."""

MOST_SENDERS: Final = 16
"""Whose commands are kept; further ones are not heard until one ends."""

_FORMATS: Final = frozenset(group >> 8 for group in (TSC1, ERC1))
_UNPROTECTED: Final = 0xFF
_PROTECTION: Final = (ProtectionSettings(preset="j1939"),)
_EXCLUSIVE: Final = (RequestData.ENGINE_RPM, RequestData.ENGINE_TORQUE)
_HIGHEST_WINS: Final = (RequestData.RETARDER_RATIO, RequestData.BRAKE_RATIO)


class Requests(Protocol):
    """The Request channel, entries by id."""

    def set(self, index: int, value: float, t: int) -> None: ...

    def release(self, index: int) -> None: ...


class CommandedUnit(Protocol):
    """One of the bench's own."""

    @property
    def name(self) -> Name: ...

    @property
    def address(self) -> int | None: ...


@dataclass(slots=True)
class ControlStatistics:
    """What happened to the commands."""

    accepted: int = 0
    wrong_length: int = 0
    wrong_protection: int = 0
    timed_out: int = 0
    dropped: int = 0  # from too many senders


class _Standing(NamedTuple):
    """A command, and until when [ns] it stands."""

    command: ControlCommand
    until: int


class CommandArbiter:
    """The commands of a bus to the control units of the bench."""

    def __init__(self, bus: Bus, units: Sequence[CommandedUnit], commands: CommandDecoder, requests: Requests) -> None:
        self.statistics: Final = ControlStatistics()
        self._units: Final = tuple(units)
        self._commands: Final = commands
        self._requests: Final = requests
        self._standing: Final[dict[int, _Standing]] = {}  # by identifier, in the order in which they came
        self._held: frozenset[int] = frozenset()
        self._checkers: Final[dict[int, Checker | None]] = {}  # by identifier
        bus.attach(self)

    def receive(self, frame: Frame, t: int) -> None:
        """Takes a command."""
        can_id = frame.can_id
        if can_id >> 16 & 0x3FF not in _FORMATS or not can_id & EXTENDED or can_id & (REMOTE | ERROR) or frame.flags:
            return
        who = split(can_id)
        awake = [unit.address for unit in self._units if unit.address is not None]
        if not awake or who.source in awake:
            return
        if who.pgn == TSC1:
            self._torque_speed_control(who, frame, t)
        elif who.pgn in (ERC1, EBC1) and self._long_enough(frame):
            decode = self._commands.external_retarder if who.pgn == ERC1 else self._commands.external_brake
            self._take(can_id, decode(frame.data), t)

    def serve(self, t: int) -> None:
        """Once a tick: ends the commands that their senders did not keep up."""
        late = [can_id for can_id, one in self._standing.items() if t > one.until]
        for can_id in late:
            del self._standing[can_id]
            self.statistics.timed_out += 1
        if late:
            self._decide(t)

    def _torque_speed_control(self, who: Identifier, frame: Frame, t: int) -> None:
        functions = [
            unit.name.function
            for unit in self._units
            if unit.address is not None and who.destination in (unit.address, GLOBAL)
        ]
        if ENGINE in functions:
            decode = self._commands.engine
        elif any(function in RETARDERS for function in functions):
            decode = self._commands.retarder
        else:
            return
        if self._long_enough(frame) and self._protected(frame):
            self._take(frame.can_id, decode(frame.data), t)

    def _long_enough(self, frame: Frame) -> bool:
        if len(frame.data) >= LENGTH:
            return True
        self.statistics.wrong_length += 1
        return False

    def _protected(self, frame: Frame) -> bool:
        """Counter and checksum are right, or there are none."""
        if frame.data[LENGTH - 1] == _UNPROTECTED:
            return True
        if frame.can_id not in self._checkers:
            if len(self._checkers) >= MOST_SENDERS:
                del self._checkers[next(iter(self._checkers))]
            self._checkers[frame.can_id] = build_checker(_PROTECTION, None, frame.can_id, LENGTH, ())
        checker = self._checkers[frame.can_id]
        if checker is None or checker.check(frame.data) is None:
            return True
        self.statistics.wrong_protection += 1
        return False

    def _take(self, can_id: int, command: ControlCommand, t: int) -> None:
        """A command of the sender behind `can_id`."""
        self.statistics.accepted += 1
        if not command.wishes:
            if self._standing.pop(can_id, None) is not None:
                self._decide(t)
            return
        if can_id not in self._standing and len(self._standing) >= MOST_SENDERS:
            self.statistics.dropped += 1
            return
        self._standing[can_id] = _Standing(command, t + MISSED * command.interval * MILLISECOND)
        self._decide(t)

    def _decide(self, t: int) -> None:
        """Sets what somebody asks for, and gives back what nobody asks for any more."""
        wanted: dict[int, float] = {}
        for command, _ in sorted(self._standing.values(), key=lambda one: one.command.priority):
            for index, value in command.wishes.items():
                if index in _EXCLUSIVE:
                    if not any(one in wanted for one in _EXCLUSIVE):
                        wanted[index] = value
                elif index in _HIGHEST_WINS:
                    wanted[index] = max(value, wanted.get(index, value))
                else:
                    wanted[index] = min(value, wanted.get(index, value))
        for index in sorted(self._held - wanted.keys()):
            self._requests.release(index)
        for index, value in wanted.items():
            self._requests.set(index, value, t)
        self._held = frozenset(wanted)
