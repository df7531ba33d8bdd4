"""Settings of the cockpit: safe unless somebody asks for more, and then only with a token."""

import pytest
from pydantic import ValidationError

from hilbridge.settings.cockpit import CockpitSettings


def test_by_default_it_is_on_loopback() -> None:
    settings = CockpitSettings()
    assert (settings.address, settings.port, settings.rate) == ("127.0.0.1", 8090, 30)
    assert settings.is_loopback


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.0.2.7"])
def test_elsewhere_it_needs_a_token(address: str) -> None:
    with pytest.raises(ValidationError, match="needs a token"):
        CockpitSettings(address=address)
    assert not CockpitSettings(address=address, token="0123456789abcdef").is_loopback
    assert not CockpitSettings(address=address, enabled=False).is_loopback


@pytest.mark.parametrize(
    "wrong",
    [{"address": "localhost"}, {"token": "short"}, {"token": "a b c d e f g h i"}, {"rate": 0}, {"hosts": ["A:1"]}],
)
def test_what_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        CockpitSettings.model_validate(wrong)
