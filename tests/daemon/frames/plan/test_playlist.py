"""What of a log is played."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.traffic import RestBusSettings
from hilbridge.frames.codec.frame import LOGGED, Frame
from hilbridge.frames.plan.rest_bus import Playlist, find_playlist

TOLD = RestBusSettings(file="x.log")

ROWS = st.lists(st.tuples(st.integers(0, 10**12), st.sampled_from([1, 2, 3]), st.binary(max_size=8)), min_size=1)

Row = tuple[int, int, bytes]


def log(rows: list[Row]) -> bytes:
    return b"".join(LOGGED.pack(time, can_id, 0, len(data)) + data for time, can_id, data in rows)


def played(playlist: Playlist) -> list[tuple[int, Frame]]:
    return [(time, playlist.frame(index)) for index, time in enumerate(playlist.times)]


@given(ROWS, st.sets(st.sampled_from([1, 2])))
def test_all_but_the_bench_s_own_is_played(rows: list[Row], own: set[int]) -> None:
    rows.sort(key=lambda row: row[0])
    rows.append((rows[-1][0] + 1, 3, b"end"))
    playlist = find_playlist(log(rows), TOLD, own, ())
    assert played(playlist) == [(time, Frame(can_id, data, 0)) for time, can_id, data in rows if can_id not in own]
    assert playlist.lengths.keys().isdisjoint(own)


@given(ROWS)
def test_it_is_handed_on_without_being_copied(rows: list[Row]) -> None:
    """Beside the pickle, or in it."""
    playlist = find_playlist(log(rows), TOLD, (), ())
    buffers: list[pickle.PickleBuffer] = []
    content = pickle.dumps(playlist, pickle.HIGHEST_PROTOCOL, buffer_callback=buffers.append)
    assert len(content) < 500
    memory = [memoryview(bytes(buffer.raw())) for buffer in buffers]
    taken = pickle.loads(content, buffers=memory)
    assert taken.log.obj is memory[0].obj
    for one in (taken, pickle.loads(pickle.dumps(playlist, pickle.HIGHEST_PROTOCOL))):
        assert played(one) == played(playlist)
        assert (one.length, one.lengths, one.mark) == (playlist.length, playlist.lengths, playlist.mark)


def test_the_mark_tells_lists_apart() -> None:
    """By what is in the log, and by what of it is played."""
    rows = [(0, 1, b"a"), (5, 2, b"b")]
    same = [find_playlist(log(rows), TOLD, (), ()).mark for _ in range(2)]
    others = [find_playlist(log([(0, 1, b"a"), (5, 2, b"c")]), TOLD, (), ()), find_playlist(log(rows), TOLD, {2}, ())]
    assert len({*same, *(one.mark for one in others)}) == 3


def test_nothing_to_play_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match=r"x\.log has no frame that is to be played"):
        find_playlist(log([(0, 1, b"a")]), TOLD, {1}, ())
