"""The process inside a unit: messages, inputs, and states that somebody gives it."""

import io
import json
import pickle
import struct
from array import array
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.desk.fmu.variables import variables
from hilbridge.desk.fmu.worker import Unit, serve
from vehiclesim import VehicleSettings

PLACES = {one.entry.path: place for place, one in enumerate(variables())}


@pytest.fixture(scope="module")
def unit(tmp_path_factory: pytest.TempPathFactory) -> Unit:
    folder = tmp_path_factory.mktemp("unit")
    rows = [(one.channel, one.place, *(one.entry.limits or (None, None)), one.entry.path) for one in variables()]
    (folder / "unit.json").write_text(json.dumps({"identity": "one", "step": 0.001, "variables": rows}))
    (folder / "vehicle.bin").write_bytes(pickle.dumps(VehicleSettings()))
    return Unit(folder)


def step(unit: Unit, seconds: float, **inputs: float) -> "array[float]":
    """Advance with some inputs, which have __ in place of the point; return all values."""
    values = unit.values()
    for name, value in inputs.items():
        values[PLACES[name.replace("__", ".")]] = value
    return array("d", unit.answer(b"s", struct.pack("<d", seconds) + values.tobytes()))


class Evil:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> Any:
        return (Path.touch, (self.folder / "touched",))


def test_a_state_brings_no_code(unit: Unit, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="that is no state of this unit"):
        unit.answer(b"p", pickle.dumps(Evil(tmp_path)))
    assert not list(tmp_path.iterdir())


@given(st.binary(max_size=200))
def test_any_bytes_are_no_state(unit: Unit, data: bytes) -> None:
    with pytest.raises(ValueError, match="that is no state of this unit"):
        unit.answer(b"p", data)


def test_a_state_of_another_unit_is_refused(unit: Unit) -> None:
    _, state, channels = pickle.loads(unit.answer(b"g", b""))
    with pytest.raises(ValueError, match="of another unit"):
        unit.answer(b"p", pickle.dumps(("two", state, channels)))


def test_what_the_vehicle_takes_back_is_not_written_again(unit: Unit) -> None:
    """A gear step is taken once, and counts again after it was 0."""
    unit.answer(b"r", b"")
    step(unit, 0.01, input__Key=0.0, input__Clutch=1.0)
    step(unit, 0.01, input__GearShift=1.0)
    assert step(unit, 0.5)[PLACES["input.GearShift"]] == 0.0


@pytest.mark.parametrize("seconds", [-0.001, float("nan"), float("inf"), 1e9])
def test_a_step_that_cannot_be_is_refused(unit: Unit, seconds: float) -> None:
    with pytest.raises(ValueError, match="a step of"):
        step(unit, seconds)


def test_an_error_is_answered_and_the_next_message_too(unit: Unit) -> None:
    class Pair(io.BytesIO):
        def __init__(self, sent: bytes) -> None:
            super().__init__(sent)
            self.answers = b""

        def write(self, data: Any, /) -> int:
            self.answers += data
            return len(data)

    size = 8 * len(PLACES)
    stream = Pair(struct.pack("<BI", ord("x"), 0) + struct.pack("<BI", ord("v"), size) + unit.values().tobytes())
    serve(stream, unit)
    hello, rest = stream.answers[: 5 + size], stream.answers[5 + size :]
    assert struct.unpack("<BI", hello[:5]) == (0, size)
    failed, length = struct.unpack("<BI", rest[:5])
    assert (failed, rest[5 : 5 + length]) == (1, b"unknown message b'x'")
    assert struct.unpack("<BI", rest[5 + length : 10 + length]) == (0, size)
