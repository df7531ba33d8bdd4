"""A gateway in a bench: what its routes carry, who holds it back, what faults do to it; on the virtual clock."""

from pathlib import Path
from typing import Any

import can
import pytest
import yaml

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.diagnostics.isotp.address import Address
from hilbridge.bench.diagnostics.isotp.client import IsoTpClient
from hilbridge.commands import cli
from hilbridge.commands.ctl_status import print_status
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.frames.bus.bus import Node
from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import VirtualBench

from ..program import hilbridge

BUSES: dict[str, dict[str, Any]] = {
    "powertrain": {
        "interface": "embedded",
        "database": "powertrain.dbc",
        "transmit": ["HILBRIDGE"],
        "raw": {"Way": {"id": 0x3E0, "data": "00 00 00 00", "period": 100, "signals": {
            "Odometer": {"bit": 0, "width": 32, "from": "auxiliary.Odometer"}}}},
    },
    "body": {"interface": "embedded"},
}  # fmt: skip

ENGINE_UNIT = Address(0x7E0, 0x7E8)


def bench_file(folder: Path, routes: dict[str, Any], buses: dict[str, Any] | None = None, **keys: Any) -> Path:
    path = folder / "gateway.yaml"
    settings = {"name": "gateway", "vehicle": "compact", "buses": buses or BUSES, "gateway": routes, **keys}
    path.write_text(yaml.safe_dump(settings, sort_keys=False))
    return path


def route(
    *frames: Any, source: str = "powertrain", target: str = "body", renamed: int | None = None, **more: Any
) -> dict[str, Any]:
    return {"from": source, "to": target, "frames": list(frames), "as": renamed, **more}


def times(bench: VirtualBench, bus: str, can_id: int) -> list[int]:
    return [round(heard.t * 1000) for heard in bench.frames(bus) if heard.frame.can_id == can_id]


def test_a_message_of_the_bench_goes_to_another_bus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By name, under another identifier, at a tenth of its rate; its bytes are those of the tick before."""
    file = bench_file(tmp_path, {"engine": route("EngineData1", renamed=0x280, period=100)})
    with VirtualBench(file) as bench:
        bench.set("input.Key", 1)
        bench.advance(2.0)
        sent = {round(heard.t * 1000): heard.data for heard in bench.frames("powertrain", "EngineData1")}
        carried = [heard for heard in bench.frames("body") if heard.frame.can_id == 0x280]
        assert [round(heard.t * 1000) - round(carried[0].t * 1000) for heard in carried[:4]] == [0, 100, 200, 300]
        assert all(heard.data == sent[max(t for t in sent if t < round(heard.t * 1000))] for heard in carried)
        status = bench.command("status", parts=["gateway"])["gateway"]["engine"]
        assert status["forwarded"] == len(carried)
        assert status["taken"] == status["forwarded"] + status["replaced"] + status["waiting"]
        parts = bench.command("status", parts=["layouts", "values", "buses", "gateway", "inputs"])
        counted = {"ticks": 0, "missed_ticks": 0, "overload": {"percent": 0, "seconds": 0.0}}
        print_status(parts | counted | {"recording": None, "scenario": None})
    told = "powertrain to body: EngineData1 as 0x280, 100 ms apart at least, 1 ms later"
    assert told in " ".join(capsys.readouterr().out.split())
    assert cli.main(["check", str(file)]) == 0
    assert told in " ".join(capsys.readouterr().out.split())


def test_a_signal_is_copied_by_an_entry(tmp_path: Path) -> None:
    """An input writes an entry of the bench's own, and a message of the other bus takes it: no route is needed."""
    body = {"interface": "embedded", "raw": {"Cabin": {"id": 0x321, "data": "00", "period": 10, "signals": {
        "Pedal": {"bit": 0, "width": 8, "from": "custom.Pedal"}}}}}  # fmt: skip
    source = {"source": "can", "bus": "powertrain", "message": "DriverInputs", "timeout": 1000,
              "signals": {"custom.Pedal": {"field": "Throttle"}}}  # fmt: skip
    custom = {"Pedal": {"range": [0, 100], "unit": "%"}}
    file = bench_file(tmp_path, {}, BUSES | {"body": body}, inputs=[source], custom=custom)
    with VirtualBench(file) as bench:
        bench.set("input.Key", 1)
        bench.inject("powertrain", "DriverInputs", Throttle=40, every=0.02)
        bench.advance(0.5)
        assert bench.frames("body")[-1].data == bytes([40])


HARDWARE = {"interface": "socketcan", "channel": "can0", "bitrate": 500_000}


def gate_of(folder: Path, routes: dict[str, Any], source: dict[str, Any], target: dict[str, Any]) -> dict[str, Any]:
    """What the gate of a bus counts to which 0x3E0 and foreign frames 0x6B4 and 0x123 are carried for a second."""
    file = bench_file(folder, routes, {"powertrain": BUSES["powertrain"] | source, "body": HARDWARE | target})
    with VirtualBench(file) as bench:
        for can_id in (0x6B4, 0x123):
            bench.send("powertrain", Frame(can_id, bytes(8)))
        bench.set("input.Key", 1)
        bench.advance(0.5)
        counters: dict[str, Any] = bench.command("status", parts=["buses"])["buses"]["body"]["gate"]
        ids = {heard.frame.can_id for heard in bench.frames("body")}
        return counters | {"ids": sorted(ids)}


