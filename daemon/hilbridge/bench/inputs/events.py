"""Inputs from the events of a device of Linux: a wheel, pedals, a gamepad, a button box, a keyboard.

The kernel says only what has changed, so the last value of every axis and button is kept, and each report makes a
sample of all of them. A device that says nothing has not moved: its controls count until it is unplugged.

An axis without `minimum` and `maximum` has the range that its device says. A zero that the kernel has at opening is not
believed where it would move a control away from rest: a device that has not spoken yet reads zero too, which is full
throttle on many pedals. The axis counts from its first movement on.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError, ErrorCollector, KeyPath
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.inputs.binding import Binding, FieldDescription, bind, build_conditioner
from hilbridge.bench.inputs.signal_conditioner import GARBAGE, OUT_OF_RANGE, Reading, Refused, SignalConditioner
from hilbridge.bench.inputs.source import PortSource, Source
from hilbridge.files.settings import EvdevInput
from hilbridge.frames.codec.database import unknown
from hilbridge.frames.codec.input_events import (
    ABS,
    KEY,
    MAXIMUM,
    MINIMUM,
    NAMES,
    OPENING,
    RECORD,
    SYN,
    SYN_REPORT,
    EventCode,
    event_name,
    find_event,
)
from vehiclesim.entries import STANDARD, Entries

REPEAT: Final = 10 * MILLISECOND
"""[ns] after which the last sample is repeated where time matters: for filters, and for tracks that differ."""

_BOUNDED: Final = FieldDescription(bounded=True)


class EventSource(PortSource):
    """The samples of one input device."""

    def __init__(self, settings: EvdevInput, place: KeyPath = (), entries: Entries = STANDARD) -> None:
        """`place`: key path of this input in the bench file.

        ConfigurationError: see `bind` and `build_conditioner`; a field that is no axis and no button.
        """
        bindings = bind(settings.signals, place, entries)
        events = _events(bindings)
        super().__init__(settings.device, bindings, list(_conditioners(bindings, events)), timeout=None)
        self._events: Final = [event for some in events for event in some]
        self._wanted: Final = {(kind, code) for kind, code, _ in self._events}
        self._ranged: Final = frozenset(
            first
            for (first, _), binding, some in zip(self._spans, bindings, events, strict=True)
            if _takes_range(binding, some)
        )
        self._timed: Final = any(one.settings.smoothing is not None or one.settings.tracks for one in bindings)
        self._values: dict[tuple[int, int], int] = {}  # the last value by kind and code, of whatever the device has
        self._ranges: dict[int, list[int]] = {}  # minimum and maximum by code of the axis
        self._untouched: set[tuple[int, int]] = set()  # axes that read zero at opening and have not moved
        self._changed = False
        self._sampled = 0  # [ns] when the last sample was taken
        self._trouble = ""

    def feed(self, data: bytes, t: int, trouble: str = "") -> None:
        if len(data) % RECORD.size:
            self._reject(GARBAGE, t, what=f"{len(data)} bytes are no events")
            return
        for kind, code, value in RECORD.iter_unpack(data):
            self._take(kind, code, value, t)
        if trouble != self._trouble:
            self._trouble = trouble
            self.news = True
            if trouble:
                self._values = {}
                self._untouched = set()

    def take_over(self, before: Source) -> None:
        super().take_over(before)
        if isinstance(before, EventSource):
            self._values, self._ranges, self._trouble = before._values, before._ranges, before._trouble
            self._untouched = before._untouched

    @property
    def due(self) -> int | None:
        """[ns] when the last sample is repeated; None where time does not matter."""
        return self._sampled + REPEAT if self._timed and self._values else None

    def raw(self) -> dict[str, Reading | None]:
        """Return the value of each field as its device has it: an axis whose range is the device's too."""
        values = (self._values.get(event[:2]) for event in self._events)
        return dict(zip(self.fields, values, strict=True))

    def is_silent(self, i: int, t: int) -> bool:
        """Return whether the device is not there."""
        return bool(self._trouble)

    def expire(self, t: int) -> None:
        """End what was held when the device is gone; repeat the last sample when that is due."""
        super().expire(t)
        due = self.due
        if due is not None and t >= due:
            self._sample(t)

    def _take(self, kind: int, code: int, value: int, t: int) -> None:
        place = (kind, code)
        if kind in (ABS, KEY):
            self._values[place] = value
            self._untouched.discard(place)
            self._changed |= place in self._wanted
        elif kind == OPENING:
            self._values[ABS, code] = value
            if value == 0 and not EventCode(ABS, code).is_hat:
                self._untouched.add((ABS, code))
            self._changed |= (ABS, code) in self._wanted
        elif kind in (MINIMUM, MAXIMUM):
            self._ranges.setdefault(code, [0, 0])[kind - MINIMUM] = value
        elif kind != SYN:
            self._reject(GARBAGE, t, what=f"no event has the kind {kind}")
        elif code == SYN_REPORT and self._changed:
            self._changed = False
            self._sample(t)

    def _sample(self, t: int) -> None:
        self._sampled = t
        readings = [self._reading(number, event, t) for number, event in enumerate(self._events)]
        if self._untouched:
            self._leave_untouched(readings, t)
        self._accept(readings, t)

    def _reading(self, number: int, event: EventCode, t: int) -> Reading | None:
        value = self._values.get(event[:2])
        if value is None or event.kind == KEY:
            return None if value is None else float(value != 0)
        if event.direction:
            return float(value * event.direction > 0)
        if number not in self._ranged:
            return value
        lowest, highest = self._ranges.get(event.code, (0, 0))
        if lowest >= highest:
            what = f"{event_name(ABS, event.code)} has no range of its own: give 'minimum' and 'maximum'"
            self._reject(OUT_OF_RANGE, t, what=what)
            return None
        return (value - lowest) / (highest - lowest)

    def _leave_untouched(self, readings: list[Reading | None], t: int) -> None:
        """Take out of a sample the zeros that no one has sent and that would move a control."""
        for binding, conditioner, (first, last) in zip(self.bindings, self._conditioners, self._spans, strict=True):
            if not any(event[:2] in self._untouched for event in self._events[first:last]):
                continue
            try:
                value = conditioner.evaluate(readings[first:last])
            except Refused:
                continue
            if value is not None and conditioner.to_bus(value, t) != binding.control.rest:
                readings[first:last] = [None] * (last - first)
            conditioner.reset()


