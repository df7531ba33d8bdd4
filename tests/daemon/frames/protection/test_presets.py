"""Presets give the frames that the makers' cars send: known frames, and opendbc's checksums as oracle."""

from collections import defaultdict
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opendbc.can.dbc import DBC, Msg, SignalType  # type: ignore[import-untyped]
from opendbc.can.dbc import Signal as OpendbcSignal
from opendbc.can.parser import get_raw_value  # type: ignore[import-untyped]
from opendbc.car.ford.fordcan import calculate_lat_ctl2_checksum  # type: ignore[import-untyped]
from opendbc.car.hyundai.hyundaican import hyundai_checksum  # type: ignore[import-untyped]
from opendbc.car.rivian import riviancan  # type: ignore[import-untyped]
from opendbc.car.volkswagen.mqbcan import VOLKSWAGEN_MQB_MEB_CONSTANTS  # type: ignore[import-untyped]
from opendbc.safety.tests.test_ford import checksum as ford_frame  # type: ignore[import-untyped]
from opendbc.safety.tests.test_hyundai import checksum as hyundai_frame  # type: ignore[import-untyped]
from opendbc.safety.tests.test_rivian import checksum as rivian_frame  # type: ignore[import-untyped]
from pydantic import ValidationError

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.protection import Preset, ProtectionSettings
from hilbridge.frames.codec import CompiledMessage, compile_message
from hilbridge.frames.protection.volkswagen import DATA_IDS

from ..codec.examples import message, signal
from .builders import checker, protected, protector

TOYOTA = {"preset": "toyota", "counter": {"at": {"bit": 1, "width": 6}}}


@pytest.mark.parametrize(
    ("preset", "identifier", "frames"),
    [
        ("vw-mqb", 0x0FD, "8c00000092220000 8601000092220000 4902000092220000 3c03000092220000"),
        ("honda", 0x158, "138809c40000000d 138809c40000001c 138809c40000002b 138809c40000003a"),
        (TOYOTA, 0x2E4, "00000000eb 02000000ed 04000000ef 06000000f1"),
        ("bmw-f", 0x0F3, "546010c0f005ffff 096110c0f005ffff ee6210c0f005ffff"),
    ],
)
def test_known_frames(preset: Any, identifier: int, frames: str) -> None:
    """Frames of counts 0, 1, 2, 3 that clusters and cars accept."""
    expected = [bytes.fromhex(frame) for frame in frames.split()]
    length = len(expected[0])
    sent = protected(protector(preset, identifier=identifier, length=length), expected[0], len(expected))
    assert sent == expected


def test_the_counter_of_a_preset_is_left_out() -> None:
    """Frames of Volkswagen's PQ without a counter: the byte where it usually lies is content, and counts in the xor."""
    without = {"preset": "vw-pq", "counter": "none"}
    content = bytes.fromhex("0012340000000001")
    assert protected(protector(without, length=8), content, 3) == [bytes.fromhex("2712340000000001")] * 3
    assert checker(without, length=8).check(bytes.fromhex("2612340000000001")) == "wrong_checksum"


@pytest.mark.parametrize("counter", [{"left_out": True, "at": {"bit": 0, "width": 4}}, "none"])
def test_only_the_counter_of_a_preset_can_be_left_out(counter: Any) -> None:
    """And then it has no other keys."""
    preset = {"preset": "vw-pq"} if counter != "none" else {"checksum": {"at": {"bit": 0, "width": 8}}}
    with pytest.raises(ValidationError, match=r"left_out|leaves out the counter of a preset, and there is no preset"):
        ProtectionSettings.model_validate(preset | {"counter": counter})


