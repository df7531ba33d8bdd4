"""A frame that carries one event after another, in slots: how far each event is, and whose turn it is.

In every slot the conditions are asked, and one frame goes at most; the slot after a late frame is left out where it
would come too soon. An event is due

    since its condition changed         while the receivers do not know of the change
    `repeat` after it was sent last     while it is on

and the one that is due longest goes first; among equals the first of the list. So while the conditions rest, each event
that is on is sent every `repeat`; and a change, or an event that is on, waits one slot at most for each of the others.

With `one_at_a_time` the one that is shown goes off before another comes on: when its condition ends, when a new one
waits, or when others wait and it was shown for `repeat`.
"""

from typing import Final

from hilbridge.base.common.units import NEVER
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.sources import Channels
from hilbridge.frames.plan.events import Event, EventTable
from hilbridge.frames.plan.planned import PlannedFrame
from hilbridge.frames.plan.selection import Outgoing


class _Course:
    """How far one event is: whether its condition holds, and whether the receivers know it as on.

    `since` [ns] is the time from which it waits, `begun` that at which it came on, `last` that at which it was sent.
    `fresh`: it was not sent since its condition began to hold.
    """

    __slots__ = ("begun", "event", "fresh", "holds", "last", "shown", "since")

    def __init__(self, event: Event) -> None:
        self.event: Final = event
        self.holds = self.shown = self.fresh = False
        self.since = self.begun = self.last = 0

    def forget(self) -> None:
        """Begin anew: the receivers know nothing."""
        self.holds = self.shown = self.fresh = False

    def look(self, channels: Channels, t: int) -> None:
        """Ask the condition; NaN does not hold."""
        value = self.event.value(channels)
        holds = value == value and value != 0
        if holds != self.holds:
            self.holds = self.fresh = holds
            self.since = t
        if self.shown and not holds and self.event.off is None:
            self.shown = False

    def due(self, repeat: int) -> int:
        """Return the time [ns] from which a frame is due."""
        if self.holds != self.shown:
            return self.since
        return self.last + repeat if self.holds else NEVER

    def note(self, t: int, *, on: bool) -> None:
        """Note that it was sent as on, or as off, at `t` [ns]."""
        if on != self.shown:
            self.begun = self.since = t
        self.shown, self.fresh, self.last = on, False, t

    def take_over(self, before: "_Course") -> None:
        """Continue in the place of another one."""
        self.holds, self.shown, self.fresh = before.holds, before.shown, before.fresh
        self.since, self.begun, self.last = before.since, before.begun, before.last


class EventFrame(PlannedFrame):
    """A frame of events; its period is the slot."""

    __slots__ = ("_courses", "_last", "_newest", "_table")

    def __init__(self, outgoing: Outgoing, bus: Bus, channels: Channels, phase: int, tick: int) -> None:
        super().__init__(outgoing, bus, channels, phase, tick)
        table = outgoing.events
        if table is None:
            raise ValueError(f"{outgoing.message} has no events")
        self._table: Final[EventTable] = table
        self._courses: Final = tuple(map(_Course, table.events))
        self._newest: _Course | None = None  # the one that was sent last as on
        self._last = -NEVER

    @property
    def shown(self) -> list[str]:
        """The events that the receivers know as on, by name."""
        return [course.event.name for course in self._courses if course.shown]

    def take_over(self, before: PlannedFrame, t: int) -> None:
        """Continue as above; what the receivers know is not sent again before its time."""
        super().take_over(before, t)
        if isinstance(before, EventFrame):
            known = {course.event.name: course for course in before._courses}
            for course in self._courses:
                if (old := known.get(course.event.name)) is not None and old.event.code == course.event.code:
                    course.take_over(old)
                    if old is before._newest:
                        self._newest = course
            self._last = before._last

    def wake(self, t: int) -> None:
        """Wake up: the receivers have slept too."""
        super().wake(t)
        for course in self._courses:
            course.forget()
        self._newest, self._last = None, -NEVER

    def send_due(self, t: int) -> None:
        """Use the slot at `t` [ns], if an event or the cycle is due."""
        self.end_cycle(t)
        table, channels = self._table, self._channels
        if t - self._last < table.slot:  # the one before was late
            return
        for course in self._courses:
            course.look(channels, t)
        turn = self._next_alone(t) if table.one_at_a_time else self._next(t)
        if self.silenced or (turn is None and (table.cycle is None or t - self._last < table.cycle)):
            return
        if not self._is_accepted():
            self.withheld += 1
            return
        data = self.encode(channels)
        if turn is not None:
            course, on = turn
            course.note(t, on=on)
            if on:
                self._newest = course
            overlay = course.event.on if on else course.event.off
        else:
            newest = self._newest
            overlay = newest.event.on if newest is not None and newest.shown else None
        self._last = t
        self.send(data if overlay is None else overlay.over(data), t)

    def _next(self, t: int) -> tuple[_Course, bool] | None:
        """Return the event that is due longest at `t` [ns], and whether it is on."""
        repeat, chosen, earliest = self._table.repeat, None, t + 1
        for course in self._courses:
            due = course.due(repeat)
            if due < earliest:
                chosen, earliest = course, due
        return None if chosen is None else (chosen, chosen.holds)

    def _next_alone(self, t: int) -> tuple[_Course, bool] | None:
        """Return the event whose turn it is, and whether it comes or stays on, where one is shown at a time."""
        repeat, shown, waiting = self._table.repeat, None, None
        for course in self._courses:
            if course.shown:
                shown = course
            elif course.holds and (
                waiting is None or (not course.fresh, course.since) < (not waiting.fresh, waiting.since)
            ):
                waiting = course
        if shown is None:
            return None if waiting is None else (waiting, True)
        if not shown.holds:
            return shown, False
        if waiting is not None and (waiting.fresh or t - shown.begun >= repeat):
            if shown.event.off is not None:
                return shown, False
            shown.note(t, on=False)
            return waiting, True
        return (shown, True) if t - shown.last >= repeat else None
