"""A small bench with a cluster behind its bus, written for these tests, and a cluster of python-can-isotp."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import isotp
import pytest

from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK, Frame
from hilbridge.testing import VirtualBench

BENCH = """\
name: desk
rate: 1000
vehicle: compact
buses:
  dash:
    interface: embedded
    bitrate: 500000
    raw:
      Speed:
        id: 0x201
        data: "00 00 00 00 00 00 00 00"
        period: 20
        terminals: [15]
        feeds: [speedometer, rev counter]
        signals:
          Rpm: {bit: 7, width: 16, order: big, scale: 0.25, from: vehicle.EngineRpm}
          Kmh: {bit: 39, width: 16, order: big, scale: 0.01, expression: abs(vehicle.Speed) * 3.6}
      Brakes:
        id: 0x212
        data: "11 00 00 00 00 00 00"
        period: 50
        terminals: [15]
        darkens: [ABS, ESP]
        protection:
          - counter: {at: [{bit: 8, width: 4}]}
            checksum: {at: [{bit: 48, width: 8}], algorithm: xor8}
        signals:
          AbsLamp: {bit: 24, width: 1, from: vehicle.AbsEngaged, lights: [ABS]}
          BrakeLamp: {bit: 25, width: 1, constant: 0, bulb_check: 3000, lights: [brake]}
      Quiet: {id: 0x420, data: "00 01", period: 100}
    reports:
      Cluster:
        id: 0x430
        period: 100
        signals:
          Speed shown:
            {bit: 8, width: 8, unit: km/h, compare: abs(vehicle.Speed) * 3.6, percent: 5, tolerance: 3}
          Light: {bit: 0, width: 1}
    diagnostics: {request: 0x6F1, answer: 0x660, target: 0x60}
"""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[VirtualBench]:
    with desk(tmp_path) as bench:
        yield bench


@contextmanager
def desk(folder: Path, *changes: tuple[str, str]) -> Iterator[VirtualBench]:
    """The bench with changes of its text."""
    with VirtualBench(bench_file(folder, *changes)) as bench:
        yield bench


def bench_file(folder: Path, *changes: tuple[str, str]) -> Path:
    """The file of the bench with changes of its text."""
    text = BENCH
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = folder / "desk.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def status(bench: VirtualBench, *parts: str) -> dict[str, Any]:
    """Parts of the status."""
    return bench.command("status", parts=list(parts))


class ForeignCluster:
    """A control unit on the wire whose ISO-TP is python-can-isotp's; it answers what its table has, else NRC 31."""

    def __init__(self, address: isotp.Address, answers: Mapping[str, str], *, pending: int = 0) -> None:
        """`answers` in hexadecimal by request; before each, `pending` responses that tell to wait."""
        self.asked: list[bytes] = []
        self._answers = {bytes.fromhex(one): bytes.fromhex(other) for one, other in answers.items()}
        self._pending = pending
        self._heard: list[isotp.CanMessage] = []
        self._sent: list[Frame] = []
        self._logic = isotp.TransportLayerLogic(
            rxfn=lambda timeout: self._heard.pop(0) if self._heard else None,
            txfn=self._send,
            address=address,
            params={"stmin": 0, "blocksize": 3},
        )

    def receive(self, frame: Frame, t: float) -> list[Frame]:
        extended = bool(frame.can_id & EXTENDED)
        self._heard.append(isotp.CanMessage(frame.can_id & EXTENDED_MASK, data=frame.data, extended_id=extended))
        return []

    def tick(self, t: float) -> list[Frame]:
        self._logic.process()
        if (request := self._logic.recv()) is not None:
            self.asked.append(bytes(request))
            for _ in range(self._pending):
                self._logic.send(bytes((0x7F, request[0], 0x78)))
            self._logic.send(self._answers.get(bytes(request), bytes((0x7F, request[0], 0x31))))
            self._logic.process()
        sent, self._sent = self._sent, []
        return sent

    def _send(self, message: isotp.CanMessage) -> None:
        self._sent.append(Frame(message.arbitration_id, bytes(message.data)))


def bmw_cluster(answers: Mapping[str, str], *, pending: int = 0) -> ForeignCluster:
    """A cluster with extended addressing, 6F1 and 660, target 60."""
    mode = isotp.AddressingMode.Extended_11bits
    address = isotp.Address(mode, txid=0x660, rxid=0x6F1, source_address=0x60, target_address=0xF1)
    return ForeignCluster(address, answers, pending=pending)
