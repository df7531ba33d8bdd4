"""Who else sends what the bench sends."""

from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.units import MILLISECOND
from hilbridge.files.settings import BusSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.frame import EXTENDED, REMOTE, Frame
from hilbridge.frames.plan.id_conflicts import IdConflicts, leaving
from hilbridge.frames.plan.planned import PlannedFrame
from hilbridge.frames.plan.selection import select

from .planning import Solo

IDENTIFIER = 1
"""That of a Solo's frame."""


class Gate:
    """It is armed, or not."""

    armed = True


def heard(id_conflicts: IdConflicts, tick: int, can_id: int = IDENTIFIER) -> int:
    """A frame is received; the count of its identifier."""
    id_conflicts.note(tick * MILLISECOND, 0, True, Frame(can_id, b""))
    return id_conflicts.counts.get(can_id, 0)


def test_frames_under_an_own_identifier_are_counted() -> None:
    """Every 10 ms, until 100 ms: another sender at 105 and 106 ms is one."""
    solo = Solo("cyclic", period=10)
    solo.play(range(101))
    id_conflicts = IdConflicts([solo.frame], Gate())
    assert [heard(id_conflicts, tick) for tick in (105, 106)] == [1, 2]


@pytest.mark.parametrize("can_id", [2, IDENTIFIER | EXTENDED, IDENTIFIER | REMOTE])
def test_other_identifiers_and_requests_are_not(can_id: int) -> None:
    """29 bits are another identifier than 11; who asks for a frame does not send it."""
    solo = Solo("cyclic", period=10)
    solo.play(range(11))
    assert heard(IdConflicts([solo.frame], Gate()), 12, can_id) == 0


def test_own_frames_are_no_conflict() -> None:
    """The observer sees what the bench sends too."""
    solo = Solo("cyclic", period=10)
    solo.play(range(101))
    id_conflicts = IdConflicts([solo.frame], Gate())
    id_conflicts.note(105 * MILLISECOND, 0, False, Frame(IDENTIFIER, b""))
    assert not id_conflicts.counts


def test_who_took_over_is_no_conflict() -> None:
    """The ignition goes off at 25 ms, the last own frame at 30 ms: from 50 ms on nobody else sends."""
    solo = Solo("cyclic", period=10)
    solo.play(range(60), key={0: True, 25: False})
    id_conflicts = IdConflicts([solo.frame], Gate())
    assert [heard(id_conflicts, tick) for tick in (49, 50, 51)] == [1, 1, 1]


def test_nor_is_he_whom_the_bench_has_not_answered_yet() -> None:
    """Nothing of its own has gone so far."""
    assert heard(IdConflicts([Solo("cyclic", period=10).frame], Gate()), 5) == 0


def test_nor_is_he_who_is_listened_to() -> None:
    """A bus that is not armed shows its frames inside only."""
    solo = Solo("cyclic", period=10)
    solo.play(range(11))
    gate = Gate()
    gate.armed = False
    id_conflicts = IdConflicts([solo.frame], gate)
    assert heard(id_conflicts, 12) == 0
    gate.armed = True
    assert heard(id_conflicts, 12) == 1


def test_a_frame_without_period_stays_the_senders() -> None:
    """It goes when its content changes, be that once an hour."""
    solo = Solo("on_change")
    solo.play(range(20), contents={0: 1, 5: 2})
    assert heard(IdConflicts([solo.frame], Gate()), 3_600_000) == 1


def test_a_j1939_unit_that_lost_its_address_has_no_conflict_there() -> None:
    """The identifier is that of the winner then."""
    solo = Solo("cyclic", period=10)
    solo.play(range(11))
    id_conflicts = IdConflicts([solo.frame], Gate())
    solo.frame.set_address(0x80)
    assert heard(id_conflicts, 12) == 0


def test_each_conflict_is_news_once() -> None:
    """Also when a reload exchanges the plan meanwhile; counts go on."""
    solo = Solo("cyclic", period=10)
    solo.play(range(11))
    before = IdConflicts([solo.frame], Gate())
    assert before.new_conflicts() == []
    heard(before, 12)
    assert [frame.can_id for frame in before.new_conflicts()] == [IDENTIFIER]
    heard(before, 13)
    assert before.new_conflicts() == []
    after = IdConflicts([solo.frame], Gate())
    after.take_over(before)
    assert after.new_conflicts() == []
    assert heard(after, 14) == 3


def test_what_a_reload_takes_away_is_forgotten() -> None:
    solo = Solo("cyclic", period=10)
    solo.play(range(11))
    before = IdConflicts([solo.frame], Gate())
    heard(before, 12)
    after = IdConflicts([], Gate())
    after.take_over(before)
    assert not after.counts


def test_before_a_bus_has_a_plan_nothing_is_its_own() -> None:
    assert heard(IdConflicts(), 0) == 0


DBC = """VERSION ""
BU_: CLUSTER
BO_ 256 Distance: 4 CLUSTER
 SG_ Odometer : 0|32@1+ (1,0) [0|0] "m" X
BO_ 257 Speed: 2 CLUSTER
 SG_ Speed : 0|16@1+ (0.01,0) [0|0] "km/h" X
BO_ 258 Spare: 2 CLUSTER
 SG_ Nothing : 0|16@1+ (1,0) [0|0] "" X
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_DEF_DEF_ "GenMsgCycleTime" 20;
"""


@pytest.mark.parametrize(
    ("settings", "identifiers"),
    [
        ({}, [257, 258]),
        ({"odometer": True}, [256, 257, 258]),
        ({"never_send": [258]}, [257]),
        ({"allow": [256, 258]}, [258]),
        ({"interface": "virtual"}, [256, 257, 258]),
    ],
)
def test_what_the_gate_never_lets_out_cannot_collide(
    tmp_path: Path, settings: dict[str, Any], identifiers: list[int]
) -> None:
    """On hardware, without `odometer: true`, the real one's distance is one that others may send."""
    (tmp_path / "a.dbc").write_text(DBC)
    keys = {"interface": "socketcan", "channel": "can0", "database": "a.dbc", "transmit": ["CLUSTER"], **settings}
    bus = BusSettings.model_validate(keys)
    selection = select("a", bus, load_database(tmp_path / "a.dbc"), MILLISECOND)
    frames = [PlannedFrame(one, Bus("a"), [], 0, MILLISECOND) for one in selection.outgoing]
    assert [frame.can_id for frame in leaving(frames, bus)] == identifiers
