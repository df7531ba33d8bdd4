"""Seven control units behind a gateway, read from the diagnostic connector by testers of other people.

udsoncan over can-isotp on the virtual clock; the scanners of scapy and gallia, and py-uds, in real time over SLCAN.
Scapy is under the GPL: a program of the test, no part of ours.
"""

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any

import can
import isotp
import pytest
from udsoncan import AsciiCodec
from udsoncan.client import Client

from hilbridge.testing import VirtualBench

from ..program import PATIENCE, slcan_client
from .testers import VIN, shipped_bench, started
from .virtual_tester import virtual_tester

NORMAL, NORMAL_29, EXTENDED = (
    isotp.AddressingMode.Normal_11bits,
    isotp.AddressingMode.Normal_29bits,
    isotp.AddressingMode.Extended_11bits,
)

UNITS = {
    "engine": (isotp.Address(NORMAL, txid=0x7E0, rxid=0x7E8), "HB-ENG-100"),
    "gearbox": (isotp.Address(NORMAL, txid=0x7E1, rxid=0x7E9), "HB-TCM-100"),
    "brakes": (isotp.Address(NORMAL, txid=0x713, rxid=0x77D), "HB-ABS-100"),
    "airbag": (isotp.Address(NORMAL, txid=0x715, rxid=0x77F), "HB-SRS-100"),
    "cluster": (isotp.Address(NORMAL, txid=0x714, rxid=0x77E), "HB-IPC-100"),
    "lamps": (
        isotp.Address(EXTENDED, txid=0x6F1, rxid=0x672, source_address=0xF1, target_address=0x72),
        "HB-LAM-100",
    ),
    "parking-aid": (isotp.Address(NORMAL_29, txid=0x17FC0076, rxid=0x17FE0076), "HB-PDC-100"),
}
"""How a tester reaches each of them, and its part number (identifier F187)."""

CODECS: dict[int | str, Any] = {0xF187: AsciiCodec(10), 0xF190: AsciiCodec(17)}


@pytest.fixture(scope="module")
def car() -> Iterator[VirtualBench]:
    with VirtualBench("car-network") as bench:
        bench.set("input.Key", 0)
        bench.advance(0.5)
        yield bench


def asked(car: VirtualBench, unit: str, ask: Callable[[Client], Any]) -> Any:
    """What a control unit answers at the connector."""
    with virtual_tester(car, UNITS[unit][0], bus="connector") as (client, _):
        client.config["data_identifiers"] = CODECS
        return ask(client)


@pytest.mark.parametrize("unit", UNITS)
def test_each_unit_is_read_through_the_gateway(car: VirtualBench, unit: str) -> None:
    """The part number comes in several frames, with flow control both ways."""
    number = asked(car, unit, lambda client: client.read_data_by_identifier_first(0xF187))
    assert number == UNITS[unit][1]


def test_identifiers_show_the_car(car: VirtualBench) -> None:
    """Wheel speeds from the model, doors as the bench sets them: front left and boot open are bits 7 and 2."""
    car.set("body.DoorFrontLeft", 1)
    car.set("body.Boot", 1)
    car.advance(0.1)
    assert car.uds(bytes.fromhex("22 05 00"), ecu="lamps") == bytes.fromhex("62 05 00 84")
    speeds = car.uds(bytes.fromhex("22 02 00"), ecu="brakes")
    assert len(speeds) == 3 + 4 * 2


def test_each_unit_keeps_its_own_codes(car: VirtualBench) -> None:
    """C0031 13 of the brakes; the airbag has none of it, and no malfunction indicator is lit."""
    car.command("trouble-set", ecu="brakes", code="C0031")
    stored = asked(car, "brakes", lambda client: client.get_dtc_by_status_mask(0x08)).service_data.dtcs
    assert [hex(one.id) for one in stored] == ["0x403113"]
    assert asked(car, "airbag", lambda client: client.get_dtc_by_status_mask(0x08)).service_data.dtcs == []
    assert car.read("auxiliary.IndicatorLamp") == 0
    asked(car, "brakes", lambda client: client.clear_dtc(0xFFFFFF))
    assert asked(car, "brakes", lambda client: client.get_dtc_by_status_mask(0x08)).service_data.dtcs == []


def test_units_with_terminal_30_answer_without_the_ignition(car: VirtualBench) -> None:
    """The cluster and the lamps do; the engine, on terminal 15, does not."""
    car.set("input.Key", -1)
    car.advance(0.1)
    try:
        assert car.uds(b"\x3e\x00", ecu="cluster") == b"\x7e\x00"
        assert car.uds(b"\x3e\x00", ecu="lamps") == b"\x7e\x00"
        with pytest.raises(TimeoutError):
            car.uds(b"\x3e\x00", ecu="engine")
    finally:
        car.set("input.Key", 0)


def test_obd_is_of_engine_and_gearbox_alone(car: VirtualBench) -> None:
    car.advance(0.1)
    assert car.obd(0x00, ecu="gearbox")
    for unit in ("brakes", "parking-aid"):
        assert car.uds(b"\x01\x00", ecu=unit) == b"\x7f\x01\x11"
    assert asked(car, "engine", lambda client: client.read_data_by_identifier_first(0xF190)) == VIN


