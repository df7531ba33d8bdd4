"""The types of the face for tests, as their user sees them; see test_public_face.py."""

from collections.abc import Iterable
from pathlib import Path
from typing import assert_type

import pytest

from hilbridge.client import AnyClient
from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import AnyBench, Course, HeardFrame, NegativeAnswerError, Unit, VirtualBench


class Silent:
    """A control unit by its methods alone."""

    def receive(self, frame: Frame, t: float) -> Iterable[Frame]:
        return ()

    def tick(self, t: float) -> Iterable[Frame]:
        return ()


class Deaf:
    """None."""


def test_a_bench_in_a_few_lines() -> None:
    with VirtualBench("demo", seed=1) as bench:
        assert_type(bench, VirtualBench)
        face: AnyBench = bench
        assert_type(face.time, float)
        bench.set("input.Key", 1)
        bench.advance(2.0)
        assert_type(bench.time, float)
        assert_type(bench.get("vehicle.EngineRpm"), float)
        assert_type(bench.wait_until("vehicle.EngineRpm > 500"), float)
        frame = bench.wait_for("powertrain", "EngineData1", lambda heard: heard["EngineRpm"] > 500)
        assert_type(frame, HeardFrame)
        assert_type(frame["EngineRpm"], float)
        assert_type(frame.data, bytes)
        assert_type(bench.frames("powertrain"), list[HeardFrame])
        bench.inject("powertrain", "DriverInputs", Throttle=40, every=0.02)
        assert_type(bench.obd(0x0C), bytes)
        assert_type(bench.uds(b"\x3e\x00"), bytes)
        assert_type(bench.fault("link powertrain down", seconds=1), int)
        bench.attach("powertrain", Silent())
        assert_type(bench.history("vehicle.EngineRpm"), Course)
        assert_type(bench.history("vehicle.EngineRpm", 1.0).times, list[float])
        assert_type(bench.scenario("hill").passed, bool)


def test_the_names_of_version_0_2_stay() -> None:
    with VirtualBench("demo") as bench:
        assert_type(bench.read("vehicle.EngineRpm"), float)
        bench.set("input.Key", 1)
        assert_type(bench.advance_until("vehicle.EngineRpm > 500"), float)
        assert AnyBench.play is AnyBench.scenario


def test_a_script_for_any_bench() -> None:
    """One function for a client, a virtual and a real bench."""

    def start(bench: AnyClient) -> float:
        bench.set("input.Key", 1)
        return bench.wait_until("vehicle.EngineRpm > 500")

    with VirtualBench("demo", set={"vehicle.body.mass": 1400}) as bench:
        assert start(bench) > 0.0


def test_wrong_types_are_refused() -> None:
    with VirtualBench(Path("demo")) as bench:
        with pytest.raises(TypeError):
            bench.advance("long")  # type: ignore[arg-type]
        with pytest.raises(AttributeError):
            bench.time = 3.0  # type: ignore[misc]


def test_a_unit_is_what_has_its_methods() -> None:
    units: list[Unit] = [Silent()]
    units.append(Deaf())  # type: ignore[arg-type]
    assert len(units) == 2


def test_a_refusal_has_a_code() -> None:
    assert_type(NegativeAnswerError(0x22, 0x31).code, int)
