"""A talk with our own bench is cloned: the clone answers the same requests the same way, and says what it cannot."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.diagnostics.drive import drive_of
from hilbridge.bench.diagnostics.dtc.store import TroubleStore
from hilbridge.bench.diagnostics.obd.pids import engine_pids, transmission_pids
from hilbridge.commands.cli import main
from hilbridge.desk.clone.bench_writer import write_bench
from hilbridge.desk.clone.channel import Talk
from hilbridge.desk.clone.clone import Cloned, clone
from hilbridge.desk.clone.known_pids import COMPUTED
from hilbridge.desk.clone.pairing import find_pairs
from hilbridge.desk.clone.play import play
from hilbridge.desk.clone.report import facts, unequal, unknown
from hilbridge.desk.clone.unit import units_of
from hilbridge.desk.draft.lines import BusAccess
from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import VirtualBench

PIDS = [0x01, *range(0x03, 0x20), *range(0x21, 0x40), *range(0x41, 0x60), *range(0x61, 0x68), 0x8E, 0xA4, 0xA6]
MASKS = [0x00, 0x20, 0x40, 0x60, 0x80, 0xA0]
ASKED = [
    *(f"01 {pid:02X}" for pid in [*MASKS, *PIDS]),
    *(f"09 {number:02X}" for number in (0x02, 0x04, 0x06, 0x08, 0x0A)),
    *("03", "07", "0A"),
    *("22 F1 90", "22 F1 95", "22 F1 8C", "22 F1 99", "22 F1 98", "22 01 00", "22 01 01", "22 02 00", "22 F4 0C"),
    *("22 F1 8C F1 90", "22 12 34", "22 F1 86"),
    *("10 01", "10 03", "3E 00", "22 F1 86", "2E F1 99 20 26 02 01", "22 F1 99", "2E F1 98 41 42", "27 01"),
    *("31 01 02 00", "85 02", "85 01", "28 00 01", "2F 01 03 00", "19 01 FF", "19 02 FF", "19 0A"),
    *("14 FF FF FF", "10 01", "19 04 12 34 56 01"),
    *("99 00", "11 04", "10 60"),
]  # fmt: skip
NOT_CLONED = {"27 01", "2E F1 98 41 42", "2F 01 03 00", "31 01 02 00"}
"""Security access, what is behind it, what a tester moved, and what a built-in routine works out."""
STATUS = {"19 01 FF", "19 02 FF", "19 0A"}
"""Which bits of its status a code has depends on its monitors; which codes there are does not."""
LIVE = {"22 01 00", "22 01 01", "22 02 00", "22 F4 0C", *(f"01 {pid:02X}" for pid in PIDS)}


class Recorded(NamedTuple):
    log: Path
    said: dict[str, list[bytes]]


def talk(bench: VirtualBench) -> dict[str, list[bytes]]:
    """What each control unit answers to all that is asked, with the key on, asked twice."""
    said: dict[str, list[bytes]] = {}
    bench.set("input.Key", 1)
    bench.advance(0.5)
    for _ in range(2):
        for unit in ("engine", "transmission"):
            for request in ASKED:
                try:
                    answer = bench.uds(bytes.fromhex(request), ecu=unit)
                except TimeoutError:
                    answer = b""
                said.setdefault(f"{unit} {request}", []).append(answer)
        bench.advance(0.5)
    return said


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    log = tmp_path_factory.mktemp("clone") / "talk.log"
    with VirtualBench("diagnostics") as bench:
        said = talk(bench)
        bench.record(log)
    return Recorded(log, said)


@pytest.fixture(scope="module")
def cloned(recorded: Recorded) -> Cloned:
    return clone([recorded.log], None)


def test_a_clone_answers_the_same_requests_the_same_way(recorded: Recorded, cloned: Cloned, tmp_path: Path) -> None:
    """Byte by byte where nothing moves, else as long and as positive; but for what is never cloned."""
    file = tmp_path / "clone.yaml"
    file.write_text(write_bench(cloned, "clone", "powertrain", BusAccess("embedded")))
    with VirtualBench(file) as bench:
        said = talk(bench)
    different = []
    for asked, before in recorded.said.items():
        request, now = asked.partition(" ")[2], said[asked]
        live = request in LIVE or before[0] != before[1]
        if request in NOT_CLONED or before == now or (live and shapes(before) == shapes(now)):
            continue
        if request in STATUS and [codes(one) for one in before] == [codes(one) for one in now]:
            continue
        different.append((asked, [one.hex() for one in before], [one.hex() for one in now]))
    assert not different, "\n".join(map(str, different))


def codes(answer: bytes) -> set[bytes]:
    """The codes of service 19 0A, without their status."""
    return {answer[i : i + 3] for i in range(3, len(answer), 4)} if answer[1:2] == b"\x0a" else {answer[:3]}


def shapes(answers: list[bytes]) -> list[tuple[bytes, int]]:
    """Service and length of each answer."""
    return [(one[:1], len(one)) for one in answers]


def test_the_report_says_what_is_not_cloned(
    recorded: Recorded, cloned: Cloned, capsys: pytest.CaptureFixture[str]
) -> None:
    """Security access with its place in the log, what is behind it, and values that move."""
    assert main(["clone", str(recorded.log), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    engine = report["units"]["engine"]
    assert engine["addresses"] == [{"request": 0x7E0, "answer": 0x7E8}]
    assert engine["vin"] == "WHBZZZ1EZSA000007"
    assert {0x01, 0x03, 0x09, 0x10, 0x19, 0x22, 0x2E} <= set(engine["services"])
    told = "\n".join(engine["unknown"])
    assert "service 27: security access is not cloned, neither seeds nor keys" in told
    assert "talk.log, " in told
    assert "service 2F, 0103: what it moves is not known" in told
    assert "service 2E, F198: is behind security access, and not cloned" in told
    assert main(["clone", str(recorded.log)]) == 0
    assert "7E0, 7E8" in capsys.readouterr().out


@given(st.lists(st.tuples(st.sampled_from([0x7E0, 0x7E8, 0x123, 0x6F1, 0x612]), st.binary(max_size=64)), max_size=80))
def test_no_frames_are_a_surprise(frames: list[tuple[int, bytes]]) -> None:
    """Damaged and foreign frames become control units, notes, or nothing."""
    listener = Talk()
    for number, (can_id, data) in enumerate(frames):
        listener.take(Frame(can_id, data), number * 1_000_000)
    units = units_of(find_pairs(listener))
    for unit in units:
        for pair in unit.pairs:
            unit.listen(pair, "log", 0)
        unknown(unit)
        unit.conclude()
    if units:
        assert write_bench(Cloned([], units, fd=False), "any", "can", BusAccess("embedded"))


@settings(max_examples=30)
@given(data=st.data())
def test_a_damaged_log_is_read_or_refused(recorded: Recorded, data: st.DataObject, tmp_path_factory: Any) -> None:
    """Never with an error of Python: lines are missing, doubled, cut, exchanged, or have other digits."""
    lines = [line for line in recorded.log.read_text().splitlines() if " 7E" in line][:120]
    for _ in range(data.draw(st.integers(1, 12))):
        place = data.draw(st.integers(0, len(lines) - 1))
        other = data.draw(st.integers(0, len(lines) - 1))
        kind = data.draw(st.sampled_from(["drop", "double", "cut", "exchange", "digit"]))
        if kind == "exchange":
            lines[place], lines[other] = lines[other], lines[place]
        elif kind == "cut":
            lines[place] = lines[place][: -2 * data.draw(st.integers(1, 8))]
        elif kind == "digit":
            at = data.draw(st.integers(min(30, len(lines[place])), len(lines[place])))
            lines[place] = lines[place][:at] + data.draw(st.sampled_from("0123456789ABCDEF")) + lines[place][at + 1 :]
        else:
            lines[place] = "" if kind == "drop" else f"{lines[place]}\n{lines[place]}"
    log = tmp_path_factory.mktemp("damaged") / "talk.log"
    log.write_text("\n".join(filter(None, lines)) + "\n")
    with suppress(ConfigurationError):
        found = clone([log], None)
        text = write_bench(found, "any", "can", BusAccess("embedded"))
        facts(found, play(found, text))


def test_no_seed_is_in_the_bench(recorded: Recorded, cloned: Cloned) -> None:
    """Nor anywhere in the report."""
    text = write_bench(cloned, "any", "can", BusAccess("embedded"))
    played = play(cloned, text)
    lines = [line for unit in cloned.units for line in unequal(unit, played[unit.name])]
    told = "\n".join([text, json.dumps(facts(cloned, played)), *lines])
    seeds = {answer[2:].hex() for answer in recorded.said["engine 27 01"] if answer[:1] == b"\x67"}
    assert seeds
    assert not any(seed in told.replace(" ", "").lower() for seed in seeds)


def test_the_computed_pids_are_those_of_the_control_units() -> None:
    """Each of them is answered by a unit without settings, and no other one."""
    with VirtualBench("diagnostics") as bench:
        vehicle = bench.parts.vehicle
    store = TroubleStore({}, vehicle.data)
    drive = drive_of(vehicle.settings)
    assert set(engine_pids(vehicle, store, "EOBD", drive)) == COMPUTED["engine"]
    assert set(transmission_pids(vehicle, store, "EOBD", drive)) == COMPUTED["transmission"]
