"""Driver inputs from a CAN message: each frame of it on the bus is a sample.

A signal that says "not available", or that the frame's multiplexer leaves out, is not in the sample: its control
keeps its value and times out by itself. A signal outside the range that the database gives for it spoils the whole
frame: better no sample than a throttle of 102 %. Bytes beyond the message's length are passed over.
"""

from typing import Final

from hilbridge.errors import ConfigurationError, KeyPath
from hilbridge.frames.bus import Bus
from hilbridge.frames.codec import CompiledMessage
from hilbridge.frames.database import unknown
from hilbridge.frames.frame import Frame
from hilbridge.frames.units import convert
from hilbridge.inputs.source import Binding, Source, bind
from hilbridge.settings import CanInput
from vehiclesim.channels import ENTRIES

WRONG_LENGTH: Final = "wrong_length"
"""Shorter than the message."""
OUT_OF_RANGE: Final = "out_of_range"
"""A wanted signal is outside its minimum and maximum, or no finite number."""
NOT_AVAILABLE: Final = "not_available"
"""The frame holds none of the wanted signals."""


class CanSource(Source):
    """The samples of one message: a node of `bus`."""

    def __init__(self, bus: Bus, settings: CanInput, message: CompiledMessage, place: KeyPath = ()) -> None:
        """`place`: key path of this input in the bench file.

        ConfigurationError: see `bind`; no such signal; a signal whose unit is not the control's and that has no
        calibration.
        """
        bindings = bind(settings.signals, place)
        factors = [_factor(binding, message) for binding in bindings]
        name = f"{settings.bus}.{settings.message}"
        super().__init__(name, bindings, factors, settings.timeout, (WRONG_LENGTH, OUT_OF_RANGE, NOT_AVAILABLE))
        message.prepare()
        self._can_id: Final = message.can_id
        self._length: Final = message.length
        self._decode: Final = message.decode_available
        self._limits: Final = [(binding.field, *_limits(binding.field, message)) for binding in bindings]
        bus.attach(self)

    def receive(self, frame: Frame, t: int) -> None:
        """Takes a frame from the bus; `t` [ns]."""
        if frame.can_id != self._can_id:
            return
        if len(frame.data) < self._length:
            self._reject(WRONG_LENGTH, t)
            return
        values = self._decode(frame.data)
        readings: list[float | None] = []
        for field, lowest, highest in self._limits:
            reading = values.get(field)
            if reading is not None and not lowest <= reading <= highest:
                self._reject(OUT_OF_RANGE, t)
                return
            readings.append(reading)
        if all(reading is None for reading in readings):
            self._reject(NOT_AVAILABLE, t)
        else:
            self._accept(readings, t)


def _factor(binding: Binding, message: CompiledMessage) -> float:
    """From the signal's unit to the control's; a calibrated signal is taken as it is."""
    signal = message.signals.get(binding.field)
    if signal is None:
        raise unknown(f"signal of {message.name}", binding.field, message.signals, binding.place)
    if binding.settings.minimum is not None:
        return 1.0
    try:
        return convert(signal.unit, ENTRIES[binding.control.channel][binding.control.index].unit).factor
    except ConfigurationError as error:
        raise ConfigurationError(f"{error.message} (or give its minimum and maximum)", binding.place) from None


def _limits(field: str, message: CompiledMessage) -> tuple[float, float]:
    """The database's range, widened by half a step so that rounding leaves nobody outside."""
    signal = message.signals[field]
    margin = 0.0 if signal.floating else abs(signal.scale) / 2
    return signal.floor - margin, signal.ceiling + margin
