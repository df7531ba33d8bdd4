"""Checksums: which field of a frame is made of the others, how, and how sure that is.

Candidates are bytes, half bytes and pairs of bytes that change when the rest does. Each is tried as a sum (sums.py) and
as a CRC (linear.py), from one start for the identifier, and from one for each count of its counter. What fits is built
as a bench builds it, and compared with the log once more.

    margin [bit] = width · independent differences − bits that the rule is free to choose − log2 of the rules tried

A margin of m means that a field of chance would fit with the probability 2^−m. A finding is sure with a margin of 24,
if no other rule fits that would make other checksums of other payloads, and if every byte that may count has changed:
of one that never did it is not known whether it counts. A likely one has half of that margin.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.desk.learn.bits import BitStatistics
from hilbridge.desk.learn.certainty import Certainty
from hilbridge.desk.learn.counters import Counter
from hilbridge.desk.learn.field import Field, Numbers, distinct
from hilbridge.desk.learn.linear import CrcFit, Relations, basis, crc_fits
from hilbridge.desk.learn.log import Payloads, Series
from hilbridge.desk.learn.sums import HOLDS, SumFit, sum_fits
from hilbridge.files.settings.protection import ChecksumSettings
from hilbridge.frames.protection.checksum import calculation
from hilbridge.frames.protection.position import Places

_MOST_PAYLOADS: Final = 2000
_COMPARED: Final = 300
"""Payloads that a rule is compared with as a bench would make it."""

_WINDOW: Final = 10
"""Payloads for each byte, more than its bits, of a part of the log: some may disturb the whole."""

_REACTS: Final = 0.5
"""Least share of changes of the rest that change a checksum."""

SURE: Final = 24.0
_LIKELY: Final = 12.0
_FEWEST: Final = 8
"""Payloads of a likely rule."""

_TRIED: Final = 12.0
"""[bit] of the rules that are tried."""

_RANDOM: Final = 48
"""Payloads by which two rules are told apart."""

_USUAL: Final = {8: (0x1D, 0x2F, 0x07, 0x31, 0x9B), 16: (0x1021, 0x8005), 32: (0x04C11DB7, 0xF4ACFB13)}
"""Polynomials that are met most."""


class Checksum(NamedTuple):
    """A checksum: its keys as a bench file has them (without `at`), and the evidence.

    `payloads`: different ones that agree, of `of`. `rank`: independent differences among them. `alternatives`: other
    rules that fit. `unseen`: bytes that never changed. `natural`: its constants were not made to fit.
    `placed`: no other field would do as well.
    """

    field: Field
    settings: dict[str, Any]
    margin: float
    payloads: int
    of: int
    rank: int
    alternatives: int
    unseen: tuple[int, ...]
    natural: bool
    placed: bool

    @property
    def certainty(self) -> Certainty:
        if self.margin < _LIKELY or self.payloads < _FEWEST or self.alternatives + (not self.placed) > 1:
            return Certainty.UNKNOWN
        whole = self.margin >= SURE and not self.alternatives and not self.unseen and self.placed
        return Certainty.SURE if whole else Certainty.LIKELY

    @property
    def signature(self) -> tuple[Any, ...]:
        """The common part of a maker's frames: all but the places and the data ids."""
        keys = {key: value for key, value in self.settings.items() if key not in ("data_ids", "first", "last")}
        whole = "first" not in self.settings and "last" not in self.settings
        return (self.field.width, whole, self.natural, repr(sorted(keys.items())))


class _Rule(NamedTuple):
    """A rule that fits the payloads that were looked at."""

    field: Field
    settings: dict[str, Any]
    margin: float
    rank: int
    symmetric: bool
    natural: bool


def find_checksum(series: Series, statistics: BitStatistics, counters: Sequence[Counter]) -> Checksum | None:
    """Return the checksum of a series; None if no rule fits."""
    if series.length < 2 or len(series.times) < 4:
        return None
    search = _Search(series, statistics, counters[0] if counters else None)
    return search.best()


