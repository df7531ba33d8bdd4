"""The kernel's ISO-TP socket on one controller reads the VIN from control units on the other one."""

import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest
import yaml

from hilbridge.base.resources import Kind, find

VIN = b"WHBZZZ1EZSA000007"
EXTENDED = 0x8000_0000


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The diagnostics bench on can0, at 100 ticks a second, as few as diagnostics allows."""
    settings = yaml.safe_load(find(Kind.BENCH, "diagnostics").read_text(encoding="utf-8"))
    settings |= {"rate": 100, "state": "none"}
    bus = settings["buses"]["powertrain"]
    del bus["slcan"]
    bus |= {"interface": "socketcan", "channel": "can0", "armed": True, "transmit": [], "messages": {}}
    del settings["diagnostics"]["elm327"]
    folder = tmp_path_factory.mktemp("bench")
    (folder / "bench.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "hilbridge", "run", str(folder / "bench.yaml"), "--duration", "300"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        yield
        process.kill()
        process.wait(timeout=30)


@pytest.mark.parametrize(
    ("request_id", "response_id"),
    [(0x7E0, 0x7E8), (EXTENDED | 0x18DA10F1, EXTENDED | 0x18DAF110)],
    ids=["11-bit", "29-bit"],
)
@pytest.mark.parametrize("request_bytes", ["09 02", "22 F1 90"], ids=["OBD-II", "UDS"])
def test_the_kernel_reads_the_vin(bench: None, request_id: int, response_id: int, request_bytes: str) -> None:
    """Its flow control, its timers; asked again until the key is on."""
    with socket.socket(socket.AF_CAN, socket.SOCK_DGRAM, socket.CAN_ISOTP) as isotp:
        isotp.bind(("can1", response_id, request_id))
        isotp.settimeout(3)
        for _ in range(40):
            isotp.send(bytes.fromhex(request_bytes))
            try:
                answer = isotp.recv(100)
            except TimeoutError:
                continue
            assert answer.endswith(VIN)
            return
    pytest.fail("no answer")
