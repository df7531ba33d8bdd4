"""Counters and checksums are known by name and length; the examples are signals of public databases."""

import pytest

from hilbridge.frames.protection.names import names_checksum, names_counter, words_of


def test_names_are_cut_at_underscores_and_capitals() -> None:
    """And umlauts are written out."""
    assert words_of("MO_Kuehlmittel_Temp") == "_mo_kuehlmittel_temp_"
    assert words_of("EngineRPMHigh") == "_engine_rpm_high_"
    assert words_of("Kühlmittel-Temp") == "_kuehlmittel_temp_"


@pytest.mark.parametrize("name", ["COUNTER", "Counter_416", "EPB_01_BZ", "ALIV_TORQ_1_DME", "MsgCnt"])
def test_a_counter_has_such_a_name_and_two_to_eight_bits(name: str) -> None:
    assert names_counter(name, 4)
    assert not names_counter(name, 1)
    assert not names_counter(name, 16)


@pytest.mark.parametrize("name", ["CHECKSUM", "Checksum_416", "Klemmen_Status_01_CHK", "CRC8_EngineData"])
def test_a_checksum_has_such_a_name_and_four_eight_or_sixteen_bits(name: str) -> None:
    assert names_checksum(name, 8)
    assert not names_checksum(name, 7)


def test_other_names_are_neither() -> None:
    for name in ("EngineRpm", "Country", "CheckEngine"):
        assert not names_counter(name, 8)
        assert not names_checksum(name, 8)
