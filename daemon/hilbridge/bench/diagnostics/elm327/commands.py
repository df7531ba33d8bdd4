"""The AT commands: their syntax and their effect.

A command is the text after AT, without spaces, in capitals. Its function gets the interpreter (`elm`) and the argument
of the command, and returns the line of the answer, or None if an activity follows. A command that is not in the tables
is answered with "?": so is AT BRD, because the bit rate of the serial line is that of the bench file. Source: ELM327
data sheet, "AT Command Summary".
"""

import re
from collections.abc import Callable
from typing import Final

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.elm327.command_target import OK, UNKNOWN, CommandFunction, CommandTarget, run, table
from hilbridge.bench.diagnostics.elm327.exchange import CAN_ERROR
from hilbridge.bench.diagnostics.elm327.monitor import BusMonitor, GroupMonitor, receiver_is, transmitter_is
from hilbridge.bench.diagnostics.elm327.protocols import AUTOMATIC, WITHOUT_CAN, DataFormat, user_protocol
from hilbridge.bench.diagnostics.elm327.request import ObdRequest
from hilbridge.bench.diagnostics.elm327.session import DEFAULT_TIMEOUT, TIMEOUT_UNIT, AdapterActivity
from hilbridge.bench.diagnostics.j1939.diagnostic_messages import DM1
from hilbridge.frames.codec.frame import Frame

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
    "JHF": "group_headers",
}
"""Options that the digit 0 or 1 after the name sets."""

_ACTIVITY_UNIT: Final = 655 * MILLISECOND
"""[ns] Unit of AT AMC."""

_BUFFER: Final = 12
"""[byte] of the buffer that AT BD shows."""

