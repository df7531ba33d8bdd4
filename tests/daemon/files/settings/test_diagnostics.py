"""The settings of J1939 and ELM327."""

import pytest
from pydantic import ValidationError

from hilbridge.files.settings import BusSettings
from hilbridge.files.settings.diagnostics import Elm327Settings, J1939NodeSettings, J1939Settings


def test_a_source_address_is_that_of_all_nodes_or_of_each() -> None:
    one = BusSettings(interface="embedded", database="a.dbc", source_address=3)
    each = BusSettings(interface="embedded", database="a.dbc", source_address={"ENGINE": 0})
    assert [one.source_address_of(node) for node in ("ENGINE", None)] == [3, 3]
    assert [each.source_address_of(node) for node in ("ENGINE", "BRAKES", None)] == [0, None, None]


@pytest.mark.parametrize("address", [-1, 254, 255])
def test_nobody_has_the_null_or_the_global_address(address: int) -> None:
    with pytest.raises(ValidationError):
        BusSettings(interface="embedded", database="a.dbc", source_address=address)


def test_a_text_field_cannot_hold_the_sign_that_ends_it() -> None:
    with pytest.raises(ValidationError):
        J1939NodeSettings(function=0, software=["a*b"])


def test_there_is_at_least_one_node() -> None:
    with pytest.raises(ValidationError):
        J1939Settings(bus="truck", nodes={})


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