@pytest.mark.parametrize(
    ("identifier", "frames"),
    [
        (0x0A8, "c7080300030f0002"),
        (0x0A9, "9c07427f2ee90f03 00025fae20db212a"),
        (0x0AA, "39470200870a8033 b7090000ffff0400"),
        (0x0B5, "9f0132202330ff43"),
        (0x0B6, "00018000c8"),
        (0x0BA, "03ff0f0000488bef"),
        (0x130, "455139b048 455139b09d 455139b0ae 455139b0c0"),
        (0x190, "fe2f84350000445c fe2f84360000446c"),
        (0x194, "77f980fc 7afc80fc"),
        (0x1A0, "00800050000280f4 00800090ff005002 ffff00088000d802"),
        (0x1B4, "0000e0fb10008a2d"),
    ],
)
def test_frames_of_a_bmw_e65(identifier: int, frames: str) -> None:
    """Frames of a 760Li as HeinrichG-V12/E65_ReverseEngineering publishes them; a changed byte is noticed.

    Some tell rules apart that mostly agree: 0x0B6 and 0x0A9 add the carry once only, 0x1A0 adds the identifier as one
    number.
    """
    for one in map(bytes.fromhex, frames.split()):
        length = len(one)
        assert checker("bmw-e", identifier=identifier, length=length).check(one) is None
        damaged = bytes([one[0], one[1], one[2] ^ 0x10, *one[3:]])
        assert checker("bmw-e", identifier=identifier, length=length).check(damaged) == "wrong_checksum"


def test_the_counter_of_a_bmw_e65_has_no_15() -> None:
    """In the log every count from 0 to 14 comes alike often, and 14 is followed by 0."""
    sent = protected(protector("bmw-e", identifier=0x130, length=5), bytes.fromhex("455139b000"), 16)
    assert [frame[4] & 0xF for frame in sent] == [*range(15), 0]
    assert sent[0].hex() == "455139b0c0"


def test_a_frame_of_a_psa_dashboard() -> None:
    """A 308 T9 takes these two frames for alive (naunaud84820/Peugeot-308-t9-Cluster-simhub): counts 1 and 4."""
    preset = {"preset": "psa", "counter": {"at": {"bit": 60, "width": 4}}, "checksum": {"at": {"bit": 56, "width": 4}}}
    sent = protected(protector(preset, identifier=0x0E6, length=8), bytes.fromhex("0000000000718e00"), 5)
    assert [sent[1].hex(), sent[4].hex()] == ["0000000000718e1d", "0000000000718e4a"]


# -- opendbc as oracle ---------------------------------------------------------------------------------------------

DATABASES = {
    "vw-mqb": "vw_mqb",
    "vw-pq": "vw_pq",
    "honda": "honda_civic_touring_2016_can_generated",
    "toyota": "toyota_nodsu_pt_generated",
    "subaru": "subaru_global_2017_generated",
    "chrysler": "chrysler_pacifica_2017_hybrid_generated",
    "fca-giorgio": "fca_giorgio",
    "tesla": "tesla_model3_party",
    "hyundai-canfd": "hyundai_canfd_generated",
    "psa": "psa_aee2010_r3",
}
"""A database of opendbc for each preset."""

USUAL_BYTE = {"subaru": 0, "chrysler": -1, "fca-giorgio": -1, "toyota": -1, "hyundai-canfd": 0}
"""Where opendbc's function expects the checksum, if it does; a few frames of the databases have it elsewhere."""


def protected_frames(preset: str) -> list[tuple[Msg, OpendbcSignal, OpendbcSignal | None]]:
    """The frames of a database with the signals of their checksum and counter."""
    found = []
    for frame in DBC(DATABASES[preset]).msgs.values():
        sums = [one for one in frame.sigs.values() if one.type > SignalType.COUNTER]
        counters = [one for one in frame.sigs.values() if one.type == SignalType.COUNTER]
        if len(sums) != 1 or (preset == "vw-mqb" and frame.address not in VOLKSWAGEN_MQB_MEB_CONSTANTS):
            continue
        if preset in USUAL_BYTE and sums[0].start_bit // 8 != USUAL_BYTE[preset] % frame.size:
            continue
        found.append((frame, sums[0], counters[0] if counters else None))
    return found


def compiled(frame: Msg, *signals: OpendbcSignal | None) -> CompiledMessage:
    """A message of those signals alone: opendbc's databases have too many overlaps for a whole one."""
    parts = [
        signal(one.name, one.start_bit, one.size, order="little_endian" if one.is_little_endian else "big_endian")
        for one in signals
        if one is not None
    ]
    return compile_message(message(*parts, length=frame.size))


