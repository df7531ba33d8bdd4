"""All faults of a bench: announced, bounded, and the same for the same seed."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.faults.injector import MAX_FAULTS, REMEMBERED
from hilbridge.bench.faults.rows import FaultCounts
from hilbridge.files.settings.faults import FaultSettings

from .rig import Rig, of_engine, of_signal

CHANCE = (
    of_signal("EngineRpm", "noise", value=200, distribution="normal"),
    of_signal("Torque", "noise", value=200, probability=0.7),
    of_engine("drop", probability=0.2),
    of_engine("checksum", wrong="random", probability=0.3),
    of_engine("delay", delay=13, probability=0.1),
)


def run(folder: Path, seed: int, *faults: FaultSettings, added: int = 500) -> Rig:
    """A second of traffic; one more fault comes by command."""
    rig = Rig(folder, *faults, seed=seed)
    rig.play(added)
    rig.injector.add(of_engine("counter", wrong="random", probability=0.5), rig.t)
    rig.play(1000 - added)
    return rig


def test_the_same_seed_and_commands_give_the_same_bytes(tmp_path: Path) -> None:
    """At the same times; another seed gives others."""
    one, same, other = run(tmp_path, 1, *CHANCE), run(tmp_path, 1, *CHANCE), run(tmp_path, 2, *CHANCE)
    assert one.sent == same.sent
    assert one.sent != other.sent


def test_a_fault_draws_what_it_draws_whatever_others_do(tmp_path: Path) -> None:
    """The noise on the torque is the same with and without a fault beside it."""
    quiet = of_signal("Coolant", "noise", value=5, distribution="normal", probability=0.3)
    alone = run(tmp_path, 1, of_signal("EngineRpm", "offset", value=1), CHANCE[1])
    beside = run(tmp_path, 1, quiet, CHANCE[1])
    assert alone.values("Torque") == beside.values("Torque")


def test_begin_and_end_are_told_and_shown(tmp_path: Path) -> None:
    """With what it is, why it is over, and how many frames it hit."""
    rig = Rig(tmp_path, of_engine("drop", at=0.01, lasts=0.02))
    (waiting,), said = rig.injector.status(), [rig.injector.active]
    rig.play(20)
    (active,) = rig.injector.status()
    said.append(rig.injector.active)
    rig.play(20)
    (over,) = rig.injector.status()
    said.append(rig.injector.active)
    told = {"fault": 1, "what": "frame can.Engine drop"}
    assert said == ["", "fault: frame can.Engine drop", ""]
    assert waiting._asdict() == told | {"state": "waiting", "begin": 0.01, "end": 0.03, "hits": 0}
    assert active._asdict() == told | {"state": "active", "begin": 0.01, "end": 0.03, "hits": 1}
    assert over._asdict() == told | {"state": "over", "begin": 0.01, "end": 0.03, "hits": 2}
    assert rig.log == [
        (10, "fault begins", told),
        (30, "fault over", told | {"reason": "its time is over", "hits": 2}),
    ]
    assert rig.injector.statistics() == FaultCounts(added=1, hits=2, frames_lost=0)


def test_a_fault_is_cleared_by_its_number(tmp_path: Path) -> None:
    """At once, begun or not; without a number all are."""
    rig = Rig(tmp_path, of_engine("drop"), of_engine("duplicate", at=1), of_engine("drop"))
    rig.play(15)
    rig.injector.clear(2, rig.t)
    assert [one.state for one in rig.injector.status()] == ["active", "over", "active"]
    rig.injector.clear(None, rig.t)
    rig.play(15)
    assert {one.state for one in rig.injector.status()} == {"over"}
    assert len(rig.frames()) == 2 - 1
    with pytest.raises(ConfigurationError, match="there is no fault 2 that waits or is active"):
        rig.injector.clear(2, rig.t)


def test_who_has_added_faults_ends_them_all(tmp_path: Path) -> None:
    """Begun or not; those of others stay, and without any there is nothing to end."""
    rig = Rig(tmp_path, of_engine("drop"))
    rig.injector.add(of_engine("duplicate"), rig.t, "scenario hill")
    rig.injector.add(of_engine("duplicate", at=1), rig.t, "scenario hill")
    rig.injector.add(of_engine("duplicate"), rig.t, "scenario town")
    rig.play(5)
    for _ in range(2):
        rig.injector.clear_of("scenario hill", rig.t)
    assert [one.state for one in rig.injector.status()] == ["active", "over", "over", "active"]


def test_faults_are_bounded(tmp_path: Path) -> None:
    """So many at a time; those that are over make room, and the last of them are remembered."""
    rig = Rig(tmp_path)
    numbers = [rig.injector.add(of_engine("drop", lasts=0.01), 0) for _ in range(MAX_FAULTS)]
    assert numbers == list(range(1, MAX_FAULTS + 1))
    with pytest.raises(ConfigurationError, match="wait or are active already"):
        rig.injector.add(of_engine("drop"), 0)
    rig.play(20)
    assert [one.fault for one in rig.injector.status()] == numbers[-REMEMBERED:]
    assert rig.injector.add(of_engine("drop"), rig.t) == MAX_FAULTS + 1


def test_commands_count_from_their_own_time(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    rig.play(100)
    rig.injector.add(of_engine("drop", at=0.05, lasts=0.05), 100 * MILLISECOND)
    rig.play(200)
    assert [tick for tick, event, _ in rig.log if event.startswith("fault")] == [150, 200]


def test_a_fault_is_checked_without_being_added(tmp_path: Path) -> None:
    """For scenarios, before the run: what does not exist has its key, and nothing begins."""
    rig = Rig(tmp_path)
    rig.injector.check(of_engine("drop"), ("steps", 1))
    with pytest.raises(ConfigurationError) as error:
        rig.injector.check(of_signal("Nothing", "stuck", value=1), ("steps", 1))
    assert error.value.place == ("steps", 1, "signal")
    rig.play(10)
    assert rig.injector.status() == []
