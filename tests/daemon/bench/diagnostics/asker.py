"""A tester on the wire of the diagnostics bench that sees when an answer begins, on the time of the ticks."""

from collections.abc import Iterator
from contextlib import contextmanager

from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import VirtualBench

BUS = "powertrain"
PHYSICAL, FUNCTIONAL, ANSWER = 0x7E0, 0x7DF, 0x7E8

P2, P2_STAR = 0.05, 5.0
"""[s], of ISO 14229-2 and ISO 15765-4: in which an answer begins, and in which it does after "response pending"."""

PENDING = b"\x78"


class Asker:
    """On the wire: asks the engine's control unit by single frames, and notes what it says first."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self._asked: list[Frame] = []

    def receive(self, frame: Frame, t: float) -> list[Frame]:
        if frame.can_id == ANSWER:
            self.heard.append(frame.data)
        return []

    def tick(self, t: float) -> list[Frame]:
        asked, self._asked = self._asked, []
        return asked

    def ask(self, request: str) -> None:
        self.heard.clear()
        self._asked.append(Frame(PHYSICAL, bytes.fromhex(request).ljust(8, b"\xcc")))

    def answer(self, car: VirtualBench, patience: float) -> bytes:
        """The next frame, which comes within `patience` [s]."""
        begun = car.time
        while not self.heard:
            assert car.time - begun < patience
            car.advance(0.001)
        return self.heard.pop(0)


@contextmanager
def asked_bench(asker: Asker) -> Iterator[VirtualBench]:
    """The diagnostics bench with the key on and the tester on its wire."""
    with VirtualBench("diagnostics", seed=3) as bench:
        bench.attach(BUS, asker)
        bench.set("input.Key", 0)
        bench.advance(0.1)
        yield bench
