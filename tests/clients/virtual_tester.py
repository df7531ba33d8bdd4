"""A tester of other people inside the process of the test: udsoncan over can-isotp, on the time of a virtual bench."""

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

import isotp
import pytest
from udsoncan.client import Client
from udsoncan.connections import BaseConnection
from udsoncan.exceptions import TimeoutException

from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK, Frame
from hilbridge.testing import VirtualBench

from .testers import CLIENT, ENGINE_11

BUS = "powertrain"


class VirtualTester(BaseConnection):
    """A control unit on the wire, and a connection of udsoncan: whoever waits for an answer lets the time pass.

    `errors` are those of can-isotp by name, `heard` the frames of the identifier that it hears, with their times [s].
    """

    def __init__(self, bench: VirtualBench, address: isotp.Address, parameters: Mapping[str, Any]) -> None:
        super().__init__("virtual")
        self.bench = bench
        self.errors: list[str] = []
        self.heard: list[tuple[float, bytes]] = []
        self._tick = 1 / bench.parts.settings.rate
        self._receives = address.get_rx_arbitration_id()
        self._arrived: deque[isotp.CanMessage] = deque()
        self._sent: list[Frame] = []
        self.logic = isotp.TransportLayerLogic(
            rxfn=lambda timeout: self._arrived.popleft() if self._arrived else None,
            txfn=self._send,
            address=address,
            error_handler=lambda error: self.errors.append(type(error).__name__.removesuffix("Error")),
            params={"tx_padding": 0xCC, "blocking_send": False, **parameters},
        )

    # -- on the wire --------------------------------------------------------------------------------------------

    def receive(self, frame: Frame, t: float) -> list[Frame]:
        if frame.can_id & EXTENDED_MASK == self._receives:
            self.heard.append((round(t, 6), frame.data))
        self._arrived.append(
            isotp.CanMessage(
                arbitration_id=frame.can_id & EXTENDED_MASK, data=frame.data, extended_id=bool(frame.can_id & EXTENDED)
            )
        )
        return self._work()

    def tick(self, t: float) -> list[Frame]:
        return self._work()

    def _work(self) -> list[Frame]:
        self.logic.process(do_rx=True, do_tx=True)
        sent, self._sent = self._sent, []
        return sent

    def _send(self, message: isotp.CanMessage) -> None:
        can_id = message.arbitration_id | (EXTENDED if message.is_extended_id else 0)
        self._sent.append(Frame(can_id, bytes(message.data)))

    # -- as a connection of udsoncan ----------------------------------------------------------------------------

    def open(self) -> "VirtualTester":
        return self

    def close(self) -> None:
        self.logic.reset()

    def is_open(self) -> bool:
        return True

    def empty_rxqueue(self) -> None:
        while self.logic.recv() is not None:
            pass

    def specific_send(self, payload: bytes, timeout: float | None = None) -> None:
        self.logic.send(payload)

    def specific_wait_frame(self, timeout: float | None = None) -> bytes:
        deadline = self.bench.time + (5.0 if timeout is None else timeout)
        while (answer := self.logic.recv()) is None:
            if self.bench.time >= deadline:
                raise TimeoutException("nothing came")  # type: ignore[no-untyped-call]  # it has no types
            self.bench.advance(self._tick)
        return bytes(answer)


@contextmanager
def virtual_tester(
    bench: VirtualBench,
    address: isotp.Address = ENGINE_11,
    parameters: Mapping[str, Any] = MappingProxyType({}),
    bus: str = BUS,
) -> Iterator[tuple[Client, VirtualTester]]:
    """udsoncan, and its connection."""
    tester = VirtualTester(bench, address, parameters)
    with time_of(bench), Client(tester, config=CLIENT) as client:
        bench.attach(bus, tester)
        yield client, tester


@contextmanager
def time_of(bench: VirtualBench) -> Iterator[None]:
    """can-isotp takes its time from the bench."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("isotp.tools.time", _TimeOf(bench))
        yield


class _TimeOf:
    """Stands in for the module `time` in can-isotp."""

    def __init__(self, bench: VirtualBench) -> None:
        self._bench = bench

    def perf_counter_ns(self) -> int:
        return round(self._bench.time * 1e9)
