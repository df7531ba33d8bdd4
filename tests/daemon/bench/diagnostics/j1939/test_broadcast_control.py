"""DM13 by the bytes of SAE J1939-73: what stops, what goes on, and when it starts again."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.units import SECOND
from hilbridge.bench.diagnostics.j1939.broadcast_control import BroadcastControl
from vehiclesim.channels import InputData

from .peers import Peer, engine

STOP = "FC FF FF FF FF FF FF FF"
START = "FD FF FF FF FF FF FF FF"
STOP_HERE = "3F FF FF FF FF FF FF FF"
HOLD = "FF FF FF 0F FF FF FF FF"
HOLD_STOPPED = "FF FF FF 1F FF FF FF FF"
FOR_TEN_SECONDS = "FC FF FF F2 0A 00 FF FF"
FOR_GOOD = "FC FF FF F0 FF FF FF FF"


class Control:
    """A control, what it has switched, and the seconds."""

    def __init__(self) -> None:
        self.switched: list[bool] = []
        self.control = BroadcastControl(self.switched.append)

    def at(self, seconds: float, *messages: str) -> bool:
        """Whether broadcasts are stopped."""
        t = round(seconds * SECOND)
        for message in messages:
            self.control.receive(bytes.fromhex(message), t)
        self.control.poll(t)
        return self.control.stopped


@pytest.mark.parametrize("stop", [STOP, STOP_HERE])
def test_a_stop_lasts_six_seconds_without_a_hold(stop: str) -> None:
    control = Control()
    assert control.at(0, stop)
    assert control.at(5.999)
    assert not control.at(6)
    assert control.switched == [True, False]


@pytest.mark.parametrize("hold", [HOLD, HOLD_STOPPED])
def test_a_hold_lengthens_it_and_a_start_ends_it(hold: str) -> None:
    control = Control()
    control.at(0, STOP)
    for second in range(5, 50, 5):
        assert control.at(second, hold)
    assert not control.at(46, START)
    assert not control.at(47, hold)


def test_a_suspend_has_a_time_of_its_own_or_none() -> None:
    control = Control()
    assert control.at(0, FOR_TEN_SECONDS)
    assert control.at(9.9)
    assert not control.at(10)
    assert control.at(20, FOR_GOOD)
    assert control.at(10_000)
    assert not control.at(10_000, START)


@pytest.mark.parametrize("nothing", [HOLD, "FF FF FF FF FF FF FF FF", "FC", "FF FF FF F0 FF FF FF FF"])
def test_nothing_else_stops_anything(nothing: str) -> None:
    assert not Control().at(0, nothing)


@given(st.lists(st.binary(max_size=10)))
def test_no_bytes_raise_and_switches_alternate(messages: list[bytes]) -> None:
    switched: list[bool] = []
    control = BroadcastControl(switched.append)
    for number, message in enumerate(messages):
        control.receive(message, number * SECOND)
        control.poll(number * SECOND)
    assert all(one != other for one, other in pairwise(switched))


def test_a_unit_takes_it_for_itself_and_for_all_and_answers_requests_meanwhile() -> None:
    """With the ignition its broadcasts come back."""
    for destination in ("00", "FF"):
        peer = Peer()
        node = engine(peer, payloads={0xFDC5: b"12345678"})
        peer.tick()
        peer.tick("18DF21F9 FC FF FF FF FF FF FF FF")
        assert not node.broadcasts.stopped
        peer.tick(f"18DF{destination}F9 FC FF FF FF FF FF FF FF")
        assert node.broadcasts.stopped
        assert peer.tick("18EA00F9 C5 FD 00") == ["18FDC500 31 32 33 34 35 36 37 38"]
        peer.data.input[InputData.KEY] = -1
        peer.tick()
        assert not node.broadcasts.stopped


def test_a_unit_with_nothing_to_do_waits_for_the_next_time_of_its_own() -> None:
    """A tick in which nothing comes and nothing is due costs a look at the clock, the key and the codes."""
    peer = Peer()
    unit = engine(peer)
    peer.tick(times=2000)
    assert unit._due >= peer.t + 3 * SECOND
    peer.tick("18ECFF42 20 11 00 03 FF E0 FE 00")
    assert unit._due <= peer.t, "a tool announces a message, which must come within 750 ms"
