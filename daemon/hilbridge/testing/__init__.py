"""Benches in tests: on the virtual clock, inside the test's own process, without ports, repeatable to the byte.

    from hilbridge.testing import VirtualBench

    with VirtualBench("demo") as bench:
        bench.set("input.Key", 1)
        bench.advance(2.0)
        assert bench.read("vehicle.EngineRpm") > 500

With pytest a fixture `bench` is there by itself (hilbridge/pytest_plugin.py). tests/examples has a complete example.
"""

from hilbridge.testing.bench import VirtualBench
from hilbridge.testing.hearing import HeardFrame
from hilbridge.testing.tester import NegativeAnswerError
from hilbridge.testing.unit import Unit

__all__ = ["HeardFrame", "NegativeAnswerError", "Unit", "VirtualBench"]
