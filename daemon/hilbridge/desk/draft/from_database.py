"""Drafts a bench file for a database: the messages that carry values of the model, each line with its certainty."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from cantools.database.can import Message, Signal
from pydantic import ValidationError

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH, frame_length
from hilbridge.base.common.units import MILLISECOND
from hilbridge.desk.draft.lines import DRIVER_LINES, BusAccess, access_lines, head_lines
from hilbridge.desk.draft.protection import Protection, guess_protection
from hilbridge.desk.draft.quantities import QUALITY
from hilbridge.desk.draft.quantity import USUAL_PERIOD
from hilbridge.desk.draft.recognition import Certainty, Finding, is_display, recognize, wheels_together
from hilbridge.files.configuration.yamltext import comment_lines, commented, flow, quoted_text
from hilbridge.files.settings import BusSettings, MessageMap
from hilbridge.frames.codec.codec import CompiledMessage, compile_message
from hilbridge.frames.codec.database import Database, unknown
from hilbridge.frames.codec.mapping import names_entry
from hilbridge.frames.plan.selection import select
from hilbridge.frames.plan.send_type import cannot_go

_LISTED: Final = 60
"""Messages that a comment lists at most."""

_HEADER: Final = """\
# A bench for {file}, drafted by `hilbridge new`. Read it before you trust it: a name can mean something else.
#
#   sure      name and unit say it
#   likely    the name says it; the database names no unit, or it is a switch
#   guess     written as a comment: take the # away if you know better
#
# `hilbridge values` lists what the model has, `hilbridge presets` counters and checksums; config/README.md: all keys.
# `hilbridge check {name}.yaml` says what will be sent. On hardware nothing is sent before `hilbridge ctl arm`.
"""


@dataclass
class _Draft:
    """The fate of the messages of a database: those that are sent, and why others are not."""

    sent: list[list[str]] = field(default_factory=list)
    displays: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)
    fd: bool = False


def draft_bench(database: Database, path: str, name: str, bus: str, nodes: list[str], access: BusAccess) -> str:
    """Return the text of a bench file.

    `path` is the database as the file names it. Without `nodes` the messages with a value of the model are sent, but
    those of displays; with some all of theirs. ConfigurationError: a node that the database does not have.
    """
    for node in nodes:
        if node not in database.nodes:
            raise unknown(f"node of {database.name}", node, database.nodes, ())
    draft = _draft(database, nodes)
    lines = [_HEADER.format(file=database.name, name=name)]
    lines += head_lines(name)
    lines += [f"  {quoted_text(bus)}:", *access_lines(access, name, database.bitrate)]
    lines += ["    fd: true"] if draft.fd else []
    lines += [f"    database: {quoted_text(path)}"]
    if nodes:
        lines += [f"    transmit: [{', '.join(map(quoted_text, nodes))}]"]
    elif database.nodes:
        lines += comment_lines(
            "    ", f"nodes of the database, one of which may be ours (--node): {_listed(database.nodes)}"
        )
    lines += ["    messages:" if draft.sent else "    messages: {}", *(line for block in draft.sent for line in block)]
    return "\n".join([*lines, *_notes(draft), *DRIVER_LINES])


def _draft(database: Database, nodes: list[str]) -> _Draft:
    draft = _Draft()
    identifiers: set[tuple[int, bool]] = set()
    recognized = wheels_together({message.name: recognize(message) for message in database.messages})
    for message in sorted(database.messages, key=lambda one: (one.frame_id, one.name)):
        findings = recognized[message.name]
        strong = [one for one in findings if one.certainty > Certainty.GUESS and one.quantity is not QUALITY]
        chosen = bool(set(nodes) & set(message.senders)) if nodes else bool(strong)
        if not chosen:
            draft.rest.append(message.name)
            continue
        if not nodes and is_display(message):
            draft.displays.append(f"{message.name} ({', '.join(finding.signal.name for finding in strong)})")
            continue
        key = (message.frame_id, message.is_extended_frame)
        if key in identifiers:
            draft.refused.append(f"{message.name}: another message has its identifier, 0x{message.frame_id:X}")
            continue
        try:
            block = _message_block(message, findings, database)
        except ConfigurationError as error:
            draft.refused.append(f"{message.name}: {error.message}")
            continue
        identifiers.add(key)
        draft.fd = draft.fd or _is_fd(message)
        draft.sent.append(block)
    return draft


def _message_block(message: Message, findings: list[Finding], database: Database) -> list[str]:
    """Return the lines of a message. ConfigurationError: it cannot be sent."""
    database.message(message.name)
    codec = compile_message(message)
    protection = guess_protection(codec, frame_length(message.length), database.name)
    findings = _apart(codec, findings)
    settings: dict[str, Any] = {}
    mapped = [finding for finding in findings if finding.certainty > Certainty.GUESS]
    quantities = [finding.quantity for finding in mapped if finding.quantity is not QUALITY]
    fastest = min(quantities, key=lambda each: each.period, default=None)
    if cannot_go(message, MessageMap()) is not None:
        settings["period"] = USUAL_PERIOD if fastest is None else fastest.period
    if protection is not None and protection.settings is not None:
        settings["protection"] = [protection.settings]
    settings["signals"] = {finding.signal.name: _mapping(finding) for finding in mapped}
    _require_sendable(message, settings, database)
    senders = f", sent by {_listed(message.senders)}" if message.senders else ""
    lines = commented(f"      {quoted_text(message.name)}:", f"0x{message.frame_id:X}{senders}")
    if "period" in settings:
        usual = "" if fastest is None else f"; usual for: {fastest.title}"
        lines += commented(f"        period: {settings['period']}", f"guess: the database names no cycle time{usual}")
    elif message.cycle_time:
        lines += [f"        # every {message.cycle_time} ms, as in the database"]
    lines += _protection_lines(protection)
    lines += ["        signals:" if mapped else "        signals: {}"]
    for finding in findings:
        lines += _signal_lines(finding)
    kept = {finding.signal.name for finding in findings}
    left = [signal for key, signal in codec.layouts.items() if _stays(codec.name_of(key), kept, protection)]
    for words, signals in (
        ("by their names, as values of the data bus:", [signal for signal in left if names_entry(codec, signal.name)]),
        ("at rest:", [signal for signal in left if not names_entry(codec, signal.name)]),
    ):
        if signals:
            lines += comment_lines("          ", f"{words} {', '.join(map(_with_unit, signals))}")
    for name, reason in codec.left_out.items():
        lines += comment_lines("          ", f"left out: {name}: {reason}")
    return lines


def _apart(codec: CompiledMessage, findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings that a frame can carry: of signals that overlap the first, the others as guesses."""
    kept: list[Finding] = []
    mapped: list[str] = []
    for finding in findings:
        name = finding.signal.name
        if any(one.signal.name == name for one in kept):  # on another page: one line is for all of them
            continue
        rival = next((one for one in mapped if one in codec.overlaps.get(name, ())), None)
        if rival is not None:
            reason = f"{finding.reason}, shares bits with {rival}"
            kept.append(finding._replace(certainty=Certainty.GUESS, reason=reason))
        elif name in codec.signals:
            kept.append(finding)
            mapped += [name] if finding.certainty > Certainty.GUESS else []
    return kept


