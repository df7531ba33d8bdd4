"""Settings of real time: what no kernel could grant is refused when the file is read."""

import pytest
from pydantic import ValidationError

from hilbridge.settings.realtime import RealTimeSettings


def test_by_default_everything_is_asked_for() -> None:
    """At a priority below that of interrupt threads, which have 50."""
    settings = RealTimeSettings()
    assert (settings.scheduler, settings.lock_memory, settings.freeze_collector) == ("fifo", True, True)
    assert (settings.timer_slack, settings.dma_latency, settings.spin, settings.affinity) == (1, 0, 0, [])
    assert settings.priority < 50


@pytest.mark.parametrize(
    "wrong",
    [
        {"scheduler": "deadline"},
        {"priority": 0},
        {"priority": 99},
        {"timer_slack": 0},
        {"affinity": [-1]},
        {"affinity": [1, 2, 1]},
        {"spin": 1001},
        {"dma_latency": "never"},
        {"dma_latency": -1},
        {"nice": 1},
    ],
)
def test_what_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        RealTimeSettings.model_validate(wrong)


def test_deep_sleep_may_be_allowed() -> None:
    assert RealTimeSettings.model_validate({"dma_latency": "any"}).dma_latency == "any"
