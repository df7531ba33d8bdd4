"""Frame patterns: a message of a bus's database, or an identifier, and the wanted values of its signals.

    EngineRpm: 800              the number that the signal rounds 800 to
    GearboxMode: Drive          a named value
    EngineRpm: "> 500"          < <= > >= == !=
    EngineRpm: [700, 900]       both ends included

    data: "62 F1 .. *"          bytes of an identifier: .. is any one, * at the end any number

A signal with the value "not available" or "error" is no number.
"""

import operator
import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.files.settings.scenario import FrameSettings, Wanted
from hilbridge.frames.codec.codec import CompiledMessage, Value, compile_message
from hilbridge.frames.codec.database import Database, unknown
from hilbridge.frames.codec.frame import EXTENDED, STANDARD_MASK, Frame
from hilbridge.frames.codec.signals import SignalCodec

_COMPARISONS: Final[dict[str, Callable[[float, float], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
COMPARISON: Final = re.compile(r"\s*(<=|>=|==|!=|<|>)\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*")


class SignalTest(NamedTuple):
    """The test of a signal: of its number, or of the name of its value."""

    signal: str
    number: Callable[[float], bool] | None
    name: str | None = None

    def holds(self, value: float | None, name: Value | None) -> bool:
        """Return whether a signal with a number, if it has one, and the name of its value passes."""
        return name == self.name if self.number is None else value is not None and self.number(value)


class Pattern:
    """A frame pattern. `title` for people: `powertrain.EngineData1`."""

    def __init__(self, settings: FrameSettings, databases: Mapping[str, Database], place: KeyPath) -> None:
        """ConfigurationError, with the key path: the database does not contain the message, signal or value."""
        self._codec: CompiledMessage | None = None
        self._tests: Final[list[SignalTest]] = []
        self._bytes: re.Pattern[bytes] | None = None
        if isinstance(settings.message, int):
            if settings.signals:
                raise ConfigurationError("an identifier has no signals; name the message", (*place, "signals"))
            self.title = f"{settings.bus}.0x{settings.message:X}"
            self._mask = ~0
            self._matched = settings.message | (EXTENDED if settings.message > STANDARD_MASK else 0)
            self._bytes = None if settings.data is None else bytes_pattern(settings.data)
            return
        self.title = f"{settings.bus}.{settings.message}"
        if settings.bus not in databases:
            raise ConfigurationError(f"bus {settings.bus!r} has no database", (*place, "bus"))
        codec = compile_message(databases[settings.bus].message(settings.message, (*place, "message")))
        codec.prepare()
        self._codec = codec
        for name, wanted in settings.signals.items():
            where = (*place, "signals", name)
            if name not in codec.signals:
                raise unknown(f"signal of {codec.name}", name, codec.signals, where)
            self._tests.append(test_of(codec.signals[name], wanted, where))

    def matches(self, frame: Frame) -> bool:
        """Return whether a frame has the identifier of the message."""
        if self._codec is not None:
            return self._codec.content(frame) is not None
        return frame.can_id & self._mask == self._matched

    def accepts(self, frame: Frame) -> bool:
        """Return whether a frame of the message has the wanted signals or bytes; one that is too short has none."""
        if self._bytes is not None:
            return self._bytes.fullmatch(frame.data) is not None
        values, names = self._values(frame)
        return all(test.holds(values.get(test.signal), names.get(test.signal)) for test in self._tests)

    def describe(self, frame: Frame) -> str:
        """Return the wanted signals with their values: `EngineRpm = 812.5`; without wanted signals, the bytes."""
        _, names = self._values(frame)
        if not self._tests or not names:
            return frame.data.hex(" ") or "no data"
        return ", ".join(f"{test.signal} = {_text(names.get(test.signal))}" for test in self._tests)

    def _values(self, frame: Frame) -> tuple[dict[str, float], dict[str, Value]]:
        """Return the numeric signals, and all signals with their named values."""
        data = None if self._codec is None or not self._tests else self._codec.content(frame)
        if self._codec is None or data is None or len(data) < self._codec.length:
            return {}, {}
        return self._codec.decode_available(data), self._codec.decode(data, names=True)


def _text(value: Value | None) -> str:
    return "missing" if value is None else value if isinstance(value, str) else f"{value:g}"


def bytes_pattern(text: str) -> re.Pattern[bytes]:
    """Return the regular expression of a pattern such as `62 F1 90 .. *`."""
    text = text.replace(" ", "")
    digits = text.removesuffix("*")
    pairs = [digits[i : i + 2] for i in range(0, len(digits), 2)]
    body = b"".join(b"." if pair == ".." else re.escape(bytes.fromhex(pair)) for pair in pairs)
    return re.compile(body + (b".*" if text.endswith("*") else b""), re.DOTALL)


def test_of(signal: SignalCodec, wanted: Wanted, place: KeyPath) -> SignalTest:
    """Return the test of a signal. ConfigurationError, with the key path: it cannot have such a value."""
    if isinstance(wanted, list):
        lowest, highest = wanted
        if lowest > highest:
            raise ConfigurationError(f"{lowest:g} is beyond {highest:g}", place)
        return SignalTest(signal.name, lambda value: lowest <= value <= highest)
    if isinstance(wanted, str):
        if comparison := COMPARISON.fullmatch(wanted):
            compare, limit = _COMPARISONS[comparison[1]], _number(comparison[2], place)
            return SignalTest(signal.name, lambda value: compare(value, limit))
        if wanted not in signal.numbers:
            raise unknown(f"value of {signal.name}", wanted, signal.numbers, place)
        return SignalTest(signal.name, None, wanted)
    raw = signal.to_raw(wanted)
    if abs(signal.to_physical(raw) - wanted) > abs(signal.scale) / 2:
        raise ConfigurationError(f"{signal.name} cannot be {wanted:g}", place)
    return SignalTest(signal.name, lambda value: signal.to_raw(value) == raw)


def _number(text: str, place: KeyPath) -> float:
    try:
        return float(text)
    except ValueError:
        raise ConfigurationError(f"{text!r} is no number", place) from None
