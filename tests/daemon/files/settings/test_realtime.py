"""Settings of real time: what no kernel could grant is refused when the file is read."""

import pytest
from pydantic import ValidationError

from hilbridge.files.settings.realtime import RealTimeSettings


def test_by_default_the_tick_is_in_a_real_time_class() -> None:
    """At a priority below that of interrupt threads, which have 50, on the processors that it was started on."""
    settings = RealTimeSettings()
    assert (settings.scheduler, settings.affinity) == ("fifo", [])
    assert settings.priority < 50


@pytest.mark.parametrize(
    "wrong",
    [
        {"scheduler": "deadline"},
        {"priority": 0},
        {"priority": 99},
        {"affinity": [-1]},
        {"affinity": [1, 2, 1]},
        {"nice": 1},
    ],
)
def test_what_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        RealTimeSettings.model_validate(wrong)
