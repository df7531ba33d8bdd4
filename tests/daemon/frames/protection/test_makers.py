"""Every protected message of the public databases: made by a bus's presets, judged by opendbc's own functions."""

from importlib.resources import files
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from cantools.database.can import Signal
from hypothesis import given
from hypothesis import strategies as st
from opendbc import get_generated_dbcs  # type: ignore[import-untyped]
from opendbc.can.dbc import DBC  # type: ignore[import-untyped]
from opendbc.can.parser import get_raw_value  # type: ignore[import-untyped]
from opendbc.car.body.bodycan import body_checksum  # type: ignore[import-untyped]
from opendbc.car.ford.fordcan import calculate_lat_ctl2_checksum  # type: ignore[import-untyped]
from opendbc.car.gm.gmcan import create_friction_brake_command  # type: ignore[import-untyped]

from hilbridge.base.common.frame_lengths import frame_length
from hilbridge.files.settings import BusSettings, MessageMap
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.plan.bus_protection import frame_protection

from ..codec.examples import message, signal
from .builders import protected, protector

FAMILIES = {
    "acura_": "honda",
    "chrysler_": "chrysler",
    "fca_giorgio": "fca-giorgio",
    "honda_": "honda",
    "hyundai_canfd_generated": "hyundai-canfd",
    "lexus_": "toyota",
    "psa_": "psa",
    "subaru_global_": "subaru",
    "tesla_model3_party": "tesla",
    "toyota_": "toyota",
    "vw_meb": "vw-mqb",
    "vw_mlb": ["vw-mlb", "vw-mqb"],
    "vw_mqb": "vw-mqb",
    "vw_pq": "vw-pq",
}
"""The presets of a bus by the beginning of the name of its database."""

CONTRADICTIONS = {
    ("fca_giorgio", "NEW_MSG_120"): "CHECKSUM lies in byte 3, opendbc's function takes the last byte for it",
    ("subaru_global_2017_generated", "Steering"): "CHECKSUM lies in byte 4, the function takes byte 0 for it",
    ("subaru_global_2020_hybrid_generated", "Steering"): "the same",
    ("toyota_prius_2010_pt", "STEERING_LKA"): "CHECKSUM lies in byte 4 of 8, the function takes the last one for it",
}
"""Messages of which the database says another place than opendbc's function."""

UNKNOWN = {("vw_meb", "KLR_01"), ("vw_mqb", "PLA_01"), ("vw_mqb", "LH_EPS_01")}
"""Messages whose data ids nobody has published; opendbc leaves them out of the CRC."""

PAYLOADS = 4


def database_files() -> dict[str, str | Path]:
    """Return text or path of each database of these makers, by name."""
    found: dict[str, str | Path] = dict(get_generated_dbcs())
    found |= {path.stem: path for path in (Path(str(files("opendbc"))) / "dbc").glob("*.dbc")}
    return {name: source for name, source in sorted(found.items()) if name.startswith(tuple(FAMILIES))}


FILES = database_files()


@pytest.mark.parametrize("name", FILES)
def test_presets_of_a_bus_make_what_the_maker_s_cars_take(name: str, tmp_path: Path) -> None:
    """One line in the bench file protects every message that has a checksum; the exceptions are those listed."""
    source = FILES[name]
    path = source if isinstance(source, Path) else tmp_path / f"{name}.dbc"
    if isinstance(source, str):
        path.write_text(source)
    presets = next(presets for beginning, presets in FAMILIES.items() if name.startswith(beginning))
    bus = BusSettings.model_validate({"interface": "embedded", "protection": presets})
    oracle, random = DBC(name), Random(name)
    wrong, without = set(), set()
    for one in load_database(path).messages:
        theirs = oracle.addr_to_msg.get(one.frame_id | one.is_extended_frame << 31)
        sums = [each for each in theirs.sigs.values() if each.calc_checksum] if theirs is not None else []
        if not sums:
            continue
        codec, length = compile_message(one), frame_length(one.length)
        protection = frame_protection(MessageMap(), bus, codec, codec.can_id, length, ())
        if protection.protector is None:
            assert protection.doubt is not None
            without.add((name, one.name))
            continue
        for _ in range(PAYLOADS):
            frame = bytearray(random.randbytes(length))
            protection.protector.protect(frame)
            if any(get_raw_value(frame, each) != each.calc_checksum(one.frame_id, each, frame) for each in sums):
                wrong.add((name, one.name))
    assert wrong == {key for key in CONTRADICTIONS if key[0] == name}
    assert without == {key for key in UNKNOWN if key[0] == name}


# -- ways that have no preset, key by key ---------------------------------------------------------------------------


def made(settings: dict[str, object], data: bytes) -> bytes:
    """A frame of this content, protected."""
    (frame,) = protected(protector(settings, length=len(data)), data)
    return frame


