"""Both clients on a socket: one connection, answers in their order, and what is lost is said."""

import asyncio
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from hilbridge.client import AsyncClient, Client, ConfigurationError, UnreachableError
from hilbridge.testing import VirtualBench

from ...program import demo_bench, running
from .daemon import daemon, entries

Ask = Callable[[Path], Any]


def ask(path: Path, command: str = "stop") -> Any:
    with Client(path) as bench:
        return bench.command(command)


def ask_async(path: Path, command: str = "stop") -> Any:
    async def exchange() -> Any:
        async with AsyncClient(path) as bench:
            return await bench.command(command)

    return asyncio.run(exchange())


both = pytest.mark.parametrize("ask", [ask, ask_async])


@both
def test_an_answer_comes_back(ask: Ask, tmp_path: Path) -> None:
    with daemon(tmp_path / "bench.sock", lambda command: {"heard": command["command"]}) as commands:
        assert ask(tmp_path / "bench.sock") == {"heard": "stop"}
    assert commands == [{"command": "stop"}]


@both
def test_a_refusal_is_an_error_with_its_reason(ask: Ask, tmp_path: Path) -> None:
    with (
        daemon(tmp_path / "bench.sock", lambda _: {"error": "name the bus"}),
        pytest.raises(ConfigurationError, match="name the bus"),
    ):
        ask(tmp_path / "bench.sock")


@both
def test_nobody_there_is_said(ask: Ask, tmp_path: Path) -> None:
    with pytest.raises(UnreachableError, match=r"no daemon can be reached at .*No such file"):
        ask(tmp_path / "bench.sock")


def test_a_set_says_its_rate_and_its_further_entries(tmp_path: Path) -> None:
    """By the keys of the protocol; both clients say the same, and what is not asked for is left out."""
    path = tmp_path / "bench.sock"

    async def exchange() -> None:
        async with AsyncClient(path) as bench:
            await bench.set("input.Throttle", 1, 2.0, rate=1.6)
            await bench.set("input.Brake", 1, also={"input.Steer": 0})

    with daemon(path, lambda _: {}) as commands:
        with Client(path) as bench:
            bench.set("input.Throttle", 1, 2.0, rate=1.6)
            bench.set("input.Brake", 1, also={"input.Steer": 0})
        asyncio.run(exchange())
    said: list[dict[str, Any]] = [
        {"command": "set", "entry": "input.Throttle", "value": 1, "seconds": 2.0, "by": None, "rate": 1.6},
        {"command": "set", "entry": "input.Brake", "value": 1, "seconds": None, "by": None, "also": {"input.Steer": 0}},
    ]
    assert commands == said * 2


def test_a_bench_moves_what_a_client_sets_at_a_rate() -> None:
    """By hand: from 0 by 1.6/s it is 0.4 after a quarter of a second, to a step of 10 ms; what has none is at once."""
    with VirtualBench("demo") as bench:
        bench.set("input.Throttle", 1, rate=1.6)
        bench.set("input.Brake", 0.5, also={"input.Steer": -0.25})
        bench.advance(0.25)
        assert bench.get("input.Throttle") == pytest.approx(0.4, abs=0.017)
        assert [bench.get(entry) for entry in ("input.Brake", "input.Steer")] == [0.5, -0.25]
        with pytest.raises(ConfigurationError, match=r"input\.ManualGear has no rate"):
            bench.set("input.ManualGear", 1, rate=1.0)
        with pytest.raises(ConfigurationError, match="a rate is for one entry"):
            bench.set("input.Brake", 1, rate=1.0, also={"input.Steer": 0})


def held(path: Path, *, fails: bool) -> None:
    with Client(path, by="me") as bench:
        bench.set("input.Throttle", 0.5)
        bench.fault("physics fault.Misfire", value=0.2)
        if fails:
            raise ZeroDivisionError


