"""Requests of the client: a line of hexadecimal digits is the bytes, and an odd last digit the number of answers.

    01 0C       the bytes 01 0C; all answers within the time-out are shown
    01 0C 1     the same; done after one answer

With formatting (AT CAF1) the PCI byte is put before the bytes, so that up to seven fit; without it they are the whole
frame, up to eight. Long messages (AT AL) with formatting are sent in as many frames as they need.
"""

import string
from typing import NamedTuple

from hilbridge.codec.frame import REMOTE, Frame
from hilbridge.diagnostics.elm327.addressing import request_id
from hilbridge.diagnostics.elm327.protocols import CanProtocol
from hilbridge.diagnostics.elm327.session import Setup
from hilbridge.diagnostics.isotp.frames import FrameEncoder
from hilbridge.diagnostics.isotp.parameters import IsoTpParameters

FRAME_SIZE = 8
_DIGITS = frozenset(string.hexdigits)
_PADDED = IsoTpParameters(padding=0)
_VARIABLE = IsoTpParameters(padding=None)


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


def parameters(setup: Setup) -> IsoTpParameters:
    """Return the ISO-TP parameters for the padding of frames."""
    return _VARIABLE if setup.variable_length else _PADDED


def encoder(setup: Setup, protocol: CanProtocol) -> FrameEncoder:
    """Return the encoder for the frames of a request with PCI bytes."""
    return FrameEncoder(request_id(setup, protocol), prefix(setup), parameters(setup))


def prefix(setup: Setup) -> bytes:
    """Return the extended address (AT CEA) that precedes the data of every frame sent."""
    return b"" if setup.extended_address is None else bytes((setup.extended_address,))


def fits(request: ObdRequest, setup: Setup, protocol: CanProtocol) -> bool:
    """Return whether a request can be sent."""
    if setup.formatting and protocol.formatted:
        return setup.long_messages or len(request.data) <= encoder(setup, protocol).single_limit
    return len(request.data) <= FRAME_SIZE - len(prefix(setup))


def raw_frame(request: ObdRequest, setup: Setup, protocol: CanProtocol) -> Frame:
    """Return the frame of a request without PCI bytes, or of a remote request."""
    data = prefix(setup) + request.data
    if not setup.variable_length:
        data = data.ljust(FRAME_SIZE, b"\x00")
    can_id = request_id(setup, protocol)
    return Frame(can_id | REMOTE, bytes(FRAME_SIZE)) if request.remote else Frame(can_id, data)
