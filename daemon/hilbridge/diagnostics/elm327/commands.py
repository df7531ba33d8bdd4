"""The AT commands: what each looks like, and what it does.

A command is what follows AT, without spaces, in capitals. Its function gets the interpreter (`elm`) and the command's
argument, and returns the line of the answer, or None where something goes on. What is not in the tables is answered
with "?". Source: ELM327 data sheet, "AT Command Summary"; left out are programmable parameters, the serial line's
speed, and the calibration of the voltage, which is the model's.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from hilbridge.codec.frame import Frame
from hilbridge.diagnostics.elm327.exchange import CAN_ERROR
from hilbridge.diagnostics.elm327.monitor import BusMonitor, group_is, receiver_is, transmitter_is
from hilbridge.diagnostics.elm327.protocols import AUTOMATIC, user_protocol
from hilbridge.diagnostics.elm327.request import ObdRequest
from hilbridge.diagnostics.elm327.session import DEFAULT_TIMEOUT

if TYPE_CHECKING:
    from hilbridge.diagnostics.elm327.interpreter import Interpreter

OK: Final = "OK"
UNKNOWN: Final = "?"
IDENTITY: Final = "ELM327 v1.4b"
DESCRIPTION: Final = "OBDII to RS232 Interpreter"

CommandFunction: TypeAlias = "Callable[[Interpreter, str], str | None]"

_SWITCHES: Final = {
    "E": "echo",
    "L": "linefeeds",
    "S": "spaces",
    "H": "headers",
    "D": "data_length",
    "M": "memory",
    "R": "responses",
    "V": "variable_length",
    "CAF": "formatting",
}
"""Set by 0 or 1 behind the name."""

_WITHOUT_EFFECT: Final = re.compile(
    r"BRT..|CSM[01]|FE|IB(10|12|15|48|96)|IFR[0-6HS]|IIA..|J[ES]|KW[01]|SS|SW..|WM(..){1,6}"
)
"""Settings of buses and of circuits that are not here: taken, as the chip takes them in any protocol."""


def run_command(elm: "Interpreter", command: str) -> str | None:
    """Carries out what follows AT: the line of the answer, or None."""
    function = _PLAIN.get(command)
    if function is not None:
        return function(elm, "")
    if command[-1:] in ("0", "1") and command[:-1] in _SWITCHES:
        setattr(elm.session.setup, _SWITCHES[command[:-1]], command[-1] == "1")
        return OK
    for pattern, function in _WITH_ARGUMENT:
        match = pattern.fullmatch(command)
        if match is not None:
            return function(elm, match[1])
    return OK if _WITHOUT_EFFECT.fullmatch(command) else UNKNOWN


# -- general ------------------------------------------------------------------------------------------------------


def _reset(elm: "Interpreter", _: str) -> None:
    elm.reset()
    elm.write(f"\r\r{IDENTITY}\r")
    elm.prompt()


def _defaults(elm: "Interpreter", _: str) -> str:
    elm.reset()
    return OK


def _low_power(elm: "Interpreter", _: str) -> None:
    elm.session.selection.active = False
    elm.show(OK)
    elm.sleep()


def _save_byte(elm: "Interpreter", argument: str) -> str:
    elm.saved_byte = int(argument, 16)
    return OK


# -- protocols ----------------------------------------------------------------------------------------------------


def _set_protocol(elm: "Interpreter", argument: str) -> str:
    """SP: what TP does, and kept over a reset."""
    answer = _try_protocol(elm, argument)
    if elm.session.setup.memory:
        elm.remember()
    return answer


def _try_protocol(elm: "Interpreter", argument: str) -> str:
    """TP: a protocol, searched for where an A stands before it."""
    elm.session.selection.choose(argument[-1], automatic=len(argument) == 2)
    elm.session.timing.forget()
    return OK


def _close_protocol(elm: "Interpreter", _: str) -> str:
    elm.session.selection.active = False
    return OK


def _bypass_initialization(elm: "Interpreter", _: str) -> str:
    if elm.session.selection.number == AUTOMATIC:
        return UNKNOWN
    elm.session.selection.active = True
    return OK


def _user_protocol(elm: "Interpreter", argument: str) -> str:
    protocol = user_protocol(*bytes.fromhex(argument))
    if protocol is None:
        return UNKNOWN
    elm.session.selection.user = protocol
    return OK


# -- requests and answers -----------------------------------------------------------------------------------------


def _long_messages(allowed: bool) -> CommandFunction:
    def function(elm: "Interpreter", _: str) -> str:
        elm.session.setup.long_messages = allowed
        return OK

    return function


def _number(attribute: str) -> CommandFunction:
    """A command that sets an option to its hexadecimal argument."""

    def function(elm: "Interpreter", argument: str) -> str:
        setattr(elm.session.setup, attribute, int(argument, 16))
        return OK

    return function


def _timeout(elm: "Interpreter", argument: str) -> str:
    elm.session.setup.timeout = int(argument, 16) or DEFAULT_TIMEOUT
    return OK


def _header(elm: "Interpreter", argument: str) -> str:
    """SH: three bytes (or three digits of an 11-bit identifier), and the priority of 29 bits before them."""
    value = int(argument, 16)
    elm.session.setup.header = value & 0xFFFFFF
    if len(argument) == 8:
        elm.session.setup.priority = value >> 24 & 0x1F
    return OK


def _priority(elm: "Interpreter", argument: str) -> str:
    elm.session.setup.priority = int(argument, 16) & 0x1F
    return OK


def _extended_address(elm: "Interpreter", argument: str) -> str:
    elm.session.setup.extended_address = int(argument, 16) if argument else None
    return OK


def _remote_request(elm: "Interpreter", _: str) -> None:
    elm.begin(ObdRequest(b"", remote=True))


# -- acceptance and flow control ----------------------------------------------------------------------------------


def _filter(elm: "Interpreter", argument: str) -> str:
    elm.session.setup.acceptance.filter = int(argument, 16)
    return OK


def _mask(elm: "Interpreter", argument: str) -> str:
    elm.session.setup.acceptance.mask = int(argument, 16)
    return OK


def _receive_address(elm: "Interpreter", argument: str) -> str:
    """CRA: an identifier; a digit X takes any. Without one, OBD's answers again."""
    acceptance = elm.session.setup.acceptance
    if not argument:
        acceptance.clear()
        return OK
    acceptance.filter = int(argument.replace("X", "0"), 16)
    acceptance.mask = int("".join("0" if digit == "X" else "F" for digit in argument), 16)
    return OK


