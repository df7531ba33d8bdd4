"""doipclient with udsoncan on the bench `doip` in real time: every service, the flash of the guide, several testers.

scapy takes apart each byte that the entity has sent.
"""

import shlex
import socket
import ssl
import subprocess
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from udsoncan import AsciiCodec, CommunicationType, DataFormatIdentifier, MemoryLocation
from udsoncan.client import Client
from udsoncan.exceptions import NegativeResponseException

from ..program import CHECKOUT, PATIENCE, Program, hilbridge, running
from .testers import CLIENT, Number, command, shipped_bench, start_engine, wait_for

DOIP: Any = import_module("scapy.contrib.automotive.doip").DoIP
DOIP_CLIENT: Any = import_module("doipclient").DoIPClient
CONNECTOR: Any = import_module("doipclient.connectors").DoIPClientUDSConnector

DEFINITION: Any = import_module("udsoncan").DynamicDidDefinition

REGULATED = 0x01
"""The type of activation of diagnostics that a regulation requires."""

GUIDE = CHECKOUT / "docs/guides/doip.md"
ENGINE, GEARBOX, BODY = 0x1001, 0x1002, 0x1010
TESTER = 0x0E00
VIN = "WHBZZZ1EZSA000007"

BODY_LINE = "body: {unit: body, bus: can, power: battery}"
FLASHED = """body:
      bus: can
      power: battery
      addresses: [{request: 0x714, answer: 0x77E}]
      uds:
        security: {provider: "hilbridge.bench.diagnostics.uds.demo_security:key"}
        dynamic: true
        periodic: {slow: 1000, medium: 500, fast: 100}
        identifiers:
          F15A: {data: "00 00 00 00", stored: true, security: 1}
          "0200": {data: "64"}
          F2A0: {data: "01 02"}
          "0103": {from: input.Throttle, length: 1, scale: 0.4, unit: "%", control: true, default: 0}
        routines:
          "0205": {start: {Done: {byte: 0, data: "64"}}, duration: 700}
        memory:
          - {address: 0x1000, text: "calibration of the body", write: true}
          - {address: 0x8000, length: 0x20000, flash: true, write_security: 1}
        programming: {erase_time: 800, check: {crc: sent}, bootloader: true}
        reset: {time: 300}"""

START = 0x8000
IMAGE = bytes(range(256)) * 24


def bench_in(folder: Path) -> Path:
    return shipped_bench(
        "doip", folder, ("slcan: 29545", "slcan: 0"), (BODY_LINE, FLASHED), ("doip:\n", "doip:\n  port: 0\n")
    )


def port_of(program: Program) -> int:
    return int(program.wait_for("DoIP port open")["port"].rsplit(":", 1)[1])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("doip")


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[int]:
    with running(bench_in(folder)) as program:
        number = port_of(program)
        program.wait_for("ready")
        yield number
        program.stop()


@contextmanager
def connected(port: int, target: int = BODY, source: int = TESTER, **settings: Any) -> Iterator[Any]:
    client = DOIP_CLIENT("127.0.0.1", target, tcp_port=port, udp_port=port, client_logical_address=source, **settings)
    try:
        yield client
    finally:
        client.close()


@contextmanager
def uds(port: int, target: int = BODY, source: int = TESTER) -> Iterator[Client]:
    settings: Any = {
        **CLIENT,
        "data_identifiers": {**CLIENT["data_identifiers"], 0xF15A: Number(4), 0xF200: Number(1), 0xF197: AsciiCodec(4)},
    }
    with connected(port, target, source) as layer, Client(CONNECTOR(layer), config=settings) as client:
        yield client


def told(answer: Any) -> Any:
    """What an answer says."""
    assert answer is not None
    return answer.service_data


def place(begin: int, length: int) -> MemoryLocation:
    return MemoryLocation(begin, length, address_format=32, memorysize_format=32)


def test_the_vehicle_is_found(port: int) -> None:
    with connected(port) as client:
        for known in ({}, {"vin": VIN}, {"eid": b"\x02\0\0\0\x10\0"}):
            found = client.request_vehicle_identification(**known)
            assert (found.vin, found.logical_address) == (VIN, 0x1000)
        status = client.request_entity_status()
        assert (status.node_type, status.max_concurrent_sockets, status.currently_open_sockets) == (0, 8, 1)
        assert client.request_diagnostic_power_mode().diagnostic_power_mode in (0, 1)
        assert client.request_alive_check().source_address == 0x1000


