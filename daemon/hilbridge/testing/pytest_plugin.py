"""The pytest plugin: the fixture `bench`, a bench on the virtual clock, a new one for every test.

    def test_the_engine_starts(bench: VirtualBench) -> None: ...              the packaged demo bench

    @pytest.mark.bench("desk.yaml", seed=3)                                   another one; arguments of VirtualBench
    def test_the_desk(bench: VirtualBench) -> None: ...

A file name is searched for beside the test's file first. pytest loads this module in every run on a machine that has
hilbridge, so it imports the daemon only when a test requests a bench.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from hilbridge.testing import VirtualBench


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line(
        "markers", "bench(bench='demo', *, seed=None, demo_driver=False): the bench of the fixture 'bench'"
    )


@pytest.fixture
def bench(request: pytest.FixtureRequest) -> "Iterator[VirtualBench]":
    """A bench on the virtual clock: the packaged demo, or that of the marker `bench`."""
    from hilbridge.testing import VirtualBench

    marker = request.node.get_closest_marker("bench")
    names, options = ("demo",), {}
    if marker is not None:
        names, options = marker.args or names, marker.kwargs
    (name,) = names
    beside = request.path.parent / name
    with VirtualBench(beside if beside.is_file() else name, **options) as started:
        yield started
