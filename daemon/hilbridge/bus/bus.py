"""A CAN bus inside the daemon: a frame from one node reaches every other node within the same tick."""

from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from hilbridge.bus.traffic import Traffic
from hilbridge.codec.frame import Frame

if TYPE_CHECKING:
    from hilbridge.plan.id_conflicts import IdConflicts

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


class Attachment(NamedTuple):
    """A node on a bus: which identifiers it hears (None: all), and where it, or who stands before it, takes frames."""

    node: Node
    hears: Container[int] | None
    receive: Callable[[Frame, int], None]


class Bus:
    """The nodes of one CAN bus, and the frames under way between them.

    A frame is handed to all nodes but its sender, in the order in which the nodes were attached, and to the `tap`
    (the recorder) first. Frames that nodes send while receiving go out in the next round. While nothing is `pending`
    there is nothing to exchange. `traffic` is there from the moment on that somebody looks at it; `id_conflicts`
    watches over what comes from outside.

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
        self.pending: list[tuple[Node | None, Frame]] = []  # by sender
        self._nodes: list[Attachment] = []
        self._way_out: WayOut | None = None
        self.tap = tap
        self.traffic: Traffic | None = None
        self.id_conflicts: IdConflicts | None = None

    def attach(self, node: Node, hears: Container[int] | None = None) -> None:
        """Joins a node to the bus. `hears`: the identifiers (with their flag) that reach it, all without."""
        self._nodes.append(Attachment(node, hears, node.receive))

    def detach(self, node: Node) -> None:
        """Takes a node off the bus; what it has sent is still delivered."""
        self._nodes = [place for place in self._nodes if place.node is not node]

    def set_aside(self, first: int) -> list[Attachment]:
        """Takes off the nodes from number `first` on; `resume` joins them again."""
        aside, self._nodes = self._nodes[first:], self._nodes[:first]
        return aside

    def resume(self, place: Attachment) -> None:
        """Joins a node that was set aside."""
        self._nodes.append(place)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Who is on the bus."""
        return tuple(place.node for place in self._nodes)

    def attach_link(self, link: WayOut, gate: WayOut | None = None) -> None:
        """Joins the link to the outside. A `gate` receives what is for the link."""
        self.external = link
        self._way_out = link if gate is None else gate
        self._nodes.append(Attachment(link, None, self._way_out.receive))

    def change_gate(self, gate: WayOut) -> None:
        """From now on this one receives what is for the link."""
        self._way_out = gate
        self._nodes = [
            place._replace(receive=gate.receive) if place.node is self.external else place for place in self._nodes
        ]

    def accepts(self, can_id: int) -> bool:
        """Whether a frame with this identifier would reach the wire: asked before it is built, counted and protected.

        So the counter of a frame stands still while its link is lost, and goes on without a gap.
        """
        if self.cuts or (self.silences and any(can_id in silent for silent in self.silences)):
            return False
        return self._way_out is None or self._way_out.accepts(can_id)

    def transmit(self, frame: Frame, origin: Node | None) -> None:
        """Puts a frame on the bus; it is delivered by the next `exchange`."""
        self.pending.append((origin, frame))

    def _lose(self, from_outside: bool) -> bool:
        """A frame does not cross; True: it is not on the bus at all."""
        self.lost += 1
        return from_outside

    def _inside(self) -> list[Attachment]:
        return [place for place in self._nodes if place.node is not self.external]

    def exchange(self, t: int) -> None:
        """Delivers what is under way, and the answers to it, in at most MAXIMUM_ROUNDS rounds."""
        for _ in range(MAXIMUM_ROUNDS):
            if not self.pending:
                return
            batch, self.pending = self.pending, []
            nodes = self._inside() if self.cuts else self._nodes
            for origin, frame in batch:
                from_outside = origin is not None and origin is self.external
                if self.cuts and self._lose(from_outside):
                    continue
                self.received += from_outside
                self.transmitted += not from_outside
                if from_outside and self.id_conflicts is not None and frame.can_id in self.id_conflicts.own:
                    self.id_conflicts.note(frame.can_id, t)
                if self.tap is not None:
                    self.tap(t, self.index, from_outside, frame)
                if self.traffic is not None:
                    self.traffic.note(t, from_outside, frame)
                can_id = frame.can_id
                for node, hears, receive in nodes:
                    if node is not origin and (hears is None or can_id in hears):
                        receive(frame, t)