def _require_sendable(message: Message, settings: dict[str, Any], database: Database) -> None:
    """Check that the bench will take this message. ConfigurationError: it will not."""
    bus = {"interface": "embedded", "fd": _is_fd(message), "database": "-", "messages": {message.name: settings}}
    try:
        select("can", BusSettings.model_validate(bus), database, MILLISECOND)
    except ValidationError as error:
        raise ConfigurationError(error.errors()[0]["msg"]) from error


def _is_fd(message: Message) -> bool:
    return message.is_fd or (message.length > CLASSIC_LENGTH and message.protocol != "j1939")


def _mapping(finding: Finding) -> Any:
    """Return the mapping of a signal as the bench file has it."""
    if finding.quantity is QUALITY:
        return {"constant": float(finding.origin)}
    if " " in finding.origin or "(" in finding.origin:
        return {"expression": finding.origin}
    return {"from": finding.origin, "unit": finding.unit} if finding.unit is not None else finding.origin


def _signal_lines(finding: Finding) -> list[str]:
    mark = "# " if finding.certainty is Certainty.GUESS else ""
    line = f"          {mark}{quoted_text(finding.signal.name)}: {flow(_mapping(finding))}"
    return commented(line, f"{finding.certainty.name.lower()}: {finding.quantity.title}, {finding.reason}")


def _protection_lines(protection: Protection | None) -> list[str]:
    if protection is None:
        return []
    comment = comment_lines("        ", protection.comment)
    if protection.settings is None:
        return comment
    return [*comment, "        protection:", f"          - {flow(protection.settings)}"]


def _stays(name: str, found: Collection[str], protection: Protection | None) -> bool:
    """Return whether a signal is neither mapped nor guessed nor filled."""
    if name in found or protection is None:
        return name not in found
    filled = (protection.counter, protection.checksum)
    return name not in protection.filled and all(one is None or one.name != name for one in filled)


def _notes(draft: _Draft) -> Iterator[str]:
    """Return comments about the messages that are not sent."""
    if draft.displays:
        yield from comment_lines("    ", f"sent by a display itself, so not by this bench: {', '.join(draft.displays)}")
    for refused in draft.refused:
        yield from comment_lines("    ", f"cannot be sent: {refused}")
    if draft.rest:
        more = len(draft.rest) - _LISTED
        names = [*draft.rest[:_LISTED], *([f"and {more} more"] if more > 0 else [])]
        yield from comment_lines("    ", f"further messages of the database: {', '.join(names)}")


def _with_unit(signal: Signal) -> str:
    return f"{signal.name} [{signal.unit}]" if signal.unit else signal.name


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
