"""A CAN bus inside the daemon: a frame from one node reaches every other node within the same tick."""

from collections.abc import Callable, Container
from typing import Final, NamedTuple, Protocol

from hilbridge.frames.codec.frame import Frame

MAXIMUM_ROUNDS: Final = 8
"""Rounds of answers to answers within one tick; frames still pending then wait for the next tick."""


class Node(Protocol):
    """A participant of a bus: a link to the outside, the frame plan, an input decoder, a diagnostics server."""

    def receive(self, frame: Frame, t: int) -> None:
        """Take a frame that another node sent in the tick of time `t` [ns]."""


class Outlet(Node, Protocol):
    """The link of a bus to the outside, or the gate before it."""

    def accepts(self, can_id: int) -> bool:
        """Return whether a frame with this identifier would leave at present."""


class ArmedOutlet(Outlet, Protocol):
    """A gate before the link; while it is not `armed`, no frame leaves."""

    armed: bool


class FrameObserver(Protocol):
    """A function that sees every frame on a bus without being a node: recorder, traffic list, conflict detection."""

    def __call__(self, t: int, bus: int, received: bool, frame: Frame, /) -> None:
        """Note a frame in the tick of time `t` [ns] on the bus with this index, `received` from outside or not."""


class Attachment(NamedTuple):
    """A node on a bus: the identifiers that it hears (None: all), and the function that takes its frames."""

    node: Node
    hears: Container[int] | None
    receive: Callable[[Frame, int], None]


class Bus:
    """The nodes of one CAN bus, and the frames under way between them.

    A frame is handed to the observers first, then to all nodes but its sender, both in the order in which they were
    attached. Frames that nodes send while receiving go out in the next round. While nothing is `pending` there is
    nothing to exchange. Frames of the link count as `received`; what goes out is counted by the gate before it.

    `cuts` has the reasons why nothing crosses between the bus and the outside, in either direction, as if the link were
    unplugged; `lost` counts what did not cross. `silences` has the identifiers (with their flag) of control units that
    send nothing. Only faults fill them.
    """

    def __init__(self, name: str, index: int = 0) -> None:
        self.name = name
        self.index = index
        self.received = 0
        self.lost = 0
        self.cuts: Final[list[str]] = []
        self.silences: Final[list[Container[int]]] = []
        self.pending: list[tuple[Node | None, Frame]] = []  # by sender
        self._nodes: list[Attachment] = []
        self._observers: list[FrameObserver] = []
        self._link: Node | None = None
        self._outlet: Outlet | None = None
        self._gate: ArmedOutlet | None = None

    def attach(self, node: Node, hears: Container[int] | None = None) -> None:
        """Add a node to the bus. `hears`: the identifiers (with their flag) that reach it; None: all."""
        self._nodes.append(Attachment(node, hears, node.receive))

    def detach(self, node: Node) -> None:
        """Remove a node from the bus; what it has sent is still delivered."""
        self._nodes = [place for place in self._nodes if place.node is not node]

    def attach_observer(self, observer: FrameObserver) -> None:
        """Call `observer` with every frame from now on."""
        self._observers.append(observer)

    def detach_observer(self, observer: FrameObserver) -> None:
        """Stop calling `observer`, which may not be attached."""
        self._observers = [one for one in self._observers if one != observer]

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes in the order of delivery."""
        return tuple(place.node for place in self._nodes)

    def attach_link(self, link: Outlet, gate: ArmedOutlet | None = None) -> None:
        """Add the link to the outside. A `gate` receives what is for the link."""
        self._link, self._gate = link, gate
        self._outlet = link if gate is None else gate
        self._nodes.append(Attachment(link, None, self._outlet.receive))

    def change_gate(self, gate: ArmedOutlet) -> None:
        """Exchange the gate before the link."""
        self._outlet = self._gate = gate
        self._nodes = [
            place._replace(receive=gate.receive) if place.node is self._link else place for place in self._nodes
        ]

    @property
    def is_armed(self) -> bool:
        """Whether frames may leave; False: the gate holds all of them back."""
        return self._gate is None or self._gate.armed

    def accepts(self, can_id: int) -> bool:
        """Return whether a frame with this identifier would reach the wire.

        The plan asks before a frame is encoded, counted and protected: so its counter stands still while the link is
        lost, and continues without a gap.
        """
        if self.cuts or (self.silences and any(can_id in silent for silent in self.silences)):
            return False
        return self._outlet is None or self._outlet.accepts(can_id)

    @property
    def arrived(self) -> int:
        """Number of pending frames from outside; those that a cut keeps from the nodes do not count."""
        return 0 if self.cuts else sum(origin is self._link for origin, _ in self.pending)

    def transmit(self, frame: Frame, origin: Node | None) -> None:
        """Put a frame on the bus; the next `exchange` delivers it."""
        self.pending.append((origin, frame))

    def _lose(self, from_outside: bool) -> bool:
        """Count a lost frame; return whether it came from outside, so that no node hears it."""
        self.lost += 1
        return from_outside

    def _inside(self) -> list[Attachment]:
        return [place for place in self._nodes if place.node is not self._link]

    def exchange(self, t: int) -> None:
        """Deliver the pending frames, and the answers to them, in at most MAXIMUM_ROUNDS rounds."""
        for _ in range(MAXIMUM_ROUNDS):
            if not self.pending:
                return
            batch, self.pending = self.pending, []
            nodes = self._inside() if self.cuts else self._nodes
            for origin, frame in batch:
                from_outside = origin is not None and origin is self._link
                if self.cuts and self._lose(from_outside):
                    continue
                self.received += from_outside
                for observe in self._observers:
                    observe(t, self.index, from_outside, frame)
                can_id = frame.can_id
                for node, hears, receive in nodes:
                    if node is not origin and (hears is None or can_id in hears):
                        receive(frame, t)
