"""Ranges of a database that nobody meant, on a whole bench: what is sent and counted, and what an input believes."""

from pathlib import Path

import pytest

from hilbridge.bench.rows import frame_row
from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import VirtualBench

DBC = """VERSION ""
BU_: ENGINE PEDALS
BO_ 256 Engine: 2 ENGINE
 SG_ Speed : 0|16@1+ (1,0) [0|1] "rpm" PEDALS
BO_ 257 Pedals: 1 PEDALS
 SG_ Pedal : 0|8@1+ (1,0) [0|1] "" ENGINE
"""

BENCH = """
name: ranges
vehicle: compact
buses:
  can:
    interface: embedded
    database: car.dbc
    range: RULE
    messages:
      Engine: {period: 100, signals: {Speed: {expression: 900 + 0 * vehicle.EngineRpm}}}
inputs:
  - source: can
    bus: can
    message: Pedals
    timeout: 5000
    signals: {Throttle: {field: Pedal, minimum: 0, maximum: 200}}
"""


@pytest.mark.parametrize(("rule", "throttle", "held"), [("database", 0.0, {"Speed": 10}), ("raw", 0.75, {})])
def test_the_range_of_the_bus_holds_for_what_is_sent_and_for_inputs(
    tmp_path: Path, rule: str, throttle: float, held: dict[str, int]
) -> None:
    """A speed of 900 rpm in [0|1], and a pedal at 150 of [0|1]: held and counted, refused and counted; or as meant."""
    (tmp_path / "car.dbc").write_text(DBC)
    path = tmp_path / "ranges.yaml"
    path.write_text(BENCH.replace("RULE", rule))
    with VirtualBench(str(path)) as bench:
        bench.send("can", Frame(257, b"\x96", 0))
        bench.advance(1.0)
        assert bench.read("input.Throttle") == pytest.approx(throttle)
        (frame,) = bench.parts.wiring.plan.frames
        assert frame_row(frame).limited == held
        assert (frame.content == b"\x01\x00") == (rule == "database")


DOUBLE = DBC.replace("Pedals: 1 PEDALS", 'Pedals: 2 PEDALS\n SG_ Pedal : 8|8@1+ (1,0) [0|1] "" ENGINE').replace(
    "Engine: 2 ENGINE", 'Engine: 4 ENGINE\n SG_ Speed : 16|16@1+ (1,0) [0|1] "rpm" PEDALS'
)
"""The signal that a bench uses is the second one of its name, and so is called `Speed (2)` and `Pedal (2)`."""


def test_range_raw_reaches_the_second_signal_of_a_name(tmp_path: Path) -> None:
    (tmp_path / "car.dbc").write_text(DOUBLE)
    path = tmp_path / "ranges.yaml"
    bench_text = BENCH.replace("RULE", "raw").replace("Speed:", '"Speed (2)":').replace("Pedal,", '"Pedal (2)",')
    path.write_text(bench_text)
    with VirtualBench(str(path)) as bench:
        bench.send("can", Frame(257, b"\x00\x96", 0))
        bench.advance(1.0)
        assert bench.read("input.Throttle") == pytest.approx(0.75)
        (frame,) = bench.parts.wiring.plan.frames
        assert (frame_row(frame).limited, frame.content) == ({}, bytes(2) + (900).to_bytes(2, "little"))
