"""A talk at the diagnostic connector of a car with seven control units behind a gateway is cloned."""

from pathlib import Path

from hilbridge.base.common.units import SECOND
from hilbridge.bench.diagnostics.isotp.address import Address
from hilbridge.bench.diagnostics.isotp.client import IsoTpClient
from hilbridge.desk.clone.bench_writer import write_bench
from hilbridge.desk.clone.clone import Cloned, clone
from hilbridge.desk.clone.play import mark, play
from hilbridge.desk.clone.report import facts, unequal
from hilbridge.desk.draft.lines import BusAccess
from hilbridge.frames.bus.bus import Node
from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import VirtualBench

ASKED = [
    *("10 03", "3E 00", "22 F1 86", "22 F1 87", "22 F1 8C", "22 F1 90", "22 F1 95", "22 F1 97", "22 12 34"),
    *("22 F1 87 F1 95", "19 0A", "19 02 FF", "14 FF FF FF", "10 01", "27 01", "99 00"),
]


class Connector:
    """A tester at the connector: it asks one control unit after the other, each as it wants to be addressed."""

    def __init__(self, bench: VirtualBench, bus: str, addresses: list[Address]) -> None:
        self.waiting: list[Frame] = []
        self.client = IsoTpClient(self, addresses)
        self.bench = bench
        bench.attach(bus, self)

    def attach(self, node: Node) -> None:
        """The client is told of frames by `receive`."""

    def transmit(self, frame: Frame, origin: Node | None) -> None:
        self.waiting.append(frame)

    def receive(self, frame: Frame, t: float) -> list[Frame]:
        self.client.receive(frame, round(t * SECOND))
        return []

    def tick(self, t: float) -> list[Frame]:
        self.client.poll(round(t * SECOND))
        frames, self.waiting = self.waiting, []
        return frames

    def ask(self, request: str, address: Address) -> bytes:
        self.client.request(bytes.fromhex(request), address, round(self.bench.time * SECOND))
        for _ in range(30):
            self.bench.advance(0.02)
            answers = [answer.payload for answer in self.client.take()]
            if answers and answers[-1][-1] != 0x78:
                return answers[-1]
        return b""


def talk(bench: VirtualBench, bus: str, addresses: list[Address]) -> dict[str, bytes]:
    tester = Connector(bench, bus, addresses)
    bench.set("input.Key", 1)
    bench.advance(2.0)
    return {f"{one.describe()}: {request}": tester.ask(request, one) for one in addresses for request in ASKED}


def test_seven_control_units_behind_a_gateway_are_cloned(tmp_path: Path) -> None:
    """All of them are found by their talk, and the clone answers byte by byte; security access is not there."""
    log, file = tmp_path / "connector.log", tmp_path / "clone.yaml"
    with VirtualBench("car-network") as bench:
        addresses = [ecu.addresses[0] for ecu in bench.parts.wiring.control_units.ecus]
        before = talk(bench, "connector", addresses)
        heard = [(one.t, one.frame) for one in bench.frames("connector")]
    log.write_text("".join(line(t, frame) for t, frame in heard))
    cloned = clone([log], None)
    assert len(cloned.units) == len(addresses) == 7
    text = write_bench(cloned, "clone", "connector", BusAccess("embedded"))
    require_each_is_equal_or_named(cloned, text, len(before))
    file.write_text(text)
    with VirtualBench(file) as bench:
        now = talk(bench, "connector", addresses)
    different = {asked: (before[asked].hex(), now[asked].hex()) for asked in before if not same(before, now, asked)}
    assert not different


def require_each_is_equal_or_named(cloned: Cloned, text: str, asked: int) -> None:
    """Played against itself: seeds and status bytes alone differ, each with its line, and nothing of it is sure."""
    played = play(cloned, text)
    assert sum(map(len, played.values())) == asked
    for unit in cloned.units:
        mark(unit, played[unit.name])
        differing = {one.exchange.request for one in played[unit.name] if not one.is_equal}
        assert {request[0] for request in differing} <= {0x19, 0x27}
        named = {line.partition(": ")[0] for line in unequal(unit, played[unit.name])}
        assert named == {request.hex(" ").upper() for request in differing}
        assert str(facts(cloned, played)["units"][unit.name]["certainty"]) == "likely" or not differing


def same(before: dict[str, bytes], now: dict[str, bytes], asked: str) -> bool:
    """Whether an answer is that of the car: of trouble codes without their status, which monitors find."""
    request, old, new = asked.partition(": ")[2], before[asked], now[asked]
    if request == "27 01":
        return new[:1] == b"\x7f"
    if request == "19 02 FF":
        return old[:3] == new[:3]
    return codes(old) == codes(new) if request == "19 0A" else old == new


def codes(answer: bytes) -> set[bytes]:
    return {answer[i : i + 3] for i in range(3, len(answer), 4)}


def line(t: float, frame: Frame) -> str:
    """A line of candump -l."""
    digits = 8 if frame.is_extended else 3
    return f"({t:.6f}) can0 {frame.identifier:0{digits}X}#{frame.data.hex().upper()}\n"
