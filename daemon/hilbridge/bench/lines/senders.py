"""The frames of a serial bus in time: send types, terminals and bulb checks are those of CAN frames (frames/plan)."""

from collections.abc import Iterable
from typing import Final

from hilbridge.base.common.units import SECOND
from hilbridge.frames.bus.bus import ArmedOutlet, Bus
from hilbridge.frames.plan.bulb_check import BulbCheck, BulbChecks
from hilbridge.frames.plan.plan import kind_of_frame
from hilbridge.frames.plan.planned import PlannedFrame, WatchedFrame
from hilbridge.frames.plan.selection import Outgoing
from hilbridge.frames.plan.terminals import IGNITION, Terminals
from vehiclesim.databus import DataBus


class Senders:
    """The frames of one line. A frame that is due reaches `outlet`, with its number in place of an identifier."""

    def __init__(self, name: str, outgoing: Iterable[Outgoing], outlet: ArmedOutlet, data: DataBus, tick: int) -> None:
        self._bus: Final = Bus(name)
        self._bus.attach_link(outlet, outlet)
        self.frames: Final[tuple[PlannedFrame, ...]] = tuple(
            kind_of_frame(one)(one, self._bus, data.channels, one.sending.phase or 0, tick) for one in outgoing
        )
        self._terminals: Final = Terminals(data)
        self._bulb_checks: Final = BulbChecks(
            [BulbCheck(one, one.outgoing.lamps) for one in self.frames if one.outgoing.lamps]
        )

    def publish(self, t: int) -> None:
        """Send every frame that is due at `t` [ns]."""
        if self._terminals.changed():
            self._bulb_checks.ignition(bool(self._terminals.on & IGNITION), t)
            self._switch(t)
        if t >= self._bulb_checks.due:
            self._bulb_checks.advance(t)
        for frame in self.frames:
            if isinstance(frame, WatchedFrame):
                frame.poll(t)
            elif t >= frame.due:
                frame.send_due(t)
        if self._bus.pending:
            self._bus.exchange(t)

    def cut_off(self) -> None:
        """Switch all terminals off for good."""
        self._terminals.cut_off()

    def take_over(self, before: "Senders", t: int) -> None:
        """Continue from `t` [ns] in the place of another one: frames of the same name keep their counters and times."""
        self._terminals.take_over(before._terminals)
        known = {frame.outgoing.message: frame for frame in before.frames}
        for frame in self.frames:
            if frame.outgoing.message in known:
                frame.take_over(known[frame.outgoing.message], t)
        self._bulb_checks.take_over(before._bulb_checks, t)
        self._switch(t)  # frames that are new, or have other terminals now

    def _switch(self, t: int) -> None:
        for frame in self.frames:
            frame.switch(self._terminals.on, t)


def duration(count: int, bits: int, baudrate: int) -> int:
    """Return the time [ns] that so many bytes of so many bits take on a line."""
    return count * bits * SECOND // baudrate
