"""A bench whose ticks are made by hand, and testers on it whose messages scapy builds and takes apart."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.bench.bench import Bench
from hilbridge.bench.doip.entity import DoipEntity
from hilbridge.files.configuration.benchfile import load_bench

DOIP: Any = import_module("scapy.contrib.automotive.doip").DoIP


TESTER, GATEWAY, BODY, ENGINE, GROUP = 0x0E00, 0x1000, 0x1010, 0x1001, 0xE400

TEXT = """
name: doip
rate: 1000
vehicle: compact
buses:
  can: {interface: embedded}
diagnostics:
  units:
    body:
      bus: can
      power: battery
      vin: WHBZZZ1EZSA000007
      addresses: [{request: 0x714, answer: 0x77E}]
      uds:
        security: {provider: "hilbridge.bench.diagnostics.uds.demo_security:key"}
        routines:
          "0205": {start: {Done: {byte: 0, data: "64"}}, duration: 200}
    engine:
      bus: can
      addresses: [{request: 0x7E0, answer: 0x7E8}]
      obd: {}
      uds: {}
doip:
  port: 0
  logical_address: 0x1000
  units: {body: 0x1010, engine: 0x1001}
EXTRA
cockpit: {enabled: false}
state: none
"""


def request(kind: int, **fields: Any) -> bytes:
    """A message, as scapy builds it."""
    return bytes(DOIP(payload_type=kind, **fields))


def diagnostic(target: int, data: str, source: int = TESTER) -> bytes:
    """A diagnostic message."""
    return bytes(DOIP(payload_type=0x8001, source_address=source, target_address=target) / bytes.fromhex(data))


def taken_apart(stream: bytes) -> list[Any]:
    """The messages in a stream, as scapy dissects each."""
    found = []
    while stream:
        end = 8 + int.from_bytes(stream[4:8], "big")
        found.append(DOIP(stream[:end]))
        stream = stream[end:]
    return found


def short(message: Any) -> str:
    """A message in one line: what a tester acts on."""
    match message.payload_type:
        case 0x0000:
            return f"header {message.nack:02X}"
        case 0x0006:
            return f"routing {message.routing_activation_response:02X}"
        case 0x0007:
            return "alive?"
        case 0x0008:
            return f"alive {message.source_address:04X}"
        case 0x8001:
            return f"{message.source_address:04X}: {bytes(message.payload).hex()}"
        case 0x8002:
            return "ack"
        case 0x8003:
            return f"nack {message.nack_code:02X}"
    return str(message.summary())


class Car:
    """The bench with its entity."""

    def __init__(self, folder: Path, extra: str = "", change: Callable[[str], str] = str) -> None:
        """`extra`: lines of the section; `change` of the text."""
        self.file = folder / "doip.yaml"
        lines = "\n".join(f"  {line}" for line in extra.splitlines())
        self.file.write_text(change(TEXT).replace("EXTRA", lines), encoding="utf-8")
        self.bench = Bench(load_bench(str(self.file)))
        self.bench.connect()
        self.t = 0

    @property
    def entity(self) -> DoipEntity:
        entity = self.bench.wiring.doip
        assert entity is not None
        return entity

    def wait(self, milliseconds: int = 1) -> None:
        for _ in range(milliseconds):
            self.bench.sample(self.t)
            self.bench.serve(self.t)
            self.bench.publish(self.t)
            self.t += MILLISECOND

    def skip(self, seconds: float) -> None:
        """Time passes without ticks, and then one look."""
        self.t += round(seconds * SECOND)
        self.wait(11)

    def tester(self) -> "Client":
        return Client(self)

    def active(self, source: int = TESTER) -> "Client":
        """A tester with activated routing."""
        client = Client(self)
        assert client.ask(request(5, source_address=source)) == ["routing 10"]
        return client

    def asked(self, data: bytes) -> list[Any]:
        """The answer to a datagram."""
        return taken_apart(self.entity.datagram(data))


class Client:
    """One connection."""

    def __init__(self, car: Car) -> None:
        self._car = car
        self.tester = car.entity.plug_in()

    @property
    def is_open(self) -> bool:
        return not self.tester.is_finished

    def send(self, data: bytes) -> None:
        self.tester.feed(data, self._car.t)

    def ask(self, data: bytes, milliseconds: int = 1) -> list[str]:
        self.send(data)
        return self.heard(milliseconds)

    def uds(self, target: int, data: str, milliseconds: int = 1, source: int = TESTER) -> list[str]:
        return self.ask(diagnostic(target, data, source), milliseconds)

    def heard(self, milliseconds: int = 1) -> list[str]:
        self._car.wait(milliseconds)
        stream = bytes(self.tester.output)
        self.tester.output.clear()
        return [short(one) for one in taken_apart(stream)]

    def leave(self) -> None:
        self._car.entity.unplug(self.tester)
