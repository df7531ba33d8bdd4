"""CAN identifiers of requests, of accepted answers, and of flow control.

| | 11-bit | 29-bit |
|---|---|---|
| request, default | 7DF | 18 DB 33 F1 |
| request after AT SH | the low 11 bits of the header | priority (AT CP), header |
| answers, default | 7E8 … 7EF | 18 DA F1 xx |
| flow control | that of the answer with bit 3 clear | that of the answer with its last two bytes exchanged |

F1 is the address of the tester (AT TA). Source: ISO 15765-4, 10.5; chips clear bit 3 of other identifiers too.
"""

from typing import Final

from hilbridge.codec.frame import ERROR, EXTENDED, EXTENDED_MASK, STANDARD_MASK, Frame
from hilbridge.diagnostics.elm327.protocols import CanProtocol
from hilbridge.diagnostics.elm327.session import Setup
from hilbridge.diagnostics.isotp.address import ALL_11BIT, ALL_ECUS

_ANSWERS: Final = 0x7E8
_ANSWERS_MASK: Final = 0x7F8
_PHYSICAL: Final = 0x18DA0000
_FUNCTIONAL: Final = 0xDB0000
_PHYSICAL_MASK: Final = 0x1FFFFF00
_ANSWER_BIT: Final = 0x008


def request_id(setup: Setup, protocol: CanProtocol) -> int:
    """Return the identifier of the next request, with its EXTENDED flag."""
    if protocol.extended:
        header = _FUNCTIONAL | ALL_ECUS << 8 | setup.tester if setup.header is None else setup.header
        return EXTENDED | (setup.priority << 24 | header) & EXTENDED_MASK
    return ALL_11BIT if setup.header is None else setup.header & STANDARD_MASK


def default_acceptance(setup: Setup, protocol: CanProtocol) -> tuple[int, int]:
    """Return filter and mask of the answers of OBD."""
    if protocol.extended:
        return _PHYSICAL | setup.tester << 8, _PHYSICAL_MASK
    return _ANSWERS, _ANSWERS_MASK


def is_accepted(frame: Frame, setup: Setup, protocol: CanProtocol) -> bool:
    """Return whether a frame is taken as an answer: it matches the filter in the bits of the mask."""
    value, mask = default_acceptance(setup, protocol)
    if setup.acceptance.filter is not None:
        value = setup.acceptance.filter
    if setup.acceptance.mask is not None:
        mask = setup.acceptance.mask
    return has_layout(frame, protocol) and _matches(frame, value, mask)


def is_monitored(frame: Frame, setup: Setup, protocol: CanProtocol) -> bool:
    """Return whether AT MA shows a frame: every one, unless the filter of the client excludes it."""
    acceptance = setup.acceptance
    if not has_layout(frame, protocol):
        return False
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
