"""Settings of metrics: a port that a scraper can be told beforehand."""

import pytest
from pydantic import ValidationError

from hilbridge.settings.metrics import MetricsSettings


def test_the_port_is_known() -> None:
    assert MetricsSettings().port == 8099


@pytest.mark.parametrize("wrong", [{"port": 0}, {"port": 65536}, {"address": "0.0.0.0"}])
def test_what_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    """Metrics do not leave the machine, and nobody finds them at any port that happens to be free."""
    with pytest.raises(ValidationError):
        MetricsSettings.model_validate(wrong)
