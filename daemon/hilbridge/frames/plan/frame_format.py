"""The format in which a message goes: a classic CAN frame, or a CAN FD frame with or without a switch of the bit rate.

`fd` of the message decides, else the database; on a bus without `fd: true` what fits into a classic frame goes as one.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from cantools.database.can import Message

from hilbridge.base.common.errors import ConfigurationError, Doubt, KeyPath
from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.base.common.words import counted, listed
from hilbridge.files.settings import BusSettings, MessageMap
from hilbridge.frames.codec.frame import BRS, FD

_MOST_NAMES: Final = 4
"""Messages that the warning names."""


def format_flags(message: Message, own: MessageMap, settings: BusSettings, place: KeyPath) -> int:
    """Return the flags of the frame of a message. ConfigurationError: CAN FD on a classic bus, or too long for classic.

    `place` is the key path of the message.
    """
    long = message.length > CLASSIC_LENGTH
    name = f"message {message.name}"
    if long and message.protocol == "j1939":
        if own.fd is not None:
            raise ConfigurationError(f"{name} goes in packets of J1939, each a classic frame", (*place, "fd"))
        return 0
    if own.fd is False and long:
        reason = f"{name} has {message.length} bytes: a classic frame holds {CLASSIC_LENGTH}"
        raise ConfigurationError(reason, (*place, "fd"))
    if not settings.fd:
        if long or own.fd:
            reason = f"{name} is a CAN FD frame of {message.length} bytes: the bus needs 'fd: true'"
            raise ConfigurationError(reason, place)
        return 0
    if not (long or message.is_fd if own.fd is None else own.fd):
        return 0
    return FD | (BRS if _switches_bit_rate(message) else 0)


def classic_instead(messages: Sequence[Message], settings: BusSettings, place: KeyPath) -> Iterator[Doubt]:
    """Yield one warning about the messages that the database marks as CAN FD and that go as classic frames."""
    if settings.fd:
        return
    own = settings.messages
    names = [one.name for one in messages if one.is_fd and (one.name not in own or own[one.name].fd is None)]
    if names:
        many = counted(len(names), "message")
        reason = f"{many} of CAN FD by the database ({listed(names, _MOST_NAMES)}) as classic frames"
        yield Doubt(f"sends {reason}, because the bus is one: 'fd: true', or 'fd: false' of a message", (*place, "fd"))


def _switches_bit_rate(message: Message) -> bool:
    """Return whether the frame switches: only the attribute CANFD_BRS of Vector's tools with the value 0 says no."""
    attributes = message.dbc.attributes if message.dbc is not None else {}
    return "CANFD_BRS" not in attributes or attributes["CANFD_BRS"].value not in (0, "0")
