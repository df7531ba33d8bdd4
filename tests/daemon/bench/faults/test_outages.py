"""Faults of whole parts: links, control units, the vehicle."""

from pathlib import Path
from typing import Any

import pytest

from hilbridge.frames.codec.frame import Frame
from vehiclesim.channels import NAN, FaultData

from .rig import Rig, fault


class Line:
    """A link that keeps what it gets."""

    def __init__(self) -> None:
        self.heard: list[Frame] = []

    def accepts(self, can_id: int) -> bool:
        return True

    def receive(self, frame: Frame, t: int) -> None:
        self.heard.append(frame)


@pytest.mark.parametrize(("effect", "reason"), [("down", "unplugged by fault 1"), ("bus-off", "bus-off by fault 1")])
def test_nothing_crosses_a_link_that_is_down(tmp_path: Path, effect: str, reason: str) -> None:
    """In neither direction; counters stand still meanwhile, and the link recovers by itself."""
    rig = Rig(tmp_path, fault(kind="link", bus="can", effect=effect, at=0.02, lasts=0.03))
    link, ear = Line(), Line()
    rig.bus.attach_link(link)
    rig.bus.attach(ear)
    told = []
    for _ in range(8):
        rig.play(10)
        rig.bus.transmit(Frame(0x7DF, b""), link)
        told.append(tuple(rig.bus.cuts))
    assert told == [(), (), (reason,), (reason,), (reason,), (), (), ()]
    sent = [frame.data[5] & 15 for frame in link.heard if frame.can_id == 0x100]
    assert sent == [0, 1, 2, 3, 4]
    heard = [frame for frame in ear.heard if frame.can_id == 0x7DF]
    assert len(heard) == 7 - 3
    assert rig.bus.lost == 3


def test_links_may_be_cut_twice(tmp_path: Path) -> None:
    """Back when both are over."""
    rig = Rig(
        tmp_path,
        fault(kind="link", bus="can", effect="down", lasts=0.03),
        fault(kind="link", bus="can", effect="bus-off", at=0.01, lasts=0.04),
    )
    rig.bus.attach_link(Line())
    rig.play(40)
    assert rig.frames() == []
    rig.play(40)
    assert len(rig.frames()) == 3


def test_a_silent_control_unit_sends_none_of_its_frames(tmp_path: Path) -> None:
    """Others continue; afterwards its counters continue from where they stopped."""
    rig = Rig(tmp_path, fault(kind="ecu", bus="can", node="ECU", at=0.02, lasts=0.05))
    rig.play(100)
    assert (len(rig.frames(0x100)), len(rig.frames(0x101)), len(rig.frames(0x200))) == (5, 5, 10)
    assert [data[5] & 15 for data in rig.frames()] == [0, 1, 2, 3, 4]


def test_a_silent_control_unit_answers_no_tester(tmp_path: Path) -> None:
    """Until all its silences are over."""
    silence = {"kind": "ecu", "ecu": "engine"}
    rig = Rig(tmp_path, fault(**silence, lasts=0.02), fault(**silence, at=0.01, lasts=0.02))
    heard = []
    for _ in range(4):
        rig.play(10)
        heard.append(set(rig.parts.silent_ecus))
    assert heard == [{"engine"}, {"engine"}, {"engine"}, set()]


@pytest.mark.parametrize(
    ("entry", "index", "value", "held", "rest"),
    [
        ("fault.Misfire", FaultData.MISFIRE, 0.25, 2500, 0),
        ("StuckThrottle", FaultData.STUCK_THROTTLE, 0.0, 0, NAN),
    ],
)
def test_something_is_wrong_with_the_vehicle(
    tmp_path: Path, entry: str, index: int, value: float, held: int, rest: int
) -> None:
    rig = Rig(tmp_path, fault(kind="physics", entry=entry, value=value, at=0.01, lasts=0.01))
    seen = []
    for _ in range(3):
        rig.play(10)
        seen.append(rig.data.fault[index])
    assert seen == [rest, held, rest]


def test_of_two_conditions_the_last_one_counts_and_then_the_other(tmp_path: Path) -> None:
    """Whichever is over first."""
    one: dict[str, Any] = {"kind": "physics", "entry": "fault.LeanMixture"}
    rig = Rig(tmp_path, fault(**one, value=0.1, lasts=0.04), fault(**one, value=0.2, at=0.01, lasts=0.01))
    rig.injector.add(fault(**one, value=0.3, at=0.03, lasts=0.02), 0)
    seen = []
    for _ in range(6):
        rig.play(10)
        seen.append(rig.data.fault[FaultData.LEAN_MIXTURE])
    assert seen == [1000, 2000, 1000, 3000, 3000, 0]
