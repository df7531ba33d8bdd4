"""The AT commands: their syntax and their effect.

A command is the text after AT, without spaces, in capitals. Its function gets the interpreter (`elm`) and the argument
of the command, and returns the line of the answer, or None if an activity follows. A command that is not in the tables
is answered with "?". Source: ELM327 data sheet, "AT Command Summary". Not implemented are programmable parameters, the
bit rate of the serial line, and the calibration of the voltage, which is that of the vehicle model.
"""

import re
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

from hilbridge.codec.frame import Frame
from hilbridge.diagnostics.elm327.exchange import CAN_ERROR
from hilbridge.diagnostics.elm327.monitor import BusMonitor, group_is, receiver_is, transmitter_is
from hilbridge.diagnostics.elm327.protocols import AUTOMATIC, user_protocol
from hilbridge.diagnostics.elm327.request import ObdRequest
from hilbridge.diagnostics.elm327.session import DEFAULT_TIMEOUT, AdapterActivity, AdapterSession

OK: Final = "OK"
UNKNOWN: Final = "?"
IDENTITY: Final = "ELM327 v1.4b"
DESCRIPTION: Final = "OBDII to RS232 Interpreter"


class CommandTarget(Protocol):
    """The interpreter, as far as AT commands act on it."""

    saved_byte: int

    @property
    def session(self) -> AdapterSession:
        """Options, protocol and timing of the client."""

    def reset(self) -> None:
        """Restore the state after power-on, with the stored protocol."""

    def store_protocol(self) -> None:
        """Store the protocol, so that it survives a reset."""

    def enter_low_power(self) -> None:
        """Ignore the bus until the client sends the next line."""

    def write(self, text: str) -> None:
        """Write characters to the client."""

    def write_line(self, line: str) -> None:
        """Write a line to the client."""

    def write_prompt(self) -> None:
        """Write an empty line and the prompt to the client."""

    def begin_request(self, request: ObdRequest) -> None:
        """Send a request; its answers and the prompt follow."""

    def start_activity(self, activity: AdapterActivity) -> None:
        """Start an activity; the prompt follows when it is done."""


CommandFunction: TypeAlias = Callable[[CommandTarget, str], str | None]
"""A function that carries out a command with its argument. It returns the line of the answer, or None without one."""

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
"""Options that the digit 0 or 1 after the name sets."""

_WITHOUT_EFFECT: Final = re.compile(
    r"BRT..|CSM[01]|FE|IB(10|12|15|48|96)|IFR[0-6HS]|IIA..|J[ES]|KW[01]|SS|SW..|WM(..){1,6}"
)
"""Settings of circuits and buses that do not exist here: accepted, like the chip accepts them in any protocol."""


def run_command(elm: CommandTarget, command: str) -> str | None:
    """Carry out a command; return the line of the answer, or None without one."""
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


def _reset(elm: CommandTarget, _: str) -> None:
    elm.reset()
    elm.write(f"\r\r{IDENTITY}\r")
    elm.write_prompt()


def _defaults(elm: CommandTarget, _: str) -> str:
    elm.reset()
    return OK


def _low_power(elm: CommandTarget, _: str) -> None:
    elm.session.selection.active = False
    elm.write_line(OK)
    elm.enter_low_power()


def _save_byte(elm: CommandTarget, argument: str) -> str:
    elm.saved_byte = int(argument, 16)
    return OK


# -- protocols ----------------------------------------------------------------------------------------------------


def _set_protocol(elm: CommandTarget, argument: str) -> str:
    """SP: set a protocol like TP, and store it."""
    answer = _try_protocol(elm, argument)
    if elm.session.setup.memory:
        elm.store_protocol()
    return answer


def _try_protocol(elm: CommandTarget, argument: str) -> str:
    """TP: set a protocol; after the letter A, search for another one if it fails."""
    elm.session.selection.choose(argument[-1], automatic=len(argument) == 2)
    elm.session.timing.reset()
    return OK


def _close_protocol(elm: CommandTarget, _: str) -> str:
    elm.session.selection.active = False
    return OK


def _bypass_initialization(elm: CommandTarget, _: str) -> str:
    if elm.session.selection.number == AUTOMATIC:
        return UNKNOWN
    elm.session.selection.active = True
    return OK


