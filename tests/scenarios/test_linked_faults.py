"""Physical faults and what hangs on them, on the virtual clock: trouble code, freeze frame, indicator, lamp, healing.

A log that is played beside the frames turns the key and asks like a tester; the recording holds what driver, tester and
instrument cluster have seen. The engine block is small, so that it is warm within seconds.

With the fault there are two driving cycles, without it four. Each fault has one run, which all tests of it look at.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import can
import pytest
import yaml

from ..program import CHECKOUT, database, decoded, record

LAMPS = database().get_message_by_name("WarningLamps")
INPUTS = database().get_message_by_name("DriverInputs")
REST = {signal.name: 0.0 for signal in INPUTS.signals}

SMALL_BLOCK = 1000.0
"""[J/(K·l)], a twenty-fifth of a real one's."""

TESTER, ENGINE = 0x7E0, 0x7E8
CONFIRMED, PENDING, PERMANENT = "01 03", "01 07", "01 0A"
FROZEN_CODE, FROZEN_SPEED, SPEED = "03 02 02 00", "03 02 0C 00", "02 01 0C"
ASKED = (4.0, 3.0)
"""[s] before the end of each cycle, one question every 50 ms."""


class Case(NamedTuple):
    """`throttle`: where the driver holds it, 0..1.

    `cycle`: [s] of a driving cycle, long enough to find the fault: key on, start, run; off for the last two.
    """

    code: str
    entry: str
    value: float
    throttle: float = 0.0
    trips: int = 2
    cycle: float = 24.0


CASES = [
    Case("P0300", "Misfire", 0.05),
    Case("P0171", "LeanMixture", 0.24, throttle=0.1, cycle=42.0),
    Case("P2111", "StuckThrottle", 0.35, trips=1),
    Case("P0217", "CoolingLoss", 1.0, throttle=0.3, trips=1, cycle=42.0),
    Case("P0562", "ChargingLoss", 1.0),
    Case("P0560", "BatteryLoss", 0.75),
    Case("P0563", "Overcharge", 0.2, throttle=0.1),
]


class Heard(NamedTuple):
    """What was on the bus: the lamp as (time [s], lit), and by question and cycle what was answered."""

    cycle: float
    lamp: list[tuple[float, bool]]
    answers: dict[tuple[str, int], bytes]

    def lit(self, cycle: int) -> bool:
        """Whether the lamp burns at the end of a cycle, the engine running."""
        begin, end = ((cycle + 1) * self.cycle - before for before in ASKED)
        (state,) = {lit for t, lit in self.lamp if begin <= t < end}
        return state

    def codes(self, question: str, cycle: int) -> list[str]:
        """`43 02 03 00 21 11`: service, count, codes."""
        content = self.answers[question, cycle][2:]
        return [f"P{content[at : at + 2].hex().upper()}" for at in range(0, len(content), 2)]


def driver_and_tester(case: Case, cycles: int) -> Iterator[tuple[float, int, bytes]]:
    """Time, identifier and data of the frames that they send."""
    for begin in (cycle * case.cycle for cycle in range(cycles)):
        for tenth in range(round(10 * case.cycle)):
            t = tenth / 10
            key = -1 if t < 0.5 or t > case.cycle - 2 else 1 if 1.5 < t < 4 else 0
            controls = {"Key": key, "Throttle": 100 * case.throttle if 5 < t < case.cycle - ASKED[1] else 0}
            yield begin + t, INPUTS.frame_id, INPUTS.encode(REST | controls)
        for number, question in enumerate((CONFIRMED, PENDING, PERMANENT, FROZEN_CODE, FROZEN_SPEED, SPEED)):
            asked = begin + case.cycle - ASKED[0] + 0.01 + number / 20
            yield asked, TESTER, bytes.fromhex(question).ljust(8, b"\0")


