"""Frames for an assistant, decoded as cantools decodes them."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.client.sync_client import AnyClient
from hilbridge.faces.mcp.frames import MOST_FRAMES
from hilbridge.faces.mcp.tools import tools
from hilbridge.frames.codec.frame import EXTENDED, Frame
from hilbridge.testing import VirtualBench

from ....program import database, demo_bench


@pytest.fixture
def bench() -> Iterator[VirtualBench]:
    with VirtualBench("demo") as one:
        one.set("input.Key", 0)
        one.advance(0.1)
        yield one


def frames(bench: AnyClient, **arguments: Any) -> Any:
    def connect(_name: str | None) -> AbstractContextManager[AnyClient]:
        return nullcontext(bench)

    return tools(connect, write=False)["frames"].call(arguments, "test")


def test_a_frame_has_its_signals_as_cantools_reads_them(bench: VirtualBench) -> None:
    """The first question waits until there are frames to tell of."""
    told = frames(bench)
    assert told["bus"] == "powertrain"
    assert told["decoded"].startswith("by the databases of /")
    found = {one["message"]: one for one in told["frames"]}
    one = found["EngineData1"]
    message = database().get_message_by_name("EngineData1")
    expected = message.decode(bytes.fromhex(one["data"]), decode_choices=True)
    assert isinstance(expected, dict)
    assert (one["id"], one["sender"]) == (f"0x{message.frame_id:03X}", "bench")
    assert one["count"] == pytest.approx(1000 / (message.cycle_time or 0), abs=1)
    assert 0 <= one["age_s"] <= 0.011
    assert expected.keys() == one["signals"].keys()
    numbers = {name: value for name, value in expected.items() if isinstance(value, int | float)}
    assert numbers
    for name, value in numbers.items():
        assert float(one["signals"][name].split()[0]) == pytest.approx(value), name


def test_frames_from_outside_are_told_apart_and_judged(bench: VirtualBench) -> None:
    frames(bench)
    bench.inject("powertrain", "DriverInputs", Throttle=40)
    bench.send("powertrain", Frame(0x1ABCDEF | EXTENDED, b"\x01"))
    bench.advance(0.1)
    told = frames(bench, bus="powertrain", frames=["driverinputs", "0x01ABCDEF"])["frames"]
    assert [(one["id"], one["sender"], one["count"]) for one in told] == [
        ("0x180", "outside", 1),
        ("0x01ABCDEF", "outside", 1),
    ]
    assert float(told[0]["signals"]["Throttle"].split()[0]) == 40
    assert "signals" not in told[1]


def test_what_a_bus_that_is_not_armed_holds_back_is_told(bench: VirtualBench) -> None:
    frames(bench)
    bench.arm("powertrain", armed=False)
    bench.advance(0.1)
    assert {one["held_back"] for one in frames(bench)["frames"]} == {True}


def test_an_answer_is_bounded_and_says_what_it_leaves_out(bench: VirtualBench) -> None:
    frames(bench)
    for number in range(100):
        bench.send("powertrain", Frame(0x700 + number, bytes(8)))
    bench.advance(0.2)
    told = frames(bench)
    own = sum(one["sender"] == "bench" for one in told["frames"])
    assert (len(told["frames"]), told["left_out"]) == (MOST_FRAMES, own + 100 - MOST_FRAMES)


def test_a_bus_that_there_is_not_is_answered_by_those_that_there_are(bench: VirtualBench) -> None:
    with pytest.raises(ConfigurationError, match="which bus\\? there is: powertrain"):
        frames(bench, bus="comfort")


def test_a_bench_file_that_is_gone_or_wrong_costs_the_signals_alone(tmp_path: Path) -> None:
    file = demo_bench(tmp_path)
    with VirtualBench(file) as bench:
        bench.set("input.Key", 0)
        bench.advance(0.1)
        assert frames(bench)["decoded"] == f"by the databases of {file}, as they are on the disk now"
        for change in (lambda: file.write_text("buses: 5\n", encoding="utf-8"), file.unlink):
            change()
            told = frames(bench)
            assert told["decoded"].startswith("not decoded: ")
            assert told["frames"]
            assert not any("signals" in one or "message" in one for one in told["frames"])


@pytest.mark.parametrize(
    "traffic",
    [
        5,
        {},
        {"unarmed": [], "buses": {"one": [[1, True]]}},
        {"unarmed": [], "buses": {"one": [[1, True, 1, 0.0, "xyz"]]}},
        {"unarmed": [], "buses": {"one": [["1", True, 1, 0.0, "00"]]}},
        {"unarmed": [], "buses": {"one": 7}},
    ],
)
def test_what_another_program_answers_is_refused_in_words(traffic: Any) -> None:
    class Stranger(AnyClient):
        def close(self) -> None:
            """There is nothing to close."""

        def exchange(self, command: Any) -> Any:
            return {"time": 1.0, "traffic": traffic}

    with pytest.raises(ConfigurationError, match="the traffic of "):
        frames(Stranger())
