"""scapy's OBD and UDS layers and its OBD scanner, over its own ISO-TP, on the diagnostics bench in real time.

Scapy is under the GPL: a program of the test, no part of ours.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import pytest

from .testers import VIN, diagnostics_bench, started

CONFIG: Any = import_module("scapy.config").conf  # its layers look at it when they are imported
CONFIG.contribs["CANSocket"] = {"use-python-can": True}
CONFIG.contribs["ISOTP"] = {"use-can-isotp-kernel-module": False}
CONFIG.verb = 0

OBD_LAYERS: Any = import_module("scapy.contrib.automotive.obd.obd")
UDS_LAYERS: Any = import_module("scapy.contrib.automotive.uds")
SCANNER: Any = import_module("scapy.contrib.automotive.obd.scanner")
CAN_SOCKET: Any = import_module("scapy.contrib.cansocket_python_can").PythonCANSocket
ISOTP_SOCKET: Any = import_module("scapy.contrib.isotp").ISOTPSoftSocket
OBD, UDS = OBD_LAYERS.OBD, UDS_LAYERS.UDS

S01, S03, S06 = SCANNER.OBD_S01_Enumerator, SCANNER.OBD_S03_Enumerator, SCANNER.OBD_S06_Enumerator
S07, S09, S0A = SCANNER.OBD_S07_Enumerator, SCANNER.OBD_S09_Enumerator, SCANNER.OBD_S0A_Enumerator

AIR_FLOW = 0x10
"""scapy takes this PID for one byte long, it has two; so it does not know the answer again."""

UNKNOWN = 0x11
"""Negative response: service not supported."""


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    bench = diagnostics_bench(tmp_path_factory.mktemp("bench"), ("transmit: [HILBRIDGE]", "transmit: []"))
    with started(bench) as (_, number):
        yield number


@contextmanager
def scapy_socket(port: int, layer: Any, transmit: int = 0x7E0, receive: int = 0x7E8) -> Iterator[Any]:
    """scapy's ISO-TP socket; its flow control goes where its requests go."""
    bus = CAN_SOCKET(
        interface="slcan",
        channel=f"socket://127.0.0.1:{port}",
        bitrate=500000,
        sleep_after_open=0,
        can_filters=[{"can_id": receive, "can_mask": 0x7FF}],
    )
    try:
        with ISOTP_SOCKET(bus, tx_id=transmit, rx_id=receive, padding=True, basecls=layer) as socket:
            yield socket
    finally:
        bus.close()


def asked(socket: Any, request: Any) -> Any:
    answer = socket.sr1(request, timeout=5, verbose=False)
    assert answer is not None, request.summary()
    return answer


@pytest.mark.parametrize("transmit", [0x7E0, 0x7DF], ids=["physical", "functional"])
def test_the_vin_comes_in_several_frames(port: int, transmit: int) -> None:
    """With flow control on the functional identifier too, where scapy sends it."""
    with scapy_socket(port, OBD, transmit) as socket:
        answer = asked(socket, OBD() / OBD_LAYERS.OBD_S09(iid=[2]))
        assert answer.service == 0x49
        assert answer.data_records[0].vehicle_identification_numbers == [VIN.encode()]


def test_trouble_codes_carry_their_count(port: int) -> None:
    with scapy_socket(port, OBD) as socket:
        for request, service in ((OBD_LAYERS.OBD_S03(), 0x43), (OBD_LAYERS.OBD_S07(), 0x47)):
            answer = asked(socket, OBD() / request)
            assert (answer.service, answer.count) == (service, len(answer.dtcs))


def test_uds_layers_dissect_the_answers(port: int) -> None:
    with scapy_socket(port, UDS) as socket:
        answer = asked(socket, UDS() / UDS_LAYERS.UDS_DSC(diagnosticSessionType=3))
        assert (answer.service, answer.diagnosticSessionType) == (0x50, 3)
        answer = asked(socket, UDS() / UDS_LAYERS.UDS_RDBI(identifiers=[0xF190]))
        assert (answer.service, bytes(answer).endswith(VIN.encode())) == (0x62, True)
        answer = asked(socket, UDS() / UDS_LAYERS.UDS_TP())
        assert answer.service == 0x7E
        answer = asked(socket, UDS(service=0x38))
        assert (answer.service, answer.negativeResponseCode) == (0x7F, UNKNOWN)


@pytest.mark.nightly
def test_the_scanner_finds_what_is_there(port: int) -> None:
    """It follows the support masks: what they promise is answered; refused are masks of which nothing is supported.

    What had no answer is asked once more: scapy's ISO-TP has threads that a busy machine may hold up.
    """
    with scapy_socket(port, OBD) as socket:
        scanner = SCANNER.OBD_Scanner(socket, timeout=3.0)
        scanner.scan(timeout=90)
        assert scanner.scan_completed
        found = {type(each): each for each in scanner.enumerators}
        cases = [found[case] for case in (S01, S06, S09, S03, S07, S0A)]
        unanswered = [result.req for case in cases for result in case.results_without_response]
        missing = {bytes(one) for one in unanswered if socket.sr1(one, timeout=3.0, verbose=False) is None}
    assert missing <= {bytes((1, AIR_FLOW))}
    for case in cases:
        assert all(bytes(result.req)[1] % 32 == 0 for result in case.results_with_negative_response)
    answers = [result.resp for result in found[S01].results_with_positive_response]
    pids = {answer.data_records[0].pid for answer in answers}
    masks = {
        answer.data_records[0].pid: bytes(answer)[2:6] for answer in answers if answer.data_records[0].pid % 32 == 0
    }
    promised = {
        first + 1 + bit for first, mask in masks.items() for bit in range(32) if mask[bit // 8] << bit % 8 & 0x80
    }
    assert pids == (promised | {0x00}) - {AIR_FLOW}
    assert {0x01, 0x04, 0x05, 0x0C, 0x0D, 0x42, 0x5E, 0xA6} <= pids
    kinds = {result.req.iid[0] for result in found[S09].results_with_positive_response}
    assert {0x02, 0x04, 0x06, 0x0A} <= kinds


def test_pids_have_scapys_scalings(port: int) -> None:
    """Read by scapy's layers, the values lie where those of a car under way do."""
    with scapy_socket(port, OBD) as socket:
        values = {
            pid: asked(socket, OBD() / OBD_LAYERS.OBD_S01(pid=[pid])).data_records[0].lastlayer().data
            for pid in (0x05, 0x0D, 0x33, 0x42, 0x46)
        }
    assert 19 <= values[0x05] <= 100
    assert 0 <= values[0x0D] <= 100
    assert 9 <= values[0x42] <= 15
    assert values[0x46] == 20
    assert values[0x33] == 101