class _Search:
    def __init__(self, series: Series, statistics: BitStatistics, counter: Counter | None) -> None:
        chosen = distinct(series.data)
        if len(chosen) > _MOST_PAYLOADS:
            chosen = chosen[np.linspace(0, len(chosen) - 1, _MOST_PAYLOADS).astype(np.intp)]
        self.series: Final = series
        self.rows: Final = series.data[chosen]
        self.counter: Final = counter
        self.counts: Final = self._counts(self.rows)
        self.varying: Final = statistics.changing_bytes
        self.identifier: Final = series.identifier.to_bytes(4 if series.extended else 2, "little")
        self._kept: Final[dict[tuple[int, int, bool], tuple[list[bytes], Relations]]] = {}
        self._bits: Final = statistics.varying
        beside = self._bits & ~counter.field.mask(series.length) if counter is not None else self._bits
        self._moved: Final = [int(byte) for byte in np.flatnonzero(beside)]

    def best(self) -> Checksum | None:
        """Return the checksum that fits best; rules that fit beside it count against it."""
        rules: list[tuple[_Rule, float]] = []
        taken: list[Field] = []
        for field in self._fields():
            if any(field.touches(other) for other in taken) or self._repeats(field):
                continue
            reaction = self._reaction(field)
            if reaction < _REACTS:
                continue
            found = [rule for rule in self._rules(field) if self._agreeing(rule) >= HOLDS]
            if any(rule.margin >= _LIKELY for rule in found):
                taken.append(field)
            rules += [(rule, reaction) for rule in found]
        if not rules:
            return None
        rule, reaction = max(rules, key=lambda one: _preference(*one))
        if rule.margin <= 0:
            return None
        others = [(one, react) for one, react in rules if one is not rule]
        rivals = [one for one, _ in others if one.field == rule.field]
        elsewhere = [one for one, react in others if one.field != rule.field and react > 0.9 * reaction]
        payloads = round(self._agreeing(rule) * min(len(self.rows), _COMPARED))
        return Checksum(
            rule.field,
            rule.settings,
            rule.margin,
            payloads,
            min(len(self.rows), _COMPARED),
            rule.rank,
            self._different(rule, rivals),
            self._unseen(rule),
            rule.natural,
            placed=not any(one.margin >= _LIKELY for one in elsewhere),
        )

    def _fields(self) -> Iterator[Field]:
        """Yield what may be a checksum: bytes, pairs of bytes, half bytes."""
        length = self.series.length
        fields = [Field(byte, 0, 8) for byte in self.varying]
        for byte in range(length - 1):
            fields += [Field(byte, 0, 16), Field(byte + 1, 0, 16, big=True)]
        for byte in range(length - 3) if length > 8 else ():
            fields += [Field(byte, 0, 32), Field(byte + 3, 0, 32, big=True)]
        halves = self.varying if length <= CLASSIC_LENGTH else ()
        fields += [Field(byte, shift, 4) for byte in halves for shift in (0, 4)]
        for field in fields:
            if self.counter is not None and field.touches(self.counter.field):
                continue
            mask = field.mask(length)
            if field.width > 8 and (self._bits & mask != mask).any():
                continue
            if (self._bits & mask).any():
                yield field

    def _rules(self, field: Field) -> Iterator[_Rule]:
        if field.width <= 8:
            rest = self.rows & ~field.mask(self.series.length)
            for fit in sum_fits(self.rows, field, self.varying, self.identifier):
                yield self._sum_rule(field, fit, rest)
        mask = field.mask(self.series.length)
        if field.width >= 8 and (self._bits & mask == mask).all():
            found = False
            for rule in self._crc_rules(field, per_count=False):
                found = found or rule.margin >= _LIKELY
                yield rule
            if not found and self.counter is not None and self.counter.size <= 16 and field.width == 8:
                yield from self._crc_rules(field, per_count=True)

    def _sum_rule(self, field: Field, fit: SumFit, rest: Payloads) -> _Rule:
        covered = rest[: _WINDOW * self.series.length, fit.first : fit.last + 1]
        if field.width == 4 and fit.settings["algorithm"] == "sum8" and not fit.settings.get("fold"):
            covered = np.asarray(covered & 15, np.uint8)
        independent = len(basis((0, row.tobytes()) for row in covered))
        margin = field.width * independent - _TRIED
        settings = fit.settings | self._range(field, fit.first, fit.last)
        natural = "initial" not in fit.settings
        return _Rule(field, settings, margin, independent, fit.symmetric, natural)

    def _range(self, field: Field, first: int, last: int) -> dict[str, Any]:
        """Return the keys of a range of bytes, where it is not all of the others."""
        counted = [byte for byte in range(self.series.length) if byte not in field.whole_bytes]
        return ({"first": first} if first > counted[0] else {}) | ({"last": last} if last < counted[-1] else {})

    def _crc_rules(self, field: Field, *, per_count: bool) -> Iterator[_Rule]:
        tails = (1, 0) if per_count else (0, 1, len(self.identifier))
        for start, end in self._windows():
            rows = self.rows[start:end]
            vectors, relations = self._differences(start, end, per_count=per_count)
            if not relations.tell(field):
                continue
            any_found = False
            for fit in crc_fits(field, vectors, self.varying, tails):
                settings, natural = self._counted(field, fit) if per_count else self._with_constants(field, fit, rows)
                if settings is None:
                    continue
                any_found = True
                margin = field.width * (fit.rank - 1) - _TRIED
                yield _Rule(field, settings, margin, fit.rank, symmetric=False, natural=natural)
            if any_found:
                return

    def _differences(self, start: int, end: int, *, per_count: bool) -> tuple[list[bytes], Relations]:
        """Return a basis of the differences between the payloads of a part, of all or of each count."""
        known = self._kept.get((start, end, per_count))
        if known is None:
            counts = self.counts[start:end] if per_count else np.zeros(end - start, np.int64)
            vectors = basis(
                (int(count), row.tobytes()) for count, row in zip(counts, self.rows[start:end], strict=True)
            )
            known = self._kept[start, end, per_count] = (vectors, Relations(vectors))
        return known

    def _windows(self) -> list[tuple[int, int]]:
        """Return the parts of the payloads to look at: all, or one where nothing disturbs."""
        count, size = len(self.rows), _WINDOW * self.series.length
        parts = [(0, count)]
        if count > 2 * size:
            parts += [(start, start + size) for start in (count // 2, count - size, count // 4)]
        return parts

    def _keys(self, field: Field, fit: CrcFit, initial: int, xor_out: int) -> dict[str, Any]:
        keys: dict[str, Any] = {"algorithm": f"crc{field.width}", "polynomial": fit.polynomial}
        keys |= {"initial": initial, "xor_out": xor_out}
        if fit.reflect or field.width == 32:
            keys["reflect"] = fit.reflect
        return keys | self._range(field, fit.first, fit.last)

    def _with_constants(self, field: Field, fit: CrcFit, rows: Payloads) -> tuple[dict[str, Any] | None, bool]:
        """Return the keys of a CRC with start and final xor: usual ones if they fit, else a final xor of its own."""
        ones = (1 << field.width) - 1
        row = rows[len(rows) // 2]
        wanted = int(field.read(row[None, :])[0])
        terms: list[dict[str, Any]] = [{}, {"before": ["identifier"]}] if fit.tail == 0 else []
        if fit.tail == len(self.identifier):
            terms = [{"after": ["identifier"]}]
        for term in terms:
            for initial, xor_out in ((ones, ones), (0, 0), (ones, 0), (0, ones)):
                keys = self._keys(field, fit, initial, xor_out) | term
                if self._calculate(field, keys)(row.tobytes(), 0) == wanted:
                    return keys, True
        keys = self._keys(field, fit, 0, 0) | ({"after": [0] * fit.tail} if fit.tail else {})
        return keys | {"xor_out": self._calculate(field, keys)(row.tobytes(), 0) ^ wanted}, False

    def _counted(self, field: Field, fit: CrcFit) -> tuple[dict[str, Any] | None, bool]:
        """Return the keys of a CRC with a data id for each count; None if it has none, or a count was never seen."""
        if self.counter is None or fit.tail > 1:
            return None, False
        initial = 0xFF if fit.tail else 0
        keys = self._keys(field, fit, initial, initial) | {"after" if fit.tail else "before": ["data-id"]}
        trial = self._calculate(field, keys | {"data_ids": list(range(256))})
        data_ids = []
        for count in range(self.counter.high + 1):
            of_count = np.flatnonzero(self.counts == count)
            if not len(of_count):
                if count >= self.counter.low:
                    return None, False
                data_ids.append(0)
                continue
            row = self.rows[of_count[len(of_count) // 2]]
            wanted = int(field.read(row[None, :])[0])
            fitting = [number for number in range(256) if trial(row.tobytes(), number) == wanted]
            if len(fitting) != 1:
                return None, False
            data_ids += fitting
        return keys | {"data_ids": _shortest(data_ids)}, True

    def _calculate(self, field: Field, settings: dict[str, Any]) -> Callable[[bytes, int], int]:
        """Return the checksum's function as a bench has it."""
        own = ChecksumSettings.model_validate(settings | {"at": field.settings()})
        position = Places(None, self.series.length).position(own.at or [], ())
        made = calculation(own, position, self.series.can_id, self.series.length, ())
        return lambda data, number: made(data, number) & position.highest

    def _agreeing(self, rule: _Rule) -> float:
        """Return the share of payloads that a rule makes as the log has them."""
        try:
            calculate = self._calculate(rule.field, rule.settings)
        except ConfigurationError:
            return 0.0
        chosen = np.linspace(0, len(self.rows) - 1, min(len(self.rows), _COMPARED)).astype(np.intp)
        numbers = rule.field.read(self.rows[chosen])
        made = [calculate(self.rows[i].tobytes(), int(self.counts[i])) for i in chosen]
        return float((numbers == made).mean())

    def _different(self, rule: _Rule, rivals: Sequence[_Rule]) -> int:
        """Return how many of the rivals make other checksums of other payloads, of the bits that change."""
        random = np.random.default_rng(1)
        payloads = np.repeat(self.rows[:1], _RANDOM, axis=0)
        for byte in self.varying:
            bits = 0xFF if byte in self._moved else int(self._bits[byte])
            payloads[:, byte] ^= random.integers(0, 256, _RANDOM, np.uint8) & bits
        counts = self._counts(payloads)
        results = {
            tuple(calculate(row.tobytes(), int(count)) for row, count in zip(payloads, counts, strict=True))
            for calculate in (self._calculate(one.field, one.settings) for one in (rule, *rivals))
        }
        return len(results) - 1

    def _unseen(self, rule: _Rule) -> tuple[int, ...]:
        """Return the bytes that may count or not: they never changed, or only with the count that chooses a data id."""
        seen = self._moved if "data_ids" in rule.settings else self.varying
        own = rule.field.whole_bytes
        return tuple(byte for byte in range(self.series.length) if byte not in own and byte not in seen)

    def _repeats(self, field: Field) -> bool:
        """Return whether a byte or half byte only repeats another one, inverted or so much more."""
        if field.width > 8:
            return False
        numbers = field.read(self.rows)
        for byte in self.varying:
            for shift in range(0, 8, field.width):
                other = Field(byte, shift, field.width)
                values = other.read(self.rows)
                if other == field or (values == values[0]).all():
                    continue
                more = (numbers - values) & (1 << field.width) - 1
                turned = numbers ^ values
                if (more == more[0]).all() or (turned == turned[0]).all():
                    return True
        return False

    def _reaction(self, field: Field) -> float:
        """Return in which share of the frames with another rest the field is another, too."""
        data = self.series.data[: 4 * _MOST_PAYLOADS]
        rest = data & ~field.mask(self.series.length)
        moved = (rest[1:] != rest[:-1]).any(axis=1)
        numbers = field.read(data)
        return float((numbers[1:] != numbers[:-1])[moved].mean()) if moved.any() else 0.0

    def _counts(self, rows: Payloads) -> Numbers:
        return self.counter.field.read(rows) if self.counter is not None else np.zeros(len(rows), np.int64)


def _preference(rule: _Rule, reaction: float) -> tuple[Any, ...]:
    """Return a key that sorts rules: what fits by more than chance, then what is plain and usual."""
    crc = rule.settings["algorithm"].startswith("crc")
    usual = _USUAL.get(rule.field.width, ())
    polynomial = rule.settings.get("polynomial")
    return (
        rule.margin >= _LIKELY,
        not crc or "data_ids" not in rule.settings,
        not crc,
        round(reaction, 1),
        rule.natural,
        -usual.index(polynomial) if polynomial in usual else -len(usual),
        not rule.settings.get("reflect", False),
        rule.rank,
        rule.field.width,
        -min(rule.field.byte, 1),
    )


def _shortest(numbers: list[int]) -> list[int]:
    """Return the shortest list that gives the same numbers round and round."""
    size = len(numbers)
    for period in range(1, size):
        if size % period == 0 and numbers[:period] * (size // period) == numbers:
            return numbers[:period]
    return numbers
