"""udsoncan over can-isotp, as workshop testers use them: UDS of the diagnostics bench, over SLCAN, in real time."""

from collections.abc import Iterator
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

import isotp
import pytest
from udsoncan import CommunicationType, MemoryLocation
from udsoncan.client import Client
from udsoncan.exceptions import NegativeResponseException
from udsoncan.services.CommunicationControl import CommunicationControl
from udsoncan.services.ControlDTCSetting import ControlDTCSetting
from udsoncan.services.DiagnosticSessionControl import DiagnosticSessionControl
from udsoncan.services.ECUReset import ECUReset

from ..program import slcan_client
from .testers import (
    ENGINE_11,
    ENGINE_29,
    TRANSMISSION_11,
    VIN,
    command,
    diagnostics_bench,
    start_engine,
    started,
    uds_client,
    wait_for,
)

DEFAULT = DiagnosticSessionControl.Session.defaultSession
EXTENDED = DiagnosticSessionControl.Session.extendedDiagnosticSession
MISFIRE = 0x030000
"""P0300 without a failure type."""

THROTTLE = 0x0103
"""In steps of 0.4 %."""

RUN_TIME = 0xF41F
"""[s] that the engine has run: PID 1F."""

REQUEST, ANSWER, CYCLIC = 0x7E0, 0x7E8, 0x100
"""Frames of the bus."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bench")


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[int]:
    with started(diagnostics_bench(folder)) as (_, number):
        yield number


@pytest.fixture
def client(port: int) -> Iterator[Client]:
    """To the engine's control unit, which is in its default session before and after."""
    with uds_client(port, ENGINE_11) as opened:
        yield opened
        opened.change_session(DEFAULT)


def refusal(error: pytest.ExceptionInfo[NegativeResponseException]) -> str:
    return str(error.value.response.code_name)


def throttle(folder: Path) -> dict[str, Any]:
    """Who holds the throttle, and where."""
    (held,) = (one for one in command(folder, "status")["inputs"] if one["control"] == "Throttle")
    return dict(held)


def codes(client: Client, mask: int = 0xFF) -> dict[int, int]:
    """The codes with a status bit of the mask, and their status."""
    answer = client.get_dtc_by_status_mask(mask)
    assert answer is not None
    return {one.id: one.status.get_byte_as_int() for one in answer.service_data.dtcs}


@pytest.mark.parametrize("address", [ENGINE_11, ENGINE_29], ids=["11-bit", "29-bit"])
def test_who_the_control_unit_is(port: int, address: isotp.Address) -> None:
    """The VIN takes several frames; so do several identifiers in one request."""
    with uds_client(port, address) as client:
        assert client.read_data_by_identifier_first(0xF190) == VIN
        answer = client.read_data_by_identifier([0xF195, 0xF18C, 0xF186])
        assert answer is not None
        assert answer.service_data.values == {0xF195: "ENG-1.0.0", 0xF18C: "ENG-000007", 0xF186: 1}


def test_the_transmission_is_another_one(port: int) -> None:
    with uds_client(port, TRANSMISSION_11) as client:
        assert client.read_data_by_identifier_first(0xF195) == "TCM-1.0.0"
        with pytest.raises(NegativeResponseException) as error:
            client.read_data_by_identifier([0x0100])
        assert refusal(error) == "RequestOutOfRange"


def test_a_session_is_entered_kept_and_left(client: Client) -> None:
    """P2 is announced as 50 ms, P2* as 5 s; a reset ends the session."""
    session = client.change_session(EXTENDED)
    assert session is not None
    assert (session.service_data.p2_server_max, session.service_data.p2_star_server_max) == (0.05, 5.0)
    client.tester_present()
    assert client.read_data_by_identifier_first(0xF186) == EXTENDED
    client.ecu_reset(ECUReset.ResetType.softReset)
    assert client.read_data_by_identifier_first(0xF186) == DEFAULT


