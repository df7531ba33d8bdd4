"""Frames of one tick come to the controller of an emulated chip as a wire would carry them."""

from hypothesis import given
from hypothesis import strategies as st

from hilbridge.boundary.lockstep.emulator import spread
from hilbridge.boundary.lockstep.hilbridge_lockstep import Frame

MS = 1_000_000


def test_frames_of_a_tick_are_evenly_over_it() -> None:
    """For each controller by itself; those of the tick before the turn end with it."""
    heard = [("a", Frame(1, time=0)), ("a", Frame(2, time=0)), ("b", Frame(3, time=0)), ("a", Frame(4, time=MS))]
    told = [(time, controller, frame.id) for time, controller, frame in spread(heard, 2 * MS)]
    assert told == [(0, "a", 1), (0, "b", 3), (MS // 2, "a", 2), (MS, "a", 4)]


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 5)), max_size=30))
def test_none_is_lost_none_overtakes_and_none_is_early_or_late(sent: list[tuple[str, int]]) -> None:
    heard = [(one, Frame(number, time=t * MS)) for number, (one, t) in enumerate(sorted(sent, key=lambda e: e[1]))]
    told = spread(heard, 6 * MS)
    assert [time for time, _, _ in told] == sorted(time for time, _, _ in told)
    assert all(frame.time <= time < 6 * MS for time, _, frame in told)
    for controller in "ab":
        ids = [frame.id for _, one, frame in told if one == controller]
        assert ids == [frame.id for one, frame in heard if one == controller]
