"""Requests of the client, and the CAN identifiers of requests, of accepted answers, and of flow control.

A line of hexadecimal digits is a request: its bytes, and as an odd last digit the number of answers to wait for.

    01 0C       the bytes 01 0C; all answers within the time-out are shown
    01 0C 1     the same; done after one answer

With formatting (AT CAF1) the PCI byte is put before the bytes, so that up to seven fit; without it they are the whole
frame, up to eight. Long messages (AT AL) with formatting are sent in as many frames as they need.

| | 11-bit | 29-bit |
|---|---|---|
| request, default | 7DF | 18 DB 33 F1 |
| request after AT SH | the low 11 bits of the header | priority (AT CP), header |
| answers, default | 7E8 … 7EF | 18 DA F1 xx |
| flow control | that of the answer with bit 3 clear | that of the answer with its last two bytes exchanged |

F1 is the address of the tester (AT TA). Source: ISO 15765-4, 10.5; chips clear bit 3 of other identifiers too.

In protocol A a request is 18 EA FF F9, to all control units, unless AT SH names another header. Three bytes are the
number of a parameter group as it is written, 00 FE EE, and are sent in reverse order; after AT JS they are not.
"""

import string
from typing import Final, NamedTuple

from hilbridge.bench.diagnostics.elm327.protocols import CanProtocol, DataFormat
from hilbridge.bench.diagnostics.elm327.session import Setup
from hilbridge.bench.diagnostics.isotp.address import ALL_11BIT
from hilbridge.bench.diagnostics.isotp.frames import FrameEncoder
from hilbridge.bench.diagnostics.isotp.parameters import IsoTpParameters
from hilbridge.files.settings.units import ALL_UNITS, NORMAL_FIXED
from hilbridge.frames.codec.frame import ERROR, EXTENDED, EXTENDED_MASK, REMOTE, STANDARD_MASK, Frame
from hilbridge.frames.codec.pgn import GLOBAL

_ANSWERS: Final = 0x7E8
_ANSWERS_MASK: Final = 0x7F8
_FUNCTIONAL: Final = 0xDB0000
_PHYSICAL_MASK: Final = 0x1FFFFF00
_RECEIVER_MASK: Final = 0xFF00
_ANSWER_BIT: Final = 0x008
_GROUP_REQUEST: Final = 0xEA0000 | GLOBAL << 8
_GROUP_NUMBER: Final = 3
"""[byte] Length of the number of a parameter group."""


def request_id(setup: Setup, protocol: CanProtocol) -> int:
    """Return the identifier of the next request, with its EXTENDED flag."""
    if protocol.extended:
        to_all = _GROUP_REQUEST if protocol.format is DataFormat.J1939 else _FUNCTIONAL | ALL_UNITS << 8
        header = to_all | setup.tester_address(protocol) if setup.header is None else setup.header
        return EXTENDED | (setup.priority << 24 | header) & EXTENDED_MASK
    return ALL_11BIT if setup.header is None else setup.header & STANDARD_MASK


def default_acceptance(setup: Setup, protocol: CanProtocol) -> tuple[int, int]:
    """Return filter and mask of the answers of OBD."""
    if not protocol.extended:
        return _ANSWERS, _ANSWERS_MASK
    if setup.receiver is not None:
        return setup.receiver << 8, _RECEIVER_MASK
    return NORMAL_FIXED | setup.tester_address(protocol) << 8, _PHYSICAL_MASK


def is_accepted(frame: Frame, setup: Setup, protocol: CanProtocol) -> bool:
    """Return whether a frame is taken as an answer: it matches the filter in the bits of the mask."""
    if not has_layout(frame, protocol) or setup.filters.blocks(frame):
        return False
    if setup.filters.passing:
        return setup.filters.passes(frame)
    value, mask = default_acceptance(setup, protocol)
    if setup.acceptance.filter is not None:
        value = setup.acceptance.filter
    if setup.acceptance.mask is not None:
        mask = setup.acceptance.mask
    return _matches(frame, value, mask)


