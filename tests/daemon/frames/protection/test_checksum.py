"""A checksum covers the bytes and terms that its settings say."""

from pathlib import Path
from typing import Any

import crccheck.checksum  # type: ignore[import-untyped]
import crccheck.crc  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.protection import ChecksumSettings
from hilbridge.frames.protection.checksum import algorithm

from .builders import checker, counted, protected, protector, summed

pytestmark = pytest.mark.usefixtures("own_code")

HOOKS = Path(__file__).with_name("hooks.py")

FRAMES = st.binary(min_size=8, max_size=8)


def last_byte(data: bytes, **checksum: Any) -> int:
    return protected(protector(summed(**checksum)), data)[0][7]


@given(FRAMES)
def test_sums_and_xor_agree_with_crccheck(data: bytes) -> None:
    """Over the first seven bytes."""
    assert last_byte(data) == crccheck.checksum.Checksum8.calc(data[:7])
    assert last_byte(data, algorithm="xor8") == crccheck.checksum.ChecksumXor8.calc(data[:7])
    assert last_byte(data, negate=True) == -sum(data[:7]) % 256
    assert last_byte(data, xor_out=0xFF) == 255 - sum(data[:7]) % 256


@given(FRAMES)
def test_a_fold_adds_the_carry_back(data: bytes) -> None:
    """Once: 255 times what lies above a byte is lost; of a checksum with 4 bits then 15 times what is above them."""
    total = sum(data[:7])
    byte = total - 255 * (total // 256)
    assert last_byte(data, fold=True) == byte % 256
    group = {"checksum": {"at": {"bit": 60, "width": 4}, "algorithm": "sum8", "fold": True, "last": 6}}
    assert protected(protector(group), data)[0][7] >> 4 == (byte - 15 * (byte // 16)) % 16
    halves = sum(int(digit, 16) for digit in data[:7].hex())
    group["checksum"]["algorithm"] = "nibble-sum"
    assert protected(protector(group), data)[0][7] >> 4 == (halves - 15 * (halves // 16)) % 16


@given(FRAMES, st.sampled_from([0, 1]))
def test_a_parity_makes_the_number_of_ones_even_or_odd(data: bytes, odd: int) -> None:
    """Over the whole frame, its own bit included."""
    group = {"checksum": {"at": {"bit": 11, "width": 1}, "algorithm": "parity", "initial": odd}}
    ones = "".join(f"{byte:08b}" for byte in protected(protector(group), data)[0]).count("1")
    assert ones % 2 == odd


@given(FRAMES)
def test_half_bytes(data: bytes) -> None:
    """The digits of the hexadecimal text, added or combined with xor."""
    digits = [int(digit, 16) for digit in data[:7].hex()]
    folded = 0
    for digit in digits:
        folded ^= digit
    assert last_byte(data, algorithm="nibble-sum") == sum(digits) % 256
    assert last_byte(data, algorithm="nibble-xor") == folded


@pytest.mark.parametrize("byte", [0, 3, 7])
@given(data=FRAMES)
def test_the_own_byte_does_not_count(byte: int, data: bytes) -> None:
    """Wherever the checksum stands: a CRC runs over the other bytes as if it were not there."""
    frame = protected(protector(summed(byte=byte, algorithm="crc8")), data)[0]
    assert frame[byte] == crccheck.crc.Crc8SaeJ1850.calc(data[:byte] + data[byte + 1 :])


@given(FRAMES)
def test_own_bits_in_a_shared_byte_count_as_zero(data: bytes) -> None:
    """A CRC that is split over two half bytes sees the other halves."""
    at = [{"bit": 0, "width": 4}, {"bit": 60, "width": 4}]
    frame = protected(protector({"checksum": {"at": at, "algorithm": "crc8"}}), data)[0]
    blank = bytes([data[0] & 0xF0, *data[1:7], data[7] & 0x0F])
    assert (frame[0] & 0x0F) | (frame[7] & 0xF0) == crccheck.crc.Crc8SaeJ1850.calc(blank)
    assert bytes([frame[0] & 0xF0, *frame[1:7], frame[7] & 0x0F]) == blank


@given(FRAMES)
def test_range_and_excluded_bytes(data: bytes) -> None:
    """first and last are within the range."""
    assert last_byte(data, algorithm="crc8", first=1, last=5, exclude=[3]) == crccheck.crc.Crc8SaeJ1850.calc(
        data[1:3] + data[4:6]
    )


def test_terms_come_in_their_order() -> None:
    """before, the bytes, after; the identifier has 2 bytes, or 4 with 29 bits, lowest first."""
    calc = crccheck.crc.Crc8SaeJ1850.calc
    group = summed(byte=1, algorithm="crc8", before=[0xAA, "length"], after=["identifier", 0xBB])
    short = protected(protector(group, length=2, identifier=0x123), b"\x11\x00")[0]
    assert short[1] == calc(bytes([0xAA, 2, 0x11, 0x23, 0x01, 0xBB]))
    long = protected(protector(group, length=2, identifier=0x18FEF100), b"\x11\x00")[0]
    assert long[1] == calc(bytes([0xAA, 2, 0x11, 0x00, 0xF1, 0xFE, 0x18, 0xBB]))


def test_data_ids_follow_the_counter() -> None:
    """The id is chosen by the number that is sent, round and round."""
    group = counted(start=1) | summed(byte=1, after=["data-id"], data_ids=[10, 20, 30])
    sent = protected(protector(group, length=2), b"\x00\x00", 4)
    assert [frame[1] - frame[0] for frame in sent] == [20, 30, 10, 20]


def test_wider_sums_and_named_crcs() -> None:
    """A sum keeps as many bits as it has; a CRC of 16, 32 and 64 bits is that of crccheck."""
    data = bytes(range(200, 216))
    wide = protected(protector({"checksum": {"at": {"bit": 112, "width": 16}, "algorithm": "sum8"}}, length=16), data)[
        0
    ]
    assert int.from_bytes(wide[14:], "little") == sum(data[:14])
    for kind, width, oracle in [
        ("crc16", 16, crccheck.crc.Crc16Ibm3740),
        ("crc32", 32, crccheck.crc.Crc32),
        ("crc64", 64, crccheck.crc.Crc64Xz),
    ]:
        one = protector({"checksum": {"at": {"bit": 0, "width": width}, "algorithm": kind}}, length=16)
        frame = protected(one, data)[0]
        assert int.from_bytes(frame[: width // 8], "little") == oracle.calc(data[width // 8 :])


@pytest.mark.parametrize(
    ("checksum", "key"),
    [
        ({"last": 8}, "last"),
        ({"exclude": [9]}, "exclude"),
        ({"first": 7}, "first"),
        ({"algorithm": "crc8", "polynomial": 0x11D}, "polynomial"),
        ({"algorithm": "crc8", "at": {"bit": 48, "width": 16}}, "at"),
        ({"after": ["data-id"], "data_ids": [1]}, "data_ids"),
    ],
)
def test_what_cannot_be_calculated_is_refused(checksum: dict[str, Any], key: str) -> None:
    """The error names the key."""
    with pytest.raises(ConfigurationError) as caught:
        protector(summed(**checksum))
    assert caught.value.place[-3:] == (0, "checksum", key)


@pytest.fixture(autouse=True)
def _python_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


def hooked(function: str) -> dict[str, Any]:
    return counted() | summed(byte=2, algorithm="hook", function=function)


def test_an_algorithm_without_steps_is_no_sum() -> None:
    """A name that is not known must not become one of the others."""
    settings = ChecksumSettings.model_construct(algorithm="hook")
    with pytest.raises(ValueError, match="no steps for the checksum algorithm 'hook'"):
        algorithm(settings, 8, ())


def test_a_function_calculates_the_checksum() -> None:
    """It gets the bytes with the checksum at 0, the identifier, and the count; its lowest bits are sent."""
    group = hooked(f"{HOOKS}:weighted")
    sent = protected(protector(group, length=4, identifier=0x18FEF100), b"\x00\x10\xee\x20", 3)
    assert [frame[2] for frame in sent] == [
        (count + 2 * 0x10 + 4 * 0x20 + 0x18FEF100 + 3 * count) % 256 for count in range(3)
    ]
    receiver = checker(group, length=4, identifier=0x18FEF100)
    assert [receiver.check(frame) for frame in sent] == [None] * 3
    assert receiver.check(sent[2][:3] + b"\x21") == "wrong_checksum"


def test_a_function_that_fails_ends_nothing() -> None:
    """The frame goes out with 0, and that is counted."""
    failing = protector(hooked(f"{HOOKS}:failing"), length=4)
    sent = protected(failing, bytes(4), 3)
    assert [frame[:3].hex() for frame in sent] == ["000001", "010000", "0200ff"]
    assert failing.failures == 1
    assert protector(counted() | summed(byte=2), length=4).failures == 0


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("no_such_module:checksum", "cannot import no_such_module"),
        (f"{HOOKS}:missing", "hooks.py has no function missing"),
        (f"{HOOKS}:number", "hooks.py has no function number"),
        (f"{HOOKS}:text", "makes no whole number of 4 bytes of 0"),
    ],
)
def test_a_function_that_cannot_work_is_refused(function: str, reason: str) -> None:
    """Before the start, with its place."""
    with pytest.raises(ConfigurationError, match=reason) as caught:
        protector(hooked(function), length=4)
    assert caught.value.place[-2:] == ("checksum", "function")
