"""Frames of the plan follow their sender's address and go when they are asked for."""

from pathlib import Path

from hilbridge.bus.bus import Bus
from hilbridge.codec.database import load_database
from hilbridge.diagnostics.j1939.own_frames import OwnFrames
from hilbridge.plan.plan import FramePlan
from hilbridge.settings import BenchSettings
from vehiclesim.databus import DataBus

from .peers import MILLISECOND, Peer

FILE = Path(__file__).parents[4] / "dbc" / "j1939.dbc"


def test_frames_go_under_the_address_that_their_sender_has_and_when_they_are_requested() -> None:
    peer = Peer()
    bus: Bus = peer.bus
    settings = {"interface": "embedded", "database": "j1939.dbc", "transmit": ["ENGINE"]}
    bench = BenchSettings.model_validate({"name": "a", "vehicle": "a", "buses": {"truck": settings}})
    plan = FramePlan(bench, {"truck": load_database(FILE)}, DataBus(), {"truck": bus})
    own = OwnFrames(plan.frames)

    def heard(milliseconds: int) -> set[str]:
        peer.heard = []
        for _ in range(milliseconds):
            peer.t += MILLISECOND
            plan.publish(peer.t)
            bus.exchange(peer.t)
        return {line[6:8] for line in peer.heard}

    own.move(None)
    assert heard(1000) == set()
    assert not own.show(0xFEE5, peer.t)
    own.move(0x42)
    assert heard(1000) == {"42"}
    assert not any(line.startswith("18FEE5") for line in peer.heard)
    assert own.show(0xFEE5, peer.t)
    assert not own.show(0xF002, peer.t)
    heard(1)
    assert "18FEE542 00 00 00 00 FF FF FF FF" not in peer.heard
    assert "18FEE542 FF FF FF FF FF FF FF FF" in peer.heard