def is_filtered(setup: Setup) -> bool:
    """Return whether the client has set a filter of its own."""
    acceptance = setup.acceptance
    return bool(setup.filters.passing) or acceptance.filter is not None or acceptance.mask is not None


def is_monitored(frame: Frame, setup: Setup) -> bool:
    """Return whether the filter of the client lets AT MA show a frame; without one it does."""
    acceptance = setup.acceptance
    if acceptance.filter is None and acceptance.mask is None:
        return True
    return _matches(frame, acceptance.filter or 0, EXTENDED_MASK if acceptance.mask is None else acceptance.mask)


def has_layout(frame: Frame, protocol: CanProtocol) -> bool:
    """Return whether a frame is a classic data frame whose identifier has as many bits as those of the protocol."""
    return not frame.flags and not frame.can_id & ERROR and frame.is_extended == protocol.extended


def flow_control_id(can_id: int) -> int:
    """Return the identifier of the flow control for a first frame with this identifier."""
    if can_id & EXTENDED:
        return can_id & ~0xFFFF | (can_id & 0xFF) << 8 | can_id >> 8 & 0xFF
    return can_id & ~_ANSWER_BIT


def _matches(frame: Frame, value: int, mask: int) -> bool:
    return not (frame.identifier ^ value) & mask & (EXTENDED_MASK if frame.is_extended else STANDARD_MASK)


FRAME_SIZE = 8
_DIGITS = frozenset(string.hexdigits)


class ObdRequest(NamedTuple):
    """A request of the client.

    `answers`: the number of answers to wait for, 0 for all; `remote`: a remote frame (AT RTR).
    """

    data: bytes
    answers: int = 0
    remote: bool = False


def parse_request(line: str) -> ObdRequest | None:
    """Return the request in a line without spaces; None if the line is no request."""
    if len(line) < 2 or not _DIGITS.issuperset(line):
        return None
    if len(line) % 2:
        return ObdRequest(bytes.fromhex(line[:-1]), int(line[-1], 16))
    return ObdRequest(bytes.fromhex(line))


def parameters(setup: Setup, protocol: CanProtocol) -> IsoTpParameters:
    """Return the ISO-TP parameters for the padding of frames."""
    return IsoTpParameters(padding=None if _is_variable(setup, protocol) else setup.padding)


def encoder(setup: Setup, protocol: CanProtocol) -> FrameEncoder:
    """Return the encoder for the frames of a request with PCI bytes."""
    return FrameEncoder(request_id(setup, protocol), prefix(setup), parameters(setup, protocol))


def prefix(setup: Setup) -> bytes:
    """Return the extended address (AT CEA) that precedes the data of every frame sent."""
    return b"" if setup.extended_address is None else bytes((setup.extended_address,))


def padded(data: bytes, setup: Setup, protocol: CanProtocol) -> bytes:
    """Return the data of a frame, filled up unless its length is variable."""
    return data if _is_variable(setup, protocol) else data.ljust(FRAME_SIZE, bytes((setup.padding,)))


def fits(request: ObdRequest, setup: Setup, protocol: CanProtocol) -> bool:
    """Return whether a request can be sent."""
    if setup.formatting and protocol.formatted:
        return setup.long_messages or len(request.data) <= encoder(setup, protocol).single_limit
    return len(request.data) <= FRAME_SIZE - len(prefix(setup))


def raw_frame(request: ObdRequest, setup: Setup, protocol: CanProtocol) -> Frame:
    """Return the frame of a request without PCI bytes, or of a remote request."""
    can_id = request_id(setup, protocol)
    if request.remote:
        return Frame(can_id | REMOTE, bytes(FRAME_SIZE))
    if protocol.format is DataFormat.J1939 and len(request.data) == _GROUP_NUMBER:
        return Frame(can_id, request.data[::-1] if setup.reverse_group else request.data)
    return Frame(can_id, padded(prefix(setup) + request.data, setup, protocol))


def _is_variable(setup: Setup, protocol: CanProtocol) -> bool:
    return setup.variable_length or protocol.variable
