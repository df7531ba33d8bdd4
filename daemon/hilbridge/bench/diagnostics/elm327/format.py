"""The lines that show frames to the client (ELM327 data sheet, "Multiline Responses", "CAN Message Formats").

| | headers off | headers on (AT H1) |
|---|---|---|
| single frame | 41 00 BE 3F A8 13 | 7E8 06 41 00 BE 3F A8 13 00 |
| first frame | 014, and 0: 49 02 01 31 44 34 | 7E8 10 14 49 02 01 31 44 34 |
| consecutive frame | 1: 47 50 30 30 52 35 35 | 7E8 21 47 50 30 30 52 35 35 |
| flow control | FC: 30 00 00 | 7E8 30 00 00 |
| J1939 | 7D A2 FF FF FF FF FF FF | 6 0FEEE 00 7D A2 FF FF FF FF FF FF |
| J1939, announcement | 012 | 7 0ECFF 00 012 |
| J1939, packet | 01: 57 48 42 30 30 30 30 | 7 0EBFF 00 01 57 48 42 30 30 30 30 |
| formatting off (AT CAF0) | all bytes | header and all bytes |

A space follows each byte and each part of the header, also the last one. Without formatting, or after AT JHF0, a header
of J1939 is four bytes. The padding of a single frame is removed. That of a last consecutive frame is not: the line with
the length states how many bytes are valid.
"""

from hilbridge.bench.diagnostics.elm327.protocols import CanProtocol, DataFormat
from hilbridge.bench.diagnostics.elm327.session import Setup
from hilbridge.bench.diagnostics.isotp.frames import ConsecutiveFrame, FirstFrame, FlowControl, SingleFrame, decode
from hilbridge.frames.codec.frame import REMOTE, Frame
from hilbridge.frames.codec.pgn import split
from hilbridge.frames.transport.transport_frames import CONNECTION, DATA, ConnectionControl

DATA_ERROR = "<DATA ERROR"

_ANNOUNCEMENT = 8
"""[byte] of an announcement of the transport protocol."""


def answer_lines(frame: Frame, setup: Setup, protocol: CanProtocol) -> list[str]:
    """Return the lines of an answer; none if formatting is on and the frame is no ISO-TP frame."""
    if not frame.can_id & REMOTE and setup.formatting:
        if protocol.format is DataFormat.J1939 and frame.is_extended:
            return [_group_line(frame, setup)]
        if protocol.formatted:
            lines = _formatted(frame, setup)
            return lines if not setup.headers or not lines else [_whole(frame, setup)]
    return [_whole(frame, setup)]


def monitor_lines(frame: Frame, setup: Setup, protocol: CanProtocol) -> list[str]:
    """Return the lines of a monitored frame; with formatting on, a frame that is no ISO-TP frame is marked."""
    return answer_lines(frame, setup, protocol) or [_whole(frame, setup) + DATA_ERROR]


def message_line(frame: Frame, message: bytes, setup: Setup) -> str:
    """Return the line of a message that has been assembled; `frame` is its last one."""
    return (_header(frame, setup) if setup.headers else "") + hex_text(message, setup)


def _formatted(frame: Frame, setup: Setup) -> list[str]:
    start = 0 if setup.extended_address is None else 1
    space = _space(setup)
    match decode(frame.data, start):
        case SingleFrame(data):
            return [hex_text(data, setup)]
        case FirstFrame(length, data):
            return [f"{length:03X}", f"0:{space}{hex_text(data, setup)}"]
        case ConsecutiveFrame(sequence, data):
            return [f"{sequence:X}:{space}{hex_text(data, setup)}"]
        case FlowControl():
            return [f"FC:{space}{hex_text(frame.data[start:], setup)}"]
    return []


def _group_line(frame: Frame, setup: Setup) -> str:
    """Return the line of a J1939 frame."""
    header = ""
    if setup.headers:
        header = _group_header(frame, setup) if setup.group_headers else _header(frame, setup)
    pgn, data = split(frame.can_id).pgn, frame.data
    if pgn == CONNECTION and len(data) >= _ANNOUNCEMENT and data[0] in (ConnectionControl.BAM, ConnectionControl.RTS):
        return f"{header}{int.from_bytes(data[1:3], 'little'):03X}"
    if pgn == DATA and data and not setup.headers:
        return f"{data[0]:02X}:{_space(setup)}{hex_text(data[1:], setup)}"
    return header + hex_text(data, setup)


def _group_header(frame: Frame, setup: Setup) -> str:
    """Return priority, group with destination, source, and the length if it is wanted."""
    priority, group, source = frame.identifier >> 26, frame.identifier >> 8 & 0x3FFFF, frame.identifier & 0xFF
    space = _space(setup)
    return f"{priority:X}{space}{group:05X}{space}{source:02X}{space}{_length(frame, setup)}"


def _whole(frame: Frame, setup: Setup) -> str:
    """Return all bytes of a frame, after its header if headers are on."""
    data = "RTR" if frame.can_id & REMOTE else hex_text(frame.data, setup)
    return _header(frame, setup) + data if setup.headers else data


def _header(frame: Frame, setup: Setup) -> str:
    """Return the identifier, and the length if it is wanted."""
    if frame.is_extended:
        return hex_text(frame.identifier.to_bytes(4, "big"), setup) + _length(frame, setup)
    return f"{frame.identifier:03X}{_space(setup)}{_length(frame, setup)}"


def _length(frame: Frame, setup: Setup) -> str:
    return f"{len(frame.data):X}{_space(setup)}" if setup.data_length else ""


def hex_text(data: bytes, setup: Setup) -> str:
    """Return bytes as two hexadecimal digits each, with a space after each of them if spaces are on."""
    return data.hex(" ").upper() + " " if setup.spaces and data else data.hex().upper()


def _space(setup: Setup) -> str:
    return " " if setup.spaces else ""
