"""Send types: a message is sent by the clock, on a change of its content, or both.

    cyclic                every `period`
    on-change             when the bytes differ from those sent last (counters and checksums do not count)
    cyclic-and-on-change  both; a change does not move the cycle
    event                 as on-change, but what the message holds at first is no event
    once                  each time that the terminals of the message come on
    events                in slots, for one of its events at a time (event_frame.py); the period is the slot

A change is sent once (so is a frame that goes once), and `repetitions` times more every `repetition_period`; a further
change starts this anew. Two frames of a message on change lie at least `minimum_delay` apart: a frame due sooner waits,
and is sent with the content of its own moment. A frame without a database is cyclic unless it says otherwise. (The
transmission modes PERIODIC, DIRECT/N-TIMES and MIXED of AUTOSAR COM.)

The bench file has priority over the database, whose attributes have the meaning that Vector's interaction layer gives
them (Technical Reference Vector Interaction Layer, Il_Vector 2.10; docs/send-types.md has the table). The words in a
name of GenMsgSendType determine its kind: "CyclicAndSpontaneous" is cyclic-and-on-change, "OnChangeWithRepetition" is
on-change, "cyclicIfActive" is cyclic while a signal differs from its GenSigInactiveValue. Of a name of no kind
(NoMsgSendType) the send types of the signals decide (GenSigSendType), and else an own cycle time of the message; one
that all messages have by default is none. A database without the attribute means cyclic if the message has a period.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar

from cantools.database.can import Message, Signal

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.units import MILLISECOND
from hilbridge.files.settings.common import in_whole_ticks
from hilbridge.files.settings.frames import SendSettings, SendType

_Otherwise = TypeVar("_Otherwise")

_CYCLIC: Final = re.compile("cycl|period", re.IGNORECASE)
_ON_CHANGE: Final = re.compile("change|write|ifactive|repe", re.IGNORECASE)
_EVENT: Final = re.compile("event|spont|trigger", re.IGNORECASE)

_NO_KIND: Final = re.compile("no(msg|sig)?sendtype|notused|none|", re.IGNORECASE)
_LEFT_TO_OTHERS: Final = "the database leaves it to others (GenMsgILSupport is No); 'period' or 'send' sends it"
_NO_SEND_TYPE: Final = (
    "it has no send type ({}), and the cycle time is the default of all messages; 'period' or 'send' sends it"
)
_NO_PERIOD: Final = "it has no period, neither in the database (GenMsgCycleTime) nor in the bench file ('period')"


@dataclass(frozen=True, slots=True)
class Sending:
    """The send type of a message; times [ns]. `period` None: nothing is cyclic; `phase` None: the plan chooses it."""

    kind: SendType | Literal["events", "cyclic-if-active"]
    period: int | None
    phase: int | None = None
    minimum_delay: int = 0
    repetitions: int = 0
    repetition_period: int = 0

    @property
    def on_change(self) -> bool:
        return self.kind not in ("cyclic", "cyclic-if-active", "once", "events")


def kind_of(message: Message | None, own: SendSettings) -> SendType:
    """Return the send type of a message, or of a frame without a database."""
    if own.send is not None or message is None:
        return own.send or "cyclic"
    cyclic, on_change, event = _kinds(message)
    if (on_change or event) and (cyclic or own.period is None):
        return "cyclic-and-on-change" if cyclic else "event" if event else "on-change"
    return "cyclic"


def _kinds(message: Message) -> tuple[bool, bool, bool]:
    """Return whether a message is cyclic, goes on change, and on events, by its send type or those of its signals."""
    text = message.send_type or ""
    texts = [text] if not _NO_KIND.fullmatch(text) else [_choice(one, "GenSigSendType") for one in message.signals]
    is_while_active = is_if_active(message)
    cyclic, on_change, event = (any(words.search(one) for one in texts) for words in (_CYCLIC, _ON_CHANGE, _EVENT))
    return cyclic, on_change and not is_while_active, event


def is_if_active(message: Message) -> bool:
    """Return whether a message goes in cycles while a signal is active, and not in between."""
    text = (message.send_type or "").casefold()
    return "ifactive" in text and bool(_CYCLIC.search(text)) and not _EVENT.search(text)


def inactive_values(message: Message) -> dict[str, int]:
    """Return the raw numbers at which signals are not active, by signal (GenSigInactiveValue)."""
    values = ((one.name, _attribute(one, "GenSigInactiveValue", None)) for one in message.signals)
    return {name: round(value) for name, value in values if value is not None}


def cannot_go(message: Message | None, own: SendSettings) -> str | None:
    """Return why the message would never be sent, or None."""
    if own.events is not None:
        return None
    if message is not None and own.send is None and own.period is None:
        if _choice(message, "GenMsgILSupport").casefold() == "no":
            return _LEFT_TO_OTHERS
        text = message.send_type or ""
        default = message.cycle_time and "GenMsgCycleTime" not in _attributes(message)
        if text and default and _NO_KIND.fullmatch(text) and not any(_kinds(message)):
            return _NO_SEND_TYPE.format(text)
    cyclic = kind_of(message, own) in ("cyclic", "cyclic-and-on-change")
    cycle_time = message.cycle_time if message is not None else None
    return _NO_PERIOD if cyclic and own.period is None and not cycle_time else None


def sending(message: Message | None, own: SendSettings, tick: int, place: KeyPath) -> Sending:
    """Return the times of a message that can be sent, None without a database; `place` is its key path, `tick` in ns.

    ConfigurationError: times that are no multiples of the tick, contradict each other, or that this kind has not.
    """
    if own.events is not None:
        slot = in_whole_ticks(own.events.slot, tick, (*place, "events", "slot"))
        return Sending("events", slot, _phase(own, slot, tick, place))
    kind = kind_of(message, own)
    period = phase = None
    if kind in ("cyclic", "cyclic-and-on-change"):
        usual = message.cycle_time if message is not None else None
        period = in_whole_ticks(own.period or usual or 0, tick, (*place, "period"))
        phase = _phase(own, period, tick, place)
    elif own.period is not None or own.phase is not None:
        key = "phase" if own.period is None else "period"
        raise ConfigurationError(f"a message that goes {_words(kind)} has no {key}", (*place, key))
    if kind == "cyclic":
        for key in ("minimum_delay", "repetitions", "repetition_period"):
            if getattr(own, key) is not None:
                raise ConfigurationError(f"a cyclic message has no {key}: it goes by its period alone", (*place, key))
        if message is not None and own.send is None and is_if_active(message) and inactive_values(message):
            return Sending("cyclic-if-active", period, phase)
        return Sending(kind, period, phase)
    if kind == "once" and own.minimum_delay is not None:
        raise ConfigurationError("a message that goes once has no minimum_delay", (*place, "minimum_delay"))
    delay = own.minimum_delay if own.minimum_delay is not None else _attribute(message, "GenMsgDelayTime", 0)
    if period is not None and delay * MILLISECOND > period:
        reason = f"{delay:g} ms between two frames leave no room for a period of {period / MILLISECOND:g} ms"
        raise ConfigurationError(reason, (*place, "minimum_delay"))
    repetitions, repetition_period = _repetitions(message, own, tick, place)
    return Sending(kind, period, phase, round(delay * MILLISECOND), repetitions, repetition_period)


def _phase(own: SendSettings, period: int, tick: int, place: KeyPath) -> int | None:
    if not own.phase:
        return None if own.phase is None else 0
    phase = in_whole_ticks(own.phase, tick, (*place, "phase"))
    if phase >= period:
        reason = f"{own.phase:g} ms is not within the period, {period / MILLISECOND:g} ms"
        raise ConfigurationError(reason, (*place, "phase"))
    return phase


def _repetitions(message: Message | None, own: SendSettings, tick: int, place: KeyPath) -> tuple[int, int]:
    """Return the number of repetitions and their period [ns]. Those of the database are sent in the next whole tick."""
    repetitions = (
        own.repetitions if own.repetitions is not None else int(_attribute(message, "GenMsgNrOfRepetition", 0))
    )
    if repetitions <= 0:
        return 0, 0
    if own.repetition_period is not None:
        return repetitions, in_whole_ticks(own.repetition_period, tick, (*place, "repetition_period"))
    fast = round(_attribute(message, "GenMsgCycleTimeFast", 0) * MILLISECOND)
    if fast <= 0:
        reason = "repetitions need a 'repetition_period', here or in the database (GenMsgCycleTimeFast)"
        raise ConfigurationError(reason, (*place, "repetitions"))
    return repetitions, -(-fast // tick) * tick


def _attributes(one: Message | Signal | None) -> Mapping[str, Any]:
    return {} if one is None or one.dbc is None else one.dbc.attributes


def _value(one: Message | Signal | None, name: str) -> Any:
    """Return what the database says of a message or signal, or of all of them; None if nothing."""
    if one is None or one.dbc is None:
        return None
    own, common = one.dbc.attributes.get(name), one.dbc.attribute_definitions.get(name)
    return own.value if own is not None else common.default_value if common is not None else None


def _attribute(one: Message | Signal | None, name: str, otherwise: _Otherwise) -> float | _Otherwise:
    """Return a number that the database gives."""
    value = _value(one, name)
    return value if isinstance(value, int | float) else otherwise


def _choice(one: Message | Signal, name: str) -> str:
    """Return the text of a number that stands for a name; nothing where the database has none."""
    value = _value(one, name)
    choices = one.dbc.attribute_definitions[name].choices if value is not None and one.dbc is not None else None
    if isinstance(value, int) and choices is not None and 0 <= value < len(choices):
        return str(choices[value])
    return value if isinstance(value, str) else ""


def _words(kind: SendType) -> str:
    return {"event": "on events", "once": "once"}.get(kind, "on change")
