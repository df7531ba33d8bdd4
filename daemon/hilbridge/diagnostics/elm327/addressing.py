"""Identifiers of requests, of the answers that are taken, and of flow control.

| | 11-bit | 29-bit |
|---|---|---|
| request, default | 7DF | 18 DB 33 F1 |
| request after AT SH | the low 11 bits of the header | priority (AT CP), header |
| answers, default | 7E8 … 7EF | 18 DA F1 xx |
| flow control | the answer's with bit 3 clear | the answer's with its last two bytes exchanged |

F1 is the tester's address (AT TA). Source: ISO 15765-4, 10.5; the clear bit as chips show it on other identifiers too.
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
    """Of the next request, with its EXTENDED flag."""
    if protocol.extended:
        header = _FUNCTIONAL | ALL_ECUS << 8 | setup.tester if setup.header is None else setup.header
        return EXTENDED | (setup.priority << 24 | header) & EXTENDED_MASK
    return ALL_11BIT if setup.header is None else setup.header & STANDARD_MASK


def default_acceptance(setup: Setup, protocol: CanProtocol) -> tuple[int, int]:
    """Filter and mask of OBD's answers."""
    if protocol.extended:
        return _PHYSICAL | setup.tester << 8, _PHYSICAL_MASK
    return _ANSWERS, _ANSWERS_MASK


def is_accepted(frame: Frame, setup: Setup, protocol: CanProtocol) -> bool:
    """Whether a frame is taken for an answer: it matches the filter in the bits of the mask."""
    value, mask = default_acceptance(setup, protocol)
    if setup.acceptance.filter is not None:
        value = setup.acceptance.filter
    if setup.acceptance.mask is not None:
        mask = setup.acceptance.mask
    return has_layout(frame, protocol) and _matches(frame, value, mask)


def is_monitored(frame: Frame, setup: Setup, protocol: CanProtocol) -> bool:
    """Whether AT MA shows a frame: all of them, but what the user's filter keeps out."""
    acceptance = setup.acceptance
    if not has_layout(frame, protocol):
        return False
    if acceptance.filter is None and acceptance.mask is None:
        return True
    return _matches(frame, acceptance.filter or 0, EXTENDED_MASK if acceptance.mask is None else acceptance.mask)


def has_layout(frame: Frame, protocol: CanProtocol) -> bool:
    """A classic frame whose identifier has as many bits as the protocol's."""
    return not frame.flags and not frame.can_id & ERROR and frame.is_extended == protocol.extended


def flow_control_id(can_id: int) -> int:
    """Answers a first frame of that identifier."""
    if can_id & EXTENDED:
        return can_id & ~0xFFFF | (can_id & 0xFF) << 8 | can_id >> 8 & 0xFF
    return can_id & ~_ANSWER_BIT


def _matches(frame: Frame, value: int, mask: int) -> bool:
    return not (frame.identifier ^ value) & mask & (EXTENDED_MASK if frame.is_extended else STANDARD_MASK)
