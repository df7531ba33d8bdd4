"""The lines that show frames to the client (ELM327 data sheet, "Multiline Responses", "CAN Message Formats").

| | headers off | headers on (AT H1) |
|---|---|---|
| single frame | 41 00 BE 3F A8 13 | 7E8 06 41 00 BE 3F A8 13 00 |
| first frame | 014, and 0: 49 02 01 31 44 34 | 7E8 10 14 49 02 01 31 44 34 |
| consecutive frame | 1: 47 50 30 30 52 35 35 | 7E8 21 47 50 30 30 52 35 35 |
| flow control | FC: 30 00 00 | 7E8 30 00 00 |
| formatting off (AT CAF0) | all bytes | header and all bytes |

The padding of a single frame is removed. That of a last consecutive frame is not: the line with the length states how
many bytes are valid.
"""

from hilbridge.codec.frame import REMOTE, Frame
from hilbridge.diagnostics.elm327.protocols import CanProtocol
from hilbridge.diagnostics.elm327.session import Setup
from hilbridge.diagnostics.isotp.frames import ConsecutiveFrame, FirstFrame, FlowControl, SingleFrame, decode

DATA_ERROR = "<DATA ERROR"


def answer_lines(frame: Frame, setup: Setup, protocol: CanProtocol) -> list[str]:
    """Return the lines of an answer; none if formatting is on and the frame is no ISO-TP frame."""
    if frame.can_id & REMOTE or not _is_formatted(setup, protocol):
        return [_whole(frame, setup)]
    lines = _formatted(frame, setup)
    return lines if not setup.headers or not lines else [_whole(frame, setup)]


def monitor_lines(frame: Frame, setup: Setup, protocol: CanProtocol) -> list[str]:
    """Return the lines of a monitored frame; with formatting on, a frame that is no ISO-TP frame is marked."""
    lines = answer_lines(frame, setup, protocol)
    return lines or [_separator(setup).join((_whole(frame, setup), DATA_ERROR))]


def _is_formatted(setup: Setup, protocol: CanProtocol) -> bool:
    return setup.formatting and protocol.formatted


def _formatted(frame: Frame, setup: Setup) -> list[str]:
    start = 0 if setup.extended_address is None else 1
    match decode(frame.data, start):
        case SingleFrame(data):
            return [hex_text(data, setup)]
        case FirstFrame(length, data):
            return [f"{length:03X}", _join(setup, "0:", hex_text(data, setup))]
        case ConsecutiveFrame(sequence, data):
            return [_join(setup, f"{sequence:X}:", hex_text(data, setup))]
        case FlowControl():
            return [_join(setup, "FC:", hex_text(frame.data[start:], setup))]
    return []


def _whole(frame: Frame, setup: Setup) -> str:
    """Return all bytes of a frame, after its header if headers are on."""
    data = "RTR" if frame.can_id & REMOTE else hex_text(frame.data, setup)
    if not setup.headers:
        return data
    header = hex_text(frame.identifier.to_bytes(4, "big"), setup) if frame.is_extended else f"{frame.identifier:03X}"
    length = (f"{len(frame.data):X}",) if setup.data_length else ()
    return _join(setup, header, *length, data)


def hex_text(data: bytes, setup: Setup) -> str:
    """Return bytes as two hexadecimal digits each."""
    return data.hex(_separator(setup)).upper() if setup.spaces else data.hex().upper()


def _join(setup: Setup, *parts: str) -> str:
    return _separator(setup).join(part for part in parts if part)


def _separator(setup: Setup) -> str:
    return " " if setup.spaces else ""
