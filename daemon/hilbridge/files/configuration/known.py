"""How far each frame and each signal of a profile is known: what `known` says of it, or else the profile.

A letter of a frame holds for its signals; a signal may have one of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hilbridge.base.common.words import counted
from hilbridge.files.settings.profiles import (
    CONFIDENCE,
    KnownSettings,
    Letter,
    ProfileSettings,
    Seen,
    frames_of,
    has_frame,
)


@dataclass(frozen=True, slots=True)
class Known:
    """How far a frame is known, or a signal: its letter, where it was seen, and by whom if not by all sources."""

    name: str
    confidence: Letter
    seen: Seen
    source: str | None
    is_frame: bool = False
    identifier: int | None = None
    signals: Sequence["Known"] = field(default=())

    @property
    def words(self) -> str:
        """The letter and where it was seen, as `B, car`; signals that differ follow with their names."""
        own = self.confidence if self.confidence == "any bytes" else f"{self.confidence}, {self.seen}"
        others = [
            f"{signal.name} {signal.confidence}" for signal in self.signals if signal.confidence != self.confidence
        ]
        return "; ".join([own, *others])

    def facts(self) -> dict[str, Any]:
        """Return it for JSON."""
        told: dict[str, Any] = {"name": self.name, "confidence": self.confidence, "seen": self.seen}
        told["source"] = self.source
        if self.is_frame:
            told |= {"id": self.identifier, "signals": [signal.facts() for signal in self.signals]}
        return told


def known_frames(settings: ProfileSettings) -> list[Known]:
    """Return the frames of a profile that it names, in its order; those of a database without their identifiers."""
    heard = frames_of(settings.model_dump(include={"bus", "lines", "boards"}))
    return [_frame(settings, name, frame) for name, frame, _ in heard]


def _frame(settings: ProfileSettings, name: str, frame: Mapping[str, Any]) -> Known:
    own = _of(settings.known.get(name), name, settings.confidence, settings.seen, None)
    named = {key.removeprefix(f"{name}.") for key in settings.known if key.startswith(f"{name}.")}
    signals = dict.fromkeys([*(frame.get("signals") or {}), *sorted(named)])
    return Known(
        name,
        own.confidence,
        own.seen,
        own.source,
        True,
        frame.get("id"),
        [
            _of(settings.known.get(f"{name}.{signal}"), signal, own.confidence, own.seen, own.source)
            for signal in signals
        ],
    )


def _of(known: KnownSettings | None, name: str, confidence: Letter, seen: Seen, source: str | None) -> Known:
    if known is None:
        return Known(name, confidence, seen, source)
    return Known(name, known.confidence or confidence, known.seen or seen, known.source or source)


def doubts(frames: Sequence[Known]) -> list[str]:
    """Return as text what is guessed, what may be any bytes, and what no car was seen to send; empty: nothing."""
    guessed = [name for frame in frames for name in _with_letter(frame, "guess")]
    free = [frame.name for frame in frames if frame.confidence == "any bytes"]
    unseen = [frame.name for frame in frames if frame.seen != "car"]
    told = [f"{word}: {', '.join(names)}" for word, names in (("guessed", guessed), ("any bytes", free)) if names]
    if len(unseen) == len(frames):
        return [*told, "no frame was seen in a car"] if frames else told
    if unseen:
        told.append(f"{counted(len(unseen), 'frame')} of {len(frames)} not seen in a car: {', '.join(unseen)}")
    return told


def _with_letter(frame: Known, letter: Letter) -> Iterator[str]:
    """Yield the frame, or else those of its signals, that have a letter."""
    if frame.confidence == letter:
        yield frame.name
        return
    yield from (f"{frame.name}.{signal.name}" for signal in frame.signals if signal.confidence == letter)


def is_outdone(name: str, known: Any, profile: Mapping[str, Any]) -> bool:
    """Return whether what another profile says of a frame does not hold for one that takes it over.

    Such is a frame that is not there any more, and a letter that is better than that of the profile.
    """
    letter = known.get("confidence") if isinstance(known, dict) else known
    if not has_frame(profile, name):
        return True
    order = list(CONFIDENCE)
    whole = profile.get("confidence")
    return letter in order and whole in order and order.index(letter) < order.index(whole)
