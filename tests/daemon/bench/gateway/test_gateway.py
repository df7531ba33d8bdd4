"""What a gateway carries from bus to bus, and that it can neither make a loop nor lose a frame without a count."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.gateway.gateway import Gateway
from hilbridge.bench.gateway.route import MOST_WAITING
from hilbridge.files.settings import BenchSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import BRS, EXTENDED, FD, REMOTE, Frame

NAMES = "abc"


class Ear:
    """A node that keeps what it hears, as (tick of 1 ms, frame)."""

    def __init__(self) -> None:
        self.heard: list[tuple[int, Frame]] = []

    def receive(self, frame: Frame, t: int) -> None:
        self.heard.append((t // MILLISECOND, frame))


class Rig:
    """Three buses without links, and the routes of a gateway between them, ticked by hand."""

    def __init__(self, fd: str = "", own: dict[str, set[int]] | None = None, **routes: Any) -> None:
        buses = {name: {"interface": "embedded", "fd": name in fd} for name in NAMES}
        self.settings = BenchSettings.model_validate(
            {"name": "rig", "vehicle": "compact", "buses": buses, "gateway": routes}
        )
        self.buses = {name: Bus(name, index) for index, name in enumerate(NAMES)}
        self.ears = {name: Ear() for name in NAMES}
        for name, bus in self.buses.items():
            bus.attach(self.ears[name])
        self.gateway = self.build(own or {})
        self.tick = 0

    def build(self, own: dict[str, set[int]]) -> Gateway:
        return Gateway(self.settings, self.buses, {}, {name: own.get(name, set()) for name in NAMES})

    def play(self, *sent: tuple[str, Frame], ticks: int = 1) -> None:
        """Send frames in the next tick, and let it and further ones pass."""
        for bus, frame in sent:
            self.buses[bus].transmit(frame, None)
        for _ in range(ticks):
            t = self.tick * MILLISECOND
            self.gateway.poll(t)
            for one in self.buses.values():
                one.exchange(t)
            self.tick += 1

    def heard(self, bus: str) -> list[tuple[int, int]]:
        """Return (tick, identifier with its flag) of what was on a bus."""
        return [(tick, frame.can_id) for tick, frame in self.ears[bus].heard]


def way(source: str, target: str, frames: Any = "all", renamed: int | None = None, **more: Any) -> dict[str, Any]:
    return {"from": source, "to": target, "frames": frames, "as": renamed, **more}


def test_a_frame_is_on_the_other_bus_a_tick_later() -> None:
    """Whichever bus stands first in the file; its bytes are as they were."""
    rig = Rig(up=way("a", "b"), down=way("c", "a"))
    rig.play(("a", Frame(1, b"xyz")), ("c", Frame(2, b"")), ticks=3)
    assert rig.ears["b"].heard == [(1, Frame(1, b"xyz"))]
    assert rig.heard("a") == [(0, 1), (1, 2)]


@pytest.mark.parametrize(
    ("frames", "carried"),
    [
        ([0x100], [0x100, 0x100 | EXTENDED]),
        (["0x100-0x1FF"], [0x100, 0x12F, 0x100 | EXTENDED]),
        (["0x120/0x7F0"], [0x12F]),
        ([0x200, "0x12F"], [0x12F, 0x200]),
        ("all", [0x100, 0x12F, 0x200, 0x100 | EXTENDED, 0x18FEF100 | EXTENDED]),
    ],
)
def test_frames_are_chosen_by_identifier(frames: Any, carried: list[int]) -> None:
    """One, a range, those of a mask, or all; a remote request is no frame to carry."""
    rig = Rig(only=way("a", "b", frames))
    ids = [0x100, 0x12F, 0x200, 0x100 | EXTENDED, 0x18FEF100 | EXTENDED, 0x100 | REMOTE]
    rig.play(*(("a", Frame(can_id, b"")) for can_id in ids), ticks=2)
    assert sorted(can_id for _, can_id in rig.heard("b")) == sorted(carried)


def test_an_excluded_identifier_stays() -> None:
    rig = Rig(most=way("a", "b", exclude=["0x100-0x1FF"]))
    rig.play(("a", Frame(0x150, b"")), ("a", Frame(0x250, b"")), ticks=2)
    assert rig.heard("b") == [(1, 0x250)]


def test_an_identifier_is_rewritten() -> None:
    """A range keeps its distances; above 0x7FF an identifier has 29 bits."""
    rig = Rig(one=way("a", "b", [0x10], renamed=0x321), more=way("a", "b", ["0x100-0x10F"], renamed=0x18DAF100))
    rig.play(("a", Frame(0x10, b"")), ("a", Frame(0x103, b"")), ticks=2)
    assert rig.heard("b") == [(1, 0x321), (1, 0x18DAF103 | EXTENDED)]


def test_the_first_route_between_two_buses_takes_a_frame() -> None:
    """A route to a third bus takes it as well."""
    rig = Rig(special=way("a", "b", [1], renamed=5), rest=way("a", "b"), further=way("a", "c"))
    rig.play(("a", Frame(1, b"")), ("a", Frame(2, b"")), ticks=2)
    assert rig.heard("b") == [(1, 5), (1, 2)]
    assert rig.heard("c") == [(1, 1), (1, 2)]


def test_what_the_bench_sends_on_a_bus_is_not_carried_there() -> None:
    """Under the identifier that it would have; to ask for that one by itself is an error."""
    rig = Rig(own={"b": {0x101}}, rest=way("a", "b", ["0x100-0x10F"]))
    rig.play(("a", Frame(0x101, b"")), ("a", Frame(0x102, b"")), ticks=2)
    assert rig.heard("b") == [(1, 0x102)]
    with pytest.raises(ConfigurationError, match="sends 0x101 on bus b itself") as error:
        Rig(own={"b": {0x101}}, one=way("a", "b", [7, 9]), two=way("a", "b", [0x100], renamed=0x101))
    assert error.value.place == ("gateway", "two", "frames", 0)


def test_between_frames_of_an_identifier_lies_the_period() -> None:
    """The newest of those that come sooner goes when the time is there; identifiers do not share a period."""
    rig = Rig(slow=way("a", "b", period=10))
    rig.play(("a", Frame(2, b"")))
    for number in range(16):
        rig.play(("a", Frame(1, bytes([number]))))
    rig.play(ticks=20)
    assert rig.heard("b")[0] == (1, 2)
    assert [(tick, frame.data[0]) for tick, frame in rig.ears["b"].heard[1:]] == [(2, 0), (12, 10), (22, 15)]
    statistics = rig.gateway.routes["slow"].statistics
    assert (statistics.taken, statistics.forwarded, statistics.replaced) == (17, 4, 13)


def test_a_delay_keeps_the_order() -> None:
    rig = Rig(long=way("a", "b", delay=5))
    rig.play(("a", Frame(1, b"")), ("a", Frame(2, b"")))
    rig.play(("a", Frame(3, b"")), ticks=10)
    assert rig.heard("b") == [(5, 1), (5, 2), (6, 3)]


def test_a_route_holds_so_many_frames_and_no_more() -> None:
    """The others are lost, and counted."""
    rig = Rig(long=way("a", "b", delay=1000))
    rig.play(*(("a", Frame(1, b"")) for _ in range(MOST_WAITING + 5)))
    route = rig.gateway.routes["long"]
    assert (route.waiting, route.statistics.lost) == (MOST_WAITING, 5)


def test_identifiers_of_a_period_are_forgotten_when_it_is_over() -> None:
    """So a flood of identifiers fills no memory, and closes a route only while it lasts."""
    rig = Rig(slow=way("a", "b", period=10))
    rig.play(*(("a", Frame(can_id, b"")) for can_id in range(MOST_WAITING + 5)), ticks=20)
    assert rig.gateway.routes["slow"].statistics.lost == 5
    rig.play(("a", Frame(0x700, b"")), ticks=2)
    assert rig.heard("b")[-1] == (21, 0x700)


def test_a_classic_bus_gets_classic_frames() -> None:
    """An FD frame of 8 bytes goes as a classic one; a longer one cannot, and is counted. An FD bus gets both."""
    rig = Rig("ac", narrow=way("a", "b"), wide=way("a", "c"))
    rig.play(("a", Frame(1, bytes(8), FD | BRS)), ("a", Frame(2, bytes(12), FD | BRS)), ticks=2)
    assert rig.ears["b"].heard == [(1, Frame(1, bytes(8)))]
    assert [frame.flags for _, frame in rig.ears["c"].heard] == [FD | BRS] * 2
    assert rig.gateway.routes["narrow"].statistics.too_long == 1


def test_a_bridge_makes_no_loop() -> None:
    """All frames of either bus on the other: each is there once, and nothing comes back."""
    rig = Rig(up=way("a", "b"), down=way("b", "a"), round=way("b", "c"), back=way("c", "a"))
    rig.play(("a", Frame(1, b"")), ("b", Frame(2, b"")), ticks=20)
    assert [rig.heard(name) for name in NAMES] == [[(0, 1), (1, 2)], [(0, 2), (1, 1)], [(1, 2)]]


def test_a_reload_continues_what_waits() -> None:
    """Where the route is there still, and counters with it; a bus that no route leads to now gets nothing."""
    rig = Rig(kept=way("a", "b", delay=5), gone=way("a", "c", delay=5))
    rig.play(("a", Frame(1, b"")))
    before = rig.gateway
    settings = rig.settings.model_copy(update={"gateway": {"kept": rig.settings.gateway["kept"]}})
    rig.settings = settings
    rig.gateway = rig.build({})
    rig.gateway.take_over(before)
    rig.play(ticks=6)
    assert (rig.heard("b"), rig.heard("c")) == ([(5, 1)], [])
    assert rig.gateway.routes["kept"].statistics.forwarded == 1


@pytest.mark.parametrize(
    ("route", "reason"),
    [
        (way("a", "a"), "leads to another bus"),
        (way("a", "b", []), "which frames"),
        (way("a", "b", ["12x"]), "no identifier, range"),
        (way("a", "b", [0x20000000]), "no identifier, range"),
        (way("a", "b", renamed=1), "one item"),
        (way("a", "b", ["0x1/0xF"], renamed=1), "one item"),
        (way("a", "b", ["0x10-0x1F"], renamed=0x1FFFFFFF), "beyond 29 bits"),
        (way("a", "b", ["Engine"]), "has no messages"),
    ],
)
def test_a_route_that_makes_no_sense_is_refused(route: dict[str, Any], reason: str) -> None:
    with pytest.raises((ConfigurationError, ValidationError), match=reason):
        Rig(route=route)


ROUTE = st.tuples(
    st.sampled_from([(a, b) for a in NAMES for b in NAMES if a != b]),
    st.one_of(st.just("all"), st.lists(st.integers(0, 7), min_size=1, max_size=3), st.just(["0-3"]), st.just(["5/5"])),
    st.sampled_from([None, 1, 3]),
    st.sampled_from([None, 4, 20]),
)
TRAFFIC = st.lists(st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 7)), max_size=6), max_size=30)


@given(st.lists(ROUTE, max_size=6), TRAFFIC)
def test_every_frame_is_accounted_for(routes: Sequence[Any], traffic: list[list[tuple[str, int]]]) -> None:
    """Whatever the routes: taken = waiting + forwarded + left out, in every tick; and no frame is carried twice."""
    named: dict[str, Any] = {
        f"r{number}": way(source, target, frames, delay=delay, period=period)
        for number, ((source, target), frames, delay, period) in enumerate(routes)
    }
    rig = Rig(**named)
    for tick in traffic:
        rig.play(*((bus, Frame(can_id, b"")) for bus, can_id in tick))
        for route in rig.gateway.routes.values():
            s = route.statistics
            assert s.taken == route.waiting + s.forwarded + s.replaced + s.too_long + s.lost
    rig.play(ticks=50)
    sent = sum(map(len, traffic))
    heard = sum(len(ear.heard) for ear in rig.ears.values())
    forwarded = sum(route.statistics.forwarded for route in rig.gateway.routes.values())
    assert all(route.waiting == 0 for route in rig.gateway.routes.values())
    assert heard == sent + forwarded
    assert forwarded <= sent * (len(NAMES) - 1)
