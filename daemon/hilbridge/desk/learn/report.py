"""The report of a log: a row for each identifier, what was left out, and how sure all of it is."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from hilbridge.boundary.logs.account import ERROR_FRAME, REMOTE_FRAME
from hilbridge.desk.learn.certainty import Certainty
from hilbridge.desk.learn.correlation import Signal
from hilbridge.desk.learn.learn import Learned, LearnedFrame
from hilbridge.desk.learn.protection import Finding
from hilbridge.desk.learn.timing import Timing

COLUMNS: Final = ("id", "bytes", "frames", "goes", "content", "counter", "checksum", "how sure")


def rows(learned: Learned) -> list[Sequence[str]]:
    """Return the cells of each identifier, below COLUMNS."""
    return [
        (
            frame.series.name,
            str(frame.series.length),
            str(len(frame.series.times)),
            goes(frame.timing),
            content(frame),
            ", ".join(map(str, frame.protection.counters)) or "-",
            checksum_words(frame.protection) or "-",
            f"{frame.protection.certainty}: {frame.protection.evidence}" if is_protected(frame) else "-",
        )
        for frame in learned.frames
    ]


def notes(learned: Learned) -> Iterator[str]:
    """Yield lines about the log as a whole."""
    log = learned.log
    whole = f"{log.frames} frames of {len(log.series)} identifiers in {log.seconds:.1f} s"
    yield f"{log.path.name} ({log.reading.account.format}): {whole}, bus {log.channel}"
    yield from (f"  {line}" for line in log.reading.words())
    for series in log.series:
        if series.others:
            lengths = ", ".join(f"{count} of {length} bytes" for length, count in sorted(series.others.items()))
            yield f"  {series.name}: {lengths} left out; most have {series.length}"
    if log.interrupted:
        yield "  interrupted while reading: later frames were not looked at"
    if learned.unread:
        yield f"  interrupted: not looked at: {', '.join(learned.unread)}"


def totals(learned: Learned) -> str:
    """Return how many checksums and counters there are, by certainty."""
    kinds = Counter(
        str(frame.protection.certainty)
        for frame in learned.frames
        if frame.protection.checksum or frame.protection.preset
    )
    counted = ", ".join(f"{kinds[str(one)]} {one}" for one in reversed(Certainty) if kinds[str(one)])
    counters = sum(bool(frame.protection.counters) for frame in learned.frames)
    return f"counters in {counters} identifiers; checksums: {counted or 'none'}"


def goes(timing: Timing) -> str:
    """Write when a frame goes: `every 10 ms, ±0.3`."""
    if timing.period is None:
        return f"{timing.kind}?" if timing.certainty is Certainty.UNKNOWN else timing.kind
    text = f"every {timing.period:g} ms"
    if timing.kind != "cyclic":
        text += " and on change"
    if timing.jitter is not None:
        text += f", ±{timing.jitter:.1f}"
    return text + ("" if timing.certainty is Certainty.SURE else f" ({timing.certainty})")


def content(frame: LearnedFrame) -> str:
    """Write what of the content changes."""
    if frame.constant:
        return "constant"
    text = f"bytes {_ranges(frame.moving)} change"
    return f"{len(frame.multiplexer.pages)} pages; {text}" if frame.multiplexer is not None else text


def checksum_words(finding: Finding) -> str:
    """Write the checksum of a frame: `preset vw-mqb`, `byte 7: crc8 0x1D`."""
    if finding.preset is not None:
        return f"preset {finding.preset}"
    if finding.checksum is None:
        return ""
    settings = finding.checksum.settings
    words = [str(settings["algorithm"])]
    words += [f"0x{settings['polynomial']:X}"] if "polynomial" in settings else []
    words += [
        word for word, key in (("reflected", "reflect"), ("negated", "negate"), ("folded", "fold")) if settings.get(key)
    ]
    words += ["with data ids"] if "data_ids" in settings else []
    words += (
        ["with the identifier"] if "identifier" in (*settings.get("before", ()), *settings.get("after", ())) else []
    )
    return f"{finding.checksum.field}: {' '.join(words)}"


def signal_words(signal: Signal) -> str:
    """Write a signal with its evidence."""
    order = " Motorola" if signal.field.big else ""
    signed = " signed" if signal.signed else ""
    place = f"{signal.field.width} bits{order}{signed} from byte {signal.field.byte}, bit {signal.field.shift}"
    return (
        f"{signal.certainty}: {signal.known} = number · {signal.scale:g} + {signal.offset:g}, {place}; correlation "
        f"{signal.correlation:.5f}, error {signal.error:.3g} {signal.unit}".rstrip()
        + f", {signal.frames} frames"
    )


def facts(learned: Learned) -> dict[str, Any]:
    """Return the report for JSON."""
    log = learned.log
    return {
        "log": str(log.path),
        "channel": log.channel,
        "seconds": log.seconds,
        "frames": log.frames,
        "error_frames": log.reading.account.left_out[ERROR_FRAME],
        "remote_frames": log.reading.account.left_out[REMOTE_FRAME],
        "left_out": dict(log.reading.account.left_out),
        "unreadable": log.reading.account.unreadable,
        "remarks": log.reading.words(),
        "out_of_order": log.reading.out_of_order,
        "interrupted": log.interrupted or bool(learned.unread),
        "identifiers": [_frame_facts(frame) for frame in learned.frames],
    }


def _frame_facts(frame: LearnedFrame) -> dict[str, Any]:
    finding = frame.protection
    timing = frame.timing
    return {
        "identifier": frame.series.identifier,
        "extended": frame.series.extended,
        "length": frame.series.length,
        "frames": len(frame.series.times),
        "goes": {
            "kind": timing.kind,
            "period": timing.period,
            "jitter": timing.jitter,
            "longest_gap": timing.longest,
            "certainty": str(timing.certainty),
            "evidence": timing.evidence,
        },
        "payload": frame.payload.hex(" ").upper(),
        "constant": frame.constant,
        "counters": [{**counter.settings(), "certainty": str(counter.certainty)} for counter in finding.counters],
        "checksum": None
        if finding.checksum is None
        else {"at": finding.checksum.field.settings(), **finding.checksum.settings},
        "preset": finding.preset,
        "protection": finding.settings,
        "certainty": str(finding.certainty) if is_protected(frame) else None,
        "evidence": finding.evidence,
        "multiplexer": None
        if frame.multiplexer is None
        else {
            "at": frame.multiplexer.field.settings(),
            "pages": list(frame.multiplexer.pages),
            "rotates": frame.multiplexer.rotates,
            "certainty": str(frame.multiplexer.certainty),
        },
        "signals": [
            {
                "value": signal.known,
                **signal.settings(),
                "correlation": signal.correlation,
                "error": signal.error,
                "certainty": str(signal.certainty),
            }
            for signal in frame.signals
        ],
    }


def is_protected(frame: LearnedFrame) -> bool:
    """Return whether a frame has a counter or a checksum."""
    return bool(frame.protection.counters or frame.protection.checksum or frame.protection.preset)


def _ranges(numbers: Sequence[int]) -> str:
    """Write numbers as ranges: `0, 2-4`."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][-1] == number - 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(f"{part[0]}-{part[-1]}" if len(part) > 1 else f"{part[0]}" for part in parts)