def test_security_access_is_asked_for_and_opens(client: Client) -> None:
    """Not in the default session; a wrong key is refused; the right one lets a secured identifier be written."""
    with pytest.raises(NegativeResponseException) as error:
        client.unlock_security_access(1)
    assert refusal(error) == "ServiceNotSupportedInActiveSession"
    client.change_session(EXTENDED)
    with pytest.raises(NegativeResponseException) as error:
        client.write_data_by_identifier(0xF198, "WORKSHOP-02")
    assert refusal(error) == "SecurityAccessDenied"
    client.request_seed(1)
    with pytest.raises(NegativeResponseException) as error:
        client.send_key(1, bytes(4))
    assert refusal(error) == "InvalidKey"
    client.unlock_security_access(1)
    client.write_data_by_identifier(0xF198, "WORKSHOP-02")
    assert client.read_data_by_identifier_first(0xF198) == "WORKSHOP-02"


def test_memory_is_read(client: Client) -> None:
    client.change_session(EXTENDED)
    client.unlock_security_access(1)
    place = MemoryLocation(address=0x1000, memorysize=11, address_format=16, memorysize_format=8)
    answer = client.read_memory_by_address(place)
    assert answer is not None
    assert answer.service_data.memory_block == b"calibration"


def test_io_control_holds_the_throttle_and_gives_it_back(client: Client, folder: Path) -> None:
    """The vehicle gets 60 % whatever its driver does, and everybody sees it."""
    client.change_session(EXTENDED)
    client.io_control(THROTTLE, control_param=3, values=[150])
    assert client.read_data_by_identifier_first(THROTTLE) == 150
    wait_for(lambda: throttle(folder)["value"] == 0.6)
    client.io_control(THROTTLE, control_param=0)
    wait_for(lambda: throttle(folder)["source"] == "demo driver")


def test_a_routine_measures(client: Client) -> None:
    """Consumption: 00 while it measures, 01 when it was stopped; four bytes of fuel and four of distance."""
    client.change_session(EXTENDED)
    answers = [client.start_routine(0x0201), client.stop_routine(0x0201), client.get_routine_result(0x0201)]
    records = [answer.service_data.routine_status_record for answer in answers if answer is not None]
    assert [(record[0], len(record)) for record in records] == [(0, 9), (1, 9), (1, 9)]


def test_communication_control_silences_the_frames_and_lets_them_go(client: Client, port: int) -> None:
    """The cyclic frames of the bus stop; diagnostics goes on: more requests than a frame's period has ticks."""
    client.change_session(EXTENDED)
    normal = CommunicationType(subnet=CommunicationType.Subnet.node, normal_msg=True)
    client.communication_control(CommunicationControl.ControlType.enableRxAndDisableTx, normal)
    with slcan_client(port) as listener:
        for _ in range(50):
            client.tester_present()
        client.communication_control(CommunicationControl.ControlType.enableRxAndTx, normal)
        frames = iter(lambda: listener.recv(5.0), None)
        silence = takewhile(lambda frame: frame.data[1:3] != b"\x28\x00", frames)
        assert {frame.arbitration_id for frame in silence} == {REQUEST, ANSWER}
        assert CYCLIC in {frame.arbitration_id for frame in islice(frames, 100)}


def test_trouble_codes_are_found_frozen_and_cleared(client: Client, folder: Path) -> None:
    """A misfire by command; while the setting of codes is off it is not found. Its snapshot has the engine speed."""
    start_engine(folder)
    client.clear_dtc()
    client.change_session(EXTENDED)
    client.control_dtc_setting(ControlDTCSetting.SettingType.off)
    number = command(folder, "fault-add", fault={"kind": "physics", "entry": "Misfire", "value": 0.05})["fault"]
    begun = client.read_data_by_identifier_first(RUN_TIME)

    def seven_seconds_later() -> bool:
        """Of the engine; five are enough to find it."""
        assert MISFIRE not in codes(client, 0x01)
        return bool(client.read_data_by_identifier_first(RUN_TIME) >= begun + 7)

    wait_for(seven_seconds_later)
    client.control_dtc_setting(ControlDTCSetting.SettingType.on)
    wait_for(lambda: MISFIRE in codes(client, 0x01))
    assert codes(client)[MISFIRE] & 0x05 == 0x05
    snapshot = client.get_dtc_snapshot_by_dtc_number(MISFIRE, 1)
    assert snapshot is not None
    (code,) = snapshot.service_data.dtcs
    assert 0xF40C in {one.did for one in code.snapshots}
    command(folder, "fault-clear", number=number)
    command(folder, "release", entry="input.Key")
    client.clear_dtc()
    assert MISFIRE not in codes(client, 0x2F)
