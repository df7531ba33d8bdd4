"""Tests of labels about quality, as Ford, Tesla, Volkswagen, Rivian and Toyota write them (opendbc)."""

import pytest

from hilbridge.frames.protection.validity import says_invalid, says_valid


@pytest.mark.parametrize(
    "label", ["Faulty", "No_Data_Exists", "NotAvailable", "INVALID", "SNA", "Init", "Fehler", "nicht_verfuegbar"]
)
def test_a_label_says_that_there_is_no_value(label: str) -> None:
    assert says_invalid(label)
    assert not says_valid(label)


@pytest.mark.parametrize("label", ["OK", "VALID", "InRange", "DI_SYS_NORMAL"])
def test_a_label_says_that_the_value_is_valid(label: str) -> None:
    assert says_valid(label)
    assert not says_invalid(label)


@pytest.mark.parametrize(
    "label", ["No Fault", "kein_Fehler", "NotFaulted", "Init_Finished", "EAC_ERROR_IDLE", "Off", "P"]
)
def test_a_label_says_nothing_about_quality(label: str) -> None:
    assert not says_invalid(label)
