"""A line of hex digits is a request: its bytes, and perhaps one digit more for how many answers to wait for.

    01 0C       the bytes 01 0C; what answers within the time-out is shown
    01 0C 1     the same; done as soon as there is one answer

With formatting (AT CAF1) the PCI byte is put before the bytes, so that seven find room; without it they are the
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
    """What the client wants on the bus. `answers`: how many it waits for, 0 for all; `remote`: AT RTR."""

    data: bytes
    answers: int = 0
    remote: bool = False


def parse_request(line: str) -> ObdRequest | None:
    """The request in a line without spaces; None if it is not one."""
    if len(line) < 2 or not _DIGITS.issuperset(line):
        return None
    if len(line) % 2:
        return ObdRequest(bytes.fromhex(line[:-1]), int(line[-1], 16))
    return ObdRequest(bytes.fromhex(line))


def parameters(setup: Setup) -> IsoTpParameters:
    """How ISO-TP fills its frames."""
    return _VARIABLE if setup.variable_length else _PADDED


def encoder(setup: Setup, protocol: CanProtocol) -> FrameEncoder:
    """Makes the frames of a request that has PCI bytes."""
    return FrameEncoder(request_id(setup, protocol), prefix(setup), parameters(setup))


def prefix(setup: Setup) -> bytes:
    """What AT CEA puts before everything that is sent."""
    return b"" if setup.extended_address is None else bytes((setup.extended_address,))


def fits(request: ObdRequest, setup: Setup, protocol: CanProtocol) -> bool:
    """Whether the request can be sent."""
    if setup.formatting and protocol.formatted:
        return setup.long_messages or len(request.data) <= encoder(setup, protocol).single_limit
    return len(request.data) <= FRAME_SIZE - len(prefix(setup))


def raw_frame(request: ObdRequest, setup: Setup, protocol: CanProtocol) -> Frame:
    """A request that is the whole frame, or a remote request."""
    data = prefix(setup) + request.data
    if not setup.variable_length:
        data = data.ljust(FRAME_SIZE, b"\x00")
    can_id = request_id(setup, protocol)
    return Frame(can_id | REMOTE, bytes(FRAME_SIZE)) if request.remote else Frame(can_id, data)
