"""The tester of a virtual bench."""

import pytest

from hilbridge.testing.tester import NegativeAnswerError, positive


def test_a_positive_answer_is_passed_on() -> None:
    assert positive(b"\x41\x0c\x0f\xa0") == b"\x41\x0c\x0f\xa0"


def test_a_negative_answer_has_its_service_and_its_reason() -> None:
    """7F, the service, the code (ISO 14229-1)."""
    with pytest.raises(NegativeAnswerError) as error:
        positive(b"\x7f\x22\x31")
    assert (error.value.service, error.value.code) == (0x22, 0x31)