WAY = {"way": route("Way", 0x123, "0x600-0x6FF")}


def test_a_route_is_no_way_around_the_gate(tmp_path: Path) -> None:
    """Odometer frames, and what is never sent or not allowed, stay on this side of a real bus, renamed or not."""
    plain = gate_of(tmp_path, WAY, {}, {})
    assert (plain["odometer"] > 0, plain["ids"]) == (True, [0x123, 0x6B4])
    assert 0x3E0 in gate_of(tmp_path, WAY, {}, {"odometer": True})["ids"]
    renamed = gate_of(tmp_path, {"way": route("Way", renamed=0x111)}, {}, {})
    assert (renamed["odometer"] > 0, renamed["ids"]) == (True, [])
    assert gate_of(tmp_path, WAY, {}, {"allow": [0x6B4]})["ids"] == [0x6B4]
    assert gate_of(tmp_path, WAY, {}, {"never_send": [0x6B4]})["ids"] == [0x123]
    esp = {"Esp": {"id": 0x0FD, "data": "00 00 00 00 00 00 00 00", "period": 20, "protection": ["vw-mqb"]}}
    assert gate_of(tmp_path, WAY, {"raw": esp | BUSES["powertrain"]["raw"]}, {})["ids"] == [0x123]
    moved = {"shift": route("0x600-0x6FF", renamed=0x200), "back": route(0x123, renamed=0x6B4)}
    assert gate_of(tmp_path, moved, {"never_send": [0x6B4]}, {})["ids"] == []


def test_a_bus_that_is_not_armed_gets_nothing_from_a_route(tmp_path: Path) -> None:
    file = bench_file(tmp_path, {"engine": route("EngineData1")}, BUSES | {"body": HARDWARE})
    with VirtualBench(file) as bench:
        bench.command("arm", bus="body", armed=False)
        bench.set("input.Key", 1)
        bench.advance(0.5)
        assert bench.frames("body") == []
        assert bench.command("status", parts=["buses"])["buses"]["body"]["gate"]["unarmed"] > 0


@pytest.mark.parametrize(
    ("name", "target", "reason"),
    [
        ("abs", "powertrain", "there is no control unit 'abs'"),
        ("engine", "body", "is on bus 'powertrain', and the route leads to 'body'"),
    ],
)
def test_a_route_to_units_leads_to_their_bus(tmp_path: Path, name: str, target: str, reason: str) -> None:
    units = {"engine": {"unit": "engine", "bus": "powertrain"}}
    buses = BUSES | {"connector": {"interface": "embedded"}}
    routes = {"units": {"from": "connector", "to": target, "units": [name]}}
    with pytest.raises(ConfigurationError, match=reason):
        load_bench(str(bench_file(tmp_path, routes, buses, diagnostics={"units": units})))


@pytest.mark.parametrize(
    ("frames", "reason"),
    [
        (["EngineDta1"], "unknown message .* did you mean EngineData1"),
        ([0x321], "the bench sends 0x321 on bus body itself"),
        ([0x6B4], "0x6B4 is never sent on bus powertrain"),
    ],
)
def test_a_route_that_cannot_be_is_refused_with_its_place(tmp_path: Path, frames: list[Any], reason: str) -> None:
    buses = {
        "powertrain": BUSES["powertrain"] | {"never_send": [0x6B4]},
        "body": {"interface": "embedded", "raw": {"Cabin": {"id": 0x321, "data": "00", "period": 10}}},
    }
    with pytest.raises(ConfigurationError, match=reason):
        VirtualBench(bench_file(tmp_path, {"one": route(*frames)}, buses))


FAULTS = {
    "drop": "route engine drop frames=3",
    "delay": "route engine delay delay=7 frames=3",
    "duplicate": "route engine duplicate frames=3",
    "corrupt": "route engine corrupt frames=3",
    "length": "route engine length length=2 frames=3",
}


def disturbed(file: Path, fault: str | None, seed: int = 0) -> list[tuple[int, bytes]]:
    """What arrives of a foreign frame with a number in it, sent every 10 ms for half a second."""
    with VirtualBench(file, seed=seed) as bench:
        if fault is not None:
            bench.fault(fault)
        for number in range(50):
            bench.send("powertrain", Frame(0x700, bytes([number, 0, 0, 0])))
            bench.advance(0.01)
        return [(round(heard.t * 1000), heard.data) for heard in bench.frames("body")]


