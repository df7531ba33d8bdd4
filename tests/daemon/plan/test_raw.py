"""Frames without a database."""

from typing import Any

import pytest

from hilbridge.bus.bus import Bus
from hilbridge.codec.frame import BRS, EXTENDED, FD, Frame
from hilbridge.common.errors import ConfigurationError
from hilbridge.plan.plan import FramePlan
from hilbridge.plan.raw import with_raw_frames
from hilbridge.plan.selection import Selection
from hilbridge.settings import BenchSettings, BusSettings
from vehiclesim.databus import DataBus

TICK = 1_000_000
NOTHING = Selection((), {}, (), None, None)


def selected(*raw: dict[str, Any], **bus: Any) -> Selection:
    settings = BusSettings.model_validate({"interface": "embedded", "raw": list(raw), **bus})
    return with_raw_frames(NOTHING, settings, TICK, ("buses", "a"))


def test_a_raw_frame_is_sent_as_it_stands() -> None:
    """Identifiers above 0x7FF have 29 bits, contents above 8 bytes are CAN FD; by identifier, as all frames."""
    one, other, long = selected(
        {"id": 0x18FEF100, "data": "0A0b", "period": 100},
        {"id": 0x3D0, "data": "01 02 FF", "period": 10},
        {"id": 0x100, "extended": True, "data": " ".join(["00"] * 12), "period": 20},
        fd=True,
    ).outgoing[::-1]
    assert (one.can_id, one.flags, one.length, one.encode([])) == (0x18FEF100 | EXTENDED, 0, 2, b"\x0a\x0b")
    assert (long.can_id, long.flags, long.encode([])) == (0x3D0, 0, b"\x01\x02\xff")
    assert (other.can_id, other.flags, other.encode([])) == (0x100 | EXTENDED, FD | BRS, bytes(12))


def test_a_raw_frame_is_in_the_plan_with_its_counter() -> None:
    """The database is not needed; key off and on as any frame."""
    frame = {
        "id": 0x3D0, "data": "AA 00", "period": 10, "phase": 3,
        "protection": [{"counter": {"at": {"bit": 8, "width": 4}, "maximum": 2}}],
    }  # fmt: skip
    bench = BenchSettings.model_validate(
        {"name": "a", "vehicle": "compact", "buses": {"a": {"interface": "embedded", "raw": [frame]}}}
    )
    sent: list[tuple[int, Frame]] = []
    bus = Bus("a")
    bus.attach_observer(lambda t, _bus, _received, frame: sent.append((t // TICK, frame)))
    plan = FramePlan(bench, {}, DataBus(), {"a": bus})
    for t in range(0, 40 * TICK, TICK):
        plan.publish(t)
        bus.exchange(t)
    assert sent == [(3 + 10 * n, Frame(0x3D0, bytes([0xAA, n % 3]))) for n in range(4)]


@pytest.mark.parametrize(
    ("frames", "bus", "place", "complaint"),
    [
        ([{"id": 1, "period": 2.5}], {}, ("raw", 0, "period"), "2.5 ms is no multiple of the tick"),
        ([{"id": 1, "period": 2}, {"id": 1, "period": 3}], {}, ("raw", 1), "have the same identifier"),
        ([{"id": 1, "period": 2, "data": "00" * 12}], {}, ("raw", 0), "the bus needs 'fd: true'"),
    ],
)
def test_a_raw_frame_that_cannot_be_sent_is_refused(
    frames: list[dict[str, Any]], bus: dict[str, Any], place: tuple[Any, ...], complaint: str
) -> None:
    """With its place in the list."""
    with pytest.raises(ConfigurationError, match=complaint) as raised:
        selected(*frames, **bus)
    assert raised.value.place[2 : 2 + len(place)] == place
