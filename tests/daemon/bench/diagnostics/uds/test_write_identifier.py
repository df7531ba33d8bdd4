"""Service 2E."""

import pytest
from udsoncan import AsciiCodec

from .tester import Tester, answers


def test_what_udsoncan_writes_it_reads() -> None:
    """Each writing counts, that of the same bytes too: the disk may not have taken them before."""
    tester = Tester().extended()
    client = tester.client(data_identifiers={0xF198: AsciiCodec(8)})
    for _ in range(2):
        assert answers(client.write_data_by_identifier, 0xF198, "GARAGE-1").did_echo == 0xF198
    assert answers(client.read_data_by_identifier, 0xF198).values[0xF198] == "GARAGE-1"
    assert tester.server.identifiers.changes == 2


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("2E", "13"),
        ("2E F1 98", "13"),
        ("2E 00 00 01", "31"),
        ("2E F1 8C 01", "31"),  # a constant
        ("2E F1 90 01", "31"),
        ("2E F4 0C 01 02", "31"),
        ("2E 01 10 01", "31"),  # a bus value is controlled, not written
        ("2E 01 20 01", "33"),  # security goes before the length
        ("2E F1 98 01", "13"),
        ("2E F1 98 01 02 03 04 05 06 07 08 09", "13"),
    ],
)
def test_what_cannot_be_written_is_refused(request_: str, code: str) -> None:
    """Length at all, identifier, security, its own length."""
    tester = Tester().extended()
    assert tester.ask(request_) == f"7F 2E {code}"
    assert tester.server.identifiers.changes == 0
