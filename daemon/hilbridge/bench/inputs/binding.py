"""Which control is set from which fields of a source, as the bench file has it, and whether that can be."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, ErrorCollector, KeyPath
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.inputs.buttons import Buttons
from hilbridge.bench.inputs.controls import Control, require_control
from hilbridge.bench.inputs.pedal_tracks import PedalTracks
from hilbridge.bench.inputs.positions import KeyFromTerminals, by_names, by_own_names, mapped, position_of
from hilbridge.bench.inputs.signal_conditioner import LowPass, Sensor, SignalConditioner, calibrate, plausible_range
from hilbridge.files.settings import InputSignal
from hilbridge.files.settings.input_signals import fields_of
from hilbridge.frames.codec.units import IDENTITY, Conversion, convert
from vehiclesim.entries import STANDARD, Entries

HOLD: Final = "hold"
"""The safe value that is the last one."""


class Binding(NamedTuple):
    """A control, the fields of the source that set it, and what the bench file says about it."""

    control: Control
    fields: tuple[str, ...]
    settings: InputSignal
    place: KeyPath

    @property
    def field(self) -> str:
        """The fields as people read them."""
        return ", ".join(self.fields)

    def after_loss(self, value: int) -> int:
        """Return the safe value, from the last `value`: what the bench file says, else what the control's kind does."""
        safe = self.settings.safe
        if safe is None:
            return self.control.after_loss(value)
        return self.control.hold(value) if safe == HOLD else position_of(self.control, safe)

    def describe(self) -> str:
        """Describe the binding: `from Thr_A, Thr_B, two tracks within 0.05 for 100 ms, else at most 0.3; safe 0`."""
        settings = self.settings
        parts = [f"from {self.field}"]
        if settings.minimum is not None:
            parts.append(f"{settings.minimum:g}..{settings.maximum:g}")
        if settings.tracks:
            parts.append(
                f"two tracks within {settings.tolerance:g} for {settings.time:g} ms, else at most {settings.limp:g}"
            )
        if settings.values:
            parts.append(" ".join(f"{value}={position}" for value, position in settings.values.items()))
        if settings.button_fields:
            parts.append("buttons")
        if settings.terminals:
            parts.append(f"terminals {' '.join(settings.terminals)}")
        if settings.smoothing is not None:
            parts.append(f"filter {settings.smoothing:g} ms")
        if settings.gamma is not None or settings.curve:
            parts.append("curved")
        return f"{', '.join(parts)}; {self._safe()} when lost"

    def _safe(self) -> str:
        safe = self.settings.safe
        if safe == HOLD or (safe is None and self.control.holds):
            return "stays"
        value = self.control.to_value(self.control.rest if safe is None else position_of(self.control, safe))
        return "no request" if value != value else f"{value:g}"


class FieldDescription(NamedTuple):
    """A sender's description of a field: its unit, and the names of its values; None where any word may come."""

    unit: str | None = None
    names: Mapping[str, float] | None = None
    bounded: bool = False
    """Whether the sender cannot read beyond a sensor's ends: then no reading is implausible by itself."""


ANY: Final = FieldDescription()
"""The fields of a sender without a description: text on a serial line."""

_SCALED: Final = frozenset(("unit", "scale", "offset"))


def bind(signals: Mapping[str, InputSignal], place: KeyPath, entries: Entries = STANDARD) -> tuple[Binding, ...]:
    """Return the bindings of one source; `place` is its key path in the bench file.

    ConfigurationError: no such control, the same one twice, a key that its kind does not have, or a safe value outside
    its range.
    """
    bindings: list[Binding] = []
    errors = ErrorCollector()
    for name, signal in signals.items():
        here = (*place, "signals", name)
        with errors.attempt():
            control = require_control(name, entries, here, "input")
            if any(binding.control == control for binding in bindings):
                raise ConfigurationError(f"{control.name} is set twice", here)
            _require_kind(control, signal, here)
            _require_safe(control, signal, (*here, "safe"))
            bindings.append(Binding(control, fields_of(name, signal), signal, here))
    errors.verdict()
    return tuple(bindings)


def build_conditioner(binding: Binding, field: FieldDescription = ANY) -> SignalConditioner[Any]:
    """Build what turns the readings of a binding's fields into its bus integer.

    ConfigurationError: a unit that is not the control's, an unknown name.
    """
    control, _, settings, place = binding
    if settings.tracks:
        return PedalTracks(control, settings)
    if settings.button_fields:
        return Buttons(control, settings, place)
    if settings.terminals:
        return KeyFromTerminals(tuple(settings.terminals))
    if settings.values:
        return mapped(control, settings.values, field.names, place)
    if field.names and (positions := by_names(control, field.names)) is not None:
        return positions
    if field.names is None and control.has_positions and not _SCALED & settings.model_fields_set:
        return by_own_names(control)
    low_pass = None if settings.smoothing is None else LowPass(round(settings.smoothing * MILLISECOND))
    calibration = calibrate(control, settings, _conversion(binding, field.unit))
    return Sensor(control, calibration, low_pass, _plausible(settings, field))


def _plausible(settings: InputSignal, field: FieldDescription) -> tuple[float, float] | None:
    if settings.minimum is None or settings.maximum is None:
        return None
    if settings.plausible is not None:
        return settings.plausible[0], settings.plausible[1]
    return None if field.bounded else plausible_range(settings.minimum, settings.maximum)


def _require_kind(control: Control, signal: InputSignal, place: KeyPath) -> None:
    travels = signal.minimum is not None or signal.gamma is not None or signal.curve or signal.tracks
    if travels and not control.travel:
        what = "positions" if control.has_positions else "a value"
        raise ConfigurationError(f"{control.name} has {what}, not a travel: no minimum and maximum", place)
    if control.has_positions and signal.smoothing is not None:
        raise ConfigurationError(f"{control.name} has positions: nothing to filter", (*place, "smoothing"))
    if signal.terminals and not control.is_key:
        raise ConfigurationError("only the Key is made from terminals", (*place, "terminals"))


def _require_safe(control: Control, signal: InputSignal, place: KeyPath) -> None:
    safe = signal.safe
    if safe is None:
        return
    if control.is_paddle:
        raise ConfigurationError(f"{control.name} takes steps: it has no safe value", place)
    if safe != HOLD and control.to_value(position_of(control, safe, place)) == control.highest and control.is_key:
        raise ConfigurationError("the starter must not stay on when its source falls silent", place)


def _conversion(binding: Binding, unit: str | None) -> Conversion:
    """Return the conversion from the field's unit to the control's; a calibrated field is taken as it is."""
    settings = binding.settings
    if settings.minimum is not None:
        return IDENTITY
    try:
        return convert(settings.unit or unit, binding.control.entry.unit)
    except ConfigurationError as error:
        raise ConfigurationError(f"{error.message} (or give its minimum and maximum)", binding.place) from None
