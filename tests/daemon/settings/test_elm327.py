"""The section `elm327` of a bench file."""

import pytest
from pydantic import ValidationError

from hilbridge.settings.elm327 import Elm327Settings


def test_the_port_of_wifi_adapters_and_a_pseudo_terminal_by_default() -> None:
    settings = Elm327Settings(bus="powertrain")
    assert settings.ways == [35_000, "pty"]
    assert settings.bitrate == 500_000


@pytest.mark.parametrize(("way", "bound"), [(-1, "at least 0"), (65_536, "at most 65535")])
def test_a_port_has_16_bits(way: int, bound: str) -> None:
    with pytest.raises(ValidationError, match=f"must be {bound}, found {way}"):
        Elm327Settings(bus="powertrain", ways=[way])


def test_a_way_in_that_is_a_text_is_a_pseudo_terminal_or_a_serial_port() -> None:
    """An ELM327 is delivered with 38,400 baud."""
    settings = Elm327Settings(bus="powertrain", ways=["pty", "/dev/rfcomm0"])
    assert (settings.ways, settings.baudrate) == (["pty", "/dev/rfcomm0"], 38_400)
    with pytest.raises(ValidationError, match="should match pattern"):
        Elm327Settings(bus="powertrain", ways=["rfcomm0"])


def test_there_is_a_way_in() -> None:
    with pytest.raises(ValidationError, match="at least 1 item"):
        Elm327Settings(bus="powertrain", ways=[])
