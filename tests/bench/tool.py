"""A foreign tool at a bench, as a program in the tool's own environment: `python -m tests.bench.tool NAME WHERE`.

It prints a line when it is connected; for a line with a number it works so many seconds and prints how much came; it
ends with its input. `WHERE`: the port of the XCP slave, or the path of the control socket.
"""

import asyncio
import os
import sys
import time
from asyncio.subprocess import DEVNULL
from collections.abc import Awaitable, Callable
from typing import Any, Final

ENTRIES: Final = 20
"""That pyxcp measures at each tick."""

CALLS: Final = ("status", "frames", "values")
"""Tools that an assistant calls one after the other."""


ANSWERS: Final = os.fdopen(os.dup(1), "w")
"""The output of this program; what a tool prints goes where errors go."""


def _told(count: object) -> None:
    print(count, file=ANSWERS, flush=True)


def xcp(port: str) -> None:
    """Connect and measure by pyxcp, at each tick; count rows."""
    from hilbridge.bench.xcp.memory_map import MemoryMap
    from vehiclesim.entries import STANDARD

    from ..xcp.rig import Rows, daq_list, master

    places = {entry.path: address for address, entry in MemoryMap(STANDARD).addresses()}
    chosen = dict(list(places.items())[:ENTRIES])
    _told("ready")
    for line in sys.stdin:
        end = time.monotonic() + float(line)
        rows = Rows([daq_list("tick", 0, chosen)])  # pyxcp starts one once
        with master(int(port), policy=rows) as connected:
            connected.getDaqInfo()
            rows.setup()
            rows.start()
            time.sleep(max(0.0, end - time.monotonic()))
            rows.stop()
        _told(sum(map(len, rows.rows.values())))


async def _by_lines(work: Callable[[float], Awaitable[int]]) -> None:
    _told("ready")
    while line := await asyncio.to_thread(sys.stdin.readline):
        _told(await work(float(line)))


async def mcp(path: str) -> None:
    """Ask by the official client of MCP, without a pause; count answers."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    program = StdioServerParameters(command=sys.executable, args=["-m", "hilbridge", "mcp", path])
    async with stdio_client(program) as (reading, writing), ClientSession(reading, writing) as client:
        await client.initialize()

        async def ask(seconds: float) -> int:
            end, count = time.monotonic() + seconds, 0
            while time.monotonic() < end:
                name = CALLS[count % len(CALLS)]
                arguments: dict[str, Any] = {"entries": ["vehicle.Speed"]} if name == "values" else {}
                count += not (await client.call_tool(name, arguments)).is_error
            return count

        await _by_lines(ask)


async def vss(path: str) -> None:
    """Take what `hilbridge vss` publishes at its fastest, as a databroker; count messages."""
    import yaml

    from ..vss.databroker import Databroker, metadata, served
    from ..vss.facts import FACTS

    broker = Databroker(metadata(yaml.safe_load(FACTS.read_text(encoding="utf-8"))))

    async def listen(seconds: float) -> int:
        before = len(broker.told)
        words = ("vss", path, "--broker", f"127.0.0.1:{port}", "--rate", "20")
        program = await asyncio.create_subprocess_exec(sys.executable, "-m", "hilbridge", *words, stdout=DEVNULL)
        await asyncio.sleep(seconds)
        program.terminate()
        await program.wait()
        return len(broker.told) - before

    async with served(broker) as port:
        await _by_lines(listen)


if __name__ == "__main__":
    tool, where = sys.argv[1:]
    os.dup2(2, 1)
    if tool == "xcp":
        xcp(where)
    else:
        asyncio.run({"mcp": mcp, "vss": vss}[tool](where))
