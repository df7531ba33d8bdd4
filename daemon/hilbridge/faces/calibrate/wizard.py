"""The calibration of one control: steps for hands and feet, samples in, ends and dead zone out.

    released, pressed, released again     a pedal or a lever; of two tracks both at once
    full left, full right, straight       a steering wheel

    end       = median of a step         noise = the range between which nine of ten of its readings lie
    dead zone = (noise and what it did not come back) / way, rounded up to a hundredth

No clock, no terminal: the caller has the samples and shows the steps. What cannot be a pedal is refused, with why.
"""

import math
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.inputs.controls import Control
from hilbridge.bench.inputs.signal_conditioner import Reading
from hilbridge.files.settings import InputSignal

LEAST: Final = 10
"""Samples of a step."""
_STEADY: Final = 0.05
"""Share of the way by which a control that is held still may swing."""
_CLEAR: Final = 10.0
"""The way is at least so many times the noise: else it is the wrong field, or a broken wire."""
_SHORTEST: Final = 0.02
"""Share of the largest reading that a way is at least; a field that no one moved creeps less."""
_RETURN: Final = 0.2
"""Share of the way that a pedal may stay away from where it was released before."""
_OFF_CENTRE: Final = 0.1
"""Share of the way by which the middle of a steering wheel may lie beside the middle of its ends."""
_TOLERANCE: Final = 0.05
"""Tolerance of two tracks that agree better: the default of the bench file."""


class Step(NamedTuple):
    """A step that the user is asked for, and the word by which the wizard knows it."""

    name: str
    words: str


_PEDAL: Final = (
    Step("released", "let go of it"),
    Step("pressed", "press it fully, and hold it"),
    Step("returned", "let go of it again"),
)
_WHEEL: Final = (
    Step("released", "turn it fully to the left, and hold it"),
    Step("pressed", "turn it fully to the right, and hold it"),
    Step("returned", "let it stand straight"),
)


class RefusedCalibrationError(ConfigurationError):
    """The samples cannot be those of a working control; it says why, and what to do."""


class Held(NamedTuple):
    """One field while its control was held: where, and within which range its readings lay."""

    value: float
    noise: float


