"""Benches in tests: virtual ones, repeatable to the byte, and with the same methods real ones.

`VirtualBench` is inside of the test's own process, on the virtual clock and without ports. `RealBench` is a daemon in
real time with its buses; pytest's --hilbridge-hardware puts it in the place of the other.

    from hilbridge.testing import VirtualBench

    with VirtualBench("demo") as bench:
        bench.set("input.Key", 1)
        bench.advance(2.0)
        assert bench.get("vehicle.EngineRpm") > 500

pytest finds the fixture `bench` by itself (pytest_plugin.py). tests/examples has a complete example.
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from hilbridge.frames.codec.frame import Frame
    from hilbridge.testing.any_bench import AnyBench
    from hilbridge.testing.bench import VirtualBench
    from hilbridge.testing.history import Course
    from hilbridge.testing.real_bench import RealBench
    from hilbridge.testing.tester import NegativeAnswerError
    from hilbridge.testing.wire import HeardFrame, Unit

__all__ = ["AnyBench", "Course", "Frame", "HeardFrame", "NegativeAnswerError", "RealBench", "Unit", "VirtualBench"]

_HOMES: Final = {
    "AnyBench": "testing.any_bench",
    "Course": "testing.history",
    "Frame": "frames.codec.frame",
    "HeardFrame": "testing.wire",
    "NegativeAnswerError": "testing.tester",
    "RealBench": "testing.real_bench",
    "Unit": "testing.wire",
    "VirtualBench": "testing.bench",
}


def __getattr__(name: str) -> Any:
    """Import the daemon on demand: pytest loads this package in every run, for its plugin."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"hilbridge.{_HOMES[name]}"), name)