def held_async(path: Path, *, fails: bool) -> None:
    async def exchange() -> None:
        async with AsyncClient(path, by="me") as bench:
            await bench.set("input.Throttle", 0.5)
            await bench.fault("physics fault.Misfire", value=0.2)
            if fails:
                raise ZeroDivisionError

    asyncio.run(exchange())


@pytest.mark.parametrize("hold", [held, held_async])
@pytest.mark.parametrize("fails", [False, True])
def test_a_client_with_a_name_gives_back_what_it_holds(hold: Any, tmp_path: Path, *, fails: bool) -> None:
    """Also after an error; and where the bench is gone by then, the error of the user is told."""
    path = tmp_path / "bench.sock"
    with (
        daemon(path, lambda _: {"fault": 1, "scenario": None}) as commands,
        pytest.raises(ZeroDivisionError) if fails else nullcontext(),
    ):
        hold(path, fails=fails)
    holders = [(one["command"], one["by"]) for one in commands if "by" in one]
    assert holders == [
        ("set", "me"),
        ("fault-add", "me"),
        ("give-back", "me"),
        ("give-back", "scenario drive of me"),
    ]
    with pytest.raises(ZeroDivisionError), Client(path, by="me"):
        raise ZeroDivisionError


def test_a_drive_that_its_user_breaks_off_ends_on_the_bench_too(tmp_path: Path, monkeypatch: Any) -> None:
    """Ctrl-C while a bench in real time drives: the car is not left to a driver whom nobody awaits."""

    def interrupted(_client: Client, _seconds: float) -> None:
        raise KeyboardInterrupt

    with running(demo_bench(tmp_path), "--no-demo-driver") as program:
        path = program.wait_for("control socket open")["path"]
        monkeypatch.setattr(Client, "_pause", interrupted)
        with pytest.raises(KeyboardInterrupt), Client(path, by="me") as bench:
            bench.drive(80)
        with Client(path) as other:
            answer = other.status("scenario", "inputs")
    assert (answer["scenario"]["name"], answer["scenario"]["state"]) != ("drive of me", "running")
    assert [one["control"] for one in answer["inputs"] if one["source"]] == []


def test_a_client_that_stops_its_bench_has_nothing_to_give_back(tmp_path: Path) -> None:
    with daemon(tmp_path / "bench.sock", lambda _: {}) as commands, Client(tmp_path / "bench.sock", by="me") as bench:
        bench.stop()
    assert [one["command"] for one in commands] == ["stop"]


def test_a_client_connects_again_after_a_loss(tmp_path: Path) -> None:
    """The daemon was started again meanwhile: one command fails, the next one arrives."""
    path = tmp_path / "bench.sock"
    with Client(path) as bench:
        for _ in range(2):
            with daemon(path, lambda _: entries(1.0, vehicle_EngineRpm=800.0)):
                assert bench.get("vehicle.EngineRpm") == 800.0
                assert bench.get("vehicle.EngineRpm") == 800.0
            with pytest.raises(UnreachableError):
                bench.get("vehicle.EngineRpm")


def test_tasks_share_a_client(tmp_path: Path) -> None:
    """Each gets the answer to its own command."""

    async def exchange() -> list[dict[str, Any]]:
        async with AsyncClient(tmp_path / "bench.sock") as bench:
            return await asyncio.gather(*(bench.command("say", word=word) for word in range(20)))

    with daemon(tmp_path / "bench.sock", lambda command: {"word": command["word"]}):
        assert asyncio.run(exchange()) == [{"word": word} for word in range(20)]


def test_a_command_that_was_given_up_leaves_no_answer_behind(tmp_path: Path) -> None:
    """The task is cancelled while the daemon works; its answer must not be taken for the next one."""
    path = tmp_path / "bench.sock"

    async def exchange() -> Any:
        async with AsyncClient(path) as bench:
            first = asyncio.create_task(bench.command("first"))
            while not commands:
                await asyncio.sleep(0)
            first.cancel()
            await asyncio.wait([first])
            return await bench.command("second")

    with daemon(path, lambda command: {"heard": command["command"]}) as commands:
        assert asyncio.run(exchange()) == {"heard": "second"}