def test_routing_by_each_type(port: int) -> None:
    with connected(port) as client:
        assert client.request_activation(REGULATED).response_code == 0x10
    for source, kind, code in ((TESTER, 0xE1, 0x06), (0x0001, 0x00, 0x00)):
        with connected(port, source=source, activation_type=None) as client:
            assert client.request_activation(kind).response_code == code


def test_every_service_over_tcp(port: int, folder: Path) -> None:
    """10, 11, 14, 19, 22, 23, 27, 28, 2C, 2E, 2F, 31, 3D, 3E, 85; 2A and 34 to 37 are below."""
    start_engine(folder)
    with uds(port, ENGINE) as engine:
        assert engine.read_data_by_identifier_first(0xF190) == VIN
        assert engine.read_data_by_identifier_first(0xF40C) > 0
        engine.change_session(3)
        engine.control_dtc_setting(2)
        engine.control_dtc_setting(1)
        both = CommunicationType(subnet=CommunicationType.Subnet.node, normal_msg=True)
        engine.communication_control(0, both)
        assert engine.get_dtc_by_status_mask(0xFF) is not None
        assert engine.get_supported_dtc() is not None
        engine.clear_dtc()
        engine.change_session(1)
    with uds(port, BODY) as body:
        body.change_session(3)
        body.tester_present()
        with pytest.raises(NegativeResponseException) as error:
            body.write_data_by_identifier(0xF15A, 0x20261123)
        assert error.value.response.code_name == "SecurityAccessDenied"
        body.unlock_security_access(1)
        body.write_data_by_identifier(0xF15A, 0x20261123)
        assert body.read_data_by_identifier_first(0xF15A) == 0x20261123
        assert told(body.start_routine(0x0205)).routine_status_record == b"\x64"
        memory = told(body.read_memory_by_address(place(0x1000, 11)))
        assert memory.memory_block == b"calibration"
        body.write_memory_by_address(place(0x1000, 3), b"CAL")
        assert told(body.read_memory_by_address(place(0x1000, 4))).memory_block == b"CALi"
        body.dynamically_define_did(0xF200, DEFINITION(source_did=0x0200, position=1, memorysize=1))
        assert body.read_data_by_identifier_first(0xF200) == 0x64
        body.io_control(0x0103, control_param=3, values=[150])
        assert body.read_data_by_identifier_first(0x0103) == 150
        body.io_control(0x0103, control_param=0)
        body.ecu_reset(1)
        wait_for(lambda: answers(port))


def answers(port: int) -> bool:
    """Whether the unit is there again after its reset: it says nothing meanwhile."""
    with connected(port, source=0x0E01) as client:
        client.send_diagnostic(b"\x3e\x00")
        try:
            return bytes(client.receive_diagnostic(timeout=0.2)) == b"\x7e\x00"
        except TimeoutError:
            return False


def test_periodic_messages_come_by_themselves(port: int) -> None:
    with connected(port) as client:
        client.send_diagnostic(b"\x10\x03")
        assert client.receive_diagnostic()[:2] == b"\x50\x03"
        client.send_diagnostic(b"\x2a\x03\xa0")
        assert client.receive_diagnostic() == b"\x6a"
        assert [bytes(client.receive_diagnostic()) for _ in range(3)] == [b"\xa0\x01\x02"] * 3
        client.send_diagnostic(b"\x10\x01")


