"""The commands of an STN11xx (OBDLink): those that programs for it use with CAN.

| commands | do |
|---|---|
| I, DI, MFR, SN | firmware, device, maker, serial number |
| VR | voltage, two decimals |
| P, PR, PRS, PO, PC, PBR, PBRR | protocol: choose, number, text, open, close; bit rate: set, show |
| PTO | time-out of requests [ms], decimal |
| PX | send a message: h header, d data, t time-out [ms], r number of answers, 0 for none |
| CSEGR, CSEGT | a message of several frames is one line; long requests are sent in several frames |
| CSTM | least time between the frames of a long request [ms], decimal |
| CFCPA, CFCPC | identifiers of flow control and of the answers it is for: add a pair, clear them |
| FPA, FBA, FFCA; FPC, FBC, FFCC, FAC | filters that pass, block, answer by flow control: add; clear; clear all |
| M, MA | monitor: what the filters pass; everything |

FAP, FAB, FAFC, FCP, FCB, FCFC, CAFCP and CCFCP are the older names. Everything else is answered with "?", the bit rates
of the serial line among it. Protocols are numbered 31 to 36, 42, 51 to 54 (CAN), and 11 to 25 (no CAN).

Source: OBD Solutions, "STN1100 Family Reference and Programming Manual".
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.elm327.command_target import OK, UNKNOWN, CommandFunction, CommandTarget, run, table
from hilbridge.bench.diagnostics.elm327.exchange import CAN_ERROR
from hilbridge.bench.diagnostics.elm327.monitor import BusMonitor
from hilbridge.bench.diagnostics.elm327.protocols import AUTOMATIC
from hilbridge.bench.diagnostics.elm327.request import ObdRequest
from hilbridge.bench.diagnostics.elm327.session import FrameFilters, Pattern, Setup
from hilbridge.files.settings.diagnostics import StnSettings
from hilbridge.frames.codec.frame import Frame

MAKER: Final = "OBD Solutions LLC"

MOST_FILTERS: Final = 64
"""Filters of each kind, and pairs of them; one more is refused."""

OUT_OF_MEMORY: Final = "OUT OF MEMORY"

_SAME: Final = {
    "11": "1",
    "12": "2",
    "22": "3",
    "24": "4",
    "25": "5",
    "33": "6",
    "34": "7",
    "35": "8",
    "36": "9",
    "42": "A",
}
"""Protocols of the ELM327 under the numbers of ST P."""

_OWN: Final = ("31", "32", "51", "52", "53", "54")
"""Protocols that the ELM327 has no number for."""


def run_st_command(elm: CommandTarget, stn: StnSettings, command: str) -> str | None:
    """Carry out a command, the text after ST; return the line of the answer, or None without one."""
    identity = {"I": stn.firmware, "DI": stn.device, "MFR": MAKER, "SN": stn.serial}.get(command)
    return run(_COMMANDS, elm, command) if identity is None else identity


# -- protocols ----------------------------------------------------------------------------------------------------


def _choose(elm: CommandTarget, argument: str) -> str:
    number = _SAME.get(argument, argument if argument in _OWN else None)
    if number is None:
        return UNKNOWN
    elm.session.selection.choose(number, automatic=False)
    elm.session.timing.reset()
    return OK


def _number(elm: CommandTarget, _: str) -> str:
    number = elm.session.selection.number
    return next((stn for stn, elm327 in _SAME.items() if elm327 == number), number)


def _set_active(active: bool) -> CommandFunction:
    """Return the function that opens or closes the protocol."""

    def function(elm: CommandTarget, _: str) -> str:
        if elm.session.selection.number == AUTOMATIC:
            return UNKNOWN
        elm.session.selection.active = active
        return OK

    return function


def _set_bitrate(elm: CommandTarget, argument: str) -> str:
    bitrate = int(argument)
    if elm.session.selection.can is None or not bitrate:
        return UNKNOWN
    elm.session.selection.bitrate = bitrate
    return OK


def _bitrate(elm: CommandTarget, _: str) -> str:
    protocol = elm.session.selection.can
    return UNKNOWN if protocol is None else str(protocol.bitrate)


# -- requests -----------------------------------------------------------------------------------------------------


def _time(attribute: str) -> CommandFunction:
    """Return the function of a command that sets a time of the options, in decimal milliseconds."""

    def function(elm: CommandTarget, argument: str) -> str:
        setattr(elm.session.setup, attribute, int(argument) * MILLISECOND)
        return OK

    return function


def _switch(attribute: str) -> CommandFunction:
    """Return the function of a command that switches an option."""

    def function(elm: CommandTarget, argument: str) -> str:
        setattr(elm.session.setup, attribute, argument == "1")
        return OK

    return function


_FIELDS: Final = {
    "H": re.compile("[0-9A-F]{3}|[0-9A-F]{6}|[0-9A-F]{8}"),
    "D": re.compile("([0-9A-F]{2})*"),
    "T": re.compile("[0-9]{1,5}"),
    "R": re.compile("[0-9]{1,5}"),
}


def _send(elm: CommandTarget, argument: str) -> str | None:
    """PX: send a message with a header and a time-out of its own; `D:` is needed."""
    fields: dict[str, str] = {}
    for part in argument.split(","):
        name, _, value = part.partition(":")
        if name not in _FIELDS or name in fields or not _FIELDS[name].fullmatch(value):
            return UNKNOWN
        fields[name] = value
    if "D" not in fields:
        return UNKNOWN
    setup = replace(elm.session.setup)
    if "H" in fields:
        _set_header(setup, fields["H"])
    if "T" in fields:
        setup.timeout = int(fields["T"]) * MILLISECOND
    answers = int(fields.get("R", "0"))
    setup.responses = setup.responses and fields.get("R") != "0"
    elm.begin_request(ObdRequest(bytes.fromhex(fields["D"]), answers), setup)
    return None


def _set_header(setup: Setup, digits: str) -> None:
    setup.header = int(digits, 16) & 0xFFFFFF
    if len(digits) == 8:
        setup.priority = int(digits[:2], 16) & 0x1F


# -- filters ------------------------------------------------------------------------------------------------------


def _add_filter(kind: str) -> CommandFunction:
    """Return the function of a command that adds a filter: pattern and mask of the same length, up to five bytes."""

    def function(elm: CommandTarget, argument: str) -> str:
        pattern, _, mask = argument.partition(",")
        value, bits = (bytes.fromhex(text if len(text) % 2 == 0 else f"0{text}") for text in (pattern, mask))
        if len(value) != len(bits):
            return UNKNOWN
        filters: list[Pattern] = getattr(elm.session.setup.filters, kind)
        if len(filters) >= MOST_FILTERS:
            return OUT_OF_MEMORY
        filters.append(Pattern(value, bits))
        return OK

    return function


def _clear_filters(*kinds: str) -> CommandFunction:
    """Return the function of a command that clears filters."""

    def function(elm: CommandTarget, _: str) -> str:
        for kind in kinds:
            getattr(elm.session.setup.filters, kind).clear()
        return OK

    return function


def _add_pair(elm: CommandTarget, argument: str) -> str:
    control, _, answers = argument.partition(",")
    pairs = elm.session.setup.flow_control.pairs
    if len(pairs) >= MOST_FILTERS:
        return OUT_OF_MEMORY
    pairs[int(answers, 16)] = int(control, 16)
    return OK


def _clear_pairs(elm: CommandTarget, _: str) -> str:
    elm.session.setup.flow_control.pairs.clear()
    return OK


# -- monitoring ---------------------------------------------------------------------------------------------------


def _monitor(accepts: Callable[[FrameFilters, Frame], bool]) -> CommandFunction:
    """Return the function of a command that shows the frames that the filters accept in this way."""

    def function(elm: CommandTarget, _: str) -> str | None:
        protocol = elm.session.selection.can
        if protocol is not None and protocol.bitrate != elm.session.connector.bitrate:
            return CAN_ERROR
        elm.session.selection.active = False
        filters = elm.session.setup.filters
        elm.start_activity(BusMonitor(elm.session, lambda frame: accepts(filters, frame), filtered=False))
        return None

    return function


def _passes(filters: FrameFilters, frame: Frame) -> bool:
    return not filters.blocks(frame) and (not filters.passing or filters.passes(frame))


_FILTER: Final = "([0-9A-F]{0,10},[0-9A-F]{0,10})"
_IDENTIFIER: Final = "(?:[0-9A-F]{3}|[0-9A-F]{8})"

_COMMANDS: Final = table(
    (f"(?:CFCPA|CAFCP)({_IDENTIFIER},{_IDENTIFIER})", _add_pair),
    ("CFCPC|CCFCP", _clear_pairs),
    ("CSEGR([01])", _switch("assemble")),
    ("CSEGT([01])", _switch("long_messages")),
    ("CSTM([0-9]{1,3})", _time("least_separation")),
    (f"(?:FPA|FAP){_FILTER}", _add_filter("passing")),
    (f"(?:FBA|FAB){_FILTER}", _add_filter("blocking")),
    (f"(?:FFCA|FAFC){_FILTER}", _add_filter("flow_control")),
    ("FPC|FCP", _clear_filters("passing")),
    ("FBC|FCB", _clear_filters("blocking")),
    ("FFCC|FCFC", _clear_filters("flow_control")),
    ("FAC", _clear_filters("passing", "blocking", "flow_control")),
    ("M", _monitor(_passes)),
    ("MA", _monitor(lambda _filters, _frame: True)),
    ("P([0-9]{2})", _choose),
    ("PBR([0-9]{1,7})", _set_bitrate),
    ("PBRR", _bitrate),
    ("PC", _set_active(active=False)),
    ("PO", _set_active(active=True)),
    ("PR", _number),
    ("PRS", lambda elm, _: elm.session.selection.description),
    ("PTO([0-9]{1,5})", _time("timeout")),
    ("PX(.+)", _send),
    ("VR", lambda elm, _: f"{elm.session.connector.voltage * elm.chip.calibration:.2f}"),
)
