"""Writes what was learned as a bench file: raw frames with their times, bytes, counters, checksums and signals."""

from collections.abc import Iterator
from typing import Any, Final

from cantools.database.can import Message
from cantools.database.can import Signal as NamedSignal

from hilbridge.base.common.frame_lengths import FRAME_LENGTHS
from hilbridge.desk.draft.lines import DRIVER_LINES, BusAccess, access_lines, head_lines
from hilbridge.desk.draft.recognition import recognize
from hilbridge.desk.learn.certainty import Certainty
from hilbridge.desk.learn.correlation import Signal
from hilbridge.desk.learn.learn import Learned, LearnedFrame
from hilbridge.desk.learn.pages import page_signals
from hilbridge.desk.learn.report import checksum_words, content, goes, is_protected, signal_words, totals
from hilbridge.files.configuration.yamltext import comment_lines, commented, flow, quoted_text
from vehiclesim.entries import ENTRIES

_HEADER: Final = """\
# A bench of what {file} holds, drafted by `hilbridge learn`: {seconds:.1f} s, {frames} frames,
# {identifiers} identifiers.
#
#   sure         the frames agree, and no other rule would make them
#   likely       the frames agree, but they do not decide everything: the comment says what
#   don't know   the comment has what was seen; numbers that go with a count are kept as they came
#
# The bytes are those that came most often. What moves them is not in a log: give them `signals`, or let
# `hilbridge learn --against values.csv` find the places of values that you know. A copy of a car's frames belongs on
# the desk, not into a car: on hardware nothing is sent before `hilbridge ctl arm`.
"""

_ENTRIES: Final = {entry.path: entry for channel in ENTRIES for entry in channel}


def write_bench(learned: Learned, name: str, bus: str, access: BusAccess, *, rest_bus: bool) -> str:
    """Return the text of a bench file; with `rest_bus` of the frames alone whose content never changes."""
    log = learned.log
    lines = [_HEADER.format(file=log.path.name, seconds=log.seconds, frames=log.frames, identifiers=len(log.series))]
    lines += head_lines(name)
    chosen = [frame for frame in learned.frames if frame.constant or not rest_bus]
    blocks = [list(_frame_lines(frame)) for frame in chosen if _is_sent(frame)]
    lines += [f"  {quoted_text(bus)}:", *access_lines(access, name)]
    lines += ["    fd: true"] if any(frame.series.fd for frame in chosen) else []
    lines += comment_lines("    ", totals(learned))
    lines += ["    raw:" if blocks else "    raw: {}", *(line for block in blocks for line in block)]
    for frame in chosen:
        if not _is_sent(frame):
            lines += comment_lines("    ", f"not sent: {frame.series.name}: {_cannot(frame)}")
    if rest_bus and len(chosen) < len(learned.frames):
        moving = ", ".join(frame.series.name for frame in learned.frames if not frame.constant)
        lines += comment_lines("    ", f"left out, because their content changes: {moving}")
    return "\n".join([*lines, *DRIVER_LINES])


def _is_sent(frame: LearnedFrame) -> bool:
    return _cannot(frame) is None


def _cannot(frame: LearnedFrame) -> str | None:
    """Return why a frame is not sent by the bench, or None."""
    if frame.series.length not in FRAME_LENGTHS:
        return f"there is no CAN frame of {frame.series.length} bytes"
    if not frame.timing.cyclic and frame.timing.kind != "once":
        return f"it goes {goes(frame.timing)}, {frame.timing.evidence}; last {_hex(frame)}"
    return None


def frame_name(frame: LearnedFrame) -> str:
    """Return a name for a frame that no database names."""
    return f"Frame{frame.series.identifier:08X}" if frame.series.extended else f"Frame{frame.series.identifier:03X}"


def _frame_lines(frame: LearnedFrame) -> Iterator[str]:
    series, when = frame.series, frame.timing
    yield from commented(f"      {frame_name(frame)}:", content(frame))
    yield f"        id: {series.name}"
    if series.extended and series.identifier <= 0x7FF:
        yield "        extended: true"
    if series.fd:
        yield "        fd: true"
    yield f'        data: "{_hex(frame)}"'
    if when.kind == "once":
        yield from commented("        send: once", f"{when.certainty}: {when.evidence}")
    else:
        period = max(1, round(when.period or 0))
        yield from commented(f"        period: {period}", f"{when.certainty}: {goes(when)}, {when.evidence}")
    if frame.multiplexer is not None:
        yield from comment_lines("        ", f"{frame.multiplexer.certainty}: {frame.multiplexer}")
    yield from _protection_lines(frame)
    yield from _signal_lines(frame)


def _hex(frame: LearnedFrame) -> str:
    return frame.payload.hex(" ").upper()


def _protection_lines(frame: LearnedFrame) -> Iterator[str]:
    if not is_protected(frame):
        return
    finding = frame.protection
    what = [*map(str, finding.counters), checksum_words(finding)]
    yield from comment_lines("        ", f"{finding.certainty}: {'; '.join(filter(None, what))} ({finding.evidence})")
    if finding.settings:
        yield "        protection:"
        for group in finding.settings:
            yield from _group_lines(group)


def _group_lines(group: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a counter with its checksum, a key each."""
    mark = "          - "
    for key, value in group.items():
        yield f"{mark}{key}: {flow(value, key)}"
        mark = "            "


def _signal_lines(frame: LearnedFrame) -> Iterator[str]:
    written = []
    for signal in frame.signals:
        origin = origin_of(signal)
        if origin is not None and signal.certainty > Certainty.UNKNOWN:
            written.append((signal, origin))
            continue
        lacking = "" if origin is not None else "; no value of the model has this name"
        yield from comment_lines("        ", f"{signal_words(signal)}{lacking}")
    pages = {} if written else page_signals(frame)
    if written or pages:
        yield "        signals:"
        yield from (f"          {name}: {flow(settings)}" for name, settings in pages.items())
        for signal, origin in written:
            yield from comment_lines("          ", signal_words(signal))
            yield f"          {_signal_name(signal)}: {flow({**signal.settings(), **origin})}"


def _signal_name(signal: Signal) -> str:
    name = "".join(letter if letter.isalnum() else "_" for letter in signal.known.rpartition(".")[2]).strip("_")
    return name if name[:1].isalpha() else f"Value_{name}"


def origin_of(signal: Signal) -> dict[str, Any] | None:
    """Return where the model has a known value: the entry of that name, or one that drafts recognize; None: nowhere."""
    entry = _ENTRIES.get(signal.known)
    if entry is not None:
        unit = signal.unit or entry.unit
        return {"from": entry.path, **({"unit": unit} if unit else {})}
    named = NamedSignal(signal.known, 0, signal.field.width, unit=signal.unit or None)
    findings = recognize(Message(0, "known", 8, [named], strict=False))
    if not findings:
        return None
    (finding,) = findings
    if " " in finding.origin:
        return {"expression": finding.origin}
    unit = finding.unit or signal.unit
    return {"from": finding.origin, **({"unit": unit} if unit else {})}
