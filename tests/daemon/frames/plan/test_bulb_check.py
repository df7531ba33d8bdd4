"""Lamps shine for their time after terminal 15 came on, and not otherwise."""

from hilbridge.base.common.units import MILLISECOND
from hilbridge.frames.plan.bulb_check import BulbCheck, BulbChecks

from .planning import Solo


def shining(moments: dict[int, bool], ticks: int) -> str:
    """The lamps tick by tick: B both, L the longer one, - none; the ignition changes at `moments`."""
    frame = Solo("cyclic", period=10).frame
    usual, both, longer = frame.encode, lambda _: b"B", lambda _: b"L"
    checks = BulbChecks([BulbCheck(frame, [(2 * MILLISECOND, both), (5 * MILLISECOND, longer)])])
    seen = ""
    for tick in range(ticks):
        if tick in moments:
            checks.ignition(moments[tick], tick * MILLISECOND)
        if tick * MILLISECOND >= checks.due:
            checks.advance(tick * MILLISECOND)
        seen += {usual: "-", both: "B", longer: "L"}[frame.encode]
    return seen


def test_each_lamp_goes_out_after_its_time() -> None:
    """One of 2 ms, one of 5 ms."""
    assert shining({0: False, 1: True}, 9) == "-BBLLL---"


def test_ignition_off_ends_it_and_on_starts_it_anew() -> None:
    """It is no use to check lamps that are off; to hear of the ignition twice changes nothing."""
    assert shining({0: True, 1: False, 3: True, 4: True}, 10) == "B--BBLLL--"
