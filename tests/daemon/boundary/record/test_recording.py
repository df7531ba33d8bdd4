"""A recording that was damaged or falsified is read up to the damage, which is named."""

import json
import struct
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.boundary_records import (
    ANSWER,
    COMMAND,
    END,
    FRAME,
    LINK,
    MISSED,
    PORT,
    RELOAD,
    SERIAL,
    TOOL,
    FrameRecord,
)
from hilbridge.boundary.record.playback import Playback
from hilbridge.boundary.record.recording import LATEST, BoundaryRecord, Recording
from hilbridge.boundary.record.segments import GAP, HEADER, header, record, segment_path
from hilbridge.frames.codec.frame import Frame
from hilbridge.runs.run.replay import unpack

FACTS = {"bench": "demo", "vehicle": "compact", "buses": ["can"]}
GOOD = (MILLISECOND, FRAME, FrameRecord(0, True, Frame(5, b"12345678")).encode())


def recording(folder: Path, *records: tuple[int, int, bytes]) -> Recording:
    """One with these records, each with the checksum that belongs to it."""
    manifest.create(folder, FACTS)
    content = header(0, 0)
    for position, (t, kind, payload) in enumerate(records):
        content += record(len(content), position, t, kind, payload)
    segment_path(folder, 0).write_bytes(content)
    return Recording(folder)


@pytest.mark.parametrize(
    ("t", "kind", "payload", "reason"),
    [
        (-1, FRAME, GOOD[2], "its time is -1e-09 s"),
        (2**62, FRAME, GOOD[2], "its time is 4.61169e+09 s"),
        (100 * 365 * 86400 * 10**9 + 1, FRAME, GOOD[2], "its time is 3.1536e+09 s"),
        (0, FRAME, b"\x05\0\0\0\0\0", "it is too short for a frame"),
        (0, FRAME, struct.pack("<IBBB", 5, 1, 1, 0), "its frame is of bus 1, and there are 1"),
        (0, FRAME, struct.pack("<IBBB", 5, 0, 1, 0) + bytes(12), "no frame has 12 bytes"),
        (0, FRAME, struct.pack("<IBBB", 5, 0, 1, 4) + bytes(65), "no frame has 65 bytes"),
        (0, MISSED, bytes(5), "5 bytes are none of its kind 4"),
        (0, ANSWER, bytes(3), "3 bytes are none of its kind 6"),
        (0, LINK, struct.pack("<BII", 0, 1, 0) + b"\xff", "its text, of kind 5, is unreadable"),
        (0, LINK, struct.pack("<BII", 3, 1, 0), "it is of bus 3, and there are 1"),
        (0, PORT, b"\0\xff", "its text, of kind 8, is unreadable"),
        (0, SERIAL, b"", "0 bytes are none of its kind 7"),
        (0, TOOL, b"\0\0", "2 bytes are none of its kind 11"),
        (0, RELOAD, b"\0", "1 bytes are none of its kind 12"),
        (0, END, b"", "its text, of kind 3, is unreadable"),
        (0, COMMAND, b"", "its text, of kind 9, is unreadable"),
        (0, COMMAND, b"[", "its text, of kind 9, is unreadable"),
        (0, COMMAND, b"[" * 100_000, "its text, of kind 9, is unreadable"),
        (0, COMMAND, b"[]", "its text, of kind 9, is unreadable"),
        (0, END, b'{"ticks": "many"}', "it ends a run after no number of ticks"),
        (0, 200, b"", "its kind 200 is not known"),
    ],
)
def test_a_record_that_cannot_be_one_is_passed_over(
    tmp_path: Path, t: int, kind: int, payload: bytes, reason: str
) -> None:
    """With its file and place: the record before it has 24 + 17 + 15 bytes behind the header of 24."""
    damaged = recording(tmp_path, GOOD, (t, kind, payload), GOOD)
    hole = BoundaryRecord(GOOD[0], GAP, bytes(8))
    assert list(damaged.records()) == [BoundaryRecord(*GOOD), hole, BoundaryRecord(*GOOD)]
    assert damaged.gaps == 1
    assert damaged.damage == f"the record of record.000000 at byte 64 is damaged: {reason}"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"format": 3}, "is of format 3, and this program reads format 2"),
        ({"software": "1.0"}, "software is the text '1.0', not an object"),
        ({"buses": "can"}, "buses is the text 'can', not a list"),
        ({"buses": [1]}, "buses.0 is the number 1, not a text"),
        ({"sha256": {"../bench.yaml": ""}}, "'sha256' names a file that does not lie in the recording"),
        ({"complete": 1}, "complete is the number 1, not a truth value"),
        ({"since": "1"}, "since is the text '1', not a number"),
        ({"vehicle": None}, "vehicle is nothing, not a text"),
        ({"duration": "1"}, "duration is the text '1', not a number"),
        ({"frames": 1.5}, "frames is the number 1.5, not a whole number"),
    ],
)
def test_a_manifest_that_cannot_be_one_is_refused(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    recording(tmp_path, GOOD)
    manifest.update(tmp_path, change)
    with pytest.raises(ConfigurationError) as refused:
        Recording(tmp_path)
    assert refused.value.message == f"{tmp_path} is no recording: manifest.json: {reason}"


@pytest.mark.parametrize("text", ["[]", "[" * 100_000, "{", '{"format": '])
def test_a_manifest_that_is_no_object_is_refused(tmp_path: Path, text: str) -> None:
    recording(tmp_path, GOOD)
    (tmp_path / manifest.MANIFEST).write_text(text)
    with pytest.raises(ConfigurationError, match=r"is no recording: manifest\.json"):
        Recording(tmp_path)


def test_a_folder_without_a_segment_is_no_recording(tmp_path: Path) -> None:
    manifest.create(tmp_path, FACTS)
    with pytest.raises(ConfigurationError, match=r"is no recording: there is no record\.000000$"):
        Recording(tmp_path)


def test_a_recording_that_was_begun_in_the_run_cannot_be_replayed(tmp_path: Path) -> None:
    """It says after how long; one from the start lacks nothing."""
    assert recording(tmp_path, GOOD).lacks_beginning == ""
    manifest.update(tmp_path, {"since": 12.5})
    assert Recording(tmp_path).lacks_beginning.startswith("begins 12.5 s after the start of the run: ")


@pytest.mark.parametrize(
    ("kind", "payload", "reason"),
    [
        (SERIAL, b"\x07abc", "the bench has no serial port number 7"),
        (TOOL, b"\x02\0\0", "the bench has no ELM327 number 2"),
        (END, json.dumps({"ticks": 10**12}).encode(), "the run cannot have ended after 1000000000000 ticks"),
    ],
)
def test_a_record_of_another_bench_ends_the_replay(kind: int, payload: bytes, reason: str) -> None:
    playback = Playback([BoundaryRecord(2 * MILLISECOND, kind, payload)], MILLISECOND)
    ticks = 0
    while playback.wait():
        ticks += 1
    assert ticks <= 3
    assert (playback.missing, playback.ended, playback.damage) == (True, False, reason)


def archive(**files: bytes) -> bytes:
    content = BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED) as zipped:
        for name, data in files.items():
            zipped.writestr(name, data)
    return content.getvalue()


