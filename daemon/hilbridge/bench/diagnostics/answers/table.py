"""The patterns of a control unit's answers, found by a request without a search through all of them.

    groups   patterns with the same service, the same wildcards and the same length; in a group a request finds its
             pattern by the bytes that are given
    order    the group with the most given digits first, then the longer one, then the one without open end

A request looks into each group of its service: as many look-ups as there are kinds of wildcards, at most `MOST_GROUPS`.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.files.settings.request_patterns import Pattern

MOST_GROUPS: Final = 64
"""Kinds of wildcards of one service."""


class _Group(NamedTuple):
    """Patterns by the bits of theirs that are given."""

    mask: int
    length: int
    open: bool
    patterns: dict[int, Pattern]

    def find(self, request: bytes) -> Pattern | None:
        """Return the pattern that a request fits."""
        if len(request) < self.length or (len(request) > self.length and not self.open):
            return None
        return self.patterns.get(int.from_bytes(request[: self.length], "big") & self.mask)


class PatternTable:
    """Patterns by their service; `find` returns the one that has the most given digits of those that fit."""

    def __init__(self, patterns: Mapping[str, Pattern], place: KeyPath = ()) -> None:
        """ConfigurationError, at the key path `place`: a service has too many kinds of wildcards."""
        groups: dict[int, dict[tuple[int, int, bool], _Group]] = {}
        for key, pattern in patterns.items():
            of_service = groups.setdefault(pattern.service, {})
            kind = (pattern.mask, pattern.length, pattern.open)
            if kind not in of_service and len(of_service) == MOST_GROUPS:
                reason = f"service {pattern.service:02X} has more than {MOST_GROUPS} kinds of wildcards"
                raise ConfigurationError(reason, (*place, key))
            of_service.setdefault(kind, _Group(*kind, {})).patterns[pattern.value] = pattern
        self._services: Final[dict[int, tuple[_Group, ...]]] = {
            service: tuple(sorted(of_service.values(), key=_order)) for service, of_service in groups.items()
        }

    @property
    def services(self) -> Iterable[int]:
        """The services that have a pattern."""
        return self._services.keys()

    def of_service(self, service: int) -> Iterator[Pattern]:
        """Yield the patterns of a service."""
        for group in self._services.get(service, ()):
            yield from group.patterns.values()

    def find(self, request: bytes) -> Pattern | None:
        """Return the pattern of a request that has at least one byte; None if none fits."""
        for group in self._services.get(request[0], ()):
            pattern = group.find(request)
            if pattern is not None:
                return pattern
        return None

    def rivals(self) -> Iterator[tuple[Pattern, Pattern]]:
        """Yield pairs of patterns with equally many given digits that some request fits both of; the first one wins."""
        for groups in self._services.values():
            for index, one in enumerate(groups):
                for other in groups[index + 1 :]:
                    if one.mask.bit_count() != other.mask.bit_count():
                        break
                    yield from _overlaps(one, other)


def _order(group: _Group) -> tuple[int, int, bool]:
    return -group.mask.bit_count(), -group.length, group.open


def _overlaps(one: _Group, other: _Group) -> Iterator[tuple[Pattern, Pattern]]:
    """Yield a pair for each pattern of `one` that has a rival in `other`, which is no longer and no more special."""
    if one.mask == other.mask << 8 * (one.length - other.length):
        return  # the same digits are given: `one` is part of what `other` takes
    if (one.length < other.length and not one.open) or (other.length < one.length and not other.open):
        return
    length = min(one.length, other.length)
    first, second = 8 * (one.length - length), 8 * (other.length - length)
    common = one.mask >> first & other.mask >> second
    known = {value >> second & common: pattern for value, pattern in other.patterns.items()}
    for value, pattern in one.patterns.items():
        if (rival := known.get(value >> first & common)) is not None:
            yield pattern, rival
