"""Inputs from a CAN message: each frame of it on the bus is a sample.

A frame is checked before it is believed: its length, its counter and checksum where the bench file describes them,
and the range that the database gives for each wanted signal. One that fails is counted by its reason and keeps nothing
alive: better no sample than a throttle of 102 %. A signal that says "not available", or that the frame's multiplexer
leaves out, is not in the sample: its control keeps its value and times out by itself. Bytes beyond the message's
length are passed over. A J1939 message counts from whatever source address: that of a database is a placeholder; one
that no frame holds counts when its last packet has come.
"""

from collections.abc import Sequence
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError, ErrorCollector, KeyPath
from hilbridge.bench.inputs.binding import Binding, FieldDescription, bind, build_conditioner
from hilbridge.bench.inputs.signal_conditioner import OUT_OF_RANGE, SignalConditioner
from hilbridge.bench.inputs.source import Source
from hilbridge.files.settings import CanInput
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.codec import CompiledMessage
from hilbridge.frames.codec.database import unknown
from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.protection.build import build_checker
from hilbridge.frames.transport.reassembly import Reassembly
from vehiclesim.entries import STANDARD, Entries

WRONG_LENGTH: Final = "wrong_length"
"""Shorter than the message."""
NOT_AVAILABLE: Final = "not_available"
"""The frame holds none of the wanted signals."""


class CanSource(Source):
    """The samples of one message: a node of `bus`."""

    def __init__(
        self,
        bus: Bus,
        settings: CanInput,
        message: CompiledMessage,
        place: KeyPath = (),
        *,
        cycle_time: float | None = None,
        entries: Entries = STANDARD,
    ) -> None:
        """`place`: key path of this input in the bench file; `cycle_time` [ms]: of the message, where it is known.

        ConfigurationError: see `bind` and `build_checker`; no such signal; a signal whose unit is not the control's
        and that has no calibration.
        """
        bindings = bind(settings.signals, place, entries)
        super().__init__(
            f"{settings.bus}.{settings.message}",
            bindings,
            _conditioners(bindings, message),
            timeout=settings.timeout,
            recovery=settings.recovery,
        )
        if cycle_time is not None and settings.timeout <= cycle_time:
            self.warnings.append(
                f"{self.name} is sent every {cycle_time:g} ms: with a time-out of {settings.timeout:g} ms it is lost"
                " between any two frames"
            )
        message.prepare()
        self.bus: Final = bus.name
        self.message: Final = settings.message
        self._content: Final = message.content
        self._length: Final = message.length
        self._decode: Final = message.decode_available
        checker = build_checker(settings.protection, message, message.can_id, message.length, (*place, "protection"))
        self.is_protected: Final = checker is not None
        self._check: Final = None if checker is None else checker.check
        self._limits: Final = [(field, *_limits(field, message)) for field in self.fields]
        self._reassembly: Final = Reassembly(self._take) if message.is_long else None
        bus.attach(self, {message.matched} if message.mask == ~0 else None)

    def receive(self, frame: Frame, t: int) -> None:
        """Take a frame from the bus; `t` [ns]."""
        if self._reassembly is not None:
            self._reassembly.receive(frame, t)
        else:
            self._take(frame, t)

    def _take(self, frame: Frame, t: int) -> None:
        data = self._content(frame)
        if data is None:
            return
        if len(data) < self._length:
            self._reject(WRONG_LENGTH, t)
            return
        if self._check is not None and (reason := self._check(data)) is not None:
            self._reject(reason, t)
            return
        values = self._decode(data)
        readings: list[float | None] = []
        for field, lowest, highest in self._limits:
            reading = values.get(field)
            if reading is not None and not lowest <= reading <= highest:
                self._reject(OUT_OF_RANGE, t, what=f"{field} {reading:g}")
                return
            readings.append(reading)
        if all(reading is None for reading in readings):
            self._reject(NOT_AVAILABLE, t)
        else:
            self._accept(readings, t)


def _conditioners(bindings: Sequence[Binding], message: CompiledMessage) -> list[SignalConditioner[Any]]:
    found: list[SignalConditioner[Any]] = []
    errors = ErrorCollector()
    for binding in bindings:
        with errors.attempt():
            found.append(build_conditioner(binding, _field(binding, message)))
    errors.verdict()
    return found


def _field(binding: Binding, message: CompiledMessage) -> FieldDescription:
    """Return the database's description of the signals of a binding; all of them must exist."""
    for field in binding.fields:
        if field in message.left_out:
            raise ConfigurationError(f"signal {field} cannot be read: {message.left_out[field]}", binding.place)
        if field not in message.signals:
            raise unknown(f"signal of {message.name}", field, message.signals, binding.place)
    signal = message.signals[binding.fields[0]]
    names = {name: signal.to_physical(raw) for raw, name in signal.names.items() if signal.available(raw)}
    return FieldDescription(signal.unit, names)


def _limits(field: str, message: CompiledMessage) -> tuple[float, float]:
    """Return the database's range, widened by half a step so that rounding leaves no value outside."""
    signal = message.signals[field]
    margin = 0.0 if signal.floating else abs(signal.scale) / 2
    return signal.floor - margin, signal.ceiling + margin