def run(folder: Path, case: Case, cycles: int) -> Heard:
    """A run of so many driving cycles, the first two with the fault. Of the frames only that of the lamp is sent."""
    car: dict[str, Any] = yaml.safe_load((CHECKOUT / "config/vehicles/compact.yaml").read_text(encoding="utf-8"))
    car.setdefault("auxiliary", {}).setdefault("thermal", {})["engine_heat_capacity"] = SMALL_BLOCK
    (folder / "car.yaml").write_text(yaml.safe_dump(car), encoding="utf-8")
    frames = sorted(driver_and_tester(case, cycles))
    (folder / "drive.log").write_text(
        "".join(f"({t:.6f}) can0 {identifier:03X}#{data.hex()}\n" for t, identifier, data in frames), encoding="ascii"
    )
    bench: dict[str, Any] = yaml.safe_load((CHECKOUT / "config/benches/diagnostics.yaml").read_text(encoding="utf-8"))
    bench |= {"rate": 100, "vehicle": "./car.yaml", "state": "none"}
    powertrain = bench["buses"]["powertrain"]
    powertrain |= {"transmit": [], "rest_bus": {"file": "drive.log", "loop": False}}
    signals: dict[str, Any] = {name: {} for name in ("Key", "Throttle")}
    driver = {"source": "can", "bus": "powertrain", "message": "DriverInputs", "timeout": 500, "signals": signals}
    bench["inputs"] = [driver]
    bench["faults"] = [{"kind": "physics", "entry": case.entry, "value": case.value, "for": 2 * case.cycle}]
    (folder / "bench.yaml").write_text(yaml.safe_dump(bench), encoding="utf-8")
    return heard(record(folder / "bench.yaml", folder / "recording", cycles * case.cycle), case.cycle)


def heard(frames: list[can.Message], cycle: float) -> Heard:
    """Long answers are put together: their first frame has the length, and six of the bytes."""
    lamp: list[tuple[float, bool]] = []
    answers: dict[tuple[str, int], bytes] = {}
    question = ""
    for frame in frames:
        if frame.arbitration_id == LAMPS.frame_id:
            lamp.append((frame.timestamp, decoded(LAMPS, frame)["MalfunctionIndicator"] == 1))
        elif frame.arbitration_id == TESTER:
            question = bytes(frame.data[: frame.data[0] + 1]).hex(" ").upper()
        elif frame.arbitration_id == ENGINE:
            assert frame.data[0] <= 7  # a single frame: two codes at most
            answers[question, int(frame.timestamp / cycle)] = bytes(frame.data[1 : frame.data[0] + 1])
    return Heard(cycle, lamp, answers)


@pytest.fixture(scope="module", params=CASES, ids=lambda case: f"{case.entry}-{case.code}")
def case(request: pytest.FixtureRequest) -> Case:
    assert isinstance(request.param, Case)
    return request.param


@pytest.fixture(scope="module")
def seen(case: Case, tmp_path_factory: pytest.TempPathFactory) -> Heard:
    """Of the one run of the case."""
    return run(tmp_path_factory.mktemp(case.entry), case, cycles=6)


@pytest.mark.nightly(
    "LeanMixture-P0171", "Overcharge-P0563", "CoolingLoss-P0217", "ChargingLoss-P0562", "Misfire-P0300"
)
def test_a_fault_sets_its_code_with_a_freeze_frame(case: Case, seen: Heard) -> None:
    """In the first driving cycle pending; a code of one trip is confirmed, permanent, and lights the lamp."""
    assert seen.codes(PENDING, 0) == [case.code]
    at_once = [case.code] if case.trips == 1 else []
    assert seen.codes(CONFIRMED, 0) == seen.codes(PERMANENT, 0) == at_once
    assert seen.lit(0) == bool(at_once)
    assert seen.answers[FROZEN_CODE, 0] == bytes.fromhex("42 02 00") + bytes.fromhex(case.code[1:])
    assert seen.answers[FROZEN_SPEED, 0][:3] == bytes.fromhex("42 0C 00")


@pytest.mark.nightly("LeanMixture-P0171", "Overcharge-P0563")
def test_a_fault_lights_the_lamp_and_heals(case: Case, seen: Heard) -> None:
    """Two driving cycles with it; after three without it the lamp is out and nothing is permanent any more."""
    assert seen.codes(CONFIRMED, 1) == [case.code]
    assert [seen.lit(cycle) for cycle in range(6)] == [case.trips == 1, True, True, True, True, False]
    assert seen.codes(PENDING, 3) == []
    assert seen.codes(PERMANENT, 4) == [case.code]
    assert seen.codes(PERMANENT, 5) == []
    assert seen.codes(CONFIRMED, 5) == [case.code]  # until 40 warm-ups have passed


def test_without_a_fault_there_is_no_code(tmp_path: Path) -> None:
    """The small block is no fault either: a driving cycle of a healthy car."""
    seen = run(tmp_path, Case("", "Misfire", 0.0), cycles=1)
    assert seen.codes(PENDING, 0) == seen.codes(CONFIRMED, 0) == []
    assert not seen.lit(0)
    assert {lit for t, lit in seen.lamp if 0.7 < t < 1.4} == {True}  # the bulb is shown before the engine starts