def _receiver(elm: "Interpreter", argument: str) -> str:
    """RA and SR: answers to this address instead of the tester's, where identifiers carry addresses."""
    protocol = elm.session.selection.can
    if protocol is None or not protocol.extended:
        return UNKNOWN
    acceptance = elm.session.setup.acceptance
    acceptance.filter, acceptance.mask = int(argument, 16) << 8, 0xFF00
    return OK


def _flow_control_enabled(elm: "Interpreter", argument: str) -> str:
    elm.session.setup.flow_control.enabled = argument == "1"
    return OK


def _flow_control_mode(elm: "Interpreter", argument: str) -> str:
    return OK if elm.session.setup.flow_control.set_mode(int(argument)) else UNKNOWN


def _flow_control_header(elm: "Interpreter", argument: str) -> str:
    elm.session.setup.flow_control.header = int(argument, 16) & 0x1FFFFFFF
    return OK


def _flow_control_data(elm: "Interpreter", argument: str) -> str:
    elm.session.setup.flow_control.data = bytes.fromhex(argument)
    return OK


# -- monitoring ---------------------------------------------------------------------------------------------------


def _monitor(elm: "Interpreter", wanted: Callable[[Frame], bool] | None = None, count: int = 0) -> str | None:
    protocol = elm.session.selection.can
    if protocol is not None and protocol.bitrate != elm.session.connector.bitrate:
        return CAN_ERROR
    elm.session.selection.active = False
    elm.start(BusMonitor(elm.session, wanted, count))
    return None


