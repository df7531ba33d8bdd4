"""Diagnostic messages, and what the vehicle says of itself; several testers, on CAN too, at one control unit."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hilbridge.base.common.units import SECOND
from hilbridge.bench.diagnostics.isotp.address import Address
from hilbridge.bench.diagnostics.isotp.client import IsoTpClient
from hilbridge.frames.codec.frame import Frame

from .rig import BODY, ENGINE, GROUP, TESTER, Car, request

VIN = b"WHBZZZ1EZSA000007"


class CanTester:
    """A tester of the body on CAN, with single frames."""

    def __init__(self, car: Car) -> None:
        self._bus = car.bench.buses["can"]
        self.answers: list[str] = []
        self._bus.attach(self)

    def receive(self, frame: Frame, t: int) -> None:
        if frame.can_id == 0x77E:
            self.answers.append(frame.data[1 : 1 + frame.data[0]].hex())

    def send(self, data: str) -> None:
        content = bytes.fromhex(data)
        self._bus.transmit(Frame(0x714, bytes((len(content),)) + content), self)


ON_CAN = Address(0x714, 0x77E)


@pytest.fixture
def cars(tmp_path: Path) -> tuple[Car, Car]:
    return Car(tmp_path), Car(tmp_path)


@pytest.fixture
def car(tmp_path: Path) -> Car:
    return Car(tmp_path)


@pytest.mark.parametrize(("target", "code"), [(0x1011, 0x03), (0x1000, 0x03), (0xE401, 0x03), (ENGINE, 0x06)])
def test_a_target_that_cannot_be_asked(car: Car, target: int, code: int) -> None:
    """The engine's unit sleeps while the key is off; the connection stays."""
    client = car.active()
    assert client.uds(target, "3E 00") == [f"nack {code:02X}"]
    assert client.is_open


def test_a_request_longer_than_a_unit_takes(car: Car) -> None:
    client = car.active()
    assert client.uds(BODY, "36" * 4095)[0] == "ack"
    small = Car(
        car.file.parent,
        change=lambda text: text.replace("power: battery", "power: battery\n      iso_tp: {longest: 100}"),
    )
    client = small.active()
    assert client.uds(BODY, "36" * 101) == ["nack 04"]


def test_a_functional_request_reaches_all_that_are_awake(car: Car) -> None:
    """One acknowledgement; functional requests are not told that something is not supported."""
    client = car.active()
    assert client.uds(GROUP, "3E 00") == ["ack", "1010: 7e00"]
    assert client.uds(GROUP, "99") == ["ack"]
    car.bench.overrides.set("input.Key", 0)
    car.bench.wiring.arbiter.sample(car.t)
    assert client.uds(GROUP, "3E 00") == ["ack", "1010: 7e00", "1001: 7e00"]
    assert client.uds(GROUP, "01 00", 2)[:2] == ["ack", "1001: 4100" + client_bits(car)]


def client_bits(car: Car) -> str:
    """The supported PIDs of the engine, from the server that answers on CAN."""
    (ecu,) = (one for one in car.bench.wiring.control_units.ecus if one.name == "engine")
    answer = ecu.request(b"\x01\x00", functional=False, t=car.t)
    assert answer is not None
    return answer[2:].hex()


@given(st.lists(st.binary(min_size=1, max_size=12), max_size=6))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_request_has_the_answer_that_it_has_on_can(cars: tuple[Car, Car], requests: list[bytes]) -> None:
    """All services of all sessions, one after the other; two benches that are alike, one by each transport."""
    over_ip, over_can = cars
    client = over_ip.active()
    tester = IsoTpClient(over_can.bench.buses["can"], [ON_CAN])
    for one in (b"\x10\x03", *requests, *(bytes((service,)) for service in range(0x10, 0x40)), b"\x10\x01"):
        if one[0] == 0x27:
            continue  # seeds count how often they are asked for, and the benches are used again
        tester.request(one, ON_CAN, over_can.t)
        for _ in range(30):
            tester.poll(over_can.t)
            over_can.wait()
        expected = ["ack", *(f"1010: {answer.payload.hex()}" for answer in tester.take())]
        assert client.uds(BODY, one.hex(), 30) == expected
    over_can.bench.buses["can"].detach(tester)
    client.leave()


def test_response_pending_and_the_answer_come_in_their_time(car: Car) -> None:
    client = car.active()
    client.uds(BODY, "10 03")
    heard = client.uds(BODY, "31 01 02 05", 250)
    assert heard == ["ack", "1010: 7f3178", "1010: 7101020564"]


def test_what_two_testers_do_at_once_goes_to_each_of_them(car: Car) -> None:
    """One session for both; while one is waited for, the other is refused, and the answer is the first one's."""
    first, second, on_can = car.active(), car.active(TESTER + 1), CanTester(car)
    first.uds(BODY, "10 03")
    assert second.uds(BODY, "22 F1 86", source=TESTER + 1) == ["ack", "1010: 62f18603"]
    assert first.uds(BODY, "31 01 02 05", 30)[:2] == ["ack", "1010: 7f3178"]
    assert second.uds(BODY, "22 F1 86", source=TESTER + 1) == ["ack", "1010: 7f2221"]
    on_can.send("22 F1 86")
    assert first.heard(250) == ["1010: 7101020564"]
    assert second.heard() == []
    assert on_can.answers == ["7f2221"]


