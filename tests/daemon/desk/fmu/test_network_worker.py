"""The process inside a network unit: its bench, its messages, and bytes that an importer gives it."""

import json
import struct
from array import array
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge import __version__
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.desk.fmu.bus_operations import operations, transmit
from hilbridge.desk.fmu.network_worker import FACTS, FOLDER, BenchUnit
from hilbridge.desk.fmu.variables import variables
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.bundle import bundle
from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import VirtualBench

LISTED = variables()
PLACES = {one.entry.path: place for place, one in enumerate(LISTED)}
NOTIFICATIONS, SENT = len(LISTED), len(LISTED) + 1
TICK = 0.001
BUS = struct.pack("<I", 0)


def folder_of(path: Path, **facts: str) -> Path:
    (path / FACTS).write_text(json.dumps({"version": __version__, "clock": "countdown"} | facts))
    (path / FOLDER).mkdir()
    for name, content in bundle(load_bench("demo").without_demo_driver()).items():
        (path / FOLDER / name).write_bytes(content)
    return path


@pytest.fixture(scope="module")
def unit(tmp_path_factory: pytest.TempPathFactory) -> BenchUnit:
    return BenchUnit(folder_of(tmp_path_factory.mktemp("unit")))


@pytest.fixture(autouse=True)
def anew(unit: BenchUnit) -> None:
    unit.answer(b"r", b"")


def step(unit: BenchUnit, seconds: float, **inputs: float) -> "array[float]":
    """Advance with some inputs, which have __ in place of the point; return all values."""
    values = unit.values()
    for name, value in inputs.items():
        values[PLACES[name.replace("__", ".")]] = value
    return array("d", unit.answer(b"s", struct.pack("<d", seconds) + values.tobytes()))


def sent(unit: BenchUnit) -> list[Frame]:
    return [one.content for one in operations(unit.answer(b"x", BUS)) if isinstance(one.content, Frame)]


def test_it_says_how_many_buses_it_has_and_how_long_a_tick_is(unit: BenchUnit) -> None:
    assert struct.unpack("<Id?", unit.answer(b"n", b"")) == (1, TICK, False)


def test_frames_are_those_of_the_virtual_bench(unit: BenchUnit) -> None:
    """Driven by a value that is held; steps of any length, also such as add up with a remainder."""
    frames = []
    for number in range(1000):
        values = unit.values()
        values[PLACES["input.Key"]] = 1.0
        unit.answer(b"s", struct.pack("<d", 0.0007 if number % 2 else 0.0013) + values.tobytes())
        frames += sent(unit)
    with VirtualBench("demo") as bench:
        bench.set("input.Key", 1)
        bench.advance(1.0)
        expected = [one.frame for one in bench.frames("powertrain")]
    assert len(expected) > 100
    assert frames == expected


def test_what_arrives_before_a_step_is_heard_in_its_first_tick(unit: BenchUnit) -> None:
    step(unit, 0.5, input__Key=0.0)
    sent(unit)
    unit.answer(b"b", BUS + transmit(Frame(0x7DF, bytes((2, 1, 0x0C, 0, 0, 0, 0, 0)))))
    values = step(unit, TICK)
    assert [one.can_id for one in sent(unit) if one.can_id == 0x7E8] == [0x7E8]
    assert values[SENT + 1] == 1.0


def test_an_input_that_was_never_changed_is_left_to_the_bench(unit: BenchUnit) -> None:
    """A frame moves the pedal; the importer's value holds it from the moment when it is another one."""
    pedals = transmit(Frame(0x180, bytes((125, 0, 0, 0, 0, 0, 0, 0))))
    read = unit._bench.vehicle.data.read
    place = LISTED[PLACES["input.Throttle"]]
    unit.answer(b"b", BUS + pedals)
    values = step(unit, 2 * TICK)
    assert (values[PLACES["input.Throttle"]], read(place.channel, place.place)) == (0.0, 0.5)
    step(unit, TICK, input__Throttle=0.25)
    unit.answer(b"b", BUS + pedals)
    step(unit, 2 * TICK)
    assert read(place.channel, place.place) == 0.25


def test_a_parameter_reaches_its_bus(unit: BenchUnit) -> None:
    values = unit.values()
    values[NOTIFICATIONS] = 1.0
    unit.answer(b"v", values.tobytes())
    assert unit.terminals[0].notifications


@pytest.mark.parametrize(
    ("letter", "body", "words"),
    [
        (b"s", struct.pack("<d", float("nan")), "not those of this unit"),
        (b"g", b"", "neither saved nor restored"),
        (b"p", b"?", "neither saved nor restored"),
        (b"b", b"", "no such bus"),
        (b"b", struct.pack("<I", 1), "no such bus"),
        (b"x", struct.pack("<I", 0xFFFFFFFF), "no such bus"),
        (b"v", bytes(8), "not those of this unit"),
    ],
)
def test_what_cannot_be_is_refused_in_words(unit: BenchUnit, letter: bytes, body: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        unit.answer(letter, body)


@pytest.mark.parametrize("seconds", [-0.001, float("nan"), float("inf"), 61.0])
def test_a_step_that_cannot_be_is_refused(unit: BenchUnit, seconds: float) -> None:
    with pytest.raises(ValueError, match="a step of"):
        step(unit, seconds)


def test_an_input_beyond_its_limits_is_named(unit: BenchUnit) -> None:
    with pytest.raises(ValueError, match=r"input\.Throttle"):
        step(unit, TICK, input__Throttle=1.5)


@given(st.lists(st.binary(max_size=100), max_size=5))
def test_any_bytes_on_a_bus_are_survived(unit: BenchUnit, arriving: list[bytes]) -> None:
    for data in arriving:
        unit.answer(b"b", BUS + data)
        step(unit, TICK)
    unit.answer(b"x", BUS)


def test_another_version_is_refused_and_both_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=rf"made by hilbridge 0\.0\.1, and {__version__} is installed"):
        BenchUnit(folder_of(tmp_path, version="0.0.1"))
