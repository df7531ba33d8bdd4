"""The disturbance of a frame: several faults at once, and delayed frames."""

from pathlib import Path

from hilbridge.bench.faults.disturbance import MAX_DELAYED, DelayLine
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame

from .rig import Rig, of_engine, of_signal


class Ear:
    def __init__(self) -> None:
        self.heard: list[bytes] = []

    def receive(self, frame: Frame, t: int) -> None:
        self.heard.append(frame.data)


def test_faults_of_one_frame_take_effect_together(tmp_path: Path) -> None:
    """Two copies of one frame, both cut, 3 ms + 4 ms late."""
    rig = Rig(
        tmp_path,
        of_engine("delay", delay=3),
        of_engine("duplicate"),
        of_engine("length", length=2),
        of_engine("delay", delay=4),
    )
    plain = Rig(tmp_path)
    for one in (rig, plain):
        one.play(100)
    due = [tick + 7 for tick in plain.times() if tick + 7 < 100]
    assert rig.times() == sorted(2 * due)
    assert {len(data) for data in rig.frames()} == {2}


def test_a_dropped_frame_has_no_copies(tmp_path: Path) -> None:
    """Whichever fault began first."""
    rig = Rig(tmp_path, of_engine("drop"), of_engine("duplicate"))
    rig.play(50)
    assert rig.frames() == []


def test_signals_are_changed_one_after_the_other(tmp_path: Path) -> None:
    """(1000 + 200) · 2, and in the other order 1000 · 2 + 200."""
    offset, scale = of_signal("EngineRpm", "offset", value=200), of_signal("EngineRpm", "scale", value=2)
    for faults, expected in (((offset, scale), 2400.0), ((scale, offset), 2200.0)):
        rig = Rig(tmp_path, *faults)
        rig.play(20)
        assert rig.values("EngineRpm") == [expected, expected]


def test_a_frame_without_faults_is_free_of_them(tmp_path: Path) -> None:
    """When the last one is over nothing stands in its way any more."""
    rig = Rig(tmp_path, of_engine("drop", lasts=0.01), of_engine("duplicate", lasts=0.03))
    assert [frame.disturbance for frame in rig.plan.frames] == [None] * 3
    rig.play(20)
    assert [frame.disturbance is None for frame in rig.plan.frames] == [False, True, True]
    rig.play(20)
    assert [frame.disturbance for frame in rig.plan.frames] == [None] * 3


def test_a_delay_line_keeps_times_and_order() -> None:
    """By time, and among equal times as they came."""
    line, bus, ear = DelayLine(), Bus("a"), Ear()
    bus.attach(ear)
    for due, name in ((5, b"c"), (3, b"a"), (5, b"d"), (3, b"b")):
        line.put(due, bus, None, Frame(1, name))
    for t, heard in ((2, []), (3, [b"a", b"b"]), (9, [b"a", b"b", b"c", b"d"])):
        line.release(t)
        bus.exchange(t)
        assert ear.heard == heard


def test_a_delay_line_is_bounded() -> None:
    """What finds no room is lost and counted."""
    line, bus = DelayLine(), Bus("a")
    for _ in range(MAX_DELAYED + 7):
        line.put(1, bus, None, Frame(1, b""))
    assert line.lost == 7