class Wizard:
    """The steps of one control, each with its samples; `step` is the one at hand, None after the last."""

    def __init__(self, control: Control, signal: InputSignal, fields: Sequence[str]) -> None:
        self.control: Final = control
        self.fields: Final = tuple(fields)
        self._signal: Final = signal
        self._steps: Final = _WHEEL if control.lowest < 0 else _PEDAL
        self._samples: list[Mapping[str, Reading | None]] = []
        self._held: dict[str, list[Held]] = {}

    @property
    def step(self) -> Step | None:
        """The next step."""
        done = len(self._held)
        return self._steps[done] if done < len(self._steps) else None

    def observe(self, raw: Mapping[str, Reading | None]) -> None:
        """Take the readings of the fields while someone holds the control as the step says."""
        self._samples.append(raw)

    def advance(self) -> None:
        """End the step at hand. RefusedCalibrationError: its samples cannot be; the step begins anew."""
        step = self.step
        samples, self._samples = self._samples, []
        if step is not None:
            held = [_held(field, [sample.get(field) for sample in samples]) for field in self.fields]
            self._require_sense(step, held)
            self._held[step.name] = held

    def _require_sense(self, step: Step, held: Sequence[Held]) -> None:
        if step.name == "released":
            return
        for number, field in enumerate(self.fields):
            released = self._held["released"][number]
            pressed = held[number] if step.name == "pressed" else self._held["pressed"][number]
            way = abs(pressed.value - released.value)
            noise = max(released.noise, held[number].noise)
            if way < max(_CLEAR * noise, _SHORTEST * max(abs(pressed.value), abs(released.value))) or way == 0:
                raise RefusedCalibrationError(
                    f"{field} moved by {way:g} only, and its noise is {noise:g}: was it pressed fully, is it the right"
                    " field, is its wire sound?"
                )
            if held[number].noise > _STEADY * way:
                raise RefusedCalibrationError(f"{field} swings by {held[number].noise:g}: hold it still")
            if step.name == "returned":
                self._require_return(field, number, held[number])

    def _require_return(self, field: str, number: int, held: Held) -> None:
        share = self._share(number, held.value)
        if self._is_wheel:
            if abs(share - 0.5) > _OFF_CENTRE:
                raise RefusedCalibrationError(
                    f"straight is at {share:.0%} of the way of {field}, not in its middle: were both ends reached?"
                )
        elif abs(share) > _RETURN:
            raise RefusedCalibrationError(
                f"{field} came back to {held.value:g}, {abs(share):.0%} of the way from where it was released first:"
                " does it stick?"
            )

    @property
    def _is_wheel(self) -> bool:
        return self._steps is _WHEEL

    def _share(self, number: int, value: float) -> float:
        """Return the share of the way of a field at which a reading lies."""
        released, pressed = (self._held[name][number].value for name in ("released", "pressed"))
        return (value - released) / (pressed - released)

    def shares(self, raw: Mapping[str, Reading | None]) -> list[float | None]:
        """Return the calibrated share of each field, once both ends are known."""
        if "pressed" not in self._held:
            return [None] * len(self.fields)
        return [
            None if not isinstance(reading := raw.get(field), int | float) else min(max(self._share(i, reading), 0), 1)
            for i, field in enumerate(self.fields)
        ]

    def keys(self) -> dict[str, Any]:
        """Return the keys of the signal that follow from the steps, as the bench file has them."""
        if self._signal.tracks:
            return self._keys_of_tracks()
        ((released, pressed, returned),) = zip(*self._held.values(), strict=True)
        way = abs(pressed.value - released.value)
        zone = _hundredths(max(released.noise, pressed.noise, returned.noise) / way)
        keys: dict[str, Any] = {"minimum": _rounded(released.value, way), "maximum": _rounded(pressed.value, way)}
        if self._is_wheel:
            off = abs(self._share(0, returned.value) - 0.5) * 2
            middle = _hundredths(off + 2 * returned.noise / way)
            if middle > _hundredths(0) and self._signal.gamma is None:
                keys["curve"] = [[0, 0], [middle, 0], [1, 1]]
            return keys
        zone = max(zone, _hundredths(abs(self._share(0, returned.value))))
        return {**keys, "dead_zone": zone}

    def _keys_of_tracks(self) -> dict[str, Any]:
        ends = []
        for number, field in enumerate(self.fields):
            released, pressed, _ = (held[number] for held in self._held.values())
            way = abs(pressed.value - released.value)
            ends.append({
                "field": field,
                "minimum": _rounded(released.value, way),
                "maximum": _rounded(pressed.value, way),
            })  # fmt: skip
        a, b = (self._share(number, self._held["returned"][number].value) for number in range(2))
        apart = _hundredths(2 * abs(a - b))
        return {"tracks": ends, **({"tolerance": apart} if apart > _TOLERANCE else {})}


def _held(field: str, readings: Sequence[Reading | None]) -> Held:
    numbers = [reading for reading in readings if isinstance(reading, int | float) and math.isfinite(reading)]
    if any(isinstance(reading, str) for reading in readings):
        raise RefusedCalibrationError(f"{field} sends words, not numbers")
    if len(numbers) < LEAST:
        raise RefusedCalibrationError(
            f"{field} is silent ({len(numbers)} readings): is it the right field, the right port?"
        )
    numbers.sort()
    outside = len(numbers) // 20  # at each end: a spike now and then is no noise
    return Held(median(numbers), numbers[-1 - outside] - numbers[outside])


def _hundredths(share: float) -> float:
    """Return a share rounded up to a hundredth; one is the least that a dead zone is worth."""
    return max(math.ceil(share * 100 - 1e-9), 1) / 100


def _rounded(value: float, way: float) -> float:
    """Return an end to a ten-thousandth of the way, without a point where it is a whole number."""
    digits = max(0, 4 - math.floor(math.log10(way)) - 1)
    number = round(value, digits)
    return int(number) if number == int(number) else number
