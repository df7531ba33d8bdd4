"""A frame of the plan in operation: its due times, its content and its counters.

A frame is awake while one of its terminals is on, and for its after-run beyond. Its times are absolute,

    due = phase + k * period,

whether it was awake before or not. A late frame is sent once, its later times stay as they were, and the cycles that
passed meanwhile are counted as skipped. The last frame of an after-run is the first one due at its end or later: so one
frame always shows the terminals off.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final

from hilbridge.base.common.units import NEVER
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.bus.disturbance import Disturbance
from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.codec.pgn import with_source
from hilbridge.frames.codec.sources import Channels
from hilbridge.frames.codec.variant import Encoder
from hilbridge.frames.plan.carrier import Carrier
from hilbridge.frames.plan.cycle_statistics import CycleStatistics
from hilbridge.frames.plan.selection import Outgoing

NO_ADDRESS: Final = "no J1939 address"
"""The reason that silences the frames of a J1939 node until it has an address."""


class PlannedFrame:
    """A frame that is sent whenever it is `due` [ns].

    `period` and `phase` in ns; a frame without a cycle has the period NEVER and is never due. `end` is that of the
    after-run. `encode` is exchanged while a bulb check lasts; `disturbance` is set while a fault lasts. The frame is
    not sent while there is a reason in `silenced`: each owner adds and discards its own. `sent` (put on the bus),
    `held_back` (those of them while the bus was not armed), `skipped`, `withheld` (the link accepted none) and `last`
    [ns] are for the status, as are `content`, the bytes that were sent last, and `limited`, the frames in which a value
    was held at a limit of its signal, by signal. `carrier` sends what is longer than a frame.
    """

    __slots__ = (
        "_channels",
        "_held",
        "_protect",
        "_protector",
        "awake",
        "bus",
        "can_id",
        "carrier",
        "content",
        "cycle_statistics",
        "disturbance",
        "due",
        "encode",
        "end",
        "flags",
        "held_back",
        "last",
        "limited",
        "outgoing",
        "period",
        "phase",
        "sent",
        "silenced",
        "skipped",
        "withheld",
    )

    def __init__(self, outgoing: Outgoing, bus: Bus, channels: Channels, phase: int, tick: int) -> None:
        self.outgoing: Final = outgoing
        self.can_id = outgoing.can_id
        self.silenced: Final[set[str]] = set()
        self.flags: Final = outgoing.flags
        self.bus: Final = bus
        self.period: Final = outgoing.sending.period or NEVER
        self.phase: Final = phase
        self.cycle_statistics = CycleStatistics(self.period, tick)
        self.encode = outgoing.encode
        self.disturbance: Disturbance | None = None
        self.carrier: Carrier | None = None
        self.awake = False
        self.due = self.end = NEVER
        self.sent = 0
        self.held_back = 0
        self.skipped = 0
        self.withheld = 0
        self.last: int | None = None
        self.content = b""
        self.limited: Final[Counter[str]] = Counter()
        self._held: Final = outgoing.held
        self._channels: Final = channels
        protector = self._protector = outgoing.protector
        self._protect: Final[Callable[[bytearray], None] | None] = protector.protect if protector is not None else None

    def take_over(self, before: "PlannedFrame", t: int) -> None:
        """Continue from `t` [ns] in the place of a frame of the same message.

        Its counters continue, what its signals remember, and its times where period and phase are the same.
        """
        known = before.outgoing.memories
        for signal, memory in self.outgoing.memories.items():
            memory.take_over(known.get(signal))
        self.sent, self.skipped, self.withheld, self.last = before.sent, before.skipped, before.withheld, before.last
        self.held_back = before.held_back
        self.limited.update(before.limited)
        self.awake, self.end = before.awake, before.end
        if self._protector is not None and before._protector is not None:
            self._protector.take_over(before._protector)
        if (self.period, self.phase) == (before.period, before.phase):
            self.due, self.cycle_statistics = before.due, before.cycle_statistics
        elif self.awake and self.period != NEVER:
            self.due = self._after(t - 1)

    def switch(self, on: int, t: int) -> None:
        """Apply the set of terminals that are `on` from `t` [ns]."""
        if self.outgoing.terminals & on:
            self.end = NEVER
            if not self.awake:
                self.awake = True
                self.wake(t)
        elif self.awake and self.end == NEVER:
            self.end = t + self.outgoing.after_run

    def wake(self, t: int) -> None:
        """Wake up at `t` [ns], when one of its terminals came on: due at once, or from its next time on."""
        self.cycle_statistics.pause()
        if self.period != NEVER:
            self.due = t if self.outgoing.wake_up else self._after(t - 1)

    def send_due(self, t: int) -> None:
        """Send the frame, which is due; the cycle passes without a frame while the link accepts none."""
        self.end_cycle(t)
        if self.silenced:
            return
        if self._is_accepted():
            self.send(self.encode(self._channels), t)
        else:
            self.withheld += 1

    def send_on_request(self, t: int) -> bool:
        """Send the frame in addition to its cycle. Return False while it is not sent at all."""
        if not self.awake or not self._may_go():
            return False
        self.send(self.encode(self._channels), t)
        return True

    @property
    def is_long(self) -> bool:
        """Whether it goes by the transport protocol of J1939."""
        return self.outgoing.is_long

    def set_address(self, address: int | None) -> None:
        """Set the source address of the J1939 sender; None: it has lost its address."""
        if address is None:
            self.silenced.add(NO_ADDRESS)
        else:
            self.silenced.discard(NO_ADDRESS)
            self.can_id = with_source(self.can_id, address)

    def end_cycle(self, t: int) -> None:
        """End the cycle at `t` [ns]: count the skipped ones, and begin the next one, if there is one."""
        late = t - self.due
        if late >= self.period:
            self.skipped += late // self.period
        self.cycle_statistics.record(t)
        if t < self.end:
            self.due = self._after(t)
        else:
            self.awake = False
            self.due = NEVER

    def send(self, data: bytes, t: int) -> None:
        """Protect the bytes and puts the frame on its bus."""
        disturbance = self.disturbance
        if disturbance is not None:
            data = disturbance.falsified(data)
        if self._protect is not None:
            buffer = bytearray(data)
            self._protect(buffer)
            data = bytes(buffer)
        self.sent += 1
        if self._held:
            self.limited.update(self._held)
            self._held.clear()
        if not self.bus.is_armed:
            self.held_back += 1
        self.last, self.content = t, data
        frame = Frame(self.can_id, data, self.flags)
        if disturbance is not None:
            disturbance.transmit(frame, t, self.carrier or self.bus, None)
        elif self.carrier is not None:
            self.carrier.transmit(frame, None)
        else:
            self.bus.transmit(frame, None)

    def _may_go(self) -> bool:
        return not self.silenced and self._is_accepted()

    def _is_accepted(self) -> bool:
        """Return whether the link accepts the frame, and the one before it is no longer on its way."""
        return self.bus.accepts(self.can_id) and (self.carrier is None or self.carrier.is_free(self.can_id))

    def _after(self, t: int) -> int:
        """Return the first of its times [ns] that is later than `t`."""
        return t + self.period - (t - self.phase) % self.period


class WatchedFrame(PlannedFrame):
    """A frame that is sent on change, in cycles too where it has a period: it is checked in every tick.

    States, with c the bytes now, s those sent last, F = last time sent + minimum delay (send_type.py has the terms):

        c != s, t >= F          send; `repetitions` of it follow, one every repetition period
        repetition due, t >= F  send; one less follows
        cycle due, t >= F       send (cyclic-and-on-change)

    One frame serves all that is due in a tick. What waits for F is not lost: a change is still one then, unless the
    content is again what the receivers have. A frame that a lost link does not accept waits in the same way.
    """

    __slots__ = (
        "_announced",
        "_cyclic",
        "_data",
        "_delay",
        "_encoded_by",
        "_free",
        "_left",
        "_read",
        "_repeat",
        "_repetition",
        "_seen",
        "_sent",
    )

    def __init__(self, outgoing: Outgoing, bus: Bus, channels: Channels, phase: int, tick: int) -> None:
        super().__init__(outgoing, bus, channels, phase, tick)
        sending = outgoing.sending
        self._cyclic: Final = sending.period is not None
        self._announced: Final = outgoing.wake_up or sending.kind == "on-change"
        self._delay: Final = sending.minimum_delay
        self._repetition: Final = sending.repetition_period
        self._read: Final = _read_by(outgoing, channels)
        self._seen: list[int] = []
        self._encoded_by: Encoder | None = None  # the encoder that made `_data`, of the integers in `_seen`
        self._data = b""
        self._sent: bytes | None = None
        self._free = 0
        self._left = 0
        self._repeat = NEVER

    def take_over(self, before: PlannedFrame, t: int) -> None:
        """Continue as above; the receivers know what was sent, so only another content is sent again."""
        super().take_over(before, t)
        if isinstance(before, WatchedFrame):
            self._sent, self._free = before._sent, before._free
            if (self._repetition, self._announced) == (before._repetition, before._announced):
                self._left, self._repeat = before._left, before._repeat

    def wake(self, t: int) -> None:
        """Wake up: a frame on change is sent at once, a cyclic one at its own time."""
        super().wake(t)
        self._sent = None if self._announced else self.encode(self._channels)
        self._left, self._repeat = 0, NEVER

    def poll(self, t: int) -> None:
        """Check the content, and send the frame if it is due."""
        if not self.awake:
            return
        if self._held:
            self._held.clear()
        data = self._encoded()
        wanted = data != self._sent or t >= self.due or t >= self._repeat
        if wanted and t >= self._free and self._may_go():
            self._advance(data != self._sent, t)
            self._sent = data
            self._free = t + self._delay
            self.send(data, t)
        if t >= self.end and not self._cyclic and data == self._sent and not self._left:
            self.awake = False

    def _encoded(self) -> bytes:
        """Return the bytes now: those of the tick before while the encoder, and all that it reads, are the same."""
        read = [values[index] for values, index in self._read]
        if self._encoded_by is not self.encode or not read or read != self._seen:
            self._data = self.encode(self._channels)
            self._seen, self._encoded_by = read, None if self._held else self.encode  # what is held is noted each time
        return self._data

    def _advance(self, changed: bool, t: int) -> None:
        """Schedule repetitions and cycles after the frame that is sent at `t` [ns]."""
        if t >= self.due:
            self.end_cycle(t)
        if changed:
            self._left = self.outgoing.sending.repetitions
            self._repeat = t + self._repetition if self._left else NEVER
        elif t >= self._repeat:
            self._left -= 1
            late = (t - self._repeat) % self._repetition
            self._repeat = t + self._repetition - late if self._left else NEVER


def _read_by(outgoing: Outgoing, channels: Channels) -> list[tuple[list[int], int]]:
    """Return the entries that a frame's bytes depend on; none where they depend on something besides."""
    if outgoing.memories:
        return []
    entries = dict.fromkeys(entry for assignment in outgoing.assignments for entry in assignment.source.entries)
    return [(channels[channel], index) for channel, index in entries]
