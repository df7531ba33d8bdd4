"""Time that a scan tool waits for the engine speed: python-OBD at this daemon's ELM327, and at ELM327-emulator.

The same query of the same client, both at their defaults and on a pseudo terminal, in slices that take turns in one
run. Their work differs: ELM327-emulator sends the answer of a table at once; here the request waits for the next tick,
and crosses the bus to the control unit.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Final, TypeAlias

from hilbridge.base.common.statistics import Histogram
from hilbridge.runs.benchmarks.result import Quantity, Result, UnavailableError
from hilbridge.runs.benchmarks.rig import Measurement, Rig

from . import emulator
from .ports import scan_tool_terminal

_INTERVAL: Final = 7_300_000
"""[ns] between two queries: no multiple of the tick, so that they come at any time of it."""

_TIMEOUT: Final = 20.0
"""[s] for a connection: the demo driver turns the key on in the first seconds."""

_OURS: Final = tuple(Quantity(f"scan_tool_p{p}", f"engine speed from hilbridge, p{p}", "µs") for p in (50, 99))
_THEIRS: Final = tuple(
    Quantity(f"peer_scan_tool_p{p}", f"engine speed from ELM327-emulator, p{p}", "µs") for p in (50, 99)
)
_RATIO: Final = Quantity("scan_tool_ratio", "hilbridge / ELM327-emulator, p50", "x")

Query: TypeAlias = Callable[[], bool]
"""A function that requests the engine speed and returns whether it was answered."""


@contextmanager
def _connected(way: str) -> Iterator[Query]:
    """Connect python-OBD to the car behind an adapter. UnavailableError when it finds none before the time-out."""
    import obd  # type: ignore[import-untyped,import-not-found,unused-ignore]

    deadline = time.monotonic() + _TIMEOUT
    client: Any = obd.OBD(way)
    while not client.is_connected() and time.monotonic() < deadline:
        client.close()
        client = obd.OBD(way)
    try:
        if not client.is_connected():
            raise UnavailableError("python-OBD finds no car")
        yield lambda: not client.query(obd.commands.RPM).is_null()
    finally:
        client.close()


def _slice(query: Query, seconds: float) -> Histogram:
    """Return the time of each answer. UnavailableError when one is missing."""
    times = Histogram()
    due = time.monotonic_ns()
    for _ in range(max(1, int(seconds * 1e9 / _INTERVAL))):
        time.sleep(max(0, due - time.monotonic_ns()) / 1e9)
        due += _INTERVAL
        begun = time.monotonic_ns()
        if not query():
            raise UnavailableError("python-OBD got no answer")
        times.record(time.monotonic_ns() - begun)
    return times


def _peer(rig: Rig, stack: ExitStack) -> tuple[Query | None, str]:
    """Connect to ELM327-emulator, and return its version; None with the reason where that is not possible."""
    if not emulator.is_installed():
        return None, f"{emulator.DISTRIBUTION} is not installed"
    try:
        way = stack.enter_context(emulator.running(rig.folder))
        return stack.enter_context(_connected(way)), f"beside {emulator.DISTRIBUTION} {version(emulator.DISTRIBUTION)}"
    except UnavailableError as error:
        return None, f"{emulator.DISTRIBUTION}: {error}"


def _measure(rig: Rig) -> Iterator[Result]:
    if find_spec("obd") is None:
        raise UnavailableError("python-OBD (obd) is not installed")
    logging.getLogger("obd").setLevel(logging.CRITICAL)  # its complaints are in the results
    way = scan_tool_terminal(rig.daemon(rig.default))
    ours: list[Histogram] = []
    theirs: list[Histogram] = []
    with ExitStack() as stack:
        here = stack.enter_context(_connected(way))
        there, note = _peer(rig, stack)
        for _ in range(rig.effort.slices):
            ours.append(_slice(here, rig.effort.slice))
            if there is not None:
                theirs.append(_slice(there, rig.effort.slice))
    yield from (quantity.percentile(p, ours) for quantity, p in zip(_OURS, (50, 99), strict=True))
    if not theirs:
        yield from (quantity.missing(note) for quantity in (*_THEIRS, _RATIO))
        return
    yield from (quantity.percentile(p, theirs, note) for quantity, p in zip(_THEIRS, (50, 99), strict=True))
    yield _RATIO.ratio(50, ours, theirs, note)


MEASUREMENT: Final = Measurement("a query of python-OBD", (*_OURS, *_THEIRS, _RATIO), _measure)
