"""udsoncan over can-isotp and SocketCAN, against the diagnostics bench on the same interface."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import can
import isotp
import pytest
import yaml
from udsoncan import AsciiCodec
from udsoncan.client import Client
from udsoncan.connections import PythonIsoTpConnection
from udsoncan.exceptions import TimeoutException
from udsoncan.typing import ClientConfig

from hilbridge.base.resources import Kind, find

CHANNEL = "vcan0"
VIN = "WHBZZZ1EZSA000007"
CONFIG: ClientConfig = {"data_identifiers": {0xF190: AsciiCodec(17)}, "use_server_timing": False, "request_timeout": 2}
ADDRESSES = {
    "11-bit": isotp.Address(isotp.AddressingMode.Normal_11bits, txid=0x7E0, rxid=0x7E8),
    "29-bit": isotp.Address(isotp.AddressingMode.NormalFixed_29bits, source_address=0xF1, target_address=0x10),
}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """With the changes that its comments name, and at 200 ticks a second."""
    settings = yaml.safe_load(find(Kind.BENCH, "diagnostics").read_text(encoding="utf-8"))
    settings |= {"rate": 200, "state": "none"}
    bus = settings["buses"]["powertrain"]
    del bus["slcan"]
    bus |= {"interface": "socketcan", "channel": CHANNEL}
    del settings["diagnostics"]["elm327"]
    folder: Path = tmp_path_factory.mktemp("bench")
    (folder / "bench.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "hilbridge", "run", str(folder / "bench.yaml"), "--duration", "120"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        yield
        process.kill()
        process.wait(timeout=10)


@pytest.mark.parametrize("address", ADDRESSES.values(), ids=ADDRESSES)
def test_udsoncan_reads_the_vin(bench: None, address: isotp.Address) -> None:
    """In several frames, with flow control; asked again until the bench is there and the key is on."""
    with can.Bus(interface="socketcan", channel=CHANNEL) as bus:
        stack = isotp.CanStack(bus, address=address)
        with Client(PythonIsoTpConnection(stack), config=CONFIG) as client:
            for _ in range(15):
                try:
                    assert client.read_data_by_identifier_first(0xF190) == VIN
                except TimeoutException:
                    time.sleep(0.5)
                else:
                    return
    pytest.fail("no answer")
