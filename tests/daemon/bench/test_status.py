"""How a bench is, at a glance."""

import json
import struct
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.bench import Bench
from hilbridge.bench.rows import trouble_of
from hilbridge.bench.status import PARTS, answer, headline
from hilbridge.bench.views import VIEWS, resolve, status_of
from hilbridge.boundary.control.chunked_json import ROWS_PER_PIECE, encode_pieces
from hilbridge.boundary.control.lines import PROTOCOL, USUAL
from hilbridge.boundary.links.embedded import EmbeddedLink
from hilbridge.boundary.links.input_port import PortStatistics
from hilbridge.boundary.links.serial_output import OutputTerminal
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.frames.bus.bus import Bus
from hilbridge.testing import VirtualBench
from vehiclesim.channels import VehicleData


def test_the_headline_is_one_line_for_a_service_manager() -> None:
    """The engine's speed while it runs, and how many links work; what is not armed at the end."""
    bench = Bench(load_bench("demo"))
    bench.connect()
    links = len(bench.links)
    assert headline(bench, 3, 0) == f"demo: 1000 Hz, 3 missed, engine off, {links} of {links} links up"
    bench.vehicle.data.vehicle[VehicleData.ENGINE_WORKING] = 1
    bench.vehicle.data.vehicle[VehicleData.ENGINE_RPM] = 2_500_000
    assert headline(bench, 0, 0) == f"demo: 1000 Hz, 0 missed, engine 2500 rpm, {links} of {links} links up"
    bench.gates[next(iter(bench.gates))].armed = False
    assert headline(bench, 0, 0).endswith(f"links up; not armed, all frames held back: {next(iter(bench.gates))}")
    assert "demo: 1000 Hz, overloaded: 20 % missed, 3,000 in all, engine" in headline(bench, 3000, 20)


HELD = """
name: held
rate: 200
vehicle: compact
buses:
  can: {interface: embedded, hardware: true}
outputs:
  dash: {port: /dev/hb-none, period: 20, values: {rpm: vehicle.EngineRpm}}
lines:
  k:
    protocol: telegrams
    port: /dev/hb-none-either
    telegrams: {Here: {source: 0xD0, destination: 0x80, data: "02 00", period: 100}}
"""


def test_all_that_waits_to_be_armed_is_named_and_measured(tmp_path: Path) -> None:
    """Buses, outputs and serial buses, in the line of the service and in what becomes metrics."""
    (tmp_path / "held.yaml").write_text(HELD)
    bench = Bench(load_bench(str(tmp_path / "held.yaml")))
    bench.connect(output_port=lambda _: OutputTerminal())
    assert headline(bench, 0, 0).endswith("; not armed, all frames held back: can, dash, k")
    for part, name in (("buses", "can"), ("outputs", "dash"), ("lines", "k")):
        samples = {family.name: number for family, labels, number in VIEWS[part].layout.samples(status_of(bench, part))}
        assert samples[f"{ {'buses': 'bus', 'outputs': 'output', 'lines': 'line'}[part] }_armed"] == 0, name
    bench.wiring.outputs.outputs["dash"].armed = True
    assert headline(bench, 0, 0).endswith("; not armed, all frames held back: can, k")
    bench.close()


def test_a_bus_has_the_trouble_of_its_link_and_of_what_cuts_it() -> None:
    """All of it, in words; none while it works."""
    bus = Bus("can")
    link = EmbeddedLink(bus)
    assert trouble_of(bus, link) == ""
    bus.cuts.append("bus off (fault 1)")
    assert trouble_of(bus, link) == "bus off (fault 1)"
    assert trouble_of(bus, Unplugged()) == "bus off (fault 1), unplugged"
    bus.cuts.clear()
    assert trouble_of(bus, Unplugged()) == "unplugged"


class Unplugged:
    """A connection that does not work."""

    descriptor = None
    trouble = "unplugged"
    statistics = PortStatistics()

    def close(self) -> None:
        """Nothing is open."""

    def describe(self) -> str:
        return "a plug"


def told(bench: Bench, *parts: str) -> Any:
    """The answer as a client reads it."""
    return json.loads(b"".join(encode_pieces(answer(bench, parts))))


