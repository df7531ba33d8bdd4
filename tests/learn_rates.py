"""The rates at which `hilbridge learn` is right, wrong, or does not know, over random frames.

    python -m tests.learn_rates [NUMBER]

Each frame has random bytes that never change, signals that walk, and a counter and a checksum of a random kind and
place, or none. The checksums are made here, bit by bit, not by the code under test. A finding is right if it makes the
checksums of payloads that the log does not have: `sure` ones with every byte at random, likely ones with random
values of what changed. Exit status 1 if a sure one is wrong.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from hilbridge.desk.learn.bits import bit_statistics
from hilbridge.desk.learn.certainty import Certainty
from hilbridge.desk.learn.log import Series
from hilbridge.desk.learn.protection import Finding, find_protection
from hilbridge.files.settings.protection import ProtectionSettings
from hilbridge.frames.protection import build_protector

Make = Callable[[bytes, int], int]
"""A checksum, from the payload with its place blank and the count."""


class Truth(NamedTuple):
    """How a frame is protected. `byte` of the checksum, None without one; `nibble`: its lowest bit there."""

    kind: str
    byte: int | None
    width: int
    shift: int
    make: Make


def crc(width: int, polynomial: int, start: int, final: int, data: bytes, *, reflect: bool) -> int:
    """A CRC, bit by bit."""
    register = start
    for byte in data:
        for bit in range(8):
            one = byte >> (bit if reflect else 7 - bit) & 1
            top = register >> (width - 1) & 1
            register = (register << 1) & ((1 << width) - 1)
            if one ^ top:
                register ^= polynomial
    if reflect:
        register = int(f"{register:0{width}b}"[::-1], 2)
    return register ^ final


def draw_truth(rng: random.Random, length: int, identifier: int) -> Truth:
    """A random way to protect a frame."""
    place = rng.choice([0, length - 1, length - 1, rng.randrange(length)])
    constant = rng.randrange(256)
    ids = [rng.randrange(256) for _ in range(16)]
    polynomial8 = rng.choice([0x1D, 0x2F, 0x07, 0x31, rng.randrange(1, 256, 2)])
    polynomial16 = rng.choice([0x1021, 0x8005, rng.randrange(1, 65536, 2)])
    start, final, reflect = rng.choice([0, 0xFF, constant]), rng.choice([0, 0xFF, constant]), rng.random() < 0.3
    pair = rng.randrange(length - 1)

    def rest(data: bytes, *bytes_: int) -> bytes:
        return bytes(byte for index, byte in enumerate(data) if index not in bytes_)

    def both(value: int) -> int:
        return value >> 4 ^ value & 15

    def xor_of(data: bytes) -> int:
        return int(np.bitwise_xor.reduce(np.frombuffer(data, np.uint8)))

    def folded(data: bytes, _: int) -> int:
        total = sum(data) + identifier
        return (total & 255) + (total >> 8) & 255

    kinds: list[Truth] = [
        Truth("none", None, 0, 0, lambda *_: 0),
        Truth("xor8", place, 8, 0, lambda data, _: xor_of(data) ^ constant),
        Truth("sum8", place, 8, 0, lambda data, _: sum(data) + constant),
        Truth("sum8 with identifier", place, 8, 0, lambda data, _: sum(data) + (identifier >> 8) + (identifier & 255)),
        Truth("sum8 negated", place, 8, 0, lambda data, _: constant - sum(data)),
        Truth("sum8 folded", place, 8, 0, folded),
        Truth("nibble-sum", place, 4, 0, lambda data, _: constant + sum((one >> 4) + (one & 15) for one in data)),
        Truth("nibble-xor", place, 4, 4, lambda data, _: both(xor_of(data)) ^ constant & 15),
        Truth(
            "crc8", place, 8, 0,
            lambda data, _: crc(8, polynomial8, start, final, rest(data, place), reflect=reflect),
        ),
        Truth(
            "crc8 with data ids", 0, 8, 0,
            lambda data, count: crc(8, polynomial8, 0xFF, 0xFF, rest(data, 0) + bytes([ids[count]]), reflect=False),
        ),
        Truth(
            "crc16", pair, 16, 0,
            lambda data, _: crc(16, polynomial16, 0xFFFF, 0, rest(data, pair, pair + 1), reflect=reflect),
        ),
    ]  # fmt: skip
    return rng.choice(kinds)


def draw_frames(rng: random.Random, truth: Truth, length: int, counter: int | None) -> np.ndarray:
    """Payloads of a frame: bytes that rest, signals that walk, flags, the counter (half a byte), the checksum."""
    style = rng.choice(["full", "full", "sparse", "still", "short"])
    count = {"full": 1500, "sparse": 1000, "still": 400, "short": 24}[style]
    base = [rng.randrange(256) for _ in range(length)]
    moves = {byte: rng.choice(["walk", "noise", "flag"]) for byte in range(length)}
    for byte in moves:
        if style == "still" or (style in ("sparse", "short") and rng.random() < 0.5):
            moves[byte] = "rest"
    rows = []
    for index in range(count):
        for byte, how in moves.items():
            if how == "walk":
                base[byte] = base[byte] + rng.choice([-1, 0, 0, 1]) & 255
            elif how == "noise" and rng.random() < 0.3:
                base[byte] = rng.randrange(256)
            elif how == "flag" and rng.random() < 0.02:
                base[byte] ^= 1 << rng.randrange(8)
        rows.append(bytes(protect(bytearray(base), truth, counter, index % 16)))
    return np.frombuffer(b"".join(rows), np.uint8).reshape(count, length)


def protect(data: bytearray, truth: Truth, counter: int | None, count: int) -> bytearray:
    """Fill in counter and checksum."""
    if counter is not None:
        data[counter] = data[counter] & 0xF0 | count
    if truth.byte is None:
        return data
    mask = ((1 << min(truth.width, 8)) - 1) << truth.shift
    data[truth.byte] &= ~mask
    if truth.width == 16:
        data[truth.byte + 1] = 0
    value = truth.make(bytes(data), count) & (1 << truth.width) - 1
    data[truth.byte] |= (value & 0xFF) << truth.shift
    if truth.width == 16:
        data[truth.byte + 1] = value >> 8
    return data


def is_right(
    rng: random.Random, found: Finding, series: Series, truth: Truth, counter: int | None, varying: np.ndarray
) -> bool:
    """Whether a finding makes the checksums of other payloads as the truth does; only bits of `varying` differ."""
    settings = [ProtectionSettings.model_validate(group) for group in found.settings]
    protector = build_protector(settings, None, series.can_id, series.length, ())
    assert protector is not None
    for _ in range(40):
        data = bytearray(series.data[0].tobytes())
        for byte in range(series.length):
            data[byte] ^= rng.randrange(256) & int(varying[byte])
        count = rng.randrange(16)
        wanted = protect(bytearray(data), truth, counter, count)
        made = bytearray(wanted)
        for group in protector.groups:
            if group.counter is not None:
                number = group.counter.numbers.count(group.counter.position.read(wanted))
                if number is None:
                    return False
                group.counter.count = number
                group.count(made)
        for group in protector.groups:
            group.seal(made)
        if made != wanted:
            return False
    return True


def outcome(seed: int) -> tuple[str, str]:
    """The kind of a random frame, and what `learn` says of its checksum: `sure, right` and so on."""
    rng = random.Random(seed)
    length, identifier = rng.choice([4, 6, 8, 8, 8]), rng.randrange(0x800)
    truth = draw_truth(rng, length, identifier)
    places = [byte for byte in range(length) if truth.byte is None or byte not in (truth.byte, truth.byte + 1)]
    counter = rng.choice(places) if truth.kind == "crc8 with data ids" or rng.random() < 0.7 else None
    data = draw_frames(rng, truth, length, counter)
    series = Series(identifier, False, np.arange(len(data)) * 10_000_000, data, {})
    statistics = bit_statistics(data)
    found = find_protection(series, statistics)
    claims = found.preset is not None or (found.checksum is not None and found.checksum.certainty > Certainty.UNKNOWN)
    if truth.byte is None:
        return truth.kind, f"{found.certainty}, wrong" if claims else "none, right"
    if not claims:
        return truth.kind, "don't know"
    varying = np.full(length, 0xFF) if found.certainty is Certainty.SURE else statistics.varying
    right = is_right(rng, found, series, truth, counter, varying)
    return truth.kind, f"{found.certainty}, {'right' if right else 'wrong'}"


OUTCOMES = ("sure, right", "sure, wrong", "likely, right", "likely, wrong", "don't know", "none, right")


def main() -> int:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    table: dict[str, Counter[str]] = {}
    for seed in range(number):
        kind, what = outcome(seed)
        table.setdefault(kind, Counter())[what] += 1
        if "wrong" in what:
            print(f"seed {seed}: {kind}: {what}")
    print(f"\n{number} random frames\n\n{'':22}" + "".join(f"{what:>15}" for what in OUTCOMES))
    for kind, counts in sorted(table.items()):
        print(f"{kind:22}" + "".join(f"{counts[what] or '':>15}" for what in OUTCOMES))
    total = sum(table.values(), Counter())
    print(f"{'all':22}" + "".join(f"{total[what]:>15}" for what in OUTCOMES))
    return int(total["sure, wrong"] > 0)


if __name__ == "__main__":
    sys.exit(main())
