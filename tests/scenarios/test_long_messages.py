"""A session outlasts a message that is longer than S3 (ISO 14229-2: stops at its first frame, runs from its last)."""

from pathlib import Path

import pytest

from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import VirtualBench

from ..program import CHECKOUT

LONG: int = 4000
"""[byte] of an identifier; with STmin 10 ms its answer takes 5.7 s, and S3 is 5 s."""


class Wire:
    """A tester with frames alone: it has its flow control ask for 10 ms between two frames."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.sending: list[tuple[float, bytes]] = []
        self._now = 0.0

    def receive(self, frame: Frame, _t: float) -> list[Frame]:
        if frame.can_id != 0x7E8:
            return []
        self.heard.append(bytes(frame.data))
        return [Frame(0x7E0, bytes.fromhex("30000A5555555555"))] if frame.data[0] >> 4 == 1 else []

    def tick(self, t: float) -> list[Frame]:
        self._now = t
        due = [data for at, data in self.sending if at <= t]
        self.sending = [(at, data) for at, data in self.sending if at > t]
        return [Frame(0x7E0, data.ljust(8, b"\x55")) for data in due]

    def ask(self, bench: VirtualBench, *frames: str, spacing: float = 0.0, wait: float = 0.1) -> None:
        """Send frames, the first one now."""
        self.sending = [(self._now + spacing * number, bytes.fromhex(frame)) for number, frame in enumerate(frames)]
        bench.advance(spacing * len(frames) + wait)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The shipped electric car with an identifier of 4000 bytes that may be written."""
    text = (CHECKOUT / "config/benches/electric.yaml").read_text(encoding="utf-8").replace("rate: 1000", "rate: 200")
    own = f'uds: {{identifiers: {{"0200": {{data: "{"00 " * LONG}", stored: true}}}}}}'
    file = tmp_path / "bench.yaml"
    unit = f"{{unit: electric-drive, bus: powertrain, {own}}}"
    file.write_text(text.replace("{unit: electric-drive, bus: powertrain}", unit), encoding="utf-8")
    return file


def test_s3_runs_from_the_last_frame_of_an_answer(file: Path) -> None:
    """Right after it the extended session is there; 5 s later it is not."""
    tester = Wire()
    with VirtualBench(file) as bench:
        bench.attach("powertrain", tester)
        bench.set("input.Key", 0)
        bench.advance(0.5)
        tester.ask(bench, "021003")
        tester.ask(bench, "03220200", wait=6.2)
        assert len(tester.heard) > LONG / 7
        tester.ask(bench, "0322F186")
        assert tester.heard[-1][:5].hex() == "0462f18603"
        bench.advance(5.1)
        tester.ask(bench, "0322F186")
        assert tester.heard[-1][:5].hex() == "0462f18601"


def test_s3_stops_with_the_first_frame_of_a_request(file: Path) -> None:
    """A request of 8 s finds the session in which it began."""
    tester = Wire()
    content = bytes.fromhex("2E0200") + bytes(LONG)
    frames = [(0x1000 | len(content)).to_bytes(2, "big") + content[:6]]
    rest = content[6:]
    frames += [
        bytes((0x20 | (number + 1) % 16,)) + rest[7 * number : 7 * number + 7] for number in range(-(-len(rest) // 7))
    ]
    with VirtualBench(file) as bench:
        bench.attach("powertrain", tester)
        bench.set("input.Key", 0)
        bench.advance(0.5)
        tester.ask(bench, "021003")
        tester.ask(bench, *(frame.hex() for frame in frames), spacing=0.015, wait=0.5)
        assert tester.heard[-1][:4].hex() == "036e0200"
