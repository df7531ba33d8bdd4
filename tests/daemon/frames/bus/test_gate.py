"""What leaves through a link, and what does not."""

from typing import Any

import pytest

from hilbridge.files.settings import BusSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.bus.gate import Gate
from hilbridge.frames.codec.frame import EXTENDED, Frame

from ....benches import KeepingLink

HARDWARE = {"interface": "socketcan", "channel": "can0"}


def gate(**settings: Any) -> tuple[Gate, KeepingLink]:
    link = KeepingLink()
    return Gate(link, BusSettings.model_validate({**HARDWARE, "armed": True, **settings})), link


@pytest.mark.parametrize(
    ("bus", "armed"),
    [
        ({"interface": "embedded"}, True),
        ({"interface": "virtual", "channel": "x"}, True),
        ({"interface": "socketcan", "channel": "vcan0", "hardware": False}, True),
        ({"interface": "socketcan", "channel": "vcan0"}, False),
        (HARDWARE, False),
        ({**HARDWARE, "armed": True}, True),
        ({"interface": "pcan", "channel": "PCAN_USBBUS1"}, False),
        ({"interface": "slcan", "channel": "/dev/ttyACM0"}, False),
    ],
)
def test_hardware_is_listen_only_until_it_is_armed(bus: dict[str, Any], armed: bool) -> None:
    """What stays on this machine is armed."""
    link = KeepingLink()
    it = Gate(link, BusSettings.model_validate(bus))
    it.receive(Frame(1, b""), 0)
    assert (len(link.frames), it.statistics.unarmed) == ((1, 0) if armed else (0, 1))
    it.armed = True
    it.receive(Frame(1, b""), 0)
    assert link.frames[-1] == Frame(1, b"")


def test_what_is_never_sent_does_not_leave() -> None:
    """Not with 29 bits either, and whether it is allowed or not."""
    it, link = gate(never_send=["0x100-0x1FF", 0x18DAF110], allow=[0x150, 0x200])
    for can_id in (0x100, 0x150, 0x1FF, 0x150 | EXTENDED, 0x18DAF110 | EXTENDED, 0x200, 0x201):
        it.receive(Frame(can_id, b""), 0)
    assert [frame.can_id for frame in link.frames] == [0x200]
    assert (it.statistics.never_send, it.statistics.not_allowed, it.statistics.passed) == (5, 1, 1)
    assert it.describe() == "armed, never sends 0x100-0x1FF, 0x18DAF110, sends only 0x150, 0x200"


def test_a_preset_brings_the_identifiers_that_do_harm_in_its_cars() -> None:
    """0x6B4 with vw-mqb, wherever on the bus it is used, unless the bench file has a list of its own."""
    raw = {"Esp": {"id": 0x0FD, "data": "00 00 00 00 00 00 00 00", "period": 20, "protection": ["vw-mqb"]}}
    cases: list[tuple[dict[str, Any], int]] = [({"raw": raw}, 0), ({"raw": raw, "never_send": []}, 1), ({}, 1)]
    for settings, leaves in cases:
        it, link = gate(**settings)
        it.receive(Frame(0x6B4, bytes(8)), 0)
        assert len(link.frames) == leaves


def test_a_gate_stands_before_its_link_on_the_bus() -> None:
    """The link gets what passes, and never its own frames back; they still count as received."""
    bus = Bus("a")
    it, link = gate(never_send=[2])
    bus.attach_link(link, it)
    bus.transmit(Frame(1, b"out"), None)
    bus.transmit(Frame(2, b"never"), None)
    bus.transmit(Frame(3, b"in"), link)
    bus.exchange(0)
    assert link.frames == [Frame(1, b"out")]
    assert (bus.received, it.statistics.passed) == (1, 1)


def test_an_armed_gate_takes_what_its_link_takes() -> None:
    """An unarmed one takes all: inside, the bus is as it will be."""
    it, link = gate(armed=False)
    link.works = False
    assert it.accepts(0x100)
    it.armed = True
    assert not it.accepts(0x100)
    link.works = True
    assert it.accepts(0x100)


def test_the_bus_knows_whether_its_gate_is_armed() -> None:
    """Without a gate nothing is held back."""
    (it, link), bus = gate(armed=False), Bus("can")
    assert bus.is_armed
    bus.attach_link(link, it)
    assert not bus.is_armed
    after, _ = gate(armed=False)
    after.armed = True
    bus.change_gate(after)
    assert bus.is_armed


def test_a_gate_that_takes_over_continues_the_counters() -> None:
    """Also whether the bus is armed."""
    (before, _), (after, link) = gate(armed=False), gate(never_send=[2])
    before.receive(Frame(1, b""), 0)
    after.take_over(before)
    after.receive(Frame(1, b""), 0)
    assert (after.armed, after.statistics.unarmed) == (False, 2)
    after.armed = True
    after.receive(Frame(2, b""), 0)
    assert (link.frames, after.statistics.never_send) == ([], 1)


@pytest.mark.parametrize(
    ("before", "after", "armed"),
    [
        ({"hardware": False}, {"hardware": True}, False),
        ({"hardware": False}, {"hardware": True, "armed": True}, True),
        ({"hardware": True, "armed": True}, {"hardware": True}, True),
        ({"hardware": True}, {"hardware": False}, False),
        ({"hardware": False}, {"hardware": False}, True),
    ],
)
def test_a_bus_that_a_reload_makes_hardware_waits_to_be_armed(
    before: dict[str, Any], after: dict[str, Any], armed: bool
) -> None:
    """Else it stays armed or not, as `ctl arm` has left it."""
    first, second = (Gate(KeepingLink(), BusSettings.model_validate(HARDWARE | keys)) for keys in (before, after))
    second.take_over(first)
    assert second.armed is armed