def test_a_session_is_that_of_all_transports(car: Car) -> None:
    """A tester on CAN keeps alive what one on DoIP has entered; 5 s after the last request of any it is over."""
    client, on_can = car.active(), CanTester(car)
    client.uds(BODY, "10 03")
    for _ in range(3):
        car.skip(4)
        on_can.send("3E 80")
        car.wait()
    on_can.send("22 F1 86")
    car.wait()
    assert on_can.answers == ["62f18603"]
    car.skip(5.1)
    assert client.uds(BODY, "22 F1 86") == ["ack", "1010: 62f18601"]


def test_an_answer_to_a_tester_who_has_gone_goes_nowhere(car: Car) -> None:
    """Neither to the next one with its address, nor to one on CAN."""
    first, on_can = car.active(), CanTester(car)
    first.uds(BODY, "10 03")
    first.uds(BODY, "31 01 02 05", 5)
    first.leave()
    second = car.active()
    assert second.heard(300) == []
    assert on_can.answers == []
    assert car.entity.statistics.dropped >= 1
    assert second.uds(BODY, "22 F1 86") == ["ack", "1010: 62f18603"]


def test_a_tester_who_does_not_read_takes_no_memory(car: Car) -> None:
    client = car.active()
    for _ in range(3000):
        client.send(request(7) * 16)
        car.wait()
    assert len(client.tester.output) <= 256 << 10


def test_a_flood_of_one_leaves_the_others_their_turn(car: Car) -> None:
    """Some messages in a tick, of all testers in turn; what is not carried out is not read either."""
    flood, client = car.active(), car.active(TESTER + 1)
    while flood.tester.room:
        flood.send(request(7) * 100)
    assert client.uds(BODY, "3E 00", source=TESTER + 1) == ["ack", "1010: 7e00"]


# -- what the vehicle says of itself ----------------------------------------------------------------------------


def test_the_vehicle_is_identified(car: Car) -> None:
    """By nothing, by its EID, by its VIN; another vehicle that is meant gets no answer."""
    meant = [request(1), request(2, eid=b"\x02\0\0\0\x10\0"), request(3, vin=VIN)]
    for one in meant:
        (answer,) = car.asked(one)
        assert (answer.payload_type, answer.vin, answer.logical_address) == (4, VIN, 0x1000)
        assert (answer.eid, answer.gid, answer.further_action) == (b"\x02\0\0\0\x10\0", b"\x02\0\0\0\x10\0", 0)
    assert car.asked(request(2, eid=b"other!")) == car.asked(request(3, vin=VIN[::-1])) == []
    assert car.asked(bytes.fromhex("FF00 0001 00000000"))[0].protocol_version == 2


def test_the_announcement_is_the_identification(car: Car) -> None:
    assert car.entity.announcement() == car.entity.datagram(request(1))


def test_what_the_file_says_of_the_vehicle(tmp_path: Path) -> None:
    extra = 'vin: WHBZZZ1EZSA000008\neid: "00-11-22-33-44-55"\ngid: "665544332211"'
    (answer,) = Car(tmp_path, extra).asked(request(1))
    assert (answer.vin[-1:], answer.eid.hex(), answer.gid.hex()) == (b"8", "001122334455", "665544332211")


def test_entity_status_and_power_mode(car: Car) -> None:
    car.active()
    (status,) = car.asked(request(0x4001))
    assert (status.node_type, status.max_open_sockets, status.cur_open_sockets) == (0, 8, 1)
    assert status.max_data_size == 4095 + 4
    assert car.asked(request(0x4003))[0].diagnostic_power_mode == 0
    car.bench.overrides.set("input.Key", 0)
    car.bench.wiring.arbiter.sample(SECOND)
    assert car.asked(request(0x4003))[0].diagnostic_power_mode == 1


@pytest.mark.parametrize(
    ("datagram", "code"),
    [
        ("02FD 0001 00000001 00", 4),
        ("02FD 0001 00000000 00", 4),
        ("02FD 0002 00000006 00", 4),
        ("02FC 0001 00000000", 0),
        ("02FD 0005 00000007 0E000000000000", 1),
        ("02FD 8001 00000005 0E00101000", 1),
        ("02FD 0003 0000FFFF", 2),
    ],
)
def test_a_wrong_datagram_is_answered(car: Car, datagram: str, code: int) -> None:
    assert [one.nack for one in car.asked(bytes.fromhex(datagram))] == [code]


@pytest.mark.parametrize("datagram", ["", "02FD0001000000", "02FD 0000 00000001 00", "02FD 0004 00000000"])
def test_what_entities_say_is_not_answered(car: Car, datagram: str) -> None:
    """Nor is what is too short for a header: two entities would answer each other for ever."""
    assert car.asked(bytes.fromhex(datagram)) == []
