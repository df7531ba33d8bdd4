"""A bench with a cluster behind its bus, which what the bench asks and hears of clusters is tried on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hilbridge.testing import VirtualBench

from ..faces.explain.cluster import desk


@pytest.fixture
def dash(tmp_path: Path) -> Iterator[VirtualBench]:
    with desk(tmp_path) as bench:
        yield bench
