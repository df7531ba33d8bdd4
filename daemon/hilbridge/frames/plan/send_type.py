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

The bench file has priority over the database, which uses the attributes of Vector's tools: GenMsgSendType,
GenMsgCycleTime, GenMsgDelayTime, GenMsgNrOfRepetition, GenMsgCycleTimeFast. The words in a name of GenMsgSendType
determine its kind: "CyclicAndSpontaneous" is cyclic-and-on-change, "OnChangeWithRepetition" is on-change. A name of no
kind (NoMsgSendType), or a database without the attribute, means cyclic if the message has a period.
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

from cantools.database.can import Message

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.units import MILLISECOND
from hilbridge.files.settings.common import in_whole_ticks
from hilbridge.files.settings.frames import SendSettings, SendType

_CYCLIC: Final = re.compile("cycl|period", re.IGNORECASE)
_ON_CHANGE: Final = re.compile("change|write|ifactive|repe", re.IGNORECASE)
_EVENT: Final = re.compile("event|spont|trigger", re.IGNORECASE)

_NO_PERIOD: Final = "it has no period, neither in the database (GenMsgCycleTime) nor in the bench file ('period')"


@dataclass(frozen=True, slots=True)
class Sending:
    """The send type of a message; times [ns]. `period` None: nothing is cyclic; `phase` None: the plan chooses it."""

    kind: SendType | Literal["events"]
    period: int | None
    phase: int | None = None
    minimum_delay: int = 0
    repetitions: int = 0
    repetition_period: int = 0

    @property
    def on_change(self) -> bool:
        return self.kind not in ("cyclic", "once", "events")


def kind_of(message: Message | None, own: SendSettings) -> SendType:
    """Return the send type of a message, or of a frame without a database."""
    if own.send is not None or message is None:
        return own.send or "cyclic"
    text = message.send_type or ""
    cyclic, on_change, event = (bool(words.search(text)) for words in (_CYCLIC, _ON_CHANGE, _EVENT))
    if (on_change or event) and (cyclic or own.period is None):
        return "cyclic-and-on-change" if cyclic else "event" if event else "on-change"
    return "cyclic"


def cannot_go(message: Message | None, own: SendSettings) -> str | None:
    """Return why the message would never be sent, or None."""
    if own.events is not None:
        return None
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
        return Sending(kind, period, phase)
    if kind == "once" and own.minimum_delay is not None:
        raise ConfigurationError("a message that goes once has no minimum_delay", (*place, "minimum_delay"))
    delay = own.minimum_delay if own.minimum_delay is not None else _attribute(message, "GenMsgDelayTime")
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
    repetitions = own.repetitions if own.repetitions is not None else int(_attribute(message, "GenMsgNrOfRepetition"))
    if repetitions <= 0:
        return 0, 0
    if own.repetition_period is not None:
        return repetitions, in_whole_ticks(own.repetition_period, tick, (*place, "repetition_period"))
    fast = round(_attribute(message, "GenMsgCycleTimeFast") * MILLISECOND)
    if fast <= 0:
        reason = "repetitions need a 'repetition_period', here or in the database (GenMsgCycleTimeFast)"
        raise ConfigurationError(reason, (*place, "repetitions"))
    return repetitions, -(-fast // tick) * tick


def _attribute(message: Message | None, name: str) -> float:
    """Return a number that the database gives the message, or all messages; 0 where it gives none."""
    if message is None or message.dbc is None:
        return 0
    own, common = message.dbc.attributes.get(name), message.dbc.attribute_definitions.get(name)
    value = own.value if own is not None else common.default_value if common is not None else None
    return value if isinstance(value, int | float) else 0


def _words(kind: SendType) -> str:
    return {"event": "on events", "once": "once"}.get(kind, "on change")
