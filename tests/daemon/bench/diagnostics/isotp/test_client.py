"""The client receives whole answers of a server on the same bus."""

from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.bench.diagnostics.isotp.client import MAXIMUM_ANSWERS, IsoTpClient, ReceivedAnswer
from hilbridge.bench.diagnostics.isotp.parameters import IsoTpParameters
from hilbridge.bench.diagnostics.isotp.server import IsoTpServer
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame

from .test_sender import counted
from .test_server import LONG, Ecu
from .wires import ENGINE, GEARBOX, Wire, request


class Bench:
    """A client and two ECUs on a bus."""

    def __init__(self, parameters: IsoTpParameters | None = None) -> None:
        self.bus = Bus("powertrain")
        self.engine, self.gearbox = Ecu(), Ecu()
        parameters = parameters or IsoTpParameters()
        self.client = IsoTpClient(self.bus, [ENGINE, GEARBOX], parameters)
        self.server = IsoTpServer(self.bus, [(ENGINE, self.engine), (GEARBOX, self.gearbox)], parameters)
        self.t = 0

    def tick(self) -> list[ReceivedAnswer]:
        """The answers that were complete in a tick."""
        self.t += MILLISECOND
        self.client.poll(self.t)
        self.bus.exchange(self.t)
        self.server.poll(self.t)
        self.bus.exchange(self.t)
        return self.client.take()


def test_an_answer_in_several_frames_is_complete_in_the_tick_of_its_request() -> None:
    """On one bus within the process, flow control and all."""
    bench = Bench()
    assert bench.client.request(b"\x09\x02", ENGINE, 0)
    assert bench.tick() == [ReceivedAnswer(ENGINE, LONG, MILLISECOND)]
    assert not bench.client.busy


def test_all_ecus_answer_a_functional_request() -> None:
    """Each with flow control of its own."""
    bench = Bench()
    bench.bus.transmit(request("02 09 02", 0x7DF), bench.client)
    assert {(answer.address, answer.payload) for answer in bench.tick()} == {(ENGINE, LONG), (GEARBOX, LONG)}
    assert bench.engine.asked == [(b"\x09\x02", True, MILLISECOND)]


def test_a_long_request_goes_to_one_ecu() -> None:
    """And a second one has to wait for it."""
    bench = Bench(IsoTpParameters(st_min=2 * MILLISECOND, block_size=2))
    message = bytes(range(100, 200))
    bench.engine.answers[message] = message
    assert bench.client.request(message, ENGINE, 0)
    assert not bench.client.request(b"\x3e\x00", ENGINE, 0)
    assert bench.client.request(b"\x3e\x00", GEARBOX, 0)
    answers = [answer for _ in range(100) for answer in bench.tick()]
    assert [(answer.address, answer.payload) for answer in answers] == [(GEARBOX, b"\x7e\x00"), (ENGINE, message)]


def test_an_ecu_that_falls_silent_is_given_up() -> None:
    """After N_Bs and N_Cr."""
    bus, wire = Bus("powertrain"), Wire()

    class Silent:
        def receive(self, frame: Frame, t: int) -> None:
            wire(frame)

    silent, client = Silent(), IsoTpClient(bus, [ENGINE])
    bus.attach(silent)
    client.request(bytes(20), ENGINE, 0)
    bus.transmit(request("10 14 01 02 03 04 05 06", 0x7E8), silent)
    bus.exchange(0)
    assert client.busy
    client.poll(SECOND + 1)
    assert not client.busy
    assert counted(client.statistics) == {"n_bs_timeout": 1, "n_cr_timeout": 1}


def test_answers_that_nobody_takes_are_bounded() -> None:
    bench = Bench()
    for _ in range(MAXIMUM_ANSWERS + 4):
        bench.bus.transmit(request("02 7e 00", 0x7E8), None)
    bench.bus.exchange(0)
    assert len(bench.client.take()) == MAXIMUM_ANSWERS
    assert counted(bench.client.statistics) == {"dropped": 4}


def test_a_reset_forgets_everything() -> None:
    bench = Bench()
    bench.client.request(bytes(20), ENGINE, 0)
    bench.bus.transmit(request("02 7e 00", 0x7E9), None)
    bench.bus.exchange(0)
    bench.client.reset()
    assert not bench.client.busy
    assert bench.client.take() == []
