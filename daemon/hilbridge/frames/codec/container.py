"""Containers of AUTOSAR: frames that hold several messages (I-PDUs), each behind a short header of four bytes.

    identifier of the message, 24 bits, highest byte first; its length, 8 bits; its bytes; and so on

A contained message is read as one of the container's identifier. It is not sent.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from cantools.database.can import Message

_HEADER: Final = 4
_IDENTIFIER: Final = 3


def opened(data: bytes) -> dict[int, bytes]:
    """Return the messages in a container by their identifier; one that is cut off is not among them."""
    found: dict[int, bytes] = {}
    place = 0
    while place + _HEADER <= len(data):
        begin, length = place + _HEADER, data[place + _IDENTIFIER]
        place = begin + length
        if place <= len(data) and length:  # the rest of a frame is filled with zeros
            found[int.from_bytes(data[begin - _HEADER : begin - 1], "big")] = data[begin:place]
    return found


def contained(messages: Sequence[Message]) -> Iterator[Message]:
    """Yield the messages in containers, with the container's identifier; a name that is taken has the container's."""
    taken = {one.name for one in messages}
    for container in messages:
        for one in container.contained_messages or ():
            if one.header_id is None:
                continue
            name = one.name if one.name not in taken else f"{container.name}_{one.name}"
            taken.add(name)
            yield Message(
                container.frame_id,
                name,
                one.length,
                one.signals,
                header_id=one.header_id,
                is_extended_frame=container.is_extended_frame,
                is_fd=container.is_fd,
                autosar_specifics=one.autosar,
                strict=False,
            )


def unchecked(messages: Sequence[Message]) -> Iterator[str]:
    """Yield a remark about each message whose authenticator (SecOC) is neither checked nor made."""
    for one in messages:
        secured = None if one.autosar is None else one.autosar.secoc
        if secured is not None:
            fresh, code = secured.freshness_tx_bit_length or 0, secured.auth_tx_bit_length or 0
            bits = f"{fresh} bits of freshness, {code} of a code"
            yield f"message {one.name} is secured ({bits}): neither is checked or made, and receivers may refuse it"
