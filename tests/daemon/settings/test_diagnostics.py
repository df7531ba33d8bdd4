"""The settings of OBD, J1939 and ELM327."""

import pytest
from pydantic import ValidationError

from hilbridge.settings import BusSettings
from hilbridge.settings.diagnostics import (
    CalibrationSettings,
    EcuSettings,
    Elm327Settings,
    J1939NodeSettings,
    J1939Settings,
    ObdSettings,
)


def test_a_bus_is_enough() -> None:
    """One control unit, the engine's, with a VIN."""
    settings = ObdSettings.model_validate({"bus": "powertrain"})
    (engine,) = settings.ecus
    assert (engine.role, settings.identifiers, settings.clear_while_running) == ("engine", "11-bit", True)
    assert engine.vin is not None


@pytest.mark.parametrize("vin", ["WHB", "WHBZZZ1EZSA00000O", "WHBZZZ1EZSA00000I", "whbzzz1ezsa000007"])
def test_a_vin_has_17_characters_without_i_o_and_q(vin: str) -> None:
    """ISO 3779."""
    with pytest.raises(ValidationError):
        EcuSettings.model_validate({"role": "engine", "vin": vin})


@pytest.mark.parametrize("text", ["", "17 characters long", "Größe"])
def test_calibration_ids_fit_into_their_field(text: str) -> None:
    with pytest.raises(ValidationError):
        CalibrationSettings.model_validate({"id": text})


def test_a_name_fits_into_its_field() -> None:
    with pytest.raises(ValidationError):
        EcuSettings.model_validate({"role": "engine", "name": "sixteen letters!"})


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
