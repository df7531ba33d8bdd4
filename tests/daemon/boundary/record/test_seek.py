"""A time is found in a segment without what lies before it being read; damage costs time, never a row."""

import random
from pathlib import Path

import pytest

from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.boundary_records import FRAME, RELOAD, RELOAD_LAYOUT, FrameRecord
from hilbridge.boundary.record.recording import Recording
from hilbridge.boundary.record.seek import FEW, offset_of
from hilbridge.boundary.record.segments import GAP, HEADER, header, record, segment_path
from hilbridge.frames.codec.frame import Frame

COUNT = 30_000
"""Frames of a segment, 1 ms apart: five times what is not halved."""

SIZE = len(record(0, 0, 0, FRAME, FrameRecord(0, True, Frame(0, bytes(8))).encode()))


def segment(folder: Path, wrong: dict[int, int] | None = None, large: int | None = None) -> bytearray:
    """Write a recording of one segment: frame n at n ms, some with a wrong time [ns], one behind a record of 900 kB."""
    manifest.create(folder, {"bench": "demo", "vehicle": "compact", "buses": ["can"]})
    content = bytearray(header(0, 0))
    for n in range(COUNT):
        if n == large:
            content += record(len(content), n, n * MILLISECOND, RELOAD, RELOAD_LAYOUT.pack(0, 1) + bytes(900_000))
        t = (wrong or {}).get(n, n * MILLISECOND)
        content += record(len(content), n, t, FRAME, FrameRecord(0, True, Frame(n % 2048, bytes(8))).encode())
    segment_path(folder, 0).write_bytes(content)
    return content


def between(folder: Path, since: float, until: float) -> list[int]:
    """The times [ms] of the frames between two times [s]."""
    found = Recording(folder).between(round(since * SECOND), round(until * SECOND))
    return [one.t // MILLISECOND for one in found if one.kind == FRAME]


@pytest.mark.parametrize("since", [0.0, 0.001, 1.0, 7.25, 14.999, 15.0, 22.5, 29.0, 29.999, 31.0])
def test_all_in_front_of_the_place_is_older(tmp_path: Path, since: float) -> None:
    """And no more than what is not halved lies between the place and the time."""
    segment(tmp_path)
    offset = offset_of(segment_path(tmp_path, 0), round(since * SECOND))
    place, rest = divmod(offset - HEADER.size, SIZE)
    wanted = min(COUNT, round(since * 1000))
    assert rest == 0
    assert place <= wanted
    assert (wanted - place) * SIZE <= 2 * FEW
    assert between(tmp_path, since, since + 0.5) == list(range(wanted, min(COUNT, wanted + 501)))


def test_what_lies_before_is_not_read(tmp_path: Path) -> None:
    """The progress begins behind it, and damage there is none of what is asked for."""
    content = segment(tmp_path)
    content[HEADER.size + 20] ^= 1
    segment_path(tmp_path, 0).write_bytes(content)
    one = Recording(tmp_path)
    progress: list[int] = []
    assert len(list(one.between(25 * SECOND, 26 * SECOND, progress.append))) == 1001
    assert one.gaps == 0
    assert min(progress) > one.size * 0.7


@pytest.mark.parametrize("seed", range(4))
def test_damage_hides_no_row(tmp_path: Path, seed: int) -> None:
    """Bytes that were changed anywhere, and a stretch of zeros: all frames but those that were hit are found."""
    content = segment(tmp_path)
    rng = random.Random(seed)
    hit = set()
    for place in [rng.randrange(HEADER.size, len(content)) for _ in range(300)]:
        content[place] ^= 1 + rng.randrange(255)
        hit.add((place - HEADER.size) // SIZE)
    zeros = rng.randrange(HEADER.size, len(content) - 40_000)
    content[zeros : zeros + 40_000] = bytes(40_000)
    hit |= set(range((zeros - HEADER.size) // SIZE, (zeros + 40_000 - HEADER.size) // SIZE + 1))
    segment_path(tmp_path, 0).write_bytes(content)
    since = rng.randrange(COUNT - 2000)
    found = between(tmp_path, since / 1000, (since + 2000) / 1000)
    assert set(found) >= set(range(since, since + 2001)) - hit


@pytest.mark.parametrize("t", [0, 29_999 * MILLISECOND, -1, 2**62])
def test_a_wrong_time_hides_no_other_row(tmp_path: Path, t: int) -> None:
    """Wherever the search looks, there are more records than that one."""
    segment(tmp_path, dict.fromkeys(range(100, COUNT, 200), t))
    for since in (3, 12, 18, 27):
        found = set(between(tmp_path, since, since + 1))
        assert found >= {n for n in range(since * 1000, since * 1000 + 1001) if n % 200 != 100}


def test_a_long_record_hides_no_row(tmp_path: Path) -> None:
    """A part of a reload, longer than what is looked at: no record begins there."""
    segment(tmp_path, large=16_000)
    found = list(Recording(tmp_path).between(16 * SECOND, 17 * SECOND))
    assert [one.kind for one in found].count(FRAME) == 1001
    assert [one.kind for one in found].count(RELOAD) == 1
    assert GAP not in [one.kind for one in found]
