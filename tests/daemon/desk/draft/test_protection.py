"""Counters and checksums are found by name and place, and the preset by make, place and identifier."""

from typing import Any

import pytest

from hilbridge.desk.draft.protection import Protection, guess_protection
from hilbridge.frames.codec.codec import compile_message

from .test_recognition import loaded


def guessed(database: str, message: str, file: str | None = None) -> Protection | None:
    one = loaded(database).message(message)
    return guess_protection(compile_message(one), one.length, file or f"{database}.dbc")


@pytest.mark.parametrize(
    ("database", "message", "settings"),
    [
        ("vw_mqb", "ESP_21", {"preset": "vw-mqb"}),
        ("vw_pq", "Lenkhilfe_2", {"preset": "vw-pq"}),
        (
            "bmw_e9x_e8x",
            "Speed",
            {"preset": "bmw-e", "counter": {"at": "Counter_416"}, "checksum": {"at": "Checksum_416"}},
        ),
        ("psa_aee2010_r3", "STEERING", {"preset": "psa"}),
        ("ford_lincoln_base_pt", "BrakeSysFeatures", {"preset": "ford"}),
        ("ford_lincoln_base_pt", "AWD_Torque_Data", {"counter": {"at": "PrplWhlTotTqRqMxAwd_No_Cnt"}}),
        ("hyundai_kia_generic", "WHL_SPD11", {"preset": "hyundai"}),
        ("hyundai_kia_generic", "TCS13", {"preset": "hyundai"}),
        (
            "rivian_primary_actuator",
            "ESP_Status",
            {"preset": "rivian", "counter": {"at": "ESP_Status_Counter"}, "checksum": {"at": "ESP_Status_Checksum"}},
        ),
        ("vw_mqb", "EPB_01", {"counter": {"at": "EPB_01_BZ"}}),
        ("bmw_e9x_e8x", "EngineData", {"counter": {"at": "Counter_464"}}),
    ],
)
def test_protection_of_public_databases(database: str, message: str, settings: dict[str, Any]) -> None:
    """Places are written where the preset does not find them; of a checksum that no preset makes the counter alone."""
    protection = guessed(database, message)
    assert protection is not None
    assert protection.settings == settings


def test_a_checksum_that_is_not_known_is_told() -> None:
    """With the presets that would fit by place, if the name of the file does not tell the make."""
    protection = guessed("vw_mqb", "ESP_21", "car.dbc")
    assert protection is not None
    assert protection.settings == {"counter": {"at": "COUNTER"}}
    assert "CHECKSUM is a checksum by its name; by its places subaru or vw-mqb or vw-pq may make it" in (
        protection.comment.replace("bmw-e or ", "")
    )


def test_a_message_without_counter_and_checksum_has_no_protection() -> None:
    """As most have."""
    assert guessed("bmw_e9x_e8x", "PowerBatteryVoltage") is None
