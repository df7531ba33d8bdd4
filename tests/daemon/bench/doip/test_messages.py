"""Headers, and what is answered to wrong ones (ISO 13400-2, generic DoIP header handler)."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.bench.doip.messages import OVER_TCP, HeaderRules, Message, MessageReader, Rejection

from .rig import BODY, TESTER, Car, diagnostic, request

RULES = HeaderRules((2, 3), OVER_TCP, 100, diagnostic=True)


@pytest.mark.parametrize(
    ("header", "code", "stays"),
    [
        ("02 FC 0005 00000007", 0x00, False),
        ("05 FA 0005 00000007", 0x00, False),
        ("FF 00 0005 00000007", 0x00, False),
        ("02 FD 0001 00000000", 0x01, True),
        ("02 FD 4001 00000000", 0x01, True),
        ("02 FD 8002 00000005 0000000000", 0x01, True),
        ("02 FD F000 00000002 0000", 0x01, True),
        ("02 FD 8001 FFFFFFFF", 0x02, True),
        ("02 FD 0005 00000008 0000000000000000", 0x04, False),
        ("02 FD 0008 00000000", 0x04, False),
        ("02 FD 8001 00000004 0E001010", 0x04, False),
    ],
    ids=["inverse", "version", "any version", "UDP", "status", "ack", "unknown", "4 GB", "length", "alive", "no data"],
)
def test_a_wrong_header_is_answered(tmp_path: Path, header: str, code: int, stays: bool) -> None:
    car = Car(tmp_path)
    client = car.tester()
    assert client.ask(bytes.fromhex(header)) == [f"header {code:02X}"]
    assert client.is_open is stays
    assert car.entity.statistics.rejected == 1


@pytest.mark.parametrize(
    ("header", "answer"),
    [
        ("FF 00 0001 00000000", 32),
        ("FF 00 4001 00000000", 0x00),
        ("02 FD 4001 00000000", 7),
        ("03 FC 0001 00000000", 32),
        ("04 FB 0001 00000000", 0x00),
    ],
    ids=["any version asks who", "any version asks more", "its own", "another of its own", "none of its own"],
)
def test_any_version_is_for_questions_who_is_there(tmp_path: Path, header: str, answer: int) -> None:
    """ISO 13400-2: FF is the default version of vehicle identification requests alone. 32 and 7 are lengths."""
    car = Car(tmp_path, "versions: [2, 3]")
    said = car.entity.datagram(bytes.fromhex(header))
    length = int.from_bytes(said[4:8], "big")
    assert said[8:] == bytes([answer]) if length == 1 else length == answer
    assert car.entity.statistics.rejected == (length == 1)


def test_what_is_too_large_is_passed_over(tmp_path: Path) -> None:
    """Its payload is not kept, whatever its length says; the next message is heard."""
    client = Car(tmp_path).active()
    long = bytes.fromhex(f"02FD800100010000{TESTER:04X}{BODY:04X}")
    assert client.ask(long) == ["header 02"]
    for _ in range(15):
        client.send(bytes(4096))
    client.send(bytes(4092))
    assert not client.tester.reader.waiting
    assert client.uds(BODY, "3E 00") == ["ack", "1010: 7e00"]


def test_the_answer_has_the_version_of_its_request(tmp_path: Path) -> None:
    """One that is not among `versions` is refused in the first of them."""
    car = Car(tmp_path, "versions: [3]")
    client = car.tester()
    client.send(request(5, source_address=TESTER))
    car.wait()
    assert client.tester.output == bytes.fromhex("03FC 0000 00000001 00")
    other = car.tester()
    other.send(request(5, source_address=TESTER, protocol_version=3, inverse_version=0xFC))
    car.wait()
    assert other.tester.output[:4] == bytes.fromhex("03FC 0006")


@given(st.lists(st.binary(max_size=40)))
def test_any_bytes_are_read_in_bounds(pieces: list[bytes]) -> None:
    """However they are cut, never more waits than came, and never more than a message besides."""
    reader = MessageReader(RULES)
    whole, fed = MessageReader(RULES), b"".join(pieces)
    found: list[Message | Rejection] = []
    for piece in pieces:
        reader.feed(piece)
        while (one := reader.next()) is not None:
            found.append(one)
        assert len(reader.waiting) < 8 + RULES.longest
    whole.feed(fed)
    assert found == list(iter(whole.next, None))


@given(st.lists(st.binary(min_size=1, max_size=90), max_size=20), st.integers(1, 200))
def test_a_stream_is_cut_into_its_messages(contents: list[bytes], size: int) -> None:
    reader = MessageReader(RULES)
    stream = b"".join(diagnostic(BODY, one.hex()) for one in contents)
    found = []
    for start in range(0, len(stream), size):
        reader.feed(stream[start : start + size])
        while (one := reader.next()) is not None:
            found.append(one.payload[4:] if isinstance(one, Message) else None)
    assert found == contents
