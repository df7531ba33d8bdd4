"""Reads the text of a DBC file: dialects are rewritten, what cannot be used is left out, names are the file's own."""

import re
from collections.abc import Mapping, Sequence

import cantools.database
from cantools.database.can import Database as CanDatabase
from cantools.database.can import Signal
from cantools.database.conversion import BaseConversion
from cantools.database.errors import UnsupportedDatabaseFormatError

from hilbridge.frames.codec.dbc_dialects import PAGES, Normalised, merged, normalise
from hilbridge.frames.codec.dbc_repair import repair
from hilbridge.frames.codec.dbc_statements import DbcFinding
from hilbridge.frames.codec.layout import Pages


def read_dbc(text: str) -> tuple[CanDatabase, list[DbcFinding]]:
    """Return the database of a text, and the findings by line.

    UnsupportedDatabaseFormatError: nothing of it can be used.
    """
    normal = normalise(text)
    content, findings = _parsed(normal.text)
    if normal.names:
        _restore_names(content, normal.names)
    _start_by_default(content)
    for message in content.messages:
        named: dict[str, list[Signal]] = {}
        for signal in message.signals:
            named.setdefault(signal.name, []).append(signal)
        for signals in named.values():
            if len(signals) > 1:
                _share_statements(signals)
            for signal in signals:
                _restore_pages(signal, normal.pages)
    return content, _told(sorted([*normal.findings, *findings]), normal)


def _parsed(text: str) -> tuple[CanDatabase, list[DbcFinding]]:
    try:
        return _load(text), []
    except UnsupportedDatabaseFormatError:
        sound, findings = repair(text)
        if "BO_" not in sound:
            raise
        return _load(sound), findings


def _load(text: str) -> CanDatabase:
    content = cantools.database.load_string(text, "dbc", strict=False)
    if not isinstance(content, CanDatabase):
        raise TypeError("dbc is not a kind of CAN database")
    return content


def _told(findings: Sequence[DbcFinding], normal: Normalised) -> list[DbcFinding]:
    """Return the findings in the names of the file."""
    if not normal.names:
        return list(findings)
    holders = re.compile("|".join(sorted(map(re.escape, normal.names), key=len, reverse=True)))

    def named(text: str | None) -> str | None:
        return None if text is None else holders.sub(lambda found: normal.names[found[0]], text)

    return [
        DbcFinding(one.line, named(one.text) or "", named(one.message), named(one.reason) or "") for one in findings
    ]


def _restore_names(content: CanDatabase, names: Mapping[str, str]) -> None:
    def named(name: str) -> str:
        return names.get(name, name)

    for node in content.nodes:
        node.name = named(node.name)
    for message in content.messages:
        message.name = named(message.name)
        message.senders[:] = map(named, message.senders)
        for signal in message.signals:
            signal.name = named(signal.name)
            signal.receivers = [*map(named, signal.receivers)]
            if signal.multiplexer_signal is not None:
                signal.multiplexer_signal = named(signal.multiplexer_signal)
        message.refresh(strict=False)


def _start_by_default(content: CanDatabase) -> None:
    """Give signals without a start value that of all signals (the default of GenSigStartValue).

    0 is what tools write by default: in J1939, where a value that is not available is all ones, it means nothing.
    """
    definitions = content.dbc.attribute_definitions if content.dbc is not None else {}
    common = definitions["GenSigStartValue"].default_value if "GenSigStartValue" in definitions else None
    if not isinstance(common, int | float):
        return
    for message in content.messages:
        for signal in message.signals:
            if signal.raw_initial is None and (common or message.protocol != "j1939"):
                signal.raw_initial = common


def _share_statements(signals: Sequence[Signal]) -> None:
    """Give all signals of a name the values and the type of that name, which the parser gives to one of them.

    Ranges of SG_MUL_VAL_ are of the name too: where each signal has a page by its own line, that is its page.
    """
    choices = next((one.choices for one in signals if one.choices), None)
    is_float = any(one.is_float for one in signals)
    own = [[number for number in one.multiplexer_ids or () if number < PAGES] for one in signals]
    apart = all(own) and len({number for numbers in own for number in numbers}) == sum(map(len, own))
    for signal, numbers in zip(signals, own, strict=True):
        signal.conversion = BaseConversion.factory(signal.scale, signal.offset, choices, is_float)
        if apart:
            signal.multiplexer_ids = numbers


def _restore_pages(signal: Signal, pages: Sequence[tuple[range, ...]]) -> None:
    if signal.multiplexer_ids is None or max(signal.multiplexer_ids, default=0) < PAGES:
        return
    spans = [(one, one) for one in signal.multiplexer_ids if one < PAGES]
    for number in signal.multiplexer_ids:
        if number >= PAGES:
            spans += [(one.start, one.stop - 1) for one in pages[number - PAGES]]
    signal.multiplexer_ids = Pages(merged(sorted(spans)))  # type: ignore[assignment]
