"""Why a byte of a recorded car is not as in the profile: the reasons of docs/judged.md.

named     by a source: a row `facts` of tests/clusters/judged.yaml
counter   a part of the byte goes one further from frame to frame, or a database has a counter or checksum in these bits
placed    a public database of another car has a signal in these bits, which is a guess
elsewhere the other recorded car of this profile has it as the profile
constant  one number in all frames of this car
state     a few numbers in turn; mostly ours is one of them
moves     and no source read for this page says why
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from opendbc.can.dbc import DBC  # type: ignore[import-untyped]

from hilbridge.desk.beside.car import Car
from hilbridge.desk.beside.compare import ByteFinding, FrameFinding

KINDS: Final = ("named", "placed", "elsewhere", "counter", "constant", "state", "moves")

_FEW: Final = 6
"""Numbers of a byte up to which it is a state, and not a measure."""

_COUNTS: Final = 0.9
"""Share of frames that go one further, from which a part of a byte is a counter."""

_SHOWN: Final = 3
"""Signals of a byte that are listed."""

_UNNAMED: Final = ("NEW_SIGNAL", "BYTE", "UNKNOWN", "SET_ME", "XXX", "SIGNAL")
"""Beginnings of names of signals that say nothing of the meaning."""

_PROTECTS: Final = re.compile(r"alive|counter|chk|checksum|crc", re.IGNORECASE)
"""Names of counters and checksums."""


class Reason(NamedTuple):
    """Why a byte differs: of which kind that is, and words."""

    byte: int
    kind: str
    words: str


class Databases:
    """Signals of files of opendbc, read by opendbc, by identifier. `names`: of the files, without `.dbc`."""

    def __init__(self, names: Iterable[str]) -> None:
        self._files: Final = [(name, DBC(name).msgs) for name in names]

    def names(self, can_id: int, length: int, found: ByteFinding) -> list[str]:
        """Return the signals that lie in bits of a byte that differ; none: no file says anything."""
        for _, messages in self._files:
            message = messages.get(can_id)
            if message is None or message.size != length:
                continue
            names = [one.name for one in message.sigs.values() if _bits(one, length)[found.byte] & found.mask]
            told = [one for one in names if not one.upper().startswith(_UNNAMED)]
            if told:
                return told
        return []

    def words(self) -> str:
        """Return the names of the files."""
        return ", ".join(name.removesuffix("_generated") for name, _ in self._files)


def _bits(signal: Any, length: int) -> bytes:
    """Return which bits of a frame a signal has: a mask for each byte."""
    masks = bytearray(length)
    place = signal.start_bit
    for _ in range(signal.size):
        if place // 8 < length:
            masks[place // 8] |= 1 << place % 8
        if signal.is_little_endian:
            place += 1
        else:
            place += 15 if place % 8 == 0 else -1
    return bytes(masks)


def reasons(
    frame: FrameFinding, car: Car, facts: dict[str, str], databases: Databases, elsewhere: Sequence[tuple[str, Car]]
) -> list[Reason]:
    """Return the reason for each byte of a frame that differs.

    `facts`: words by bytes, as "0-1". `elsewhere`: other cars of the same profile, with their names.
    """
    told = {byte: words for bytes_, words in facts.items() for byte in _range(str(bytes_))}
    data = car.series[frame.can_id].data
    return [_reason(one, frame, data, told.get(one.byte, ""), databases, elsewhere) for one in frame.rest]


def _range(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def _reason(
    found: ByteFinding,
    frame: FrameFinding,
    data: NDArray[np.uint8],
    told: str,
    databases: Databases,
    elsewhere: Sequence[tuple[str, Car]],
) -> Reason:
    if told:
        return Reason(found.byte, "named", told)
    if (bits := _counter(data[:, found.byte] & found.mask)) is not None:
        return Reason(found.byte, "counter", f"bits {bits[0]} to {bits[1]} count")
    if names := databases.names(frame.can_id, frame.length, found):
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        kind = "counter" if any(map(_PROTECTS.search, names)) else "placed"
        return Reason(found.byte, kind, ", ".join(names[:_SHOWN]) + more)
    for name, other in elsewhere:
        series = other.series.get(frame.can_id)
        if series is not None and found.byte < series.data.shape[1]:
            numbers = series.data[:, found.byte] & found.mask
            if (numbers == found.ours).all():
                return Reason(found.byte, "elsewhere", f"as ours in the {name}")
    if len(found.car) == 1:
        return Reason(found.byte, "constant", "constant in this car")
    if len(found.car) <= _FEW and found.equal:
        return Reason(found.byte, "state", "a state, as ours in part of the log")
    if len(found.car) <= _FEW:
        return Reason(found.byte, "state", "a state of this car")
    return Reason(found.byte, "moves", "moves, not known why")


def _counter(numbers: NDArray[np.integer[Any]]) -> tuple[int, int] | None:
    """Return the first and the last bit of the part of a byte that counts."""
    for low, width in ((0, 8), (0, 4), (4, 4), (0, 3), (0, 2), (4, 2), (6, 2)):
        part = (numbers >> low).astype(int) & ((1 << width) - 1)
        steps = np.diff(part) % (1 << width)
        if len(steps) > 1 << width and (steps == 1).mean() >= _COUNTS:
            return low, low + width - 1
    return None


def in_words(found: Sequence[Reason]) -> str:
    """Return the reasons of a frame: bytes side by side with the same reason together."""
    groups: list[tuple[list[int], str]] = []
    for one in found:
        if groups and groups[-1][1] == one.words:
            groups[-1][0].append(one.byte)
        else:
            groups.append(([one.byte], one.words))
    return "; ".join(f"byte {_spans(bytes_)}: {words}" for bytes_, words in groups)


def _spans(bytes_: list[int]) -> str:
    whole = bytes_ == list(range(bytes_[0], bytes_[-1] + 1)) and len(bytes_) > 1
    return f"{bytes_[0]} to {bytes_[-1]}" if whole else " ".join(map(str, bytes_))