def _user_protocol(elm: CommandTarget, argument: str) -> str:
    protocol = user_protocol(*bytes.fromhex(argument))
    if protocol is None:
        return UNKNOWN
    elm.session.selection.user = protocol
    return OK


# -- requests and answers -----------------------------------------------------------------------------------------


def _long_messages(allowed: bool) -> CommandFunction:
    def function(elm: CommandTarget, _: str) -> str:
        elm.session.setup.long_messages = allowed
        return OK

    return function


def _number(attribute: str) -> CommandFunction:
    """Return the function of a command that sets an option to its hexadecimal argument."""

    def function(elm: CommandTarget, argument: str) -> str:
        setattr(elm.session.setup, attribute, int(argument, 16))
        return OK

    return function


def _timeout(elm: CommandTarget, argument: str) -> str:
    elm.session.setup.timeout = int(argument, 16) or DEFAULT_TIMEOUT
    return OK


def _header(elm: CommandTarget, argument: str) -> str:
    """SH: set the header (three bytes, or three digits of an 11-bit identifier), and a priority before it."""
    value = int(argument, 16)
    elm.session.setup.header = value & 0xFFFFFF
    if len(argument) == 8:
        elm.session.setup.priority = value >> 24 & 0x1F
    return OK


def _priority(elm: CommandTarget, argument: str) -> str:
    elm.session.setup.priority = int(argument, 16) & 0x1F
    return OK


def _extended_address(elm: CommandTarget, argument: str) -> str:
    elm.session.setup.extended_address = int(argument, 16) if argument else None
    return OK


def _remote_request(elm: CommandTarget, _: str) -> None:
    elm.begin_request(ObdRequest(b"", remote=True))


# -- acceptance and flow control ----------------------------------------------------------------------------------


def _filter(elm: CommandTarget, argument: str) -> str:
    elm.session.setup.acceptance.filter = int(argument, 16)
    return OK


def _mask(elm: CommandTarget, argument: str) -> str:
    elm.session.setup.acceptance.mask = int(argument, 16)
    return OK


def _receive_address(elm: CommandTarget, argument: str) -> str:
    """CRA: accept one identifier; the digit X accepts any digit. Without argument, accept the answers of OBD."""
    acceptance = elm.session.setup.acceptance
    if not argument:
        acceptance.clear()
        return OK
    acceptance.filter = int(argument.replace("X", "0"), 16)
    acceptance.mask = int("".join("0" if digit == "X" else "F" for digit in argument), 16)
    return OK


def _receiver(elm: CommandTarget, argument: str) -> str:
    """RA and SR: accept answers to this address instead of that of the tester, if identifiers contain addresses."""
    protocol = elm.session.selection.can
    if protocol is None or not protocol.extended:
        return UNKNOWN
    acceptance = elm.session.setup.acceptance
    acceptance.filter, acceptance.mask = int(argument, 16) << 8, 0xFF00
    return OK


def _flow_control_enabled(elm: CommandTarget, argument: str) -> str:
    elm.session.setup.flow_control.enabled = argument == "1"
    return OK


def _flow_control_mode(elm: CommandTarget, argument: str) -> str:
    return OK if elm.session.setup.flow_control.set_mode(int(argument)) else UNKNOWN


def _flow_control_header(elm: CommandTarget, argument: str) -> str:
    elm.session.setup.flow_control.header = int(argument, 16) & 0x1FFFFFFF
    return OK


def _flow_control_data(elm: CommandTarget, argument: str) -> str:
    elm.session.setup.flow_control.data = bytes.fromhex(argument)
    return OK


# -- monitoring ---------------------------------------------------------------------------------------------------


def _monitor(elm: CommandTarget, accepts: Callable[[Frame], bool] | None = None, count: int = 0) -> str | None:
    protocol = elm.session.selection.can
    if protocol is not None and protocol.bitrate != elm.session.connector.bitrate:
        return CAN_ERROR
    elm.session.selection.active = False
    elm.start_activity(BusMonitor(elm.session, accepts, count))
    return None


def _monitor_group(elm: CommandTarget, argument: str) -> str | None:
    """MP: monitor a parameter group, 4 or 6 digits; one more digit is the number of messages."""
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
