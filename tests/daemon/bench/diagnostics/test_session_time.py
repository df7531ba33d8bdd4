"""S3 stops with the first frame of a request, and begins with the last one of an answer (ISO 14229-2).

A session of two seconds, and messages that take longer.
"""

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.ecu import Ecu
from hilbridge.bench.diagnostics.isotp.server import IsoTpServer
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame

from .control_units import Bench as Units
from .isotp.wires import ENGINE, request
from .uds.tester import Tester

S3 = 2000
LONG = 600
"""[bytes] At 30 ms each, the frames of such a message take 2.5 s."""

IDENTIFIERS = {"0600": {"data": "AA" * LONG}, "0601": {"data": "00" * LONG, "stored": True}}
EXTENDED, READ_SESSION = request("02 10 03"), request("03 22 f1 86")
SLOWLY, IS_DEFAULT, IS_EXTENDED = request("30 00 1e"), "62 f1 86 01", "62 f1 86 03"


class Line:
    """A unit on a bus, in ticks of a millisecond."""

    def __init__(self, s3: int = S3) -> None:
        sessions = {"01": {}, "03": {"s3": s3}}
        tester = Tester(identifiers=IDENTIFIERS, sessions=sessions, memory=[])
        unit = Ecu("engine", Units().ecus[0].monitors, uds=tester.server)
        self.bus = Bus("powertrain")
        self.server = IsoTpServer(self.bus, [(ENGINE, unit)])
        self.heard: list[Frame] = []
        self.bus.attach(self)
        self.t = 0

    def receive(self, frame: Frame, t: int) -> None:
        self.heard.append(frame)

    def tick(self, *frames: Frame, count: int = 1) -> list[str]:
        """What is heard in so many ticks; the frames come in the first one."""
        self.heard = []
        for frame in frames:
            self.bus.transmit(frame, self)
        for _ in range(count):
            self.t += MILLISECOND
            self.bus.exchange(self.t)
            self.server.poll(self.t)
            self.bus.exchange(self.t)
        return [frame.data.hex(" ") for frame in self.heard]

    def session(self) -> str:
        return self.tick(READ_SESSION)[0][3:14]


def test_s3_begins_with_the_last_frame_of_an_answer() -> None:
    line = Line()
    line.tick(EXTENDED)
    assert line.tick(request("03 22 06 00"))[0].startswith("12 5b")
    rest = line.tick(SLOWLY, count=S3 + 600)
    assert len(rest) == -(-(LONG + 3 - 6) // 7)
    assert line.session() == IS_EXTENDED
    line.tick(count=S3 - 10)
    assert line.session() == IS_EXTENDED
    line.tick(count=S3 + 10)
    assert line.session() == IS_DEFAULT


def test_s3_ends_between_an_answer_and_the_next_request() -> None:
    """No later than its time after the last frame."""
    line = Line()
    line.tick(EXTENDED)
    line.tick(request("03 22 06 00"))
    line.tick(SLOWLY, count=S3 + 600 + S3)
    assert line.session() == IS_DEFAULT


def test_s3_stops_with_the_first_frame_of_a_request() -> None:
    line = Line()
    line.tick(EXTENDED)
    payload = bytes.fromhex("2e 06 01") + bytes(LONG)
    line.tick(request(f"1{len(payload) >> 8:x} {len(payload) & 0xFF:02x} {payload[:6].hex(' ')}"))
    answer: list[str] = []
    for number, begin in enumerate(range(6, len(payload), 7), 1):
        answer += line.tick(request(f"{0x20 | number & 0xF:02x} {payload[begin : begin + 7].hex(' ')}"), count=30)
    assert answer[-1].startswith("03 6e 06 01")
    assert line.session() == IS_EXTENDED


def test_an_answer_that_the_tester_gives_up_ends_with_n_bs() -> None:
    """T_Data.con with an error restarts S3 all the same: one second until N_Bs, then two of S3."""
    line = Line()
    line.tick(EXTENDED)
    line.tick(request("03 22 06 00"))
    line.tick(count=S3 + 900)
    assert line.session() == IS_EXTENDED
    line = Line()
    line.tick(EXTENDED)
    line.tick(request("03 22 06 00"))
    line.tick(count=S3 + 1100)
    assert line.session() == IS_DEFAULT


def test_a_first_frame_does_not_end_the_session_of_a_request_in_progress() -> None:
    """The routine takes longer than S3, which is stopped until its answer."""
    line = Line(s3=500)
    line.tick(EXTENDED)
    line.tick(request("04 31 01 02 00"), count=1000)
    heard = line.tick(request("10 14 22 f1 86 f1 86 f1"), count=2500)
    assert any(frame[3:].startswith("71 01 02 00") for frame in heard)
    line = Line(s3=500)
    line.tick(EXTENDED)
    line.tick(request("04 31 01 02 00"), count=1000)
    line.tick(request("10 14 22 f1 86 f1 86 f1"))
    assert line.session() != IS_DEFAULT
