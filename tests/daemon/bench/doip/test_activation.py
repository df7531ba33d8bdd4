"""Routing activation: who is let in, with which code, and who loses a connection (ISO 13400-2, tables of codes)."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError

from .rig import BODY, TESTER, Car, request

ALIVE = request(8, source_address=TESTER)


def activation(source: int = TESTER, kind: int = 0, data: bytes = b"") -> bytes:
    return request(5, source_address=source, activation_type=kind, reserved_oem=data)


@pytest.mark.parametrize(
    ("source", "kind", "code"),
    [(TESTER, 0x00, 0x10), (0x0FFF, 0x01, 0x10), (0x0DFF, 0x00, 0x00), (0x1010, 0x00, 0x00), (TESTER, 0xE1, 0x06)],
)
def test_testers_and_types(tmp_path: Path, source: int, kind: int, code: int) -> None:
    """A denial ends the connection."""
    client = Car(tmp_path).tester()
    assert client.ask(activation(source, kind)) == [f"routing {code:02X}"]
    assert client.is_open is (code == 0x10)


def test_testers_can_be_named(tmp_path: Path) -> None:
    car = Car(tmp_path, "testers: [0x0E80, 0x2000]")
    assert car.tester().ask(activation(0x2000)) == ["routing 10"]
    assert car.tester().ask(activation(TESTER)) == ["routing 00"]


def test_without_routing_no_diagnostic_message_is_taken(tmp_path: Path) -> None:
    client = Car(tmp_path).tester()
    assert client.uds(BODY, "3E 00") == ["nack 02"]
    assert not client.is_open


def test_another_source_on_the_same_connection_is_denied(tmp_path: Path) -> None:
    """The same one again is let in again."""
    client = Car(tmp_path).active()
    assert client.ask(activation()) == ["routing 10"]
    assert client.ask(activation(TESTER + 1)) == ["routing 02"]
    assert not client.is_open


def test_the_source_of_a_tester_who_is_alive_is_not_given_away(tmp_path: Path) -> None:
    car = Car(tmp_path)
    first, second = car.active(), car.tester()
    assert second.ask(activation()) == []
    assert first.heard() == ["alive?"]
    first.send(ALIVE)
    assert second.heard(20) == ["routing 03"]
    assert (first.is_open, second.is_open) == (True, False)


def test_a_tester_who_is_not_alive_loses_its_connection(tmp_path: Path) -> None:
    """After 500 ms; not before."""
    car = Car(tmp_path)
    first, second = car.active(), car.tester()
    second.send(activation())
    assert second.heard(480) == []
    assert first.is_open
    assert second.heard(40) == ["routing 10"]
    assert not first.is_open
    assert second.uds(BODY, "3E 00") == ["ack", "1010: 7e00"]


def test_a_tester_who_leaves_meanwhile_makes_room_at_once(tmp_path: Path) -> None:
    car = Car(tmp_path)
    first, second = car.active(), car.tester()
    second.send(activation())
    car.wait()
    first.leave()
    assert second.heard(11) == ["routing 10"]


def test_no_more_testers_than_places(tmp_path: Path) -> None:
    """All who have one are asked; one who does not answer gives it up."""
    car = Car(tmp_path, "sockets: 2")
    first, second, third = car.active(TESTER), car.active(TESTER + 1), car.tester()
    third.send(activation(TESTER + 2))
    car.wait()
    assert first.heard() == second.heard() == ["alive?"]
    first.send(ALIVE)
    second.send(request(8, source_address=TESTER + 1))
    assert third.heard(20) == ["routing 01"]
    fourth = car.tester()
    fourth.send(activation(TESTER + 3))
    car.wait()
    first.send(ALIVE)
    assert fourth.heard(520) == ["routing 10"]
    assert (first.is_open, second.is_open) == (True, False)
    assert car.entity.active == [TESTER, TESTER + 3]


def test_an_alive_check_with_another_source_ends_the_connection(tmp_path: Path) -> None:
    client = Car(tmp_path).active()
    client.ask(request(8, source_address=TESTER + 1))
    assert not client.is_open


def test_the_entity_answers_an_alive_check(tmp_path: Path) -> None:
    """As doipclient asks for it."""
    assert Car(tmp_path).active().ask(request(7)) == ["alive 1000"]


def test_inactive_connections_end(tmp_path: Path) -> None:
    """2 s without routing, whatever else is said; with it, 5 min without a message in either direction."""
    car = Car(tmp_path)
    silent, chatting, active = car.tester(), car.tester(), car.active()
    car.skip(1.9)
    chatting.ask(bytes.fromhex("02FD000100000000"))
    assert (silent.is_open, chatting.is_open) == (True, True)
    car.skip(0.2)
    assert (silent.is_open, chatting.is_open) == (False, False)
    assert car.entity.statistics.inactive == 2
    car.skip(295)
    assert active.uds(BODY, "3E 00") == ["ack", "1010: 7e00"]
    car.skip(299)
    assert active.is_open
    car.skip(1.1)
    assert not active.is_open


HOOK = """
def lets_in(source, type, data):
    if data == b"fail":
        raise RuntimeError
    return True if data == b"open" else data or None
"""


@pytest.fixture
def guarded(tmp_path: Path, own_code: None) -> Car:
    (tmp_path / "doip_gate.py").write_text(HOOK, encoding="utf-8")
    extra = 'activation: {"00": open, "E1": authenticated}\nauthentication: "doip_gate.py:lets_in"'
    return Car(tmp_path, extra)


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"open", 0x10), (b"1234", 0x04), (b"fail", 0x04), (b"", 0x04)],
    ids=["True", "text", "raises", "None"],
)
def test_authentication_fails_closed(guarded: Car, data: bytes, code: int) -> None:
    """Whatever is not True denies; the connection stays for another try, without routing, for its two seconds."""
    client = guarded.tester()
    assert client.ask(activation(kind=0xE1, data=data)) == [f"routing {code:02X}"]
    assert client.is_open
    if code != 0x10:
        assert client.uds(BODY, "3E 00") == ["nack 02"]
    assert guarded.entity.statistics.hook_failures == (data == b"fail")


def test_a_type_that_needs_the_function_is_refused_without_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"authentication.*is missing"):
        Car(tmp_path, 'activation: {"00": authenticated}')