@given(st.binary(min_size=6, max_size=8))
def test_a_crc_over_the_bytes_from_the_last_to_the_first(data: bytes) -> None:
    """As the robots of comma make it."""
    place = {"bit": 8 * (len(data) - 1), "width": 8}
    checksum = {"at": place, "algorithm": "crc8", "polynomial": 0xD5, "xor_out": 0, "backwards": True}
    assert made({"checksum": checksum}, data)[-1] == body_checksum(0x123, None, bytearray(data))


def motorola(bit: int, width: int) -> dict[str, object]:
    return {"bit": bit, "width": width, "order": "big"}


@given(st.binary(min_size=8, max_size=8))
def test_a_sum_of_fields_as_ford_makes_it(data: bytes) -> None:
    """LateralMotionControl2: 0xFF less the sum of mode, counter, and of the bytes of four numbers of 10 and 11 bits."""
    numbers = [(23, 3), (20, 8), (55, 3), (52, 8), (28, 3), (25, 8), (33, 2), (47, 8)]
    fields = [motorola(6, 3), motorola(60, 4), *(motorola(*place) for place in numbers)]
    checksum = {"at": motorola(15, 8), "algorithm": "field-sum", "negate": True, "initial": 0xFF, "fields": fields}
    expected = calculate_lat_ctl2_checksum(data[0] >> 4 & 7, data[7] >> 1 & 0xF, bytearray(data))
    assert made({"checksum": checksum}, data)[1] == expected


@given(st.integers(1, 0xFFF), st.integers(0, 3))
def test_a_sum_of_fields_as_gm_makes_it(brake: int, count: int) -> None:
    """EBCMFrictionBrakeCmd: 0x10000 less mode and command, which lie side by side as one number, and the counter."""
    sent: dict[str, int] = {}

    def packed(_: str, __: int, values: dict[str, int]) -> None:
        sent.update(values)

    packer, car = SimpleNamespace(make_can_msg=packed), SimpleNamespace(carFingerprint="")
    create_friction_brake_command(packer, 0, brake, count, True, False, False, car)
    number = sent["FrictionBrakeMode"] << 12 | sent["FrictionBrakeCmd"] & 0xFFF
    data = number.to_bytes(2, "big") + bytes([0, 0, count])
    fields = [motorola(7, 16), motorola(33, 2)]
    checksum = {"at": motorola(23, 16), "algorithm": "field-sum", "negate": True, "fields": fields}
    assert int.from_bytes(made({"checksum": checksum}, data)[2:4], "big") == sent["FrictionBrakeChecksum"]


@pytest.mark.parametrize(
    ("checksum", "complaint"),
    [
        ({"algorithm": "field-sum"}, "is missing: what is added"),
        ({"algorithm": "field-sum", "fields": [motorola(7, 8)], "first": 1}, "does not go with field-sum"),
        ({"algorithm": "sum8", "fields": [motorola(7, 8)]}, "does not go with sum8"),
        ({"algorithm": "sum8", "backwards": True}, "does not go with sum8"),
        ({"algorithm": "field-sum", "fields": [motorola(63, 4)]}, "the checksum itself lies among them"),
    ],
)
def test_keys_belong_to_their_way(checksum: dict[str, object], complaint: str) -> None:
    """A key that would have no effect is an error."""
    with pytest.raises(ValueError, match=complaint):
        protector({"checksum": {"at": motorola(63, 8), **checksum}})


# -- the presets of a bus -------------------------------------------------------------------------------------------

COUNTED = signal("COUNTER", 8, 4)
SEALED = signal("CHECKSUM", 0, 8)


@pytest.mark.parametrize(
    ("own", "presets", "signals", "counters"),
    [
        ({}, "vw-pq", [COUNTED, SEALED], 1),
        ({}, "vw-pq", [SEALED], 0),
        ({}, ["vw-mlb", "vw-pq"], [COUNTED, SEALED], 1),
        ({}, "vw-pq", [COUNTED], None),
        ({}, [], [COUNTED, SEALED], None),
        ({"protection": []}, "vw-pq", [COUNTED, SEALED], None),
    ],
)
def test_a_bus_protects_messages_that_say_nothing_of_it(
    own: dict[str, object], presets: object, signals: list[Signal], counters: int | None
) -> None:
    """With a checksum; a counter that is not there is left out, and the first preset that knows the frame is taken."""
    bus = BusSettings.model_validate({"interface": "embedded", "protection": presets})
    codec = compile_message(message(*signals, length=8))
    found = frame_protection(MessageMap.model_validate(own), bus, codec, codec.can_id, 8, ())
    assert found.doubt is None
    assert found.protector is None if counters is None else found.protector is not None
    if found.protector is not None:
        assert len(found.protector.counts) == counters


def test_a_frame_that_the_bus_s_presets_do_not_know_is_a_doubt() -> None:
    """It goes as it is, and the reason is told."""
    bus = BusSettings.model_validate({"interface": "embedded", "protection": "vw-mqb"})
    codec = compile_message(message(COUNTED, SEALED, length=8))
    found = frame_protection(MessageMap(), bus, codec, codec.can_id, 8, ("here",))
    assert found.protector is None
    assert found.doubt is not None
    assert "goes without counter and checksum: vw-mqb knows the data ids" in found.doubt.message
