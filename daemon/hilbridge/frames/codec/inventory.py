"""Counts of what a database has: messages and signals that can be used, and those that are left out, by reason."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.words import counted
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.database import Database


class Inventory(NamedTuple):
    """`messages` and `signals` can be used; the others are counted by the reason."""

    messages: int
    signals: int
    lost_messages: Mapping[str, int]
    lost_signals: Mapping[str, int]

    def describe(self) -> str:
        """Return one line: `12 messages with 80 signals can be used; left out: 1 signal (1: it has scale 0)`."""
        used = f"{counted(self.messages, 'message')} with {counted(self.signals, 'signal')} can be used"
        left = [
            f"{counted(sum(lost.values()), what)} ({'; '.join(f'{count}: {why}' for why, count in lost.items())})"
            for what, lost in (("message", self.lost_messages), ("signal", self.lost_signals))
            if lost
        ]
        return f"{used}; left out: {', '.join(left)}" if left else f"{used}; nothing is left out"


def take_inventory(database: Database) -> Inventory:
    """Return what a database has. Signals of a message that cannot be used are not counted."""
    messages = signals = 0
    lost_messages = Counter({"it cannot be read": len(database.defects)} if database.defects else {})
    lost_signals = Counter({"it cannot be read": database.unread_signals} if database.unread_signals else {})
    for message in (*database.messages, *database.contained):
        try:
            codec = compile_message(message)
        except ConfigurationError as error:
            lost_messages[error.message.removeprefix(f"{message.name} is ")] += 1
            continue
        messages += 1
        signals += len(codec.signals)
        lost_signals.update(map(_without_name, codec.left_out.values()))
    return Inventory(messages, signals, dict(lost_messages), dict(lost_signals))


def _without_name(reason: str) -> str:
    return re.sub(r"multiplexer \S+", "multiplexer", reason)