def test_a_part_is_there_when_it_is_asked_for() -> None:
    """Whole, even where nothing is in it; and what the bench is."""
    bench = Bench(load_bench("demo"))
    bench.connect()
    head = {"protocol": PROTOCOL, "bench": "demo", "vehicle": bench.vehicle.settings.name, "rate_hz": 1000}
    assert told(bench) == head
    for part in (*PARTS, *VIEWS):
        assert told(bench, part).keys() == {*head, part}
    everything = told(bench, "buses", "faults", "troubles", "frames")
    assert (set(everything["buses"]), everything["faults"]) == (set(bench.buses), [])
    assert set(everything["troubles"]) == set(bench.wiring.control_units.troubles.codes())
    assert [frame["message"] for frame in everything["frames"]] == [
        one.outgoing.message for one in bench.wiring.plan.frames
    ]


def test_the_usual_parts_stand_under_one_name() -> None:
    """Each part once, in the order of the request; a part that does not exist is refused, with those that do."""
    bench = Bench(load_bench("demo"))
    assert resolve(bench, ["frames", USUAL, "buses", "frames"], PARTS)[:3] == ["frames", "statistics", "values"]
    usual = resolve(bench, [USUAL], PARTS)
    assert len(usual) == len(set(usual))
    assert {"buses", "outputs", "gateway", "units", "inputs"} <= set(usual)
    assert not {"ports", "plan", "entries", "layouts"} & set(usual)
    with pytest.raises(ConfigurationError, match=r"no part 'bus' .*buses"):
        resolve(bench, ["bus"], PARTS)


def test_no_piece_grows_with_the_bench() -> None:
    """Frames come so many at a time, buses and control units one at a time."""
    bench = Bench(load_bench("demo"))
    bench.connect()
    for place, content in answer(bench, ["buses", "troubles", "frames", "faults"]):
        if place == ("frames",):
            assert len(content) <= ROWS_PER_PIECE
        elif place in {("buses",), ("troubles",)}:
            assert content == {}


def test_identifiers_that_come_up_between_two_pieces_do_no_harm() -> None:
    """The tick goes on while the answer is made."""
    with VirtualBench("demo") as bench:
        bench.set("input.Key", 0)
        told(bench.parts, "traffic")
        bench.advance(0.1)
        sightings = iter(bench.parts.traffic("powertrain"))
        first = next(sightings)
        bench.inject("powertrain", "DriverInputs", Throttle=40)
        bench.advance(0.1)
        assert first.frame.can_id not in [one.frame.can_id for one in sightings]


def test_the_times_of_frames_are_told_of_buses_that_somebody_watches() -> None:
    """EngineData1 goes every 10 ms: the times of frames 0 to 15 of a ring, by hand."""
    with VirtualBench("demo") as bench:
        bench.set("input.Key", 0)
        bench.advance(0.1)
        assert told(bench.parts, "arrivals")["arrivals"] == {}
        told(bench.parts, "traffic")
        bench.advance(0.095)
        rows = {can_id: rest for can_id, *rest in told(bench.parts, "arrivals")["arrivals"]["powertrain"]}
    received, count, times = rows[0x100]
    kept = struct.unpack("<16q", bytes.fromhex(times))[:count]
    assert (received, count) == (False, len(kept))
    assert {after - before for before, after in pairwise(kept)} == {10_000_000}


def test_what_the_buses_carried_is_told_from_the_first_question_on() -> None:
    """Identifier, side, number, time [ms] and bytes of the newest; and what became of the frames that are inputs."""
    with VirtualBench("demo") as bench:
        bench.set("input.Key", 0)
        bench.advance(0.1)
        assert told(bench.parts, "traffic")["traffic"]["buses"] == {"powertrain": []}
        bench.advance(0.1)
        bench.inject("powertrain", "DriverInputs", Throttle=40)
        bench.advance(0.0205)
        traffic = told(bench.parts, "traffic")["traffic"]
    rows = {(can_id, received): rest for can_id, received, *rest in traffic["buses"]["powertrain"]}
    count, last, data = rows[0x100, False]
    assert (count, last, len(data)) == (12, 210, 16)
    assert rows[0x180, True][0] == 1
    (source,) = traffic["inputs"]
    assert (source["message"], source["accepted"], source["protected"]) == ("DriverInputs", 1, False)
