"""Which requests and answers a fault of diagnostics is about, by the layouts of ISO 14229-1 and SAE J1979."""

from typing import Any

import pytest

from hilbridge.bench.faults.unit_effect import concerns
from hilbridge.files.settings.diagnostic_faults import DiagnosticsFault


def about(message: str, **keys: Any) -> bool:
    settings = DiagnosticsFault.model_validate({"kind": "diagnostics", "unit": "a", "effect": "missing", **keys})
    return concerns(settings, bytes.fromhex(message))


@pytest.mark.parametrize("message", ["22 F1 90", "62 F1 90 57", "7F 22 31"])
def test_a_service_has_requests_answers_and_refusals(message: str) -> None:
    assert about(message, service=0x22)
    assert about(message)
    assert not about(message, service=0x2E)


@pytest.mark.parametrize(
    ("identifier", "message", "wanted"),
    [
        (0xF190, "22 F1 90", True),
        (0xF190, "22 F1 86 F1 90", True),  # one of several
        (0x86F1, "22 F1 86 F1 90", False),  # not across two
        (0xF190, "62 F1 90 57", True),
        (0xF190, "62 F1 86 F1 90", False),  # of an answer the first: the others stand behind data
        (0xF190, "2E F1 90 57", True),
        (0xF190, "6E F1 90", True),
        (0x0201, "31 01 02 01", True),  # behind the sub-function
        (0x0201, "71 01 02 01 00", True),
        (0x0102, "31 01 02 01", False),
        (0x0C, "01 0D 0C", True),  # PIDs have one byte
        (0x0C, "41 0C 0D 0C", True),
        (0x0D, "41 0C 0D 0C", False),
        (0xF190, "7F 22 31", False),  # a refusal names none
        (0xF190, "22 F1", False),
        (0xF190, "22", False),
        (0xF190, "7F", False),
    ],
)
def test_an_identifier_stands_where_its_service_has_it(identifier: int, message: str, wanted: bool) -> None:
    assert about(message, identifier=identifier) is wanted


def test_nothing_is_no_message() -> None:
    assert not about("")