_WITHOUT_EFFECT: Final = re.compile(
    r"AMT..|BRT..|CSM[01]|FE|IB(10|12|15|48|96)|IFR[0-6HS]|IIA..|KW[01]|SS|SW..|WM(..){1,6}"
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
    answer = run(_WITH_ARGUMENT, elm, command)
    return OK if answer == UNKNOWN and _WITHOUT_EFFECT.fullmatch(command) else answer


# -- general ------------------------------------------------------------------------------------------------------


def _reset(elm: CommandTarget, _: str) -> None:
    elm.reset()
    elm.write(f"\r\r{elm.chip.identity}\r")
    elm.write_prompt()


def _defaults(elm: CommandTarget, _: str) -> str:
    elm.reset()
    return OK


def _low_power(elm: CommandTarget, _: str) -> None:
    elm.session.selection.active = False
    elm.write_line(OK)
    elm.enter_low_power()


def _save_byte(elm: CommandTarget, argument: str) -> str:
    elm.chip.saved_byte = int(argument, 16)
    return OK


def _store_identifier(elm: CommandTarget, argument: str) -> str:
    """@3: store twelve characters, once."""
    if elm.chip.identifier is not None:
        return UNKNOWN
    elm.chip.identifier = argument
    return OK


def _calibrate(elm: CommandTarget, argument: str) -> str:
    """CV: the voltage is this one [0.01 V]; 0000 restores the calibration of the factory."""
    voltage = int(argument) / 100
    present = elm.session.connector.voltage
    elm.chip.calibration = voltage / present if voltage and present else 1.0
    return OK


def _activity(elm: CommandTarget, _: str) -> str:
    """AMC: how long the bus has been silent."""
    return f"{min((elm.t - elm.session.connector.heard) // _ACTIVITY_UNIT, 0xFF):02X}"


def _dump_buffer(elm: CommandTarget, _: str) -> str:
    """BD: how many bytes are valid, and the twelve bytes of the buffer: identifier and data of the latest frame."""
    frame = elm.session.last_frame
    content = b"" if frame is None else frame.identifier.to_bytes(4, "big") + frame.data
    return (bytes((len(content),)) + content.ljust(_BUFFER, b"\x00")).hex(" ").upper()


# -- programmable parameters --------------------------------------------------------------------------------------


def _parameter_value(elm: CommandTarget, argument: str) -> str:
    """PP xx SV yy: set a value."""
    number, value = bytes.fromhex(argument.replace("SV", ""))
    return OK if elm.chip.parameters.set(number, value) else UNKNOWN


def _parameter_switch(elm: CommandTarget, argument: str) -> str:
    """PP xx ON, PP xx OFF."""
    return OK if elm.chip.parameters.switch(int(argument[:2], 16), on=argument[2:] == "ON") else UNKNOWN


def _parameters(elm: CommandTarget, _: str) -> str:
    return "\r".join(elm.chip.parameters.lines())


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
    elm.session.selection.user["B"] = protocol
    return OK


def _initialize(numbers: str) -> CommandFunction:
    """Return the function of FI or SI: an initiation of the bus, in these protocols only, whose wires do not exist."""

    def function(elm: CommandTarget, _: str) -> str:
        number = elm.session.selection.number
        return WITHOUT_CAN[number] if number in numbers else UNKNOWN

    return function


# -- requests and answers -----------------------------------------------------------------------------------------


def _option(attribute: str, value: object) -> CommandFunction:
    """Return the function of a command that sets an option to this value."""

    def function(elm: CommandTarget, _: str) -> str:
        setattr(elm.session.setup, attribute, value)
        return OK

    return function


def _number(attribute: str) -> CommandFunction:
    """Return the function of a command that sets an option to its hexadecimal argument."""

    def function(elm: CommandTarget, argument: str) -> str:
        setattr(elm.session.setup, attribute, int(argument, 16))
        return OK

    return function


def _timeout(elm: CommandTarget, argument: str) -> str:
    elm.session.setup.timeout = int(argument, 16) * TIMEOUT_UNIT or DEFAULT_TIMEOUT
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
    setup = elm.session.setup
    if not argument:
        setup.acceptance.clear()
        setup.receiver = None
        return OK
    setup.acceptance.filter = int(argument.replace("X", "0"), 16)
    setup.acceptance.mask = int("".join("0" if digit == "X" else "F" for digit in argument), 16)
    return OK


def _receiver(elm: CommandTarget, argument: str) -> str:
    """RA and SR: accept answers to this address instead of that of the tester, where identifiers contain addresses."""
    elm.session.setup.acceptance.clear()
    elm.session.setup.receiver = int(argument, 16)
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


def _monitor(elm: CommandTarget, activity: AdapterActivity) -> str | None:
    protocol = elm.session.selection.can
    if protocol is not None and protocol.bitrate != elm.session.connector.bitrate:
        return CAN_ERROR
    elm.session.selection.active = False
    elm.start_activity(activity)
    return None


def _monitor_frames(accepts: Callable[[int], Callable[[Frame], bool]]) -> CommandFunction:
    """Return the function of a command that shows the frames that `accepts` makes of its argument."""
    return lambda elm, argument: _monitor(elm, BusMonitor(elm.session, accepts(int(argument, 16))))


def _monitor_group(elm: CommandTarget, argument: str) -> str | None:
    """MP: monitor a parameter group, 4 or 6 digits; one more digit is the number of messages."""
    digits = len(argument) & ~1
    return _show_group(elm, int(argument[:digits], 16), int(argument[digits:] or "0", 16))


def _show_group(elm: CommandTarget, group: int, count: int = 0) -> str | None:
    protocol = elm.session.selection.can
    if protocol is None or protocol.format is not DataFormat.J1939:
        return UNKNOWN
    return _monitor(elm, GroupMonitor(elm.session, group, count))


# -- the tables ---------------------------------------------------------------------------------------------------

_PLAIN: Final[dict[str, CommandFunction]] = {
    "@1": lambda elm, _: elm.chip.description,
    "@2": lambda elm, _: elm.chip.identifier or UNKNOWN,
    "AL": _option("long_messages", value=True),
    "AMC": _activity,
    "AR": _receive_address,
    "BD": _dump_buffer,
    "BI": _bypass_initialization,
    "CEA": _extended_address,
    "CER": _option("extended_receive", value=None),
    "CRA": _receive_address,
    "CS": lambda _, __: "T:00 R:00",
    "D": _defaults,
    "DM1": lambda elm, _: _show_group(elm, DM1),
    "DP": lambda elm, _: elm.session.selection.description,
    "DPN": lambda elm, _: elm.session.selection.description_by_number,
    "FI": _initialize("5"),
    "I": lambda elm, _: elm.chip.identity,
    "IA": lambda elm, _: "Y" if elm.session.selection.active else "N",
    "IGN": lambda elm, _: "ON" if elm.session.connector.ignition else "OFF",
    "JE": _option("reverse_group", value=True),
    "JS": _option("reverse_group", value=False),
    "KW": lambda _, __: "1:-- 2:--",
    "LP": _low_power,
    "MA": lambda elm, _: _monitor(elm, BusMonitor(elm.session, lambda _: True)),
    "NL": _option("long_messages", value=False),
    "PC": _close_protocol,
    "PPS": _parameters,
    "RD": lambda elm, _: f"{elm.chip.saved_byte:02X}",
    "RTR": _remote_request,
    "RV": lambda elm, _: f"{elm.session.connector.voltage * elm.chip.calibration:.1f}V",
    "SI": _initialize("34"),
    "WS": _reset,
    "Z": _reset,
}

_HEX: Final = "[0-9A-F]"

_WITH_ARGUMENT: Final = table(
    ("@3(.{12})", _store_identifier),
    ("AT([0-2])", _number("adaptive")),
    (f"CEA({_HEX}{{2}})", _extended_address),
    (f"CER({_HEX}{{2}})", _number("extended_receive")),
    (f"CF({_HEX}{{3}}|{_HEX}{{8}})", _filter),
    ("CFC([01])", _flow_control_enabled),
    (f"CM({_HEX}{{3}}|{_HEX}{{8}})", _mask),
    (f"CP({_HEX}{{2}})", _priority),
    ("CRA([0-9A-FX]{3}|[0-9A-FX]{8})", _receive_address),
    ("CTM([15])", _number("timer_factor")),
    ("CV([0-9]{4})", _calibrate),
    (f"FCSD((?:{_HEX}{{2}}){{1,5}})", _flow_control_data),
    (f"FCSH({_HEX}{{3}}|{_HEX}{{8}})", _flow_control_header),
    ("FCSM([0-2])", _flow_control_mode),
    ("JTM([15])", _number("j1939_timer_factor")),
    (f"MP({_HEX}{{4}}(?:{_HEX}{{2}})?{_HEX}?)", _monitor_group),
    (f"MR({_HEX}{{2}})", _monitor_frames(receiver_is)),
    (f"MT({_HEX}{{2}})", _monitor_frames(transmitter_is)),
    (f"PB({_HEX}{{4}})", _user_protocol),
    (f"PP({_HEX}{{2}}SV{_HEX}{{2}})", _parameter_value),
    (f"PP({_HEX}{{2}}(?:ON|OFF))", _parameter_switch),
    (f"(?:RA|SR)({_HEX}{{2}})", _receiver),
    (f"SD({_HEX}{{2}})", _save_byte),
    (f"SH({_HEX}{{3}}|{_HEX}{{6}}|{_HEX}{{8}})", _header),
    ("SP(A?[0-9A-C]|00)", _set_protocol),
    (f"ST({_HEX}{{2}})", _timeout),
    (f"TA({_HEX}{{2}})", _number("tester")),
    ("TP(A?[0-9A-C]|00)", _try_protocol),
)
