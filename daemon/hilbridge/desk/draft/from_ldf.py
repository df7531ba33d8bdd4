"""Drafts a bench for a LIN from its description file (LDF): frames of our nodes with their signals, the schedule.

Ours is the master, or the nodes that are named. Without the master among them there is no schedule: it sends the
headers, also those of diagnostics, whose answers a slave has to know as such.

The file is read by ldfparser. A signal is drafted as the constant that it has at first, with its place and scale: what
the model has for it is for the user to write.
"""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.desk.draft.lines import HIGHEST_RATE, head_lines
from hilbridge.files.configuration.yamltext import comment_lines, comment_text, quoted_text
from hilbridge.files.settings.lines import DIAGNOSTIC_IDS

SUFFIX: Final = ".ldf"

_RATE: Final = 200
"""[ticks/s] of a master. A tick of 5 ms: slots of 10 ms and more are whole numbers of it."""

_DIAGNOSTIC: Final = dict(zip(("MasterReq", "SlaveResp"), DIAGNOSTIC_IDS, strict=True))
"""The names that LIN 2.2A, chapter 9, gives them in a description."""


def draft_ldf(path: Path, name: str, line: str, nodes: Sequence[str] = ()) -> str:
    """Return the text of a bench with `nodes`, by default the master.

    ConfigurationError: ldfparser is not there, or cannot read the file; it has no such node.
    """
    ldf = _read(path)
    tables = list(ldf.get_schedule_tables())
    if not tables:
        raise ConfigurationError(f"{path} has no schedule table")
    master = ldf.get_master().name
    known = [master, *(one.name for one in ldf.get_slaves())]
    for one in nodes:
        if one not in known:
            raise ConfigurationError(f"{path} has no node {one} (it has: {', '.join(known)})")
    ours = list(nodes) or [master]
    frames = {one.name: one for one in ldf.get_unconditional_frames()}
    used = [entry for entry in tables[0].schedule if getattr(getattr(entry, "frame", None), "name", None) in frames]
    left_out = len(tables[0].schedule) - len(used)
    is_master = master in ours
    classic = _is_classic(ldf.get_protocol_version())
    by_node = {one.name: _is_classic(one.lin_protocol) for one in ldf.get_slaves() if one.lin_protocol is not None}
    note = f"LIN {ldf.get_protocol_version()} of {path.name}: {len(frames)} frames, schedule {tables[0].name}" + (
        f"; left out of it, as they are no unconditional frames: {left_out} entries" if left_out else ""
    )
    head = [one for one in head_lines(name, "compact", _RATE if is_master else HIGHEST_RATE) if one != "buses:"]
    return "\n".join(
        [
            *comment_lines("", f"{note}. Signals have their first values: give them entries of the model by `from`."),
            "",
            *head,
            "lines:",
            f"  {quoted_text(line)}:",
            "    protocol: lin",
            "    port: pty                   # on wires: the device of the transceiver",
            f"    baudrate: {_number(ldf.get_baudrate())}",
            f"    checksum: {_checksum(classic)}",
            "    frames:",
            *(
                text
                for one in frames.values()
                for text in _frame(one, one.publisher.name in ours, classic, by_node.get(one.publisher.name, classic))
            ),
            *(_schedule(used) if is_master else _of_a_slave(frames.values(), master)),
            "",
        ]
    )


def _read(path: Path) -> Any:
    try:
        from ldfparser import parse_ldf  # type: ignore[import-untyped]
    except ImportError:
        raise ConfigurationError("LDF files need ldfparser: pip install 'hilbridge[lin]'") from None
    try:
        return parse_ldf(str(path))
    except Exception as error:  # noqa: BLE001 - the parser raises what its grammar's library does
        reason = " ".join(str(error).split())[:200]
        raise ConfigurationError(f"{path} cannot be read as an LDF: {reason}") from None


def _is_classic(version: object) -> bool:
    """Whether the nodes of a version of LIN know the checksum of data only."""
    return str(version).startswith("1.")


def _checksum(is_classic: bool) -> str:
    return "classic" if is_classic else "enhanced"


def _number(value: float | Decimal) -> str:
    """Return a number as it is, whole ones without a point."""
    return repr(int(value) if value == int(value) else float(value))


def _of_a_slave(frames: Iterable[Any], master: str) -> Iterator[str]:
    known = {key for one in frames for key in (one.name, one.frame_id)}
    for name, identifier in _DIAGNOSTIC.items():
        if not known & {name, identifier}:
            yield f"      {name}: {{id: 0x{identifier:02X}, length: 8}}   # diagnostics"
    yield "    master: false               # its headers come from " + comment_text(master)


def _schedule(entries: Iterable[Any]) -> Iterator[str]:
    yield "    schedule:"
    for entry in entries:
        yield f"      - {{frame: {quoted_text(entry.frame.name)}, time: {_number(_ticks(entry.delay))}}}"


def _ticks(delay: float) -> float:
    """Return a time [s] as milliseconds in whole ticks, never less."""
    tick = 1000 / _RATE
    return -(-round(delay * 1000, 6) // tick) * tick


def _frame(frame: Any, is_ours: bool, line_is_classic: bool, is_classic: bool) -> Iterator[str]:
    checksum = f"checksum: {_checksum(is_classic)}" if is_classic != line_is_classic else ""
    if not is_ours:
        content = f"id: 0x{frame.frame_id:02X}, length: {frame.length}" + (f", {checksum}" if checksum else "")
        yield f"      # of {comment_text(frame.publisher.name)}"
        yield f"      {quoted_text(frame.name)}: {{{content}}}"
        return
    yield f"      {quoted_text(frame.name)}:"
    yield f"        id: 0x{frame.frame_id:02X}"
    yield f'        data: "{" ".join(["00"] * frame.length)}"'
    if checksum:
        yield f"        {checksum}"
    yield "        signals:"
    for offset, signal in frame.signal_map:
        scale, shift, unit = _scale(signal)
        first = _first(signal) * Decimal(repr(scale)) + Decimal(repr(shift))
        keys = (("scale", scale, 1), ("offset", shift, 0))
        scaled = "".join(f", {key}: {_number(value)}" for key, value, usual in keys if value != usual)
        yield (
            f"          {quoted_text(signal.name)}: "
            f"{{bit: {offset}, width: {signal.width}{scaled}, constant: {_number(first)}}}"
            + (f"   # [{comment_text(unit)}]" if unit else "")
        )


def _first(signal: Any) -> int:
    """Return the first value of a signal; of an array of bytes the first one is the lowest."""
    value = signal.init_value
    return int.from_bytes(bytes(value), "little") if isinstance(value, list) else int(value)


def _scale(signal: Any) -> tuple[float, float, str]:
    """Return scale, offset and unit of the first physical range of a signal's encoding."""
    encoding = getattr(signal, "encoding_type", None)
    for one in encoding.get_converters() if encoding is not None else ():
        if hasattr(one, "scale"):
            return float(one.scale), float(one.offset), str(getattr(one, "unit", "") or "")
    return 1.0, 0.0, ""