@pytest.mark.parametrize("preset", sorted(DATABASES))
@settings(max_examples=60)
@given(drawing=st.data())
def test_agrees_with_opendbc(preset: str, drawing: st.DataObject) -> None:
    """Any frame of the maker's database with any data: opendbc calculates the checksum that stands in it."""
    frame, checksum, counter = drawing.draw(st.sampled_from(protected_frames(preset)))
    data = drawing.draw(st.binary(min_size=frame.size, max_size=frame.size))
    codec = compiled(frame, checksum, counter)
    one = protector(preset, identifier=frame.address, length=frame.size, codec=codec)
    receiver = checker(preset, identifier=frame.address, length=frame.size, codec=codec)
    assert one.signals == {part.name for part in (checksum, counter) if part is not None}
    for count, sent in enumerate(protected(one, data, 3)):
        assert checksum.calc_checksum is not None
        expected = checksum.calc_checksum(frame.address, checksum, bytearray(sent))
        assert get_raw_value(sent, checksum) == expected
        if counter is not None:
            assert get_raw_value(sent, counter) == count
        assert receiver.check(sent) is None


@pytest.mark.parametrize("preset", sorted({*DATABASES} - {"psa", "toyota"}))
def test_the_usual_places_are_those_of_the_databases(preset: str) -> None:
    """Without a database the same bits are filled as with most frames of it."""
    same = 0
    frames = [each for each in protected_frames(preset) if each[2] is not None]
    for frame, checksum, counter in frames:
        codec = compiled(frame, checksum, counter)
        with_names = protector(preset, identifier=frame.address, length=frame.size, codec=codec)
        by_place = protector(preset, identifier=frame.address, length=frame.size)
        data = bytes(range(0x31, 0x31 + frame.size))
        same += protected(with_names, data, 3) == protected(by_place, data, 3)
    assert same > len(frames) / 2 or preset in {"vw-pq", "tesla"}
    assert same > 0


def test_data_ids_of_volkswagen() -> None:
    """All lists that opendbc knows."""
    assert DATA_IDS == VOLKSWAGEN_MQB_MEB_CONSTANTS


FRAME_BY_FRAME = {
    "ford": (0x091, 0x202, 0x3D6, 0x415),
    "hyundai": (0x260, 0x386, 0x38D, 0x394, 0x421),
    "rivian": (0x120, 0x150, 0x160, 0x162, 0x208, 0x321),
}
"""Presets whose checksums opendbc's databases do not tell: it makes them in its code for cars, or in its tests."""


def made_by_opendbc(preset: str, identifier: int, data: bytes) -> bytes:
    """A frame with this counter and content, and opendbc's checksum."""
    if identifier == 0x3D6:
        return bytes([data[0], calculate_lat_ctl2_checksum(data[0] >> 4 & 7, data[7] >> 1 & 0xF, data), *data[2:]])
    if identifier == 0x38D:
        return data[:7] + bytes([hyundai_checksum(data[:7])])
    if preset == "ford":
        return bytes(ford_frame((identifier, data, 0))[1])
    if preset == "hyundai":
        places = {0x260: (7, 0xF0), 0x386: (7, 0x3F), 0x394: (6, 0xF0), 0x421: (7, 0x0F)}
        bare, (byte, content) = bytearray(data), places[identifier]
        bare[byte] &= content
        bare[5] &= 0x3F if identifier == 0x386 else 0xFF
        return bytes(hyundai_frame((identifier, bare, 0))[1])
    if identifier in (0x150, 0x208):
        return bytes(rivian_frame((identifier, data, 0))[1])
    return bytes([rivian_command(identifier, data), *data[1:]])


def rivian_command(identifier: int, data: bytes) -> int:
    """The checksum of what opendbc sends, whatever its packer makes of the values."""
    sent: dict[str, int] = {}

    def packed(_: str, __: int, values: dict[str, int]) -> tuple[int, bytes, int]:
        sent.update(values)
        return identifier, data, 0

    packer, seen = SimpleNamespace(make_can_msg=packed), defaultdict[str, int](int)
    create: dict[int, Callable[[], object]] = {
        0x120: lambda: riviancan.create_lka_steering(packer, 0, seen, 0, enabled=True, active=True),
        0x160: lambda: riviancan.create_longitudinal(packer, 0, 0, enabled=True),
        0x162: lambda: riviancan.create_adas_status(packer, seen, None),
        0x321: lambda: riviancan.create_wheel_touch(packer, seen, enabled=True),
    }
    create[identifier]()
    return next(number for name, number in sent.items() if name.endswith("_Checksum"))


