"""The J1939 control units of a bench: identification (VI, SOFT, CI), frames that follow the address, commands."""

import random
from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.j1939.commands import CommandDecoder
from hilbridge.bench.diagnostics.j1939.network import CI, SOFT, VI, Network, OwnFrames, identification
from hilbridge.files.settings import BenchSettings, BusSettings
from hilbridge.files.settings.diagnostics import J1939NodeSettings, J1939Settings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.frame import EXTENDED, Frame
from hilbridge.frames.plan.plan import FramePlan
from vehiclesim.channels import InputData, RequestData
from vehiclesim.databus import DataBus

from .peers import Peer, frame, text


def test_fields_are_text_and_end_with_an_asterisk() -> None:
    """SOFT begins with the number of its fields; CI has make, model, serial and unit number."""
    settings = J1939NodeSettings(function=0, identity=17, software=["A1", "B 2.0"])
    payloads = identification(settings, "WHB00000000000001", "ENGINE")
    assert payloads[VI]() == b"WHB00000000000001*"
    assert payloads[SOFT]() == b"\x02A1*B 2.0*"
    assert payloads[CI]() == b"HILBR*ENGINE*17**"


def test_only_who_knows_the_vin_tells_it() -> None:
    assert VI not in identification(J1939NodeSettings(function=3), None, "TRANSMISSION")


FILE = Path(__file__).parents[5] / "dbc" / "j1939.dbc"


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

    own.set_source_address(None)
    assert heard(1000) == set()
    assert not own.send(0xFEE5, peer.t)
    own.set_source_address(0x42)
    assert heard(1000) == {"42"}
    assert not any(line.startswith("18FEE5") for line in peer.heard)
    assert own.send(0xFEE5, peer.t)
    assert not own.send(0xF002, peer.t)
    heard(1)
    assert "18FEE542 00 00 00 00 FF FF FF FF" not in peer.heard
    assert "18FEE542 FF FF FF FF FF FF FF FF" in peer.heard


ENGINE, BRAKES = {"function": 0, "identity": 1}, {"function": 9, "identity": 2}


class Requests:
    def __init__(self) -> None:
        self.held: dict[int, float] = {}

    def set(self, index: int, value: float, t: int) -> None:
        self.held[index] = value

    def release(self, index: int) -> None:
        del self.held[index]


def network(addresses: Any, nodes: Any, data: DataBus | None = None) -> tuple[Bus, Network]:
    settings = J1939Settings.model_validate({"bus": "truck", "nodes": nodes, "vin": "WHB00000000000001"})
    bus_settings = BusSettings(interface="embedded", database="j1939.dbc", source_address=addresses)
    bus = Bus("truck")
    units = Network(
        settings,
        bus=bus,
        bus_settings=bus_settings,
        frames=[],
        data=data or DataBus(),
        troubles={},
        reports={},
        nvrams={},
    )
    return bus, units


def test_every_node_claims_its_own_address() -> None:
    heard: list[str] = []
    bus, units = network({"ENGINE": 0, "BRAKES": 11}, {"ENGINE": ENGINE, "BRAKES": BRAKES})
    bus.attach_observer(lambda _t, _bus, _outside, one: heard.append(text(one)))
    units.serve(0)
    bus.exchange(0)
    assert heard == ["18EEFF00 01 00 00 00 00 00 00 10", "18EEFF0B 02 00 00 00 00 09 00 10"]


def test_the_vin_is_told_by_the_engine_alone() -> None:
    heard: list[str] = []
    bus, units = network({"ENGINE": 0, "BRAKES": 11}, {"ENGINE": ENGINE, "BRAKES": BRAKES})
    units.serve(0)
    bus.exchange(0)
    bus.attach_observer(lambda _t, _bus, _outside, one: heard.append(text(one)))
    for destination in ("00", "0B"):
        bus.transmit(frame(f"18EA{destination}F9 EC FE 00"), None)
    bus.exchange(1)
    units.serve(1)
    bus.exchange(1)
    assert heard[2:] == ["1CECF900 10 12 00 03 FF EC FE 00", "18E8FF0B 01 FF FF FF F9 EC FE 00"]


def test_commands_act_once_they_are_taken() -> None:
    data, requests = DataBus(), Requests()
    bus, units = network(0, {"ENGINE": ENGINE}, data)
    database = load_database(Path(__file__).parents[5] / "dbc" / "j1939.dbc")
    units.take_commands(CommandDecoder(database, data, 2000.0, 6.0), requests)
    units.serve(0)
    bus.transmit(frame("0C000027 C1 E0 2E FF FF FF FF FF"), None)
    bus.exchange(1)
    assert requests.held == {RequestData.ENGINE_RPM: 1500.0}
    units.serve(100_000_000)
    assert requests.held == {}


def test_with_the_ignition_off_no_command_is_taken() -> None:
    data, requests = DataBus(), Requests()
    data.input[InputData.KEY] = -1
    bus, units = network(0, {"ENGINE": ENGINE}, data)
    database = load_database(Path(__file__).parents[5] / "dbc" / "j1939.dbc")
    units.take_commands(CommandDecoder(database, data, 2000.0, 6.0), requests)
    units.serve(0)
    bus.transmit(frame("0C000027 C1 E0 2E FF FF FF FF FF"), None)
    bus.exchange(1)
    assert requests.held == {}


def test_ten_thousand_random_frames_are_survived_and_the_next_request_is_answered() -> None:
    """Of the groups that concern the control units, and of any others."""
    data, heard = DataBus(), list[str]()
    bus, units = network(0, {"ENGINE": {**ENGINE, "arbitrary_address": True}}, data)
    database = load_database(Path(__file__).parents[5] / "dbc" / "j1939.dbc")
    units.take_commands(CommandDecoder(database, data, 2000.0, 6.0), Requests())
    randomness = random.Random(1939)
    groups = (0xEA00, 0xEAFF, 0xEB00, 0xEBFF, 0xEC00, 0xECFF, 0xEEFF, 0x0000, 0xF000, 0xF001)
    for t in range(0, 1_000_000_000, 1_000_000):
        for _ in range(10):
            group = randomness.choice((*groups, randomness.getrandbits(18)))
            data_bytes = randomness.randbytes(randomness.choice((0, 2, 3, 8, 8, 8, 9, 64)))
            bus.transmit(Frame(EXTENDED | 0x18000000 | group << 8 | randomness.getrandbits(8), data_bytes), None)
        bus.exchange(t)
        units.serve(t)
    for t in range(1_000_000_000, 5_000_000_000, 1_000_000):
        units.serve(t)
        bus.exchange(t)
    bus.attach_observer(lambda _t, _bus, _outside, one: heard.append(text(one)))
    address = units.nodes["ENGINE"].address
    bus.transmit(frame(f"18EA{address:02X}F9 EC FE 00"), None)
    bus.exchange(5_000_000_000)
    units.serve(5_000_000_000)
    bus.exchange(5_000_000_000)
    assert heard[1:] == [f"1CECF9{address:02X} 10 12 00 03 FF EC FE 00"]


@pytest.mark.parametrize(
    ("addresses", "reason"),
    [({"ENGINE": 0}, "BRAKES has no address"), (None, "ENGINE has no address"), (7, "another node has the address 7")],
)
def test_nodes_without_an_address_of_their_own_are_an_error(addresses: Any, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=reason) as error:
        network(addresses, {"ENGINE": ENGINE, "BRAKES": BRAKES})
    assert error.value.place[:3] == ("diagnostics", "j1939", "nodes")