# -- in real time -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    bench = shipped_bench("car-network", tmp_path_factory.mktemp("network"), ("slcan: 29540", "slcan: 0"))
    with started(bench) as (_, number):
        yield number


def test_scapy_finds_every_endpoint(port: int) -> None:
    """Its ISO-TP scan over 700 to 71F and 7E0 to 7E7, over addresses behind 6F1, and over 17FC007x."""
    config = import_module("scapy.config").conf
    config.contribs["CANSocket"] = {"use-python-can": True}
    config.contribs["ISOTP"] = {"use-can-isotp-kernel-module": False}
    config.verb = 0
    scan = import_module("scapy.contrib.isotp").isotp_scan
    wire = import_module("scapy.contrib.cansocket_python_can").PythonCANSocket(
        interface="slcan", channel=f"socket://127.0.0.1:{port}", bitrate=500000, sleep_after_open=0
    )

    def found(**keys: Any) -> list[tuple[int, int, int | None]]:
        usual = {"noise_listen_time": 0.2, "sniff_time": 0.05, "output_format": "json"}
        return sorted(
            (row["tx_id"], row["rx_id"], row.get("ext_address")) for row in json.loads(scan(wire, **usual, **keys))
        )

    try:
        assert found(scan_range=[*range(0x700, 0x720), *range(0x7E0, 0x7E8)]) == [
            *((0x713, 0x77D, None), (0x714, 0x77E, None), (0x715, 0x77F, None)),
            *((0x7E0, 0x7E8, None), (0x7E1, 0x7E9, None)),
        ]
        behind = found(scan_range=range(0x6F1, 0x6F2), extended_addressing=True, extended_scan_range=range(0x70, 0x78))
        assert behind == [(0x6F1, 0x672, 0x72)]
        assert found(scan_range=range(0x17FC0074, 0x17FC0079), extended_can_id=True) == [(0x17FC0076, 0x17FE0076, None)]
    finally:
        wire.close()


@contextmanager
def line_bridge(port: int, address: isotp.Address) -> Iterator[str]:
    """A target of gallia, whose transport `tcp-lines` has a request or an answer in a line, in hexadecimal."""
    with slcan_client(port) as bus, socket.create_server(("127.0.0.1", 0)) as server:
        notifier = can.Notifier(bus, [], timeout=0.01)
        stack = isotp.NotifierBasedCanStack(bus, notifier, address=address, params={"tx_padding": 0xCC})
        stack.start()

        def serve() -> None:
            client, _ = server.accept()
            with client, client.makefile("rb") as lines:
                for line in lines:
                    stack.send(bytes.fromhex(line.decode()))
                    if answer := stack.recv(block=True, timeout=PATIENCE):
                        client.sendall(answer.hex().encode() + b"\n")

        thread = Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"tcp-lines://127.0.0.1:{server.getsockname()[1]}"
            thread.join(PATIENCE)
        finally:
            stack.stop()
            notifier.stop()


def test_gallia_finds_the_identifiers_of_a_unit(port: int, tmp_path: Path) -> None:
    """Behind extended addressing: 0500 (doors), 0501 and 0502, and nothing else up to 050F."""
    with line_bridge(port, UNITS["lamps"][0]) as target:
        left_out = [f"--no-{part}" for part in ("dumpcap", "properties", "ping", "tester-present")]
        command = [
            sys.executable,
            "-c",
            "from gallia.cli.gallia import main; main()",
            "scan",
            "uds",
            "identifiers",
            "--target",
            target,
        ]
        command += ["--start", "0x0500", "--end", "0x050F", *left_out, "--artifacts-base", str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert "Positive replies: 3" in done.stdout + done.stderr
    for found in ("0x0500: ReadDataByIdentifierResponse", "0x0501: Read", "0x0502: Read", "Timeouts: 0"):
        assert found in done.stdout + done.stderr


@pytest.mark.filterwarnings("ignore:P3Client")
def test_py_uds_reads_a_unit(port: int) -> None:
    """With its own segmentation, addressing and client."""
    addressing, interfaces = import_module("uds.can.addressing"), import_module("uds.can")
    information = addressing.ExtendedCanAddressingInformation(
        rx_physical_params={"can_id": 0x672, "target_address": 0xF1},
        tx_physical_params={"can_id": 0x6F1, "target_address": 0x72},
        rx_functional_params={"can_id": 0x671, "target_address": 0xF1},
        tx_functional_params={"can_id": 0x6F1, "target_address": 0xDF},
    )
    physical = import_module("uds.addressing").AddressingType.PHYSICAL
    message = import_module("uds.message").UdsMessage(addressing_type=physical, payload=b"\x22\xf1\x87")
    with slcan_client(port) as bus:
        notifier = can.Notifier(bus, [], timeout=0.001)
        try:
            transport = interfaces.PyCanTransportInterface(bus, information, notifier=notifier)
            client = import_module("uds.client").Client(  # 2,000 ms are more than its tester present allows
                transport, p2_client_timeout=1900, p3_client_physical=1900, p3_client_functional=1900
            )
            _, answers = client.send_request_receive_responses(message)
        finally:
            notifier.stop()
    assert [bytes(answer.payload) for answer in answers] == [b"\x62\xf1\x87HB-LAM-100"]