def test_the_flash_of_the_guide(port: int) -> None:
    """docs/guides/flash-a-unit.md, over TCP; with "response pending" while flash is erased."""
    with uds(port) as client:
        client.change_session(2)
        client.unlock_security_access(1)
        client.write_data_by_identifier(0xF15A, 0x20261123)
        client.start_routine(0xFF00, b"\x44" + START.to_bytes(4, "big") + (0x20000).to_bytes(4, "big"))
        longest = told(client.request_download(place(START, len(IMAGE)), DataFormatIdentifier())).max_length - 2
        for number, begin in enumerate(range(0, len(IMAGE), longest), 1):
            client.transfer_data(number & 0xFF, IMAGE[begin : begin + longest])
        client.request_transfer_exit()
        crc = zlib.crc32(IMAGE).to_bytes(4, "big")
        for routine, data in ((0x0202, crc), (0xFF01, b"")):
            assert told(client.start_routine(routine, data)).routine_status_record == b"\x00"
        client.ecu_reset(1)
    wait_for(lambda: answers(port))
    with uds(port) as client:
        client.change_session(2)
        longest = told(client.request_upload(place(START, len(IMAGE)), DataFormatIdentifier())).max_length - 2
        blocks = -(-len(IMAGE) // longest)
        read = b"".join(told(client.transfer_data(number & 0xFF)).parameter_records for number in range(1, blocks + 1))
        assert read == IMAGE
        client.request_transfer_exit()
        client.change_session(1)


def test_a_tester_that_speaks_tls(port: int, tmp_path: Path) -> None:
    """ISO 13400-2:2019 by the commands of the guide: socat has the key, doipclient demands its certificate."""
    make, join, serve = GUIDE.read_text(encoding="utf-8").partition("```text\n")[2].partition("```")[0].splitlines()
    subprocess.run(f"{make}; {join}", shell=True, cwd=tmp_path, check=True, capture_output=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        secure = free.getsockname()[1]
    words = shlex.split(serve.replace("3496", str(secure)).replace("13400", str(port)))
    context = ssl.create_default_context(cafile=tmp_path / "cert.pem")
    context.check_hostname = False
    with subprocess.Popen(words, cwd=tmp_path) as proxy:
        try:
            wait_for(lambda: reaches(secure))
            layer = DOIP_CLIENT("127.0.0.1", BODY, tcp_port=secure, client_logical_address=0x0E02, use_secure=context)
            with Client(CONNECTOR(layer), config=CLIENT) as client:
                client.tester_present()
                assert "TLSv1.3" in str(layer._tcp_sock.version())
            layer.close()
            stranger = ssl.create_default_context()
            stranger.check_hostname = False
            connection = socket.create_connection(("127.0.0.1", secure), timeout=PATIENCE)
            with connection, pytest.raises(ssl.SSLCertVerificationError):
                stranger.wrap_socket(connection)
        finally:
            proxy.terminate()


def reaches(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
    except OSError:
        return False
    return True


def test_scapy_knows_each_byte(port: int) -> None:
    """A tester by hand: what comes is a whole number of messages, and rebuilt it is the same bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as tester:
        tester.sendall(bytes(DOIP(payload_type=5, source_address=TESTER)))
        for data in (b"\x3e\x00", b"\x22\xf1\x90", b"\x10\x7f"):
            tester.sendall(bytes(DOIP(payload_type=0x8001, source_address=TESTER, target_address=BODY) / data))
        tester.sendall(bytes.fromhex("02FD123400000002FFFF"))
        expected = [0x0006, *[0x8002, 0x8001] * 3, 0x0000]
        stream = b""
        kinds: list[int] = []
        while len(kinds) < len(expected):  # an answer may come behind the refusal of what was sent after its request
            piece = tester.recv(4096)
            assert piece
            stream += piece
            while len(stream) >= 8 and len(stream) >= (end := 8 + int.from_bytes(stream[4:8], "big")):
                message = DOIP(stream[:end])
                assert bytes(message) == stream[:end]
                kinds.append(message.payload_type)
                stream = stream[end:]
    assert stream == b""
    assert kinds[0] == 0x0006
    assert sorted(kinds) == sorted(expected)


def test_a_crowd_of_silent_and_wild_connections_disturbs_nobody(port: int, folder: Path) -> None:
    """Fifty at a time, half of them half-open, the others with garbage; a tester beside them gets all its answers."""
    ended = threading.Event()

    def crowd() -> None:
        while not ended.is_set():
            sockets = []
            for number in range(50):
                try:
                    one = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
                    if number % 2:
                        one.sendall(bytes.fromhex("02FD8001FFFFFFFF") + bytes(range(256)) * 16)
                    sockets.append(one)
                except OSError:
                    continue
            for one in sockets:
                one.close()

    thread = threading.Thread(target=crowd)
    with uds(port) as client:
        thread.start()
        try:
            for _ in range(300):
                client.tester_present()
        finally:
            ended.set()
            thread.join(PATIENCE)
    row = command(folder, "status", parts=["doip"])["doip"]["1000"]
    assert row["counters"]["rejected"] > 0


def test_everything_is_replayed(tmp_path: Path) -> None:
    """What testers did over TCP and by datagrams is in the recording: the frames are the same to the byte."""
    bench = bench_in(tmp_path)
    with running(bench, "--record", tmp_path / "recording") as program:
        port = port_of(program)
        program.wait_for("ready")
        start_engine(tmp_path)
        with uds(port, ENGINE) as client, connected(port, BODY, 0x0E01) as other:
            other.request_vehicle_identification()
            client.change_session(3)
            silent = CommunicationType(subnet=CommunicationType.Subnet.node, normal_msg=True)
            for _ in range(3):
                client.communication_control(1, silent)
                other.send_diagnostic(b"\x3e\x00")
                client.tester_present()
                client.communication_control(0, silent)
            socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
            other.send_doip(0x1234, b"garbage")
        program.stop()
    replay = hilbridge("replay", tmp_path / "recording")
    assert replay.returncode == 0, replay.stdout + replay.stderr
