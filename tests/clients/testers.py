"""What testers of this folder share: the diagnostics bench in the real program, and transports of other people."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import can
import isotp
import obd  # type: ignore[import-untyped]  # it has no types
from udsoncan import AsciiCodec, DidCodec
from udsoncan.client import Client
from udsoncan.connections import PythonIsoTpConnection
from udsoncan.typing import ClientConfig

from hilbridge.client import Client as BenchClient
from hilbridge.client import UnreachableError

from ..program import CHECKOUT, PATIENCE, Program, running, slcan_client

VIN = "WHBZZZ1EZSA000007"

ENGINE_11 = isotp.Address(isotp.AddressingMode.Normal_11bits, txid=0x7E0, rxid=0x7E8)
ENGINE_29 = isotp.Address(isotp.AddressingMode.NormalFixed_29bits, source_address=0xF1, target_address=0x10)
TRANSMISSION_11 = isotp.Address(isotp.AddressingMode.Normal_11bits, txid=0x7E1, rxid=0x7E9)


def shipped_bench(name: str, folder: Path, *replacements: tuple[str, str]) -> Path:
    """A packaged bench with replacements in its text; its control socket lies in the folder."""
    text = (CHECKOUT / f"config/benches/{name}.yaml").read_text(encoding="utf-8")
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    file = folder / f"{name}.yaml"
    file.write_text(f"{text}\ncontrol: {{socket: {folder}/ctl.sock, mode: '600'}}\nstate: none\n", encoding="utf-8")
    return file


def diagnostics_bench(folder: Path, *replacements: tuple[str, str]) -> Path:
    """The diagnostics bench with free ports."""
    ports = ("slcan: 29538", "slcan: 0"), ("ways: [35001, pty]", "ways: [0, pty]")
    return shipped_bench("diagnostics", folder, *ports, *replacements)


@contextmanager
def started(bench: Path) -> Iterator[tuple[Program, int]]:
    """The program, and the port by which SLCAN clients join its bus."""
    with running(bench) as program:
        port = program.slcan_port()
        program.wait_for("ready")
        yield program, port
        program.stop()


def command(folder: Path, name: str, **arguments: Any) -> dict[str, Any]:
    """What the bench of that folder answers to a command."""
    with BenchClient(folder / "ctl.sock") as client:
        return client.command(name, **arguments)


def start_engine(folder: Path) -> None:
    """Waits until the demo driver has started the engine, and keeps him from switching it off."""
    wait_for(lambda: engine_works(folder))
    command(folder, "set", entry="input.Key", value=0)


def engine_works(folder: Path) -> bool:
    """Not known, and so false, while a bench on a busy machine takes its time for the answer."""
    with suppress(UnreachableError):
        return bool(command(folder, "status")["values"]["EngineWorking"]["value"])
    return False


def wait_for(condition: Callable[[], Any]) -> None:
    """Asks until it is so, ten times a second."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@contextmanager
def uds_client(port: int, address: isotp.Address) -> Iterator[Client]:
    """udsoncan over can-isotp, on a python-can bus of its own."""
    with slcan_client(port) as bus:
        notifier = can.Notifier(bus, [], timeout=0.01)
        stack = isotp.NotifierBasedCanStack(bus, notifier, address=address, params={"tx_padding": 0xCC})
        try:
            with Client(PythonIsoTpConnection(stack), config=CLIENT) as client:
                yield client
        finally:
            notifier.stop()


class Number(DidCodec):
    """An unsigned number of some bytes."""

    def __init__(self, length: int) -> None:
        self._length = length

    def encode(self, *value: Any) -> bytes:
        return int(value[0]).to_bytes(self._length, "big")

    def decode(self, string_bin: bytes) -> int:
        return int.from_bytes(string_bin, "big")

    def __len__(self) -> int:
        return self._length


def demo_key(level: int, seed: bytes, params: Any = None) -> bytes:
    """What the shipped demo provider documents: each byte of the seed xor 5A plus the level."""
    return bytes(byte ^ (0x5A + level) for byte in seed)


LENGTHS = {command.pid: command.bytes - 2 for command in obd.commands[1]} | {0x61: 1, 0x62: 1, 0xA4: 4}
"""Of the PIDs of service 01, as python-OBD has them, and three that it does not know."""

CLIENT: ClientConfig = {
    "data_identifiers": {
        **{0xF400 + pid: Number(length) for pid, length in LENGTHS.items() if length > 0},
        0xF186: Number(1),
        0xF18C: AsciiCodec(10),
        0xF190: AsciiCodec(17),
        0xF195: AsciiCodec(9),
        0xF198: AsciiCodec(11),
        0xF199: Number(4),
        0x0100: Number(2),
        0x0103: Number(1),
        0x0200: Number(1),
    },
    "input_output": {0x0103: Number(1)},
    "security_algo": demo_key,
    "request_timeout": 5.0,
    "p2_timeout": 2.0,
    "use_server_timing": False,
}
"""udsoncan's settings for the diagnostics bench.

Its time-outs leave room for a busy machine: they are of the real clock, on which client and transport wait for the
processor too. That answers begin within P2 and P2* is tested on the time of the ticks, in
tests/daemon/bench/diagnostics/test_response_times.py.
"""
