"""A bus hands each frame to all nodes but its sender, within the tick."""

from hilbridge.frames.bus.bus import MAXIMUM_ROUNDS, Bus
from hilbridge.frames.codec.frame import EXTENDED, Frame

QUESTION, ANSWER = Frame(0x7DF, b"\x02\x01\x0c"), Frame(0x7E8, b"\x04\x41\x0c\x1a\xf8")


class Listener:
    def __init__(self) -> None:
        self.heard: list[tuple[Frame, int]] = []

    def receive(self, frame: Frame, t: int) -> None:
        self.heard.append((frame, t))


class Line(Listener):
    """A link that works or does not; or a gate before one."""

    works = True
    armed = True

    def accepts(self, can_id: int) -> bool:
        return self.works


class Answerer(Listener):
    """Answers every frame with another."""

    def __init__(self, bus: Bus, answer: Frame) -> None:
        super().__init__()
        self._bus, self._answer = bus, answer

    def receive(self, frame: Frame, t: int) -> None:
        super().receive(frame, t)
        self._bus.transmit(self._answer, self)


def test_everybody_hears_a_frame_but_its_sender() -> None:
    """In the tick in which the bus exchanges."""
    bus = Bus("a")
    one, other = Listener(), Listener()
    bus.attach(one)
    bus.attach(other)
    bus.transmit(QUESTION, one)
    bus.exchange(7)
    bus.exchange(8)
    assert (one.heard, other.heard) == ([], [(QUESTION, 7)])


def test_a_node_hears_the_identifiers_that_it_names() -> None:
    """As behind the acceptance filter of a controller."""
    bus = Bus("a")
    picky = Listener()
    bus.attach(picky, {ANSWER.can_id})
    bus.transmit(QUESTION, None)
    bus.transmit(ANSWER, None)
    bus.exchange(0)
    assert picky.heard == [(ANSWER, 0)]


def test_an_answer_arrives_in_the_same_tick() -> None:
    """In the next round of it."""
    bus = Bus("a")
    tester = Listener()
    bus.attach(tester)
    bus.attach(Answerer(bus, ANSWER))
    bus.transmit(QUESTION, tester)
    bus.exchange(0)
    assert tester.heard == [(ANSWER, 0)]


def test_endless_answers_go_on_in_the_next_tick() -> None:
    """Two nodes that answer each other get eight rounds a tick."""
    bus = Bus("a")
    one = Answerer(bus, QUESTION)
    other = Answerer(bus, ANSWER)
    bus.attach(one)
    bus.attach(other)
    bus.transmit(QUESTION, one)
    bus.exchange(0)
    assert len(one.heard) + len(other.heard) == MAXIMUM_ROUNDS
    bus.exchange(1)
    assert len(one.heard) + len(other.heard) == 2 * MAXIMUM_ROUNDS


def test_the_tap_sees_every_frame_first_and_where_it_came_from() -> None:
    """Received is what the link to the outside delivers, transmitted all else."""
    seen: list[tuple[int, int, bool, Frame]] = []
    bus = Bus("a", index=3)
    bus.attach_observer(lambda t, index, received, frame: seen.append((t, index, received, frame)))
    link, node = Line(), Listener()
    bus.attach_link(link)
    bus.attach(node)
    bus.transmit(QUESTION, link)
    bus.transmit(ANSWER, node)
    bus.transmit(ANSWER, None)
    bus.exchange(5)
    assert seen == [(5, 3, True, QUESTION), (5, 3, False, ANSWER), (5, 3, False, ANSWER)]
    assert bus.received == 1


def test_nothing_crosses_to_the_outside_while_the_bus_is_cut_off() -> None:
    """Nodes inside hear each other; what does not cross is counted, and cyclic frames need not be built."""
    bus, link, node, other = Bus("a"), Line(), Listener(), Listener()
    bus.attach_link(link)
    bus.attach(node)
    bus.attach(other)
    bus.cuts.append("unplugged")
    bus.transmit(QUESTION, link)
    bus.transmit(ANSWER, node)
    bus.exchange(1)
    assert (link.heard, node.heard, other.heard) == ([], [], [(ANSWER, 1)])
    assert (bus.received, bus.lost) == (0, 2)
    assert not bus.accepts(1)
    bus.cuts.clear()
    bus.transmit(QUESTION, link)
    bus.exchange(2)
    assert node.heard == [(QUESTION, 2)]
    assert bus.accepts(1)


def test_a_bus_takes_no_frames_of_silent_control_units() -> None:
    """By identifier, with its flag for 29 bits."""
    bus = Bus("a")
    bus.silences.extend((frozenset([1, 2]), frozenset([2 | EXTENDED])))
    assert [bus.accepts(can_id) for can_id in (1, 2, 3, 2 | EXTENDED, 1 | EXTENDED)] == [
        False,
        False,
        True,
        False,
        True,
    ]


def test_a_frame_knows_its_identifier() -> None:
    """Flag bits apart, as in SocketCAN."""
    frame = Frame(0x18DB33F1 | EXTENDED, b"")
    assert (frame.identifier, frame.is_extended) == (0x18DB33F1, True)
    assert (QUESTION.identifier, QUESTION.is_extended) == (0x7DF, False)


def test_a_bus_takes_what_its_link_takes() -> None:
    """A gate before the link is asked in its place; a bus without a link takes all."""
    bus, link, gate = Bus("a"), Line(), Line()
    assert bus.accepts(1)
    bus.attach_link(link, gate)
    link.works = False
    assert bus.accepts(1)
    gate.works = False
    assert not bus.accepts(1)
