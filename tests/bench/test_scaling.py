"""The simulation of many cores agrees with what can be said without one, and the page has its table."""

import pytest

from ..program import CHECKOUT
from .scaling import simulate, table


@pytest.mark.parametrize(
    ("cores", "batch", "rate"),
    [(10, 1, 20.0), (1000, 1, 100.0), (1000, 100, 2000.0)],
    ids=["as many as the cores make", "as many as the scheduler hands out", "in batches the cores again"],
)
def test_the_narrowest_server_decides(cores: int, batch: int, rate: float) -> None:
    """Runs of 0.5 s, 10 ms of the scheduler for a task, 1 ms for its rows: throughput is the least of the three."""
    expected = min(cores / 0.5, batch / 0.01, batch / 0.001)
    assert expected == rate
    assert simulate(cores, batch, run=0.5, scheduled=0.01, kept=0.001).rate == pytest.approx(rate, rel=0.2)


def test_the_page_has_what_the_script_prints() -> None:
    assert table() in (CHECKOUT / "docs/scaling.md").read_text(encoding="utf-8")
