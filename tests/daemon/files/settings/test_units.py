"""The settings of control units."""

from typing import Any

import pytest
from pydantic import ValidationError

from hilbridge.files.settings.units import (
    AddressSettings,
    CalibrationSettings,
    IsoTpSettings,
    ObdSettings,
    UnitSettings,
)

ADDRESSES = [{"request": 0x7E0, "answer": 0x7E8}]


def refused(settings: dict[str, Any]) -> str:
    with pytest.raises(ValidationError) as error:
        UnitSettings.model_validate({"bus": "powertrain", "uds": {}, "addresses": ADDRESSES} | settings)
    return str(error.value)


@pytest.mark.parametrize("vin", ["WHB", "WHBZZZ1EZSA00000O", "WHBZZZ1EZSA00000I", "whbzzz1ezsa000007"])
def test_a_vin_has_17_characters_without_i_o_and_q(vin: str) -> None:
    """ISO 3779."""
    assert "should match pattern" in refused({"vin": vin})


@pytest.mark.parametrize("text", ["", "17 characters long", "Größe"])
def test_calibration_ids_fit_into_their_field(text: str) -> None:
    with pytest.raises(ValidationError):
        CalibrationSettings.model_validate({"id": text})


def test_a_name_fits_into_its_field() -> None:
    with pytest.raises(ValidationError):
        ObdSettings.model_validate({"role": "engine", "name": "sixteen letters!"})


def test_a_control_unit_is_reached_and_answers_something() -> None:
    assert "where it hears requests" in refused({"addresses": []})
    assert "neither 'obd' nor 'uds'" in refused({"uds": None})


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ({}, "an address has 'request' and 'answer', or 'address'"),
        ({"request": 0x714}, "an address has 'request' and 'answer', or 'address'"),
        ({"request": 0x714, "answer": 0x714}, "is the identifier of requests too"),
        ({"address": 0x10, "request": 0x714}, "does not go with 'address'"),
        ({"address": 0x10, "target": 0x12}, "does not go with 'address'"),
        ({"request": 0x714, "answer": 0x77E, "source": 0xF1}, "needs 'address' or 'target'"),
        ({"request": 0x714, "answer": 0x77E, "target": 1, "extension": 2}, "does not go with 'target'"),
        ({"request": 0x6F1, "answer": 0x612, "target": 0x12, "functional": 0x6F1}, "needs 'functional_target'"),
        ({"request": 0x2000_0000, "answer": 0x77E}, "less than or equal to"),
    ],
)
def test_an_address_is_of_one_kind(address: dict[str, int], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        AddressSettings.model_validate(address)


def test_a_unit_overrides_the_transport_protocol_key_by_key() -> None:
    usual = IsoTpSettings(padding=0x55, block_size=8)
    assert usual.overridden(None) == usual
    assert usual.overridden(IsoTpSettings(block_size=0)) == IsoTpSettings(padding=0x55, block_size=0)
