"""Helpers of the tests of this folder: a bus with a node that records its frames, and frames as text."""

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.j1939.address_claim import Name
from hilbridge.bench.diagnostics.j1939.controller_application import ControllerApplication, Identity
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import EXTENDED, Frame
from vehiclesim.channels import InputData
from vehiclesim.databus import DataBus


def frame(text: str) -> Frame:
    """`18EAFFF9 EC FE 00`: identifier and bytes."""
    identifier, _, data = text.partition(" ")
    return Frame(EXTENDED | int(identifier, 16), bytes.fromhex(data))


def text(one: Frame) -> str:
    return f"{one.identifier:08X} {one.data.hex(' ').upper()}"


class Frames:
    """The planned frames of a node: group F004 can be shown."""

    def __init__(self) -> None:
        self.addresses: list[int | None] = []
        self.shown: list[int] = []
        self.stopped: list[bool] = []

    def set_source_address(self, address: int | None) -> None:
        self.addresses.append(address)

    def set_carrier(self, carrier: object) -> None:
        pass

    def set_stopped(self, stopped: bool) -> None:
        self.stopped.append(stopped)

    def send(self, pgn: int, t: int) -> bool:
        if pgn == 0xF004:
            self.shown.append(t)
        return pgn == 0xF004


class Peer:
    """A node of the bus: the frames that it received are in `heard`, as text."""

    def __init__(self, key: int = 0) -> None:
        self.bus = Bus("truck")
        self.bus.attach(self)
        self.data = DataBus()
        self.data.input[InputData.KEY] = key
        self.nodes: list[ControllerApplication] = []
        self.heard: list[str] = []
        self.t = 0

    def receive(self, one: Frame, t: int) -> None:
        self.heard.append(text(one))

    def add(self, node: ControllerApplication) -> ControllerApplication:
        self.nodes.append(node)
        return node

    def tick(self, *sent: str, times: int = 1) -> list[str]:
        """What is heard in so many ticks of 1 ms, of which the first delivers what is sent."""
        self.heard = []
        for one in sent:
            self.bus.transmit(frame(one), self)
        for _ in range(times):
            self.t += MILLISECOND
            self.bus.exchange(self.t)
            for node in self.nodes:
                node.serve(self.t)
            self.bus.exchange(self.t)
        return self.heard


def engine(
    peer: Peer, name: Name | None = None, preferred: int = 0, payloads: dict[int, bytes] | None = None
) -> ControllerApplication:
    """A control unit with the frames of `Frames`."""
    answers = {pgn: (lambda payload=payload: payload) for pgn, payload in (payloads or {}).items()}
    return peer.add(
        ControllerApplication(peer.bus, peer.data, Identity(name or Name(identity=5), preferred, answers), Frames())
    )
