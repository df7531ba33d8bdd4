"""Events of a frame: what their settings mean in its bytes.

An event is laid over the bytes of the frame as it is: its code, and what `active` or `inactive` say, replace the
bits of their signals.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from hilbridge.base.common.errors import ConfigurationError, ErrorCollector, KeyPath
from hilbridge.base.common.units import MILLISECOND
from hilbridge.files.settings.common import in_whole_ticks
from hilbridge.files.settings.events import EventSettings, EventsSettings
from hilbridge.files.settings.frames import SendSettings
from hilbridge.frames.codec.codec import CompiledMessage
from hilbridge.frames.codec.database import unknown
from hilbridge.frames.codec.expression import parse
from hilbridge.frames.codec.layout import Raw, occupied
from hilbridge.frames.codec.sources import Channels
from vehiclesim.entries import STANDARD, Entries


class Overlay(NamedTuple):
    """Some bits of a frame, as little-endian numbers: the places that are replaced, and by what."""

    mask: int
    bits: int

    def over(self, data: bytes) -> bytes:
        """Return the bytes with these bits in place of their own."""
        number = int.from_bytes(data, "little") & ~self.mask | self.bits
        return number.to_bytes(len(data), "little")


class Event(NamedTuple):
    """An event: on while `value` is not 0; `off` None: its end is not sent."""

    name: str
    code: float
    text: str
    value: Callable[[Channels], float]
    on: Overlay
    off: Overlay | None


@dataclass(frozen=True, slots=True)
class EventTable:
    """The events of a frame; times in ns. `cycle` None: the frame does not go without an event."""

    events: tuple[Event, ...]
    slot: int
    repeat: int
    cycle: int | None
    one_at_a_time: bool

    @property
    def interval(self) -> float:
        """The mean time [ns] between two frames while all events are on and none changes."""
        rate = 1 / self.repeat if self.one_at_a_time else len(self.events) / self.repeat
        return 1 / max(rate, 0.0 if self.cycle is None else 1 / self.cycle)


def build_events(
    own: SendSettings, codec: CompiledMessage | None, tick: int, place: KeyPath, entries: Entries = STANDARD
) -> EventTable | None:
    """Return the events of a frame, None if it has none; `place` is the key path of the frame, `tick` in ns.

    ConfigurationError: a signal or entry that is not known, an invalid expression, times that do not fit.
    """
    settings = own.events
    if settings is None:
        return None
    here = (*place, "events")
    if codec is None:
        raise ConfigurationError(
            "needs 'signals': the one that carries the code, and those of 'active' and 'inactive'", here
        )
    slot = in_whole_ticks(settings.slot, tick, (*here, "slot"))
    cycle = None if own.period is None else in_whole_ticks(own.period, tick, (*place, "period"))
    if cycle is not None and cycle % slot:
        reason = f"is no multiple of the slot of the events, {settings.slot:g} ms"
        raise ConfigurationError(reason, (*place, "period"))
    errors = ErrorCollector()
    events: list[Event] = []
    on, off = ({} if said is None else said for said in (settings.active, settings.inactive))
    with errors.attempt():
        _require_signals(codec, [settings.code], (*here, "code"))
        numbers = {"on": _numbers(codec, on, (*here, "active")), "off": _numbers(codec, off, (*here, "inactive"))}
        for name, one in settings.members.items():
            with errors.attempt():
                value = parse(one.when, None, (*here, "list", name, "when"), entries).value
                events.append(_event(name, one, value, settings, codec, numbers, (*here, "list", name)))
    errors.verdict()
    repeat = round(settings.repeat * MILLISECOND)
    return EventTable(tuple(events), slot, repeat, cycle, settings.one_at_a_time)


def _event(
    name: str,
    one: EventSettings,
    value: Callable[[Channels], float],
    settings: EventsSettings,
    codec: CompiledMessage,
    numbers: Mapping[str, Mapping[str, Raw]],
    place: KeyPath,
) -> Event:
    signal = codec.signals[settings.code]
    raw = signal.to_raw(one.code)
    if signal.to_physical(raw) != one.code:
        raise ConfigurationError(f"does not fit into signal {settings.code}", (*place, "code"))
    text = " ".join(one.when.split())
    off = None if settings.inactive is None else _overlay(codec, {settings.code: raw, **numbers["off"]})
    return Event(name, one.code, text, value, _overlay(codec, {settings.code: raw, **numbers["on"]}), off)


def _numbers(codec: CompiledMessage, said: Mapping[str, float | str], place: KeyPath) -> dict[str, Raw]:
    """Return the raw numbers of values, or of names of values."""
    _require_signals(codec, said, place)
    numbers: dict[str, Raw] = {}
    for name, value in said.items():
        try:
            signal = codec.signals[name]
            numbers[name] = signal.named(value) if isinstance(value, str) else signal.to_raw(value)
        except ValueError as error:
            raise ConfigurationError(str(error), (*place, name)) from None
    return numbers


def _require_signals(codec: CompiledMessage, names: Iterable[str], place: KeyPath) -> None:
    for name in names:
        if name not in codec.signals:
            raise unknown(f"signal of {codec.name}", name, codec.signals, place)


def _overlay(codec: CompiledMessage, numbers: Mapping[str, Raw]) -> Overlay:
    data, mask = bytes(codec.length), 0
    for name, raw in numbers.items():
        data = codec.altered(data, name, partial(_replaced, raw))
        mask |= occupied(codec.layouts[name])
    return Overlay(mask, int.from_bytes(data, "little") & mask)


def _replaced(raw: Raw, _before: Raw) -> Raw:
    return raw
