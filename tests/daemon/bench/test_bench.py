"""The wired bench, ticked by hand on the virtual clock, with nothing opened."""

from pathlib import Path

import pytest

from hilbridge.base.clock import Clock, StopRequest, VirtualClock
from hilbridge.base.common.units import SECOND
from hilbridge.bench.bench import Bench
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.frames.codec.frame import Frame
from hilbridge.runs import loop
from vehiclesim.channels import VehicleData

from ...benches import Listener

KEY_START = bytes.fromhex("0000000000004000")
HALF_THROTTLE = bytes.fromhex("7D00000000000000")

TWO_BUSES = """
name: two
rate: 200
vehicle: compact
buses:
  one: {interface: embedded, database: powertrain.dbc, transmit: [HILBRIDGE]}
  two: {interface: embedded, database: powertrain.dbc}
inputs:
  - {source: can, bus: two, message: DriverInputs, signals: {Throttle: {}, Key: {}}}
diagnostics: {units: {engine: {unit: engine, bus: two}}}
"""


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    file = tmp_path / "two.yaml"
    file.write_text(TWO_BUSES)
    bench = Bench(load_bench(str(file)))
    bench.connect()
    return bench


class Script:
    """Stages of a bench, with frames put on bus two at given times."""

    def __init__(self, bench: Bench, frames: dict[int, Frame]) -> None:
        self._bench = bench
        self._frames = frames
        self.step = bench.step
        self.serve = bench.serve
        self.publish = bench.publish

    def sample(self, t: int) -> None:
        if t in self._frames:
            self._bench.buses["two"].transmit(self._frames[t], None)
        self._bench.sample(t)

    def write(self, clock: Clock) -> None:
        """Nothing is observed."""


def play(bench: Bench, seconds: float, frames: dict[int, Frame]) -> None:
    clock = VirtualClock(bench.settings.period, round(seconds * SECOND))
    loop.run(clock, Script(bench, frames), StopRequest())


def inputs(data: bytes, first: float, last: float) -> dict[int, Frame]:
    """DriverInputs every 100 ms."""
    return {tenth * SECOND // 10: Frame(0x180, data) for tenth in range(round(10 * first), round(10 * last))}


def test_a_frame_on_one_bus_drives_the_vehicle_and_the_other_bus_shows_it(bench: Bench) -> None:
    """Key and throttle come on bus two; the engine's frames go out on bus one alone."""
    one, two = Listener(), Listener()
    bench.buses["one"].attach(one)
    bench.buses["two"].attach(two)
    play(bench, 5.0, inputs(KEY_START, 0.0, 2.0) | inputs(HALF_THROTTLE, 2.0, 5.0))
    assert bench.vehicle.data.vehicle[VehicleData.ENGINE_RPM] > 3_000_000
    assert {frame.can_id for frame in one.frames} == {0x100, 0x101, 0x110, 0x111, 0x120, 0x140}
    assert {frame.can_id for frame in two.frames} == {0x180}


def test_an_obd_request_is_answered_in_the_tick_that_reads_it(bench: Bench) -> None:
    """Mean delay is half a tick; what counts is that the answer has the time of the request's tick."""
    listener = Listener()
    bench.buses["two"].attach(listener)
    request = Frame(0x7DF, bytes.fromhex("02010C0000000000"))
    play(bench, 3.0, inputs(KEY_START, 0.0, 3.0) | {2_505_000_000: request})
    answers = [
        (t, frame.data[:3]) for t, frame in zip(listener.times, listener.frames, strict=True) if frame.can_id == 0x7E8
    ]
    assert answers == [(2_505_000_000, bytes((4, 0x41, 0x0C)))]


def test_without_a_source_everything_rests(bench: Bench) -> None:
    """Nobody speaks and there is no demo driver in this bench: key off, engine off."""
    play(bench, 2.0, {})
    assert bench.vehicle.data.vehicle[VehicleData.ENGINE_RPM] == 0
    assert bench.vehicle.data.vehicle[VehicleData.ENGINE_WORKING] == 0
