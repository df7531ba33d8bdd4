"""The account of a log that was read: every frame of it is delivered, or counted under a reason."""

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.base.common.words import counted
from hilbridge.frames.codec.frame import ERROR, REMOTE

ERROR_FRAME: Final = "error frame"
REMOTE_FRAME: Final = "remote frame"
EVENT: Final = "event of another kind"
"""A line or object that is no CAN frame: statistics, state of a controller, LIN, FlexRay."""

_NOUN: Final = re.compile(r"^.*?(?= (?:of|that|with|without) |$)")
"""The first word of a reason: `object` of "object that cannot be read"."""


class LogError(ValueError):
    """A log, or the rest of one, that cannot be read; its text is for the user."""


@dataclass
class Account:
    """The contents of a log. `channels`: delivered frames by channel; `left_out`: others by reason.

    `unreadable` counts lines or objects of no known form, `first_unreadable` is the first with its place. `notes` are
    assumptions. `cut` says where the log breaks off; `missing` [byte] is what its head announces beyond its end,
    `error` why the rest could not be read.
    """

    format: str = ""
    channels: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    unreadable: int = 0
    first_unreadable: str = ""
    notes: list[str] = field(default_factory=list)
    cut: str = ""
    missing: int = 0
    error: str = ""

    @property
    def frames(self) -> int:
        """Frames that were delivered."""
        return self.channels.total()

    def has_data(self, can_id: int) -> bool:
        """Return whether a frame with this identifier is a data frame; any other is counted as left out."""
        if not can_id & (ERROR | REMOTE):
            return True
        self.left_out[ERROR_FRAME if can_id & ERROR else REMOTE_FRAME] += 1
        return False

    def refuse(self, place: str, text: str, pending: int = 0) -> None:
        """Count a line that cannot be read; `pending`: frames not counted yet. LogError: most of the log is such."""
        self.unreadable += 1
        what = f"this is no line of {self.format}: {quoted(text)}"
        self.first_unreadable = self.first_unreadable or f"{place}: {what}"
        if self.unreadable >= _PATIENCE:
            self.require_readable(pending)

    def require_readable(self, pending: int = 0) -> None:
        """Raise LogError if there are no more frames than what cannot be read."""
        if self.unreadable and self.unreadable >= self.frames + self.left_out.total() + pending:
            raise LogError(self.first_unreadable)

    def words(self) -> list[str]:
        """Return what was left out and assumed: a line for each."""
        lines = [counted(number, reason, _plural(reason)) + " left out" for reason, number in self.left_out.items()]
        if self.unreadable:
            lines.append(f"{counted(self.unreadable, 'line')} cannot be read; the first: {self.first_unreadable}")
        if self.missing:
            lines.append(f"{counted(self.missing, 'byte')} missing at its end: it was cut off")
        return [*lines, *([self.cut] if self.cut else []), *self.notes]

    def summary(self) -> str:
        """Return all of it on one line."""
        return "; ".join((f"{self.format}: {counted(self.frames, 'frame')}", *self.words()))

    def require_one_channel(self, name: str, channel: str | None) -> None:
        """Check that the frames are of one bus. ConfigurationError: of several, or the channel is not there."""
        listed = ", ".join(f"{one} ({counted(number, 'frame')})" for one, number in sorted(self.channels.items()))
        if channel is not None and channel not in self.channels:
            raise ConfigurationError(f"{name}: there is no channel {channel!r} in it; there are {listed or 'none'}")
        if channel is None and len(self.channels) > 1:
            choice = "choose one with --channel, or with 'channel' of a rest bus"
            raise ConfigurationError(f"{name}: {len(self.channels)} buses in one log: {choice}: {listed}")

    def dump(self) -> bytes:
        """Return the account as bytes for `load`."""
        return json.dumps(vars(self)).encode()


_PATIENCE: Final = 200
"""Lines that cannot be read before the whole is doubted."""


def _plural(reason: str) -> str:
    return _NOUN.sub(r"\g<0>s", reason, count=1)


def load(data: bytes) -> Account:
    """Return the account that was dumped."""
    fields: dict[str, Any] = json.loads(data)
    for name in ("channels", "left_out"):
        fields[name] = Counter(fields[name])
    return Account(**fields)
