"""A profile beside a car, as words and as data: what differs, frame by frame."""

from collections.abc import Iterator
from typing import Any, Final

from hilbridge.base.common.words import counted
from hilbridge.desk.beside.compare import ByteFinding, CheckFinding, Findings, FrameFinding
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK

_SHOWN: Final = 4
"""Numbers of a byte that are listed."""

ENOUGH: Final = 0.95
"""Share of frames from which a counter or checksum counts as the car's: logs lose frames, and cars have pauses."""

NEAR: Final = 0.15
"""Share by which a car's period may differ from the profile's."""


def identifier(can_id: int) -> str:
    """Return an identifier as people write it."""
    number = can_id & EXTENDED_MASK
    return f"{number:08X}" if can_id & EXTENDED else f"{number:03X}"


def differences(frame: FrameFinding) -> list[str]:
    """Return what of a frame is not as in the car; an empty list: it is equal, or the log has none."""
    return list(_differences(frame)) if frame.frames else []


def is_another(frame: FrameFinding) -> bool:
    """Return whether length, period, a counter or a checksum differ: what no state of a car explains."""
    return bool(frame.frames) and any(_of_the_form(frame))


def _differences(frame: FrameFinding) -> Iterator[str]:
    yield from _of_the_form(frame)
    for byte in frame.rest:
        yield _byte(byte)


def _of_the_form(frame: FrameFinding) -> Iterator[str]:
    for length, frames in frame.lengths.items():
        if length != frame.length:
            yield f"{counted(frames, 'frame')} of {length} bytes (ours: {frame.length})"
    if (words := _timing(frame)) is not None:
        yield words
    for check in frame.checks:
        if check.frames and not holds(check):
            yield f"{check.kind} right in {check.right} of {check.frames}"


def _timing(frame: FrameFinding) -> str | None:
    heard = frame.timing
    if heard is None or heard.kind in ("once", "events"):
        return None
    if frame.period is None or heard.period is None:
        same = frame.period is None or not heard.cyclic
        return None if same else f"{heard.kind} (ours: every {frame.period:g} ms)"
    if abs(heard.period - frame.period) <= NEAR * frame.period:
        return None
    return f"every {heard.period:g} ms (ours: {frame.period:g})"


def _byte(found: ByteFinding) -> str:
    part = "" if found.mask == 0xFF else f" & {found.mask:02X}"
    numbers = " ".join(f"{number:02X}" for number in found.car[:_SHOWN])
    more = f" and {len(found.car) - _SHOWN} more" if len(found.car) > _SHOWN else ""
    words = f"byte {found.byte}{part}: {numbers}{more} (ours: {found.ours:02X}"
    return words + (")" if not found.equal else f" in {found.equal} of {found.frames})")


def agreements(frame: FrameFinding) -> list[str]:
    """Return the counters and checksums that the car has as the profile does."""
    return [f"{one.kind} right in {one.right} of {one.frames}" for one in frame.checks if holds(one)]


def holds(check: CheckFinding) -> bool:
    """Return whether a counter or checksum is the car's too."""
    return check.frames > 0 and check.right >= ENOUGH * check.frames


def row(frame: FrameFinding) -> tuple[str, str, str, str, str]:
    """Return a line of the table: identifier, name, frames, verdict, words."""
    if not frame.frames:
        return identifier(frame.can_id), frame.name, "0", "not heard", ""
    differs = differences(frame)
    words = [*differs, *agreements(frame), *([f"not compared: {frame.unread}"] if frame.unread else [])]
    verdict = "differs" if differs else "in part" if frame.unread else "equal"
    return identifier(frame.can_id), frame.name, str(frame.frames), verdict, "; ".join(words)


def signal_rows(found: Findings) -> Iterator[tuple[str, str, str, str]]:
    """Yield a line for each signal that the car has: frame, signal, its values, where ours come from."""
    for frame in found.frames:
        for one in frame.signals:
            unit = f" {one.unit}" if one.unit else ""
            values = "not there"
            if one.low is not None and one.high is not None:
                values = f"{one.low:g}{unit}" if one.low == one.high else f"{one.low:g} to {one.high:g}{unit}"
            yield frame.name, one.name, values, one.source


def facts(found: Findings) -> dict[str, Any]:
    """Return all that was found, for JSON."""
    frames = [
        {
            "name": frame.name,
            "id": identifier(frame.can_id),
            "frames": frame.frames,
            "verdict": row(frame)[3],
            "differs": differences(frame),
            "checks": [one._asdict() for one in frame.checks],
            "signals": [one._asdict() for one in frame.signals],
        }
        for frame in found.frames
    ]
    return {
        "frames": frames,
        "not_in_the_profile": [identifier(one) for one in found.strangers],
        "never_sent": [identifier(one) for one in found.never_sent],
    }
