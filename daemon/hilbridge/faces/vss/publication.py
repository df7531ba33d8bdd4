"""The values that a databroker has yet to hear, as they have changed; which paths have none, and why."""

from collections.abc import Collection, Mapping
from typing import Final, TypeAlias

from hilbridge.base.common.words import listed
from hilbridge.client.talks import EntryValue
from hilbridge.faces.vss.signals import NOT_AVAILABLE, Reader, Signal, Value, Withheld

_MOST_NAMED: Final = 3

Values: TypeAlias = dict[str, Value | None]
"""Values by path; None: there is none, which is to be told too."""


class Publication:
    """The values of signals as a databroker has been told them, and what has changed since."""

    def __init__(self, signals: Collection[Signal]) -> None:
        self._reader: Final = Reader([*signals])
        self.told: Final[Values] = {}
        self.withheld: dict[str, Withheld] = {}
        """The paths that have no value now, with the reason."""
        self.messages = 0
        self.values = 0
        self.refused: Final[dict[str, str]] = {}
        """The paths whose values the databroker has refused, with its newest reason."""
        self.refusals = 0

    def begin(self, paths: Collection[str]) -> None:
        """Tell these paths anew, and no others: a databroker has been found that knows nothing."""
        self._paths = frozenset(paths)
        self.told.clear()
        self.refused.clear()

    def due(self, answered: Mapping[str, EntryValue]) -> Values:
        """Return what has changed, and take it as told; `answered` are the entries, none while no bench answers."""
        now = {path: value for path, value in self._reader.read(answered).items() if path in self._paths}
        self.withheld = {path: value for path, value in now.items() if isinstance(value, Withheld)}
        plain = {path: None if isinstance(value, Withheld) else value for path, value in now.items()}
        changed = {path: value for path, value in plain.items() if path not in self.told or self.told[path] != value}
        self.told.update(changed)
        self.messages += bool(changed)
        self.values += len(changed)
        return changed

    def gaps(self) -> str:
        """Return how many paths have no value now, and why, for people: `5 not available, 1 beyond bounds (PATH)`.

        What a vehicle has not is not available; other reasons are named with their paths.
        """
        if not self.withheld:
            return "none"
        by_reason: dict[Withheld, list[str]] = {}
        for path, reason in self.withheld.items():
            by_reason.setdefault(reason, []).append(path)
        return ", ".join(
            f"{len(paths)} {reason.reason}" + ("" if reason is NOT_AVAILABLE else f" ({listed(paths, _MOST_NAMED)})")
            for reason, paths in by_reason.items()
        )

    def refuse(self, path: str, reason: str) -> bool:
        """Note that a value was refused; return whether that is the first of its path here."""
        self.refusals += 1
        is_new = path not in self.refused
        self.refused[path] = reason
        return is_new
