"""A frame that is sent once each time that its terminals come on."""

from hilbridge.files.settings import BusSettings
from hilbridge.frames.bus.gate import Gate

from .planning import Solo


def test_it_is_sent_at_once_and_never_again() -> None:
    """Whatever its content does meanwhile."""
    solo = Solo("once")
    solo.play(range(3000), contents={5: 7, 900: 8}, key={0: False, 5: True})
    assert solo.sent == [(5, 7)]


def test_every_wake_up_is_one() -> None:
    """Terminal 15 on at 10, off at 20, on again at 30: the content of that moment."""
    solo = Solo("once")
    solo.play(range(60), contents={30: 9}, key={10: True, 20: False, 30: True})
    assert solo.sent == [(10, 0), (30, 9)]


def test_repetitions_follow_in_their_period_and_end_with_the_terminals() -> None:
    """Two more every 7 ms; off before the second: it is dropped, and the next time there are two again."""
    solo = Solo("once", repetitions=2, repetition_period=7)
    solo.play(range(100), key={0: True, 10: False, 50: True})
    assert solo.times == [0, 7, 50, 57, 64]


def test_a_lost_link_is_waited_for() -> None:
    """Off from 0 to 19: it goes as soon as it reaches somebody."""
    solo = Solo("once")
    solo.line.works = False
    solo.play(range(20))
    solo.line.works = True
    solo.play(range(20, 40), key={})
    assert solo.times == [20]


def test_a_bus_that_is_not_armed_is_waited_for() -> None:
    """What hardware holds back would never be seen by the cluster."""
    solo = Solo("once")
    hardware = BusSettings.model_validate({"interface": "socketcan", "channel": "can0"})
    gate = Gate(solo.line, hardware)
    solo.bus.attach_link(solo.line, gate)
    solo.play(range(30))
    assert solo.times == []
    gate.armed = True
    solo.play(range(30, 60), key={})
    assert solo.times == [30]


def test_a_reload_does_not_send_it_again() -> None:
    """Nor one that became a frame of this kind by the reload, as long as the terminals stay on."""
    for before in (Solo("once"), Solo("cyclic", period=10)):
        before.play(range(15))
        after = Solo("once")
        after.frame.take_over(before.frame, 15_000_000)
        after.play(range(15, 40), key={15: True})
        assert after.times == []