def _events(bindings: Sequence[Binding]) -> list[list[EventCode]]:
    """Return the events of each binding's fields. ConfigurationError: one is none."""
    found: list[list[EventCode]] = []
    errors = ErrorCollector()
    for binding in bindings:
        with errors.attempt():
            found.append([_event(field, binding) for field in binding.fields])
    errors.verdict()
    return found


def _event(field: str, binding: Binding) -> EventCode:
    event = find_event(field)
    if event is None:
        raise unknown("axis or button", field, NAMES, binding.place)
    if event.kind == ABS and not event.direction and field in binding.settings.button_fields:
        what = f"{field} is an axis; buttons are BTN_..., KEY_... and directions of a hat, ABS_HAT0X+"
        raise ConfigurationError(what, binding.place)
    return event


def _takes_range(binding: Binding, events: Sequence[EventCode]) -> bool:
    """Return whether a control with a travel is moved by an axis whose range the bench file does not give."""
    settings = binding.settings
    (event, *others) = events
    given = settings.minimum is not None or {"scale", "offset", "unit"} & settings.model_fields_set
    axis = event.kind == ABS and not event.is_hat
    return axis and binding.control.travel and not others and not given and not settings.values


def _conditioners(
    bindings: Sequence[Binding], events: Sequence[Sequence[EventCode]]
) -> Iterator[SignalConditioner[Any]]:
    for binding, some in zip(bindings, events, strict=True):
        if _takes_range(binding, some):  # its readings are shares of the range
            whole = binding.settings.model_copy(update={"minimum": 0.0, "maximum": 1.0})
            yield build_conditioner(binding._replace(settings=whole), _BOUNDED)
        else:
            yield build_conditioner(binding, _BOUNDED)
