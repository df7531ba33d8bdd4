"""Control units are found by what was said, whatever their addresses; talks are made by hand."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from hilbridge.desk.clone.bench_writer import write_bench
from hilbridge.desk.clone.channel import Talk
from hilbridge.desk.clone.clone import Cloned
from hilbridge.desk.clone.pairing import find_pairs
from hilbridge.desk.clone.unit import ClonedUnit, units_of
from hilbridge.desk.draft.lines import BusAccess
from hilbridge.frames.codec.frame import EXTENDED, Frame
from hilbridge.testing import VirtualBench

SESSION, VOLTAGE, REFUSED = ("10 03", "50 03 00 32 01 F4"), ("22 01 12", "62 01 12 37"), ("22 12 34", "7F 22 31")
TALK = (SESSION, VOLTAGE, VOLTAGE, REFUSED)


class Wire:
    """Frames of requests with their answers, 10 ms apart, with an address byte before each where one is given."""

    def __init__(self) -> None:
        self.talk = Talk()
        self.t = 0

    def put(self, can_id: int, data: str) -> None:
        self.t += 10_000_000
        self.talk.take(Frame(can_id, bytes.fromhex(data)), self.t)

    def say(self, request: tuple[int, str], answer: tuple[int, str], exchanges: Sequence[tuple[str, str]]) -> None:
        for asked, answered in exchanges:
            for (can_id, prefix), payload in ((request, asked), (answer, answered)):
                content = bytes.fromhex(payload)
                self.put(can_id, f"{prefix} {len(content):02X} {payload}")

    def units(self) -> list[ClonedUnit]:
        return units_of(find_pairs(self.talk))


@pytest.mark.parametrize(
    ("request_id", "answer", "address"),
    [
        ((0x7E0, ""), (0x7E8, ""), {"request": 0x7E0, "answer": 0x7E8}),
        ((0x714, ""), (0x77E, ""), {"request": 0x714, "answer": 0x77E}),
        ((0x18DA10F1 | EXTENDED, ""), (0x18DAF110 | EXTENDED, ""), {"address": 0x10}),
        ((0x1B000010 | EXTENDED, ""), (0x1B000099 | EXTENDED, ""), {"request": 0x1B000010, "answer": 0x1B000099}),
        ((0x6F1, "12"), (0x612, "F1"), {"request": 0x6F1, "answer": 0x612, "target": 0x12, "source": 0xF1}),
        ((0x714, "20"), (0x77E, "20"), {"request": 0x714, "answer": 0x77E, "extension": 0x20}),
        ((0x18CE10F1 | EXTENDED, "33"), (0x18CEF110 | EXTENDED, "33"), {"address": 0x10, "extension": 0x33}),
    ],
)
def test_a_control_unit_is_found_by_its_talk(
    request_id: tuple[int, str], answer: tuple[int, str], address: dict[str, int]
) -> None:
    """Normal, normal fixed, extended and mixed addressing, among cyclic frames."""
    wire = Wire()
    for _ in range(3):
        wire.put(0x100, "01 02 03 04 05 06 07 08")
        wire.say(request_id, answer, TALK)
    (unit,) = wire.units()
    assert unit.addresses == [address]


def test_a_unit_that_two_testers_ask_is_one_unit(tmp_path: Path) -> None:
    """18DA28F1 and 18DA28F2, and the same of mixed addressing (ISO 15765-2, 10.3); `check` takes both addresses."""
    wire = Wire()
    for tester in (0xF1, 0xF2):
        request, answer = 0x18DA2800 | tester | EXTENDED, 0x18DA0028 | tester << 8 | EXTENDED
        wire.say((request, ""), (answer, ""), TALK)
        wire.say((request ^ 0x140000, "33"), (answer ^ 0x140000, "33"), TALK)
    units = wire.units()
    assert [unit.addresses for unit in units] == [
        [{"address": 0x28, "extension": 0x33}, {"address": 0x28, "source": 0xF2, "extension": 0x33}],
        [{"address": 0x28}, {"address": 0x28, "source": 0xF2}],
    ]
    file = tmp_path / "clone.yaml"
    file.write_text(write_bench(Cloned([], units, False), "clone", "can", BusAccess("embedded")))
    with VirtualBench(file) as bench:
        assert len(bench.parts.wiring.control_units.ecus) == 2


def test_functional_requests_find_the_standard_address() -> None:
    """Two control units that only answered on 7DF: ISO 15765-4 says where they would hear physical requests."""
    wire = Wire()
    for _ in range(2):
        wire.put(0x7DF, "02 01 00 55 55 55 55 55")
        wire.put(0x7E8, "06 41 00 BE 3F A8 13 55")
        wire.put(0x7E9, "06 41 00 80 00 00 01 55")
    assert {unit.name: unit.addresses for unit in wire.units()} == {
        "engine": [{"request": 0x7E0, "answer": 0x7E8}],
        "transmission": [{"request": 0x7E1, "answer": 0x7E9}],
    }


def test_control_units_with_the_same_request_identifier_are_told_apart() -> None:
    """Extended addressing of several control units: the first byte says which one is asked."""
    wire = Wire()
    for _ in range(2):
        wire.say((0x6F1, "12"), (0x612, "F1"), TALK)
        wire.say((0x6F1, "29"), (0x629, "F1"), TALK)
    assert [unit.addresses[0]["target"] for unit in wire.units()] == [0x12, 0x29]


def test_cyclic_frames_are_no_talk() -> None:
    """Frames that look like single frames, counting, on many identifiers."""
    wire = Wire()
    for count in range(300):
        for can_id in range(0x100, 0x108):
            wire.put(can_id, f"0{1 + count % 7:X} {count % 256:02X} 41 42 43 44 45 46")
    assert wire.units() == []


def test_how_a_control_unit_sends_is_kept() -> None:
    """Block size and separation time of its flow control, padding of its short frames."""
    wire = Wire()
    wire.say((0x7E0, ""), (0x7E8, ""), TALK)
    wire.put(0x7E0, "10 0A 2E F1 99 01 02 03")
    wire.put(0x7E8, "30 08 0A 77 77 77 77 77")
    wire.put(0x7E0, "21 04 05 06 07 55 55 55")
    wire.put(0x7E8, "03 6E F1 99 77 77 77 77")
    (unit,) = wire.units()
    transport = unit.transport
    assert (transport["block_size"], transport["st_min"]) == (8, 10.0)


def listened(*exchanges: tuple[str, str]) -> ClonedUnit:
    wire = Wire()
    wire.say((0x7E0, ""), (0x7E8, ""), exchanges)
    (unit,) = wire.units()
    for pair in unit.pairs:
        unit.listen(pair, "talk.log", 0)
    return unit


UNLOCK = (("27 01", "67 01 12 34"), ("27 02 56 78", "67 02"))


def test_what_was_read_behind_security_access_is_no_finding() -> None:
    """Identification is; what is open before or after is, too."""
    unit = listened(
        ("22 01 01", "62 01 01 11"), *UNLOCK, ("22 01 01", "62 01 01 11"), ("22 01 02", "62 01 02 22"),
        ("22 F1 87", "62 F1 87 41"), ("31 01 02 03", "71 01 02 03 01"), ("11 01", "51 01"), ("22 01 03", "62 01 03 33"),
    )  # fmt: skip
    assert sorted(unit.uds.open_identifiers) == [0x0101, 0x0103, 0xF187]
    assert not unit.uds.routines
    told = "\n".join(map(str, unit.notes))
    assert "service 22, 0102: was read only after security access, and is not cloned (talk.log, " in told
    assert "service 31, 0203: is behind security access" in told


def test_joint_answers_are_taken_apart_where_that_is_certain() -> None:
    """By a length that is known, or the only place of the following identifier; else it is told."""
    unit = listened(
        ("22 01 01", "62 01 01 11"),
        ("22 01 01 02 02", "62 01 01 11 02 02 22"),
        ("22 03 03 02 02", "62 03 03 02 02 02 02"),
    )
    assert {number: one.value for number, one in unit.uds.identifiers.items()} == {0x0101: b"\x11", 0x0202: b"\x22"}
    assert "where 0303 ends in a joint answer is not known" in "\n".join(map(str, unit.notes))


def test_a_request_without_an_answer_is_told() -> None:
    """But not one that asked for silence."""
    wire = Wire()
    wire.say((0x7E0, ""), (0x7E8, ""), TALK)
    wire.put(0x7E0, "02 3E 80")
    wire.put(0x7E0, "03 22 01 99")
    (unit,) = wire.units()
    unit.listen(unit.pairs[0], "talk.log", 0)
    assert [str(note) for note in unit.notes] == ["no answer: to 22 01 99 (talk.log, 0.100 s)"]


def test_the_identifiers_of_a_snapshot_are_found_where_their_lengths_are_known() -> None:
    """From reading them alone; an answer with another identifier stands in the report."""
    wire = Wire()
    wire.say((0x7E0, ""), (0x7E8, ""), (SESSION, ("22 01 01", "62 01 01 11")))
    for code in ("C1 21 87", "C1 55 87"):
        wire.put(0x7E0, f"06 19 04 {code} FF")
        identifier = "01 01 22" if code == "C1 21 87" else "09 09 22"
        payload = f"59 04 {code} 09 01 01 {identifier}"
        wire.put(0x7E8, f"10 0B {payload[:17]}")
        wire.put(0x7E0, "30 00 00")
        wire.put(0x7E8, f"21 {payload[18:]}")
    (unit,) = wire.units()
    unit.listen(unit.pairs[0], "talk.log", 0)
    unit.conclude()
    assert unit.snapshots == {0xC12187: {1: [0x0101]}}
    assert "code C15587: its snapshot holds identifiers of unknown length: 01 01 09 09 22" in "\n".join(
        map(str, unit.notes)
    )
    unit.uds.codes[0xC12187] = 0x09
    text = write_bench(Cloned([], [unit], fd=False), "any", "can", BusAccess("embedded"))
    assert 'snapshots: {"01": {identifiers: ["0101"]}}' in text


def test_services_that_a_control_unit_refused_are_not_there(tmp_path: Path) -> None:
    """Though a UDS server has them by itself; sessions keep their times, and routines their answers."""
    unit = listened(
        ("10 03", "50 03 00 19 00 C8"), ("28 00 01", "7F 28 11"), ("11 01", "7F 11 11"),
        ("31 01 02 03", "71 01 02 03 2A"), ("10 60", "50 60 00 32 01 F4"), ("10 01", "50 01 00 32 01 F4"),
    )  # fmt: skip
    file = tmp_path / "clone.yaml"
    file.write_text(write_bench(Cloned([], [unit], fd=False), "any", "can", BusAccess("embedded")))
    with VirtualBench(file) as bench:
        bench.set("input.Key", 0)
        bench.advance(0.2)
        for request, answer in (
            ("10 03", "50 03 00 19 00 C8"), ("28 00 01", "7F 28 11"), ("11 01", "7F 11 11"),
            ("31 01 02 03", "71 01 02 03 2A"), ("10 60", "50 60 00 32 01 F4"), ("22 01 01", "7F 22 31"),
        ):  # fmt: skip
            assert bench.uds(bytes.fromhex(request)) == bytes.fromhex(answer)


def test_requirements_of_a_reserved_number_are_told() -> None:
    """PID 1C: those that have a name become the key `standard`."""
    told = listened(("01 1C", "41 1C 0E"))
    assert told.obd.standard is None
    assert "PID 1C: 0E is the number of no requirements, and not cloned" in "\n".join(map(str, told.notes))
    named = listened(("01 1C", "41 1C 0D"))
    assert named.obd.standard == "JOBD, EOBD and OBD-II"
    assert not list(named.notes)
