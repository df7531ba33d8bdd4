"""The protection of a frame: its counters and checksum together, by a preset where one makes it, and how sure that is.

What the frames of a log have in common helps: a byte that never changed in one frame may count or not, but where two
others, in which all bytes changed, are made in the same way with the same constants, it is as they are.
"""

from collections import Counter as Tally
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hilbridge.desk.learn.bits import BitStatistics
from hilbridge.desk.learn.certainty import Certainty
from hilbridge.desk.learn.checksums import SURE, Checksum, find_checksum
from hilbridge.desk.learn.counters import Counter, find_counters
from hilbridge.desk.learn.log import Series
from hilbridge.desk.learn.presets import fitting_preset, has_data_ids
from hilbridge.desk.learn.replayed import replayed
from hilbridge.files.settings.protection import Preset, ProtectionSettings
from hilbridge.frames.protection import build_checker, build_protector

_CHECKED: Final = 500
"""Frames that a protection is checked with at its end."""

_OTHERS: Final = 2
"""Identifiers whose checksum is sure that make a third one sure."""


class Finding(NamedTuple):
    """The protection of an identifier: `settings` as a bench file has them; what `accepted` of `checked` frames.

    `preset` by name where one makes it. `filled`: the bits of each byte that are filled in.
    """

    counters: list[Counter]
    checksum: Checksum | None
    preset: Preset | None
    settings: list[dict[str, Any]]
    filled: NDArray[np.uint8]
    certainty: Certainty
    evidence: str

    @property
    def has_checksum(self) -> bool:
        """Whether a bench fills in a checksum."""
        return any("checksum" in group or "preset" in group for group in self.settings)

    def without_protection(self) -> "Finding":
        """Return the finding of a frame whose counters are the numbers of pages, which rotate."""
        return self._replace(counters=[], checksum=None, settings=[], filled=np.zeros_like(self.filled))


def find_protection(series: Series, statistics: BitStatistics) -> Finding:
    """Return what protects the frames of an identifier, looked at alone."""
    counters = find_counters(series.data, statistics)
    checksum = find_checksum(series, statistics, counters)
    if checksum is not None and checksum.certainty > Certainty.UNKNOWN:
        counters = [one for one in counters if not one.field.touches(checksum.field)]
    name = fitting_preset(series, counters, checksum)
    return _finding(series, counters, checksum, name, supported=False)


def with_the_others(series: Sequence[Series], findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings of a log, those surer that others of their kind support."""
    alike = Tally(
        one.checksum.signature
        for one in findings
        if one.checksum is not None and one.certainty is Certainty.SURE and one.checksum.natural
    )
    presets = Tally(one.preset for one in findings if one.preset is not None)
    result = []
    for own, old in zip(series, findings, strict=True):
        supported = old.preset is not None and presets[old.preset] > _OTHERS
        supported = supported or (old.checksum is not None and alike[old.checksum.signature] >= _OTHERS)
        new = _finding(own, old.counters, old.checksum, old.preset, supported=True) if supported else old
        result.append(new)
    return result


def _finding(
    series: Series, counters: list[Counter], checksum: Checksum | None, name: Preset | None, *, supported: bool
) -> Finding:
    """Return the finding of an identifier; `supported`: others of the log are made in the same way."""
    groups: list[dict[str, Any]] = [{"counter": counter.settings()} for counter in counters]
    evidence = [f"{len(series.times)} frames"]
    certainty = min((counter.certainty for counter in counters[:1]), default=Certainty.SURE)
    if checksum is not None and supported and checksum.margin >= SURE:
        checksum = checksum._replace(unseen=())
    if name is not None:
        own = _filled(series, [ProtectionSettings(preset=name)])
        apart = [counter for counter in counters if not (counter.field.mask(series.length) & own).any()]
        groups = [*({"counter": counter.settings()} for counter in apart), {"preset": name}]
        counters = [counter for counter in counters if counter in apart or counter.step is not None]
        sure = supported or has_data_ids(series, name)
        certainty = min(certainty, Certainty.SURE if sure else checksum.certainty if checksum else Certainty.LIKELY)
        evidence.append("places, constants and payloads are those of the preset")
        if supported:
            evidence.append("and so are those of other frames")
    elif checksum is not None:
        if checksum.certainty > Certainty.UNKNOWN:
            first = groups[0] if groups else {}
            groups = [*groups[1:], {**first, "checksum": {"at": checksum.field.settings(), **checksum.settings}}]
        certainty = min(certainty, checksum.certainty)
        evidence += _evidence(checksum)
    unknown = name is None and (checksum is None or checksum.certainty is Certainty.UNKNOWN)
    kept = replayed(series, counters[0]) if unknown and counters else None
    if kept is not None:
        field, keys = kept
        counters = [counter for counter in counters if not counter.field.touches(field)]
        groups = [{"counter": counters[0].settings(), "checksum": {"at": field.settings(), **keys}}]
        certainty = Certainty.UNKNOWN
        evidence.append(f"how {field} is made is not known; its numbers are kept, right while the content rests")
    settings = [ProtectionSettings.model_validate(group) for group in groups]
    accepted, checked = _accepted(series, settings)
    if accepted < checked:
        evidence.append(f"{checked - accepted} of {checked} frames are otherwise")
    return Finding(counters, checksum, name, groups, _filled(series, settings), certainty, ", ".join(evidence))


def _filled(series: Series, settings: Sequence[ProtectionSettings]) -> NDArray[np.uint8]:
    """Return the bits of each byte that a protection fills in."""
    protector = build_protector(settings, None, series.can_id, series.length, ())
    taken = 0
    for group in protector.groups if protector is not None else ():
        taken |= group.counter.position.occupied if group.counter is not None else 0
        taken |= group.checksum_position.occupied if group.checksum_position is not None else 0
    return np.frombuffer(taken.to_bytes(series.length, "little"), np.uint8)


def _evidence(checksum: Checksum) -> list[str]:
    words = [f"{checksum.payloads} of {checksum.of} payloads agree", f"{checksum.rank} independent"]
    if checksum.alternatives:
        words.append(f"{checksum.alternatives} other rules fit as well")
    if checksum.unseen:
        words.append(f"whether bytes {', '.join(map(str, checksum.unseen))} count is not known: they never changed")
    if not checksum.placed:
        words.append("another byte would do as well")
    return words


def _accepted(series: Series, settings: Sequence[ProtectionSettings]) -> tuple[int, int]:
    """Return how many of the first frames a receiver with this protection takes, and how many it was asked."""
    checked = min(len(series.times), _CHECKED)
    checker = build_checker(settings, None, series.can_id, series.length, ())
    if checker is None:
        return checked, checked
    return sum(checker.check(row.tobytes()) is None for row in series.data[:checked]), checked
