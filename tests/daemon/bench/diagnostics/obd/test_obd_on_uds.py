"""SAE J1979-2: what service 22 reads of OBD-II at F4xx, F6xx and F8xx.

F802 and F804 without a number of items, F800 a mask: as cars answer them (the recorded answers in ELM327-emulator's
dictionary of a Ford, and a Volkswagen's F802 of 20 bytes with its header).
"""

import pytest

from hilbridge.bench.diagnostics.obd.server import ObdServer

from ..control_units import Bench


@pytest.fixture
def obd() -> ObdServer:
    return Bench().obd


def test_pids_and_their_masks(obd: ObdServer) -> None:
    bench = Bench()
    for pid in (0x00, 0x01, 0x0C, 0x1C, 0x20):
        assert bench.obd.read_identifier(0xF400 + pid) == bench.data_of(pid)
    assert bench.obd.read_identifier(0xF402) is None


def test_monitors_have_their_results_without_the_number_of_the_monitor() -> None:
    """Each test id, unit and scaling id, value, minimum and maximum: eight bytes of service 06's nine."""
    bench = Bench()
    answer = bench.ask("06 E2")
    assert answer is not None
    nine = bytes.fromhex(answer)[1:]
    expected = b"".join(nine[i + 1 : i + 9] for i in range(0, len(nine), 9))
    assert bench.obd.read_identifier(0xF6E2) == expected
    assert len(expected) == 3 * 8
    mask = bench.ask("06 E0")
    assert mask is not None
    assert bench.obd.read_identifier(0xF6E0) == bytes.fromhex(mask)[2:]
    assert bench.obd.read_identifier(0xF6E5) is None


def test_information_types_have_no_number_of_items(obd: ObdServer) -> None:
    assert obd.read_identifier(0xF802) == b"WHBZZZ1EZSA000007"
    assert obd.read_identifier(0xF804) == b"ENG-1".ljust(16, b"\0") + b"ENG-DATA-02".ljust(16, b"\0")
    assert obd.read_identifier(0xF80A) == b"ECM\0-EngineControl\0\0"
    assert obd.read_identifier(0xF800) == bytes.fromhex(str(Bench().ask("09 00")))[2:]
    assert obd.read_identifier(0xF803) is None


@pytest.mark.parametrize("identifier", [0xF500, 0xF700, 0xF900, 0xF3FF])
def test_pages_between_are_empty(obd: ObdServer, identifier: int) -> None:
    assert obd.read_identifier(identifier) is None