@pytest.mark.parametrize("name", ["../evil", "/evil", "C:evil", "bench\\evil", "Good", "con.dbc"])
def test_an_archive_writes_nothing_outside_of_its_folder(tmp_path: Path, name: str) -> None:
    """It is refused by the name of the entry, and nothing of it is written."""
    folder = tmp_path / "folder"
    with pytest.raises(ConfigurationError) as refused:
        unpack(archive(**{"good": b"3", name: b"1"}), folder)
    assert repr(name) in refused.value.message
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"no archive", "a bench that was adopted is unreadable: File is not a zip file"),
        (archive(log=bytes(257 << 20)), "a bench that was adopted has more than 256 MiB of files"),
        (archive(log=bytes(99))[:-60] + bytes(60), "a bench that was adopted is unreadable: "),
    ],
    ids=["no archive", "too large", "damaged"],
)
def test_an_archive_that_is_none_ends_the_replay(tmp_path: Path, content: bytes, reason: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        unpack(content, tmp_path)
    assert refused.value.message.startswith(reason)
    assert not list(tmp_path.iterdir())


def segments(folder: Path, count: int) -> list[BoundaryRecord]:
    """Write a recording of segments of ten frames, one in each second; return its records."""
    manifest.create(folder, FACTS)
    records = [BoundaryRecord(i * SECOND, *GOOD[1:]) for i in range(10 * count)]
    for number in range(count):
        content = header(number, 10 * number)
        for position, (t, kind, payload) in enumerate(records[10 * number : 10 * number + 10]):
            content += record(len(content), 10 * number + position, t, kind, payload)
        segment_path(folder, number).write_bytes(content)
    return records


@pytest.mark.parametrize(("since", "until"), [(0, 49), (10, 10), (19, 20), (20, 29), (35, 99), (48, 49), (60, 70)])
def test_what_lies_between_two_times_is_read(tmp_path: Path, since: int, until: int) -> None:
    """Both included; wherever in a segment they are."""
    records = segments(tmp_path, 5)
    found = list(Recording(tmp_path).between(since * SECOND, until * SECOND))
    assert found == [one for one in records if since * SECOND <= one.t <= until * SECOND]


def test_segments_without_a_time_between_are_not_read(tmp_path: Path) -> None:
    """Damage behind the beginning of one of them is not found; that of one that is read is."""
    records = segments(tmp_path, 5)
    for number in (0, 1, 4):
        path = segment_path(tmp_path, number)
        path.write_bytes(path.read_bytes()[:-5])
    one = Recording(tmp_path)
    progress: list[int] = []
    assert list(one.between(25 * SECOND, 34 * SECOND, progress.append)) == records[25:35]
    assert (one.gaps, one.damage) == (0, "")
    assert min(progress) > sum(segment_path(tmp_path, number).stat().st_size for number in (0, 1))
    list(one.between(0, 34 * SECOND))
    assert one.gaps == 2


def test_a_segment_that_does_not_tell_its_beginning_is_read(tmp_path: Path) -> None:
    """Since a time may be in it: what lies before and behind the damage is there."""
    records = segments(tmp_path, 3)
    path = segment_path(tmp_path, 1)
    content = bytearray(path.read_bytes())
    content[30] ^= 1
    path.write_bytes(content)
    found = list(Recording(tmp_path).between(5 * SECOND, 15 * SECOND))
    assert [one for one in found if one.kind != GAP] == records[5:10] + records[11:16]


@pytest.mark.parametrize("begin", [5 * SECOND, -1, LATEST + 1, 90 * SECOND])
@pytest.mark.parametrize("number", [3, 4])
def test_a_segment_whose_beginning_is_damaged_hides_no_record(tmp_path: Path, number: int, begin: int) -> None:
    """Time 25 to 29 s is in segment 2, whatever time the first record of another one has."""
    records = segments(tmp_path, 5)
    path = segment_path(tmp_path, number)
    content = path.read_bytes()
    _, kind, payload = records[10 * number]
    damaged = record(HEADER.size, 10 * number, begin, kind, payload)
    path.write_bytes(content[: HEADER.size] + damaged + content[HEADER.size + len(damaged) :])
    found = list(Recording(tmp_path).between(25 * SECOND, 29 * SECOND))
    assert [one for one in found if one.kind != GAP] == records[25:30]


def test_damage_before_the_first_time_is_not_of_what_lies_between(tmp_path: Path) -> None:
    """In the segment that is read for it; that behind the last record before it may hide a record of that time."""
    records = segments(tmp_path, 3)
    path = segment_path(tmp_path, 1)
    content = bytearray(path.read_bytes())
    size = (len(content) - HEADER.size) // 10
    content[HEADER.size + 4 * size + 20] ^= 1  # the record of 14 s
    path.write_bytes(content)
    one = Recording(tmp_path)
    for since, gaps in ((16, 0), (15, 1), (14, 1), (12, 1)):
        found = [each for each in one.between(since * SECOND, 20 * SECOND) if each.kind != GAP]
        assert found == [each for each in records[since:21] if each.t != 14 * SECOND]
        assert (one.gaps, bool(one.damage)) == (gaps, gaps == 1)


def disordered(folder: Path, *times: float) -> list[float]:
    """Write frames with these times [s], three in a segment, in this order; return the times in order."""
    manifest.create(folder, FACTS)
    for number in range(0, len(times), 3):
        content = header(number // 3, number)
        for position, t in enumerate(times[number : number + 3], number):
            content += record(len(content), position, round(t * SECOND), *GOOD[1:])
        segment_path(folder, number // 3).write_bytes(content)
    return sorted(times)


@pytest.mark.parametrize(("since", "until"), [(2.0, 3.0), (2.95, 3.0), (3.0, 3.0), (3.05, 6.0), (0.0, 2.95)])
def test_records_that_came_in_another_order_are_between_two_times(tmp_path: Path, since: float, until: float) -> None:
    """Several processes write: one behind the first that is later, or in the segment before, is not lost."""
    times = disordered(tmp_path, 0.0, 1.0, 3.1, 2.9, 2.0, 3.05, 3.0, 2.95, 5.0, 6.0)
    found = [one.t / SECOND for one in Recording(tmp_path).between(round(since * SECOND), round(until * SECOND))]
    assert sorted(found) == [t for t in times if since <= t <= until]
