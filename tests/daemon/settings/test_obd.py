"""Settings of OBD-II."""

import pytest
from pydantic import ValidationError

from hilbridge.settings.obd import CalibrationSettings, EcuSettings, ObdSettings


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
