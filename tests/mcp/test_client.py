"""A running bench as the official client of the Model Context Protocol sees it, through `hilbridge mcp`.

For an environment of its own, with the package `mcp` in it: `make test-mcp`.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError

from hilbridge.client import Client

from ..program import PATIENCE, database, hilbridge, running

BENCH = """\
name: assisted
rate: 100
vehicle: compact
control: {{socket: {folder}/control.sock}}
cockpit: {{enabled: false}}
state: none
inputs:
  - {{source: demo-driver}}
buses:
  powertrain: {{interface: embedded, database: powertrain.dbc, transmit: [HILBRIDGE]}}
"""

SCENARIO = """\
purpose: opens a door
steps:
  - set: {body.DoorFrontLeft: open}
  - expect: body.DoorFrontLeft == 1
    within: 1
"""

Result = TypeVar("Result")


def talk(bench: Path | str, work: Callable[[Any], Awaitable[Result]], *options: str) -> Result:
    """What the work on a session gives; the program is started and ended by the client."""

    async def session() -> Result:
        program = StdioServerParameters(command=sys.executable, args=["-m", "hilbridge", "mcp", str(bench), *options])
        async with stdio_client(program) as (reading, writing), ClientSession(reading, writing) as client:
            await client.initialize()
            return await work(client)

    return asyncio.run(asyncio.wait_for(session(), PATIENCE))


async def called(client: Any, name: str, **arguments: Any) -> Any:
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    return json.loads(result.content[0].text)


async def names(client: Any) -> set[str]:
    return {tool.name for tool in (await client.list_tools()).tools}


def test_it_looks_and_where_it_may_it_acts_and_a_replay_does_the_same(tmp_path: Path) -> None:
    file, record = tmp_path / "bench.yaml", tmp_path / "record"
    file.write_text(BENCH.format(folder=tmp_path), encoding="utf-8")
    with running(file, "--record", record) as program:
        program.wait_for("ready")
        path = tmp_path / "control.sock"

        async def look(client: Any) -> tuple[set[str], Any, Any]:
            found = await called(client, "find_values", word="engine speed")
            values = await called(client, "values", entries=["vehicle.EngineRpm", "body.TurnSignal"])
            with pytest.raises(MCPError, match="no such tool"):
                await client.call_tool("set", {"entry": "body.TurnSignal", "value": 1})
            return await names(client), found, values

        tools, found, values = talk(path, look)
        assert tools == {"benches", "status", "find_values", "values", "explain", "frames", "scenarios"}
        assert "vehicle.EngineRpm" in {one["path"] for one in found["entries"]}
        assert values["vehicle.EngineRpm"]["unit"] == "rpm"

        async def act(client: Any) -> None:
            await called(client, "set", entry="body.TurnSignal", value="right", seconds=5)
            await called(client, "add_fault", words="physics fault.Misfire value=0.2", seconds=1)

        talk(path, act, "--write")
        with Client(path) as bench:
            assert bench.get("body.TurnSignal") == 2
        program.stop()
    replayed = hilbridge("replay", record)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


def test_frames_are_read_and_a_scenario_is_played_and_a_replay_does_the_same(tmp_path: Path) -> None:
    file, record = tmp_path / "bench.yaml", tmp_path / "record"
    file.write_text(BENCH.format(folder=tmp_path), encoding="utf-8")
    (tmp_path / "door.yaml").write_text(SCENARIO, encoding="utf-8")
    with running(file, "--record", record) as program:
        program.wait_for("ready")

        async def play(client: Any) -> tuple[Any, Any, Any]:
            benches = await called(client, "benches")
            assert {"benches", "left_out"} == benches.keys()
            frames = await called(client, "frames", frames=["EngineData1"])
            listed = await called(client, "scenarios")
            return frames, listed, await called(client, "run_scenario", scenario="door", seconds=PATIENCE)

        frames, listed, played = talk(tmp_path / "control.sock", play, "--write")
        (frame,) = frames["frames"]
        message = database().get_message_by_name("EngineData1")
        expected = message.decode(bytes.fromhex(frame["data"]), decode_choices=True)
        assert isinstance(expected, dict)
        assert frame["signals"].keys() == expected.keys()
        assert float(frame["signals"]["EngineRpm"].split()[0]) == expected["EngineRpm"]
        assert {"name", "purpose"} <= listed["scenarios"][0].keys()
        assert "opens a door" in {one["purpose"] for one in listed["scenarios"]}
        assert (played["verdict"], played["stopped"]) == ("passed", False)
        program.stop()
    replayed = hilbridge("replay", record)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


def test_a_bench_that_does_not_run_is_told(tmp_path: Path) -> None:
    async def look(client: Any) -> Any:
        return await client.call_tool("status", {})

    result = talk(tmp_path / "none.sock", look)
    assert result.is_error
    assert "no daemon can be reached" in result.content[0].text
