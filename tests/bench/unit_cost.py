"""What control units cost in a tick in which nobody asks: twenty of them against one, and one with a DoIP port.

Whole ticks of three benches are timed in slices by turns, so that whatever else the machine does meets all. Monitors
and driving cycles of the units, ten looks a second for each, are among them.
"""

import gc
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter_ns
from typing import Any, Final

from hilbridge.bench.bench import Bench
from hilbridge.bench.stored_state import StoredState
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.runs.benchmarks.result import Aim, Quantity, Result
from hilbridge.runs.benchmarks.rig import MeasuredBench, Measurement, Rig

UNITS: Final = 20

_SLICE: Final = 200
"""Ticks."""

_WARM_UP: Final = 10
"""Slices before the first that counts."""

_ONE: Final = Quantity("tick_one_unit", "a tick with one control unit", "µs")
_TWENTY: Final = Quantity("tick_twenty_units", "a tick with twenty that nobody asks", "µs")
_RATIO: Final = Quantity("idle_units_ratio", "a tick with twenty units / with one", "x", Aim("at most", 1.15))
_DOIP: Final = Quantity("silent_doip_ratio", "a tick with a silent DoIP port / without", "x", Aim("at most", 1.1))


def _content(count: int) -> dict[str, Any]:
    bus = {"interface": "embedded", "slcan": 0, "database": "powertrain.dbc", "transmit": ["HILBRIDGE"]}
    units: dict[str, Any] = {"engine": {"unit": "engine", "bus": "one"}}
    for number in range(1, count):
        addresses = [{"request": 0x600 + number, "answer": 0x680 + number}]
        units[f"unit-{number}"] = {"unit": "abs", "bus": "one", "addresses": addresses}
    return {
        "vehicle": "compact",
        "buses": {"one": bus},
        "inputs": [{"source": "demo-driver"}],
        "diagnostics": {"units": units},
    }


def _with_doip(_folder: Path) -> dict[str, Any]:
    return _content(1) | {"doip": {"port": 0, "announce": None, "logical_address": 0x1000, "units": {"engine": 0x1001}}}


ONE_UNIT: Final = MeasuredBench("one-unit", lambda _folder: _content(1))
TWENTY_UNITS: Final = MeasuredBench("twenty-units", lambda _folder: _content(UNITS))
ONE_UNIT_DOIP: Final = MeasuredBench("one-unit-doip", _with_doip)


class _Runner:
    """A bench that runs tick after tick."""

    def __init__(self, file: Path) -> None:
        self._bench: Final = Bench(load_bench(str(file)))
        self._bench.connect()
        self._stored: Final = StoredState(self._bench)
        self._t = 0

    def slice(self) -> float:
        """Return the median time [µs] of the next ticks."""
        bench, spent = self._bench, []
        for _ in range(_SLICE):
            begun = perf_counter_ns()
            bench.sample(self._t)
            bench.step()
            bench.serve(self._t)
            bench.publish(self._t)
            bench.wiring.control_units.answer_delays()
            self._stored.due(self._t)
            spent.append(perf_counter_ns() - begun)
            self._t += bench.settings.period
        return median(spent) / 1000


def _measure(rig: Rig) -> Iterator[Result]:
    runners = [_Runner(bench.write(rig.folder)) for bench in (ONE_UNIT, TWENTY_UNITS, ONE_UNIT_DOIP)]
    slices = max(rig.effort.ticks // _SLICE // len(runners), 2 * _WARM_UP)
    gc.disable()
    try:
        samples = [[runner.slice() for runner in runners] for _ in range(slices)][_WARM_UP:]
    finally:
        gc.enable()
    yield _ONE.median([one for one, _, _ in samples])
    yield _TWENTY.median([twenty for _, twenty, _ in samples])
    yield _RATIO.median([twenty / one for one, twenty, _ in samples])
    yield _DOIP.median([doip / one for one, _, doip in samples])


MEASUREMENT: Final = Measurement("20 control units", (_ONE, _TWENTY, _RATIO, _DOIP), _measure)
