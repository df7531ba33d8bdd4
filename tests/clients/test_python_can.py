"""A python-can program takes the wheel of the running demo bench, in real time, over SLCAN on loopback."""

import time
from collections.abc import Callable
from pathlib import Path

import can
import pytest

from ..program import PATIENCE, database, decoded, demo_bench, running, slcan_client

INPUTS = database().get_message_by_name("DriverInputs")
ENGINE = database().get_message_by_name("EngineData1")
REST = {signal.name: 0.0 for signal in INPUTS.signals}


def drive(bus: can.BusABC, until: Callable[[dict[str, float]], bool], **controls: float) -> dict[str, float]:
    """Sends the controls every 20 ms until the engine's frames show what is waited for; at most 20 s."""
    data = INPUTS.encode(REST | controls)
    end = time.monotonic() + PATIENCE
    due = 0.0
    engine: dict[str, float] = {}
    while time.monotonic() < end:
        if time.monotonic() >= due:
            due = time.monotonic() + 0.02
            bus.send(can.Message(arbitration_id=INPUTS.frame_id, data=data, is_extended_id=False))
        message = bus.recv(0.01)
        if message is not None and message.arbitration_id == ENGINE.frame_id:
            engine = decoded(ENGINE, message)
            if until(engine):
                return engine
    raise AssertionError(f"not seen in time: {engine}")


def test_key_and_throttle_start_rev_and_idle_the_engine(tmp_path: Path) -> None:
    """Key 1 cranks until the engine works, the throttle revs it, released it comes back to idle, key -1 stops it."""
    with running(demo_bench(tmp_path)) as program:
        with slcan_client(program.slcan_port()) as bus:
            drive(bus, lambda engine: engine["EngineRpm"] < 50, Key=-1)
            drive(bus, lambda engine: engine["EngineStarting"] == 1, Key=1)
            drive(bus, lambda engine: engine["EngineWorking"] == 1 and engine["EngineRpm"] > 900, Key=1)
            drive(bus, lambda engine: engine["EngineRpm"] > 3000 and engine["ThrottleSignal"] > 40, Throttle=50)
            drive(bus, lambda engine: abs(engine["EngineRpm"] - 1000) < 20 and engine["ThrottleSignal"] == 0)
            drive(bus, lambda engine: engine["EngineWorking"] == 0, Key=-1)
        final = program.stop()
    assert final["inputs"]["powertrain.DriverInputs"]["accepted"] >= 6


def test_the_demo_driver_yields_and_the_engine_does_not_die_with_the_client(tmp_path: Path) -> None:
    """The first frame takes over; when the frames end, the pedals go to rest and the key leaves the starter."""
    with running(demo_bench(tmp_path)) as program:
        port = program.slcan_port()
        program.wait_for("demo driver drives")
        with slcan_client(port) as bus:
            drive(bus, lambda engine: engine["EngineWorking"] == 1, Key=1)
            program.wait_for("demo driver yields")
        program.wait_for("input timed out", source="powertrain.DriverInputs")
        with slcan_client(port) as bus:
            engine = decoded(ENGINE, _next(bus, ENGINE.frame_id))
        assert engine["EngineWorking"] == 1
        assert engine["EngineStarting"] == 0
        assert engine["ThrottleSignal"] == 0


@pytest.mark.way_out("bus")
def test_obd_requests_are_answered(tmp_path: Path) -> None:
    """Service 01 PID 0C carries the engine speed in quarters of 1/min, the same number as the cyclic frame."""
    with running(demo_bench(tmp_path)) as program, slcan_client(program.slcan_port()) as bus:
        drive(bus, lambda engine: engine["EngineWorking"] == 1 and engine["EngineRpm"] > 900, Key=1)
        drive(bus, lambda engine: abs(engine["EngineRpm"] - 1000) < 5)
        request = can.Message(arbitration_id=0x7DF, data=[2, 1, 0x0C, 0, 0, 0, 0, 0], is_extended_id=False)
        bus.send(request)
        answer = _next(bus, 0x7E8)
    assert answer.data[:3] == bytes((4, 0x41, 0x0C))
    assert abs((256 * answer.data[3] + answer.data[4]) / 4 - 1000) < 10


def _next(bus: can.BusABC, identifier: int) -> can.Message:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        message = bus.recv(0.1)
        if message is not None and message.arbitration_id == identifier:
            return message
    raise AssertionError(f"no frame {identifier:X}")
