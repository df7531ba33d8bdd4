"""Cost of foreign tools for the daemon: pyxcp, the official client of MCP and a databroker's stub, all at once.

pyxcp measures 20 entries of every tick, the assistant asks without a pause, `hilbridge vss` publishes at its fastest.
Slices with and without them take turns; missed ticks are counted by the daemon itself. Each tool works in the
environment that `make test-xcp`, `test-mcp` and `test-vss` have made.
"""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from hilbridge.runs.benchmarks.result import Aim, Quantity, Result, UnavailableError
from hilbridge.runs.benchmarks.rig import MeasuredBench, Measurement, Rig, demo_content

from .ports import xcp_port
from .turns import by_turns

_CHECKOUT: Final = Path(__file__).parents[2]
_TOOLS: Final = ("xcp", "mcp", "vss")
_SLICE: Final = 3.0
"""[s] at least: `hilbridge vss` starts anew in each."""

_COUNTS: Final = (
    Quantity("tools_xcp", "rows of 20 entries that pyxcp got", "1/s"),
    Quantity("tools_mcp", "answers that an assistant got", "1/s"),
    Quantity("tools_vss", "messages that a databroker got", "1/s"),
)
_MISSED: Final = Quantity("tools_missed", "missed ticks, every tool", "%")
_ALONE: Final = Quantity("tools_missed_none", "missed ticks, no tool", "%")
_BEYOND: Final = Quantity("tools_missed_beyond", "missed ticks, tools - none", "%", Aim("at most", 0.0))


def _content(folder: Path) -> dict[str, Any]:
    """Return the demo bench with a control socket and a slave of XCP."""
    own = {"control": {"socket": str(folder / "tools.sock")}, "xcp": {"port": 0}}
    return demo_content(folder) | own


TOOLS: Final = MeasuredBench("tools", _content)


class _Tool:
    """One tool that is connected, at work when it is told to."""

    def __init__(self, name: str, where: str) -> None:
        python = _CHECKOUT / f".venv-{name}" / "bin" / "python"
        if not python.exists():
            raise UnavailableError(f"not installed: make test-{name}")
        command = [str(python), "-m", "tests.bench.tool", name, where]
        self.process: Final = subprocess.Popen(
            command, cwd=_CHECKOUT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._name: Final = name
        self._line()

    def begin(self, seconds: float) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{seconds}\n")

    def count(self) -> int:
        """Wait for the end of its work; return how much came."""
        return int(self._line())

    def end(self) -> None:
        """End it with its input."""
        with self.process:
            if self.process.stdin is not None:
                self.process.stdin.close()
            self.process.wait(timeout=30.0)

    def _line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise UnavailableError(f"the tool of {self._name} has ended")
        return line


def _measure(rig: Rig) -> Iterator[Result]:
    daemon = rig.daemon(rig.default, TOOLS)
    socket = str(rig.folder / "tools.sock")
    seconds = max(_SLICE, rig.effort.slice)
    counts: list[list[float]] = []
    alone, used = [], []
    with ExitStack() as stack:
        tools = []
        for name in _TOOLS:
            tools.append(tool := _Tool(name, str(xcp_port(daemon)) if name == "xcp" else socket))
            stack.callback(tool.end)

        def work() -> list[float]:
            for tool in tools:
                tool.begin(seconds)
            return [tool.count() / seconds for tool in tools]

        for each, at_rest, meanwhile in by_turns(rig.effort._replace(slice=seconds), daemon, work):
            counts.append(each)
            alone.append(at_rest)
            used.append(meanwhile)
    for quantity, column in zip(_COUNTS, zip(*counts, strict=True), strict=True):
        yield quantity.median(list(column))
    yield _MISSED.median(used)
    yield _ALONE.median(alone)
    yield _BEYOND.median([more - less for more, less in zip(used, alone, strict=True)])


MEASUREMENT: Final = Measurement("tools of engineers, at once", (*_COUNTS, _MISSED, _ALONE, _BEYOND), _measure)
