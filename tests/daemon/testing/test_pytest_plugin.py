"""The pytest plugin, in a pytest of its own."""

import pytest

from ...program import demo_bench

pytest_plugins = ["pytester"]

MODULE = """
import pytest

def test_the_demo_bench(bench):
    bench.set("input.Key", 1)
    bench.advance(2.0)
    assert bench.read("vehicle.EngineRpm") > 500

def test_every_test_has_its_own(bench):
    assert bench.time == 0

@pytest.mark.bench("bench.yaml", seed=7)
def test_a_bench_beside_the_test(bench):
    assert bench.parts.settings.rate == 500
    assert bench.parts.settings.seed == 7

@pytest.mark.bench(demo_driver=True)
def test_the_demo_driver(bench):
    bench.advance(3.0)
    assert bench.read("input.Key") >= 0
"""


def test_the_fixture_and_its_marker(pytester: pytest.Pytester) -> None:
    """The marker is known, also where unknown ones are errors."""
    demo_bench(pytester.path, ("rate: 1000 ", "rate: 500 "))
    pytester.makepyfile(MODULE)
    result = pytester.runpytest_subprocess("--strict-markers", "-q")
    result.assert_outcomes(passed=4)


def test_the_daemon_is_imported_only_for_a_bench(pytester: pytest.Pytester) -> None:
    """Tests of other projects do not wait for the import of the daemon."""
    pytester.makepyfile("import sys\ndef test_nothing(): assert 'hilbridge.bench.bench' not in sys.modules")
    pytester.runpytest_subprocess("-q").assert_outcomes(passed=1)