@pytest.mark.parametrize(
    ("preset", "identifier"), [(one, each) for one in FRAME_BY_FRAME for each in FRAME_BY_FRAME[one]]
)
@settings(max_examples=30)
@given(data=st.binary(min_size=8, max_size=8))
def test_agrees_with_opendbc_frame_by_frame(preset: str, identifier: int, data: bytes) -> None:
    """Any content: the checksum, with the counter in it."""
    sent = protected(protector(preset, identifier=identifier, length=8), data, 17)
    assert [made_by_opendbc(preset, identifier, one) for one in sent] == sent
    receiver = checker(preset, identifier=identifier, length=8)
    assert all(receiver.check(one) is None for one in sent)


# -- J1939 ---------------------------------------------------------------------------------------------------------


@given(st.binary(min_size=8, max_size=8), st.integers(0, (1 << 29) - 1).filter(lambda number: number > 0x7FF))
def test_j1939_message_checksums(data: bytes, identifier: int) -> None:
    """SPN 4207: the sum S of 7 bytes, counter and 4 bytes of the identifier, folded to 3 bits; SPN 3188 to 4 bits."""
    for preset, size in (("j1939", 8), ("j1939-xbr", 16)):
        for count, sent in enumerate(protected(protector(preset, identifier=identifier), data, 20)):
            s = sum(data[:7]) + count % size + sum(identifier >> shift & 255 for shift in (0, 8, 16, 24))
            folded = ((s // 64 % 4) + s // 8 + s) % 8 if preset == "j1939" else (s // 16 + s) % 16
            assert sent == data[:7] + bytes([folded * 16 + count % size])


# -- what a preset needs -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "length", "key", "reason"),
    [
        (
            "vw-mqb",
            8,
            (),
            r"vw-mqb knows the data ids of the frames 0x040, .*; 0x123 is not among them. Give checksum.data_ids;",
        ),
        (
            "bmw-f",
            8,
            (),
            r"bmw-f knows the final xor of the frames 0x0F3, .* Give checksum.xor_out; `hilbridge presets`",
        ),
        ("hyundai-canfd", 48, (), r"of frames of this many bytes: 8, 16, 24, 32; 48 is not among them"),
        ("psa", 8, ("checksum", "at"), "psa has no usual place for it"),
        ("honda", 1, (), "needs 2 bytes or more"),
        ({"preset": "toyota", "checksum": {"polynomial": 7}}, 8, ("checksum", "polynomial"), "not go with sum8"),
    ],
)
def test_what_a_preset_lacks_is_told(settings: Any, length: int, key: tuple[str, ...], reason: str) -> None:
    """With the key that gives it."""
    with pytest.raises(ConfigurationError, match=reason) as caught:
        protector(settings, length=length)
    assert caught.value.place[-1 - len(key) :] == (0, *key)


@pytest.mark.parametrize("preset", get_args(Preset))
def test_every_preset_fills_and_checks(preset: Preset) -> None:
    """With the constants that some need and the place that one needs; a damaged frame is refused."""
    constants = {"vw-mqb": {"data_ids": [1]}, "bmw-f": {"xor_out": 1}, "psa": {"at": {"bit": 0, "width": 4}}}
    constants |= {"vw-mlb": {"initial": 1}, "rivian": {"xor_out": 1}, "hyundai": {"at": {"bit": 0, "width": 4}}}
    constants["ford"] = {"at": {"bit": 0, "width": 8}, "fields": [{"bit": 32, "width": 8}]}
    own = {"preset": preset} | ({"checksum": constants[preset]} if preset in constants else {})
    frame = protected(protector(own), b"\x10\x20\x30\x40\x50\x60\x70\x80")[0]
    assert checker(own).check(frame) is None
    assert checker(own).check(frame[:4] + b"\x53" + frame[5:]) == "wrong_checksum"


def test_what_the_user_gives_replaces_the_preset() -> None:
    """The constant, and the counter's range."""
    own = {"preset": "bmw-f", "checksum": {"xor_out": 0x7A}, "counter": {"maximum": 1}}
    known = protected(protector("bmw-f", identifier=0x0F3), bytes(8), 3)
    assert protected(protector(own), bytes(8), 3) == [known[0], known[1], known[0]]
    mqb = {"preset": "vw-mqb", "checksum": {"data_ids": DATA_IDS[0x0FD]}}
    assert protected(protector(mqb), bytes(8), 16) == protected(protector("vw-mqb", identifier=0x0FD), bytes(8), 16)
