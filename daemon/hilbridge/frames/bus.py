"""A CAN bus inside the daemon: a frame from one node reaches every other node within the same tick."""

from collections.abc import Callable, Container
from typing import Final, Protocol

from hilbridge.frames.frame import Frame
from hilbridge.frames.traffic import Traffic

MAXIMUM_ROUNDS: Final = 8
"""Answers to answers within one tick; what is still under way then waits for the next tick."""


class Node(Protocol):
    """Somebody on a bus: a link to the outside, the frame plan, an input decoder, a diagnostics server."""

    def receive(self, frame: Frame, t: int) -> None:
        """Takes a frame that another node sent in the tick of time `t` [ns]."""


class WayOut(Node, Protocol):
    """The link of a bus to the outside, or the gate before it."""

    def accepts(self, can_id: int) -> bool:
        """Whether a frame with this identifier would go out at present."""


class Bus:
    """The nodes of one CAN bus, and the frames under way between them.

    A frame is handed to all nodes but its sender, in the order in which the nodes were attached, and to the `tap`
    (the recorder) first. Frames that nodes send while receiving go out in the next round. `traffic` is there from the
    moment on that somebody looks at it.

    `cuts` has the reasons why nothing crosses between the bus and the outside, in either direction, as if the link were
    unplugged; `lost` counts what did not cross. `silences` has the identifiers (with their flag) of control units that
    say nothing. Both are empty but for faults.
    """

    def __init__(self, name: str, index: int = 0, tap: Callable[[int, int, bool, Frame], None] | None = None) -> None:
        self.name = name
        self.index = index
        self.external: Node | None = None  # the link; what it delivers is "received", all else "transmitted"
        self.received = 0
        self.transmitted = 0
        self.lost = 0
        self.cuts: Final[list[str]] = []
        self.silences: Final[list[Container[int]]] = []
        self._nodes: list[tuple[Node, Node]] = []  # who it is, and who receives in its place
        self._way_out: WayOut | None = None
        self.tap = tap
        self.traffic: Traffic | None = None
        self._pending: list[tuple[Node | None, Frame]] = []

    def attach(self, node: Node) -> None:
        """Joins a node to the bus."""
        self._nodes.append((node, node))

    def detach(self, node: Node) -> None:
        """Takes a node off the bus; what it has sent is still delivered."""
        self._nodes = [pair for pair in self._nodes if pair[0] is not node]

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Who is on the bus."""
        return tuple(node for node, _ in self._nodes)

    def attach_link(self, link: WayOut, gate: WayOut | None = None) -> None:
        """Joins the link to the outside. A `gate` receives what is for the link."""
        self.external = link
        self._way_out = link if gate is None else gate
        self._nodes.append((link, self._way_out))

    def change_gate(self, gate: WayOut) -> None:
        """From now on this one receives what is for the link."""
        self._way_out = gate
        self._nodes = [(node, gate if node is self.external else receiver) for node, receiver in self._nodes]

    def accepts(self, can_id: int) -> bool:
        """Whether a frame with this identifier would reach the wire: asked before it is built, counted and protected.

        So the counter of a frame stands still while its link is lost, and goes on without a gap.
        """
        if self.cuts or (self.silences and any(can_id in silent for silent in self.silences)):
            return False
        return self._way_out is None or self._way_out.accepts(can_id)

    def transmit(self, frame: Frame, origin: Node | None) -> None:
        """Puts a frame on the bus; it is delivered by the next `exchange`."""
        self._pending.append((origin, frame))

    def exchange(self, t: int) -> None:
        """Delivers what is under way, and the answers to it, in at most MAXIMUM_ROUNDS rounds."""
        for _ in range(MAXIMUM_ROUNDS):
            if not self._pending:
                return
            batch, self._pending = self._pending, []
            nodes = self._nodes if not self.cuts else [pair for pair in self._nodes if pair[0] is not self.external]
            for origin, frame in batch:
                from_outside = origin is not None and origin is self.external
                if self.cuts:
                    self.lost += 1
                    if from_outside:
                        continue
                self.received += from_outside
                self.transmitted += not from_outside
                if self.tap is not None:
                    self.tap(t, self.index, from_outside, frame)
                if self.traffic is not None:
                    self.traffic.note(t, from_outside, frame)
                for node, receiver in nodes:
                    if node is not origin:
                        receiver.receive(frame, t)