def test_faults_hit_a_route(tmp_path: Path) -> None:
    """Each as what it is, for as many frames as it says; then the route is as it was. The same seed, the same bytes."""
    file = bench_file(tmp_path, {"engine": route(0x700)})
    sound = disturbed(file, None)
    assert [data[0] for _, data in sound] == list(range(50))
    heard = {effect: disturbed(file, fault) for effect, fault in FAULTS.items()}
    assert heard["drop"] == sound[3:]
    assert heard["delay"] == [(t + 7 * (number < 3), data) for number, (t, data) in enumerate(sound)]
    assert heard["duplicate"] == sorted([*sound, *sound[:3]])
    assert heard["length"] == [(t, data[: 2 if number < 3 else 4]) for number, (t, data) in enumerate(sound)]
    changes = [
        (int.from_bytes(data) ^ int.from_bytes(right)).bit_count()
        for (_, data), (_, right) in zip(heard["corrupt"], sound, strict=True)
    ]
    assert changes == [1, 1, 1] + [0] * 47
    assert disturbed(file, FAULTS["corrupt"]) == heard["corrupt"]
    assert disturbed(file, FAULTS["corrupt"], seed=5) != heard["corrupt"]


def test_a_fault_does_not_send_a_frame_back(tmp_path: Path) -> None:
    """Between two buses that get all of each other, a delayed frame arrives once."""
    both = {"engine": route(0x700), "down": route(0x700, source="body", target="powertrain")}
    assert len(disturbed(bench_file(tmp_path, both), FAULTS["delay"])) == 50


ROUTES_OF_A_TESTER: dict[str, dict[str, Any]] = {
    "by identifier": {
        "requests": route(0x7DF, "0x7E0-0x7E7", source="connector", target="powertrain"),
        "answers": route("0x7E8-0x7EF", target="connector"),
    },
    "by unit": {"units": {"from": "connector", "to": "powertrain", "units": ["engine", "transmission"]}},
}


@pytest.mark.parametrize("ways", ROUTES_OF_A_TESTER)
def test_a_tester_reaches_control_units_behind_the_gateway(tmp_path: Path, ways: str) -> None:
    """Long requests and answers too: flow control goes the same ways. To the functional identifier all units answer."""
    settings = yaml.safe_load(Path(str(load_bench("diagnostics").path)).read_text())
    settings["inputs"] = []
    settings["buses"]["connector"] = {"interface": "embedded"}
    settings["diagnostics"].pop("elm327", None)
    settings["buses"]["powertrain"].pop("slcan")
    settings["gateway"] = ROUTES_OF_A_TESTER[ways]
    file = tmp_path / "behind.yaml"
    file.write_text(yaml.safe_dump(settings, sort_keys=False))
    with VirtualBench(file) as bench:
        bench.set("input.Key", 0)
        bench.advance(1.0)
        tester = Connector()
        bench.attach("connector", tester)
        assert tester.ask(bench, "22 F1 90") == b"\x62\xf1\x90WHBZZZ1EZSA000007"
        assert tester.ask(bench, "2E F1 98" + "41" * 40) == bytes.fromhex("7F 2E 7F")
        bench.send("connector", Frame(0x7DF, bytes.fromhex("02 01 00 00 00 00 00 00")))
        bench.advance(0.1)
        assert {0x7E8, 0x7E9} <= {heard.frame.can_id for heard in bench.frames("connector")}


class Connector:
    """A tester at the diagnostic connector: a unit of the bench's wire that asks the engine's control unit."""

    def __init__(self) -> None:
        self.waiting: list[Frame] = []
        self.client = IsoTpClient(self, [ENGINE_UNIT])

    def attach(self, node: Node) -> None:
        """The client is told of frames by `receive`."""

    def transmit(self, frame: Frame, origin: Node | None) -> None:
        self.waiting.append(frame)

    def receive(self, frame: Frame, t: float) -> list[Frame]:
        self.client.receive(frame, round(t * 1e9))
        return []

    def tick(self, t: float) -> list[Frame]:
        self.client.poll(round(t * 1e9))
        frames, self.waiting = self.waiting, []
        return frames

    def ask(self, bench: VirtualBench, request: str) -> bytes:
        self.client.request(bytes.fromhex(request), ENGINE_UNIT, round(bench.time * 1e9))
        bench.advance(0.3)
        (answer,) = self.client.take()
        return answer.payload


def test_a_recording_with_routes_is_replayed_to_the_byte(tmp_path: Path) -> None:
    """Frames that a route carried are no inputs: they come of those that were."""
    faults = [{"kind": "route", "route": "engine", "effect": "drop", "probability": 0.3, "at": 0.2}]
    file = bench_file(tmp_path, {"engine": route("EngineData1", period=20)}, faults=faults)
    play = tmp_path / "key.yaml"
    play.write_text("steps:\n  - {set: {input.Key: 1}}\n  - {always: input.Key == 1, for: 1}\n")
    record = tmp_path / "record"
    run = hilbridge("run", file, "--clock", "virtual", "--scenario", play, "--record", record)
    assert run.returncode == 0, run.stdout + run.stderr
    replay = hilbridge("replay", record, "--json")
    assert replay.returncode == 0, replay.stdout + replay.stderr
    with can.BLFReader(record / "frames.blf") as frames:
        assert any(one.arbitration_id == 0x100 and one.channel == 1 for one in frames)