def _monitor_group(elm: "Interpreter", argument: str) -> str | None:
    """MP: 4 or 6 digits of the parameter group, and perhaps one more for how many messages."""
    if elm.session.selection.number != "A":
        return UNKNOWN
    digits = len(argument) & ~1
    return _monitor(elm, group_is(int(argument[:digits], 16)), int(argument[digits:] or "0", 16))


# -- the tables ---------------------------------------------------------------------------------------------------

_PLAIN: Final[dict[str, CommandFunction]] = {
    "@1": lambda _, __: DESCRIPTION,
    "AL": _long_messages(allowed=True),
    "AR": _receive_address,
    "BI": _bypass_initialization,
    "CEA": _extended_address,
    "CRA": _receive_address,
    "CS": lambda _, __: "T:00 R:00",
    "D": _defaults,
    "DP": lambda elm, _: elm.session.selection.description,
    "DPN": lambda elm, _: elm.session.selection.description_by_number,
    "I": lambda _, __: IDENTITY,
    "IA": lambda elm, _: "Y" if elm.session.selection.active else "N",
    "IGN": lambda elm, _: "ON" if elm.session.connector.ignition else "OFF",
    "KW": lambda _, __: "1:-- 2:--",
    "LP": _low_power,
    "MA": lambda elm, _: _monitor(elm),
    "NL": _long_messages(allowed=False),
    "PC": _close_protocol,
    "RD": lambda elm, _: f"{elm.saved_byte:02X}",
    "RTR": _remote_request,
    "RV": lambda elm, _: f"{elm.session.connector.voltage:.1f}V",
    "WS": _reset,
    "Z": _reset,
}

_HEX: Final = "[0-9A-F]"

_WITH_ARGUMENT: Final[tuple[tuple[re.Pattern[str], CommandFunction], ...]] = tuple(
    (re.compile(pattern), function)
    for pattern, function in (
        ("AT([0-2])", _number("adaptive")),
        (f"CEA({_HEX}{{2}})", _extended_address),
        (f"CER({_HEX}{{2}})", _number("extended_receive")),
        (f"CF({_HEX}{{3}}|{_HEX}{{8}})", _filter),
        ("CFC([01])", _flow_control_enabled),
        (f"CM({_HEX}{{3}}|{_HEX}{{8}})", _mask),
        (f"CP({_HEX}{{2}})", _priority),
        ("CRA([0-9A-FX]{3}|[0-9A-FX]{8})", _receive_address),
        ("CTM([15])", _number("timer_factor")),
        (f"FCSD((?:{_HEX}{{2}}){{1,5}})", _flow_control_data),
        (f"FCSH({_HEX}{{3}}|{_HEX}{{8}})", _flow_control_header),
        ("FCSM([0-2])", _flow_control_mode),
        (f"MP({_HEX}{{4}}(?:{_HEX}{{2}})?{_HEX}?)", _monitor_group),
        (f"MR({_HEX}{{2}})", lambda elm, argument: _monitor(elm, receiver_is(int(argument, 16)))),
        (f"MT({_HEX}{{2}})", lambda elm, argument: _monitor(elm, transmitter_is(int(argument, 16)))),
        (f"PB({_HEX}{{4}})", _user_protocol),
        (f"(?:RA|SR)({_HEX}{{2}})", _receiver),
        (f"SD({_HEX}{{2}})", _save_byte),
        (f"SH({_HEX}{{3}}|{_HEX}{{6}}|{_HEX}{{8}})", _header),
        ("SP(A?[0-9A-C]|00)", _set_protocol),
        (f"ST({_HEX}{{2}})", _timeout),
        (f"TA({_HEX}{{2}})", _number("tester")),
        ("TP(A?[0-9A-C]|00)", _try_protocol),
    )
)
