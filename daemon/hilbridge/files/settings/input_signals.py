"""Settings of one control of the driver: which field sets it, and how a reading becomes its value."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Milliseconds, Settings, completes, paired, require_curve, unit

_MILLISECONDS = unit("ms")
Share = Annotated[float, Field(ge=0, le=1)]
Terminal = Literal["S", "R", "15", "50"]


_Point = Annotated[tuple[Share, Share], BeforeValidator(paired)]


class TrackSettings(Settings):
    """One of the two sensors of a pedal."""

    field: Annotated[str, Field(description="signal or field name")]
    minimum: Annotated[float, Field(description="raw value of the released end")]
    maximum: Annotated[float, Field(description="raw value of the pressed end")]

    @model_validator(mode="after")
    def _two_ends(self) -> "TrackSettings":
        _require_apart(self.minimum, self.maximum)
        return self


class InputSignal(Settings):
    """One control of the driver, from a signal of a message or a field of a line.

    share = (raw - minimum) / (maximum - minimum), held inside 0..1, of the control's travel, where minimum and
    maximum are given (maximum may be the smaller one: an inverted track); otherwise raw · scale + offset.
    """

    field: Annotated[str | None, Field(description="signal or field name; default: the control's own name")] = None
    minimum: Annotated[float | None, Field(description="raw value of the released end, or of full left")] = None
    maximum: Annotated[float | None, Field(description="raw value of the pressed end, or of full right")] = None
    plausible: Annotated[
        list[float] | None,
        Field(
            min_length=2,
            max_length=2,
            description="lowest and highest raw value that is no fault of the sensor, with minimum and maximum; a "
            "sample beyond does not count; default: half the way beyond each end",
        ),
    ] = None
    unit: Annotated[
        str | None,
        Field(
            description="the sender's unit, where the database does not name it", json_schema_extra=completes("unit")
        ),
    ] = None
    scale: Annotated[float, Field(description="of a reading without minimum and maximum")] = 1.0
    offset: Annotated[float, Field(description="added to the scaled reading, in the sender's unit")] = 0.0
    dead_zone: Annotated[float, Field(ge=0, lt=0.5, description="share of the travel ignored at each end")] = 0.0
    gamma: Annotated[
        float | None, Field(gt=0, le=10, description="the travel is raised to this power: > 1 is gentle at first")
    ] = None
    curve: Annotated[list[_Point], Field(description="share of the travel and what it becomes, by straight lines")] = []
    smoothing: Annotated[
        Milliseconds | None,
        Field(description="time constant of a first-order low-pass filter", json_schema_extra=_MILLISECONDS),
    ] = None
    values: Annotated[
        dict[str, float | str],
        Field(description="position by the sender's value or its name: {0: P, 1: R, parked: P}; others do not count"),
    ] = {}
    terminals: Annotated[
        dict[Terminal, str], Field(description="Key only: the field of each terminal (DIN 72552), {15: Kl15, 50: Kl50}")
    ] = {}
    buttons: Annotated[
        dict[str, float | str],
        Field(
            description="position while a button is held, by its field: {BTN_TR: 1, BTN_TL: -1}; "
            "gates of an H-shifter are such buttons"
        ),
    ] = {}
    toggles: Annotated[
        dict[str, float | str], Field(description="position that a press sets and the next press of it ends")
    ] = {}
    latches: Annotated[
        dict[str, float | str], Field(description="position that a press sets until another button is pressed")
    ] = {}
    released: Annotated[
        float | str | None,
        Field(description="of buttons: position without any; default: where the control rests, a gear lever in N"),
    ] = None
    tracks: Annotated[list[TrackSettings], Field(description="two sensors of one pedal that must agree")] = []
    tolerance: Annotated[Share, Field(description="of the tracks: by how much of the travel they may differ")] = 0.05
    time: Annotated[
        Milliseconds, Field(description="of the tracks: how long they may differ more", json_schema_extra=_MILLISECONDS)
    ] = 100.0
    limp: Annotated[Share, Field(description="of the tracks: the most that counts after they differed too long")] = 0.0
    recovery: Annotated[
        Milliseconds,
        Field(
            description="of the tracks: agreement that ends this, once the pedal is released",
            json_schema_extra=_MILLISECONDS,
        ),
    ] = 1000.0
    safe: Annotated[
        float | str | None,
        Field(
            description="value after a time-out, or the name of a position, or hold: the last value; "
            "default: pedals go to 0, levers hold, requests end"
        ),
    ] = None

    @property
    def button_fields(self) -> tuple[str, ...]:
        """The fields of all buttons: those that are held, that toggle, that latch."""
        return (*self.buttons, *self.toggles, *self.latches)

    @model_validator(mode="after")
    def _both_ends(self) -> "InputSignal":
        if (self.minimum is None) != (self.maximum is None):
            raise ConfigurationError("'minimum' and 'maximum' belong together; one of them is missing")
        if self.minimum is not None and self.maximum is not None:
            _require_apart(self.minimum, self.maximum)
        if self.dead_zone and self.minimum is None:
            raise ConfigurationError("needs 'minimum' and 'maximum'", ("dead_zone",))
        if self.plausible is not None:
            self._require_plausible(*self.plausible)
        return self

    def _require_plausible(self, lowest: float, highest: float) -> None:
        if self.minimum is None or self.maximum is None:
            raise ConfigurationError("needs 'minimum' and 'maximum'", ("plausible",))
        if lowest > min(self.minimum, self.maximum) or highest < max(self.minimum, self.maximum):
            raise ConfigurationError("must hold 'minimum' and 'maximum'", ("plausible",))

    @model_validator(mode="after")
    def _of_one_kind(self) -> "InputSignal":
        """Return a key that would not be read is an error."""
        if self.gamma is not None and self.curve:
            raise ConfigurationError("'gamma' and 'curve' exclude each other", ("curve",))
        given = self.model_fields_set
        for kind, excluded in _EXCLUDED.items():
            if getattr(self, kind) and (others := [key for key in excluded if key in given]):
                raise ConfigurationError(f"does not go with '{kind}'", (others[0],))
        if "released" in given and not self.button_fields:
            raise ConfigurationError("needs 'buttons', 'toggles' or 'latches'", ("released",))
        if not self.tracks and (others := [key for key in _OF_TRACKS if key in given]):
            raise ConfigurationError("needs 'tracks'", (others[0],))
        if self.minimum is not None and (others := [key for key in ("unit", "scale", "offset") if key in given]):
            raise ConfigurationError("does not go with 'minimum' and 'maximum'", (others[0],))
        return self

    @model_validator(mode="after")
    def _complete(self) -> "InputSignal":
        if self.tracks and len(self.tracks) != 2:
            raise ConfigurationError("a pedal has two tracks", ("tracks",))
        if self.terminals and "15" not in self.terminals:
            raise ConfigurationError("terminal 15 is missing: it says whether the ignition is on", ("terminals",))
        require_curve(self.curve, "curve")
        if len(set(self.button_fields)) < len(self.button_fields):
            raise ConfigurationError("a button has one part in a control: it holds, toggles or latches")
        return self


def _require_apart(minimum: float, maximum: float) -> None:
    if minimum == maximum:
        raise ConfigurationError("'minimum' and 'maximum' are equal", ("maximum",))


_READING = ("field", "unit", "scale", "offset", "minimum", "maximum", "dead_zone", "plausible")
_SHAPE = ("gamma", "curve", "smoothing")
_OF_TRACKS = ("tolerance", "time", "limp", "recovery")
_EXCLUDED = {
    "values": (*_READING[1:], *_SHAPE, "terminals", "tracks"),
    "terminals": (*_READING, *_SHAPE, "tracks"),
    "tracks": (*_READING,),
    **dict.fromkeys(("buttons", "toggles", "latches"), (*_READING, *_SHAPE, "values", "terminals", "tracks")),
}
"""By kind of control: the keys that would have no effect."""


def fields_of(name: str, signal: InputSignal) -> tuple[str, ...]:
    """Return the fields of the source that set the control `name`."""
    if signal.tracks:
        return tuple(track.field for track in signal.tracks)
    return signal.button_fields or tuple(signal.terminals.values()) or (signal.field or name.rpartition(".")[2],)
