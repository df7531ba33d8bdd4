"""When in a tick an FMU takes and gives values, and what becomes of late, wrong and missing answers."""

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.bench import Bench
from hilbridge.bench.bench_files import load_bench_files
from hilbridge.bench.fmu.part import FmuPart
from hilbridge.bench.fmu.values import FmuValues
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.runs.reload.restart_rules import needs_restart
from vehiclesim.channels import INPUT, InputData
from vehiclesim.entries import STANDARD

BENCH = """\
name: beside
vehicle: compact
custom:
  Double: {expression: 2 * vehicle.EngineRpm}
fmu:
  other:
    file: other.fmu
    inputs: {pedal: input.Throttle, shift: input.GearShift, speed: vehicle.Speed}
    outputs: {rpm: vehicle.EngineRpm, brake: input.Brake}
"""


class Port:
    """A process that notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, list[float], int, int]] = []

    def ask(self, steps: int, values: Sequence[float], t: int, due: int) -> None:
        self.asked.append((steps, list(values), t, due))


class Rig:
    """A bench with one FMU, in ticks of 1 ms."""

    def __init__(self, folder: Path, text: str = BENCH) -> None:
        file = folder / "bench.yaml"
        file.write_text(text, encoding="utf-8")
        self.bench = Bench(load_bench(str(file)))
        self.bench.connect()
        self.fmu: FmuValues = self.bench.wiring.fmus["other"]
        self.port = self.fmu.port = Port()
        self.t = -MILLISECOND

    def tick(self, *answer: float, skip: int = 0, trouble: str = "") -> None:
        """Make a tick with an answer of the FMU, if there is one, after `skip` missed ones."""
        self.t += (1 + skip) * MILLISECOND
        self.fmu.feed(struct.pack(f"<{len(answer)}d", *answer), self.t, trouble)
        self.bench.sample(self.t)
        self.bench.step()
        self.bench.serve(self.t)
        self.bench.publish(self.t)

    def read(self, path: str) -> float:
        entries = self.bench.vehicle.data.entries
        place = entries.find(path)
        assert place is not None
        return self.bench.vehicle.data.read(*place)


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    one = Rig(tmp_path)
    yield one
    one.bench.close()


def test_it_is_asked_at_the_end_of_a_tick_for_the_next_one(rig: Rig) -> None:
    rig.bench.overrides.set("input.Throttle", 0.25)
    rig.tick(800, 0.5)
    speed = rig.read("vehicle.Speed")
    assert rig.port.asked == [(1, [0.25, 0.0, speed], 0, MILLISECOND)]
    rig.tick(801, 0.5)
    assert [row[2:] for row in rig.port.asked] == [(0, MILLISECOND), (MILLISECOND, 2 * MILLISECOND)]


def test_it_sees_a_gear_step_that_the_vehicle_takes_back(rig: Rig) -> None:
    rig.tick(800, 0)
    rig.bench.overrides.set("input.GearShift", 1)
    rig.tick(800, 0)
    assert rig.port.asked[-1][1][1] == 1.0
    assert rig.bench.vehicle.data.channels[INPUT][InputData.GEAR_SHIFT] == 0
    rig.tick(800, 0)
    assert rig.port.asked[-1][1][1] == 0.0


def test_computed_entries_are_replaced_before_what_follows_from_them(rig: Rig) -> None:
    rig.tick(812.5, 0.125)
    assert (rig.read("vehicle.EngineRpm"), rig.read("input.Brake"), rig.read("custom.Double")) == (812.5, 0.125, 1625)


def test_a_late_answer_keeps_the_last_values_and_is_counted(rig: Rig) -> None:
    """Four ticks without one; then the steps that were missed are asked for with the next one."""
    rig.tick(800, 0.5)
    for _ in range(4):
        rig.tick()
    assert (rig.read("vehicle.EngineRpm"), rig.read("input.Brake"), rig.fmu.late) == (800, 0.5, 4)
    assert len(rig.port.asked) == 1
    rig.tick(805, 0.5)
    assert (rig.read("vehicle.EngineRpm"), rig.fmu.late) == (805, 4)
    assert rig.port.asked[-1][0] == 5
    assert rig.port.asked[-1][2:] == (5 * MILLISECOND, 6 * MILLISECOND)


def test_of_what_was_missed_20_ms_are_made_up_for(rig: Rig) -> None:
    rig.tick(800, 0)
    rig.tick(800, 0, skip=49)
    assert (rig.port.asked[-1][0], rig.fmu.skipped) == (20, 30)


def test_a_longer_step_is_asked_for_once(tmp_path: Path) -> None:
    rig = Rig(tmp_path, BENCH + "    step: 5\n")
    rig.tick(800, 0)
    for _ in range(4):
        rig.tick()
    assert (len(rig.port.asked), rig.fmu.late) == (1, 0)
    rig.tick(801, 0)
    assert [row[2:] for row in rig.port.asked] == [(0, 5 * MILLISECOND), (5 * MILLISECOND, 10 * MILLISECOND)]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_no_number_is_not_available_and_held_by_nobody(rig: Rig, value: float) -> None:
    rig.tick(800, 0.5)
    rig.tick(value, value)
    assert (repr(rig.read("vehicle.EngineRpm")), rig.read("input.Brake")) == ("nan", 0)


def test_a_value_beyond_the_range_is_limited_and_counted(rig: Rig) -> None:
    rig.tick(1e300, 1.5)
    assert rig.read("input.Brake") == 1
    assert rig.fmu.source.limited == 1
    assert rig.bench.vehicle.data.get(*STANDARD.find("vehicle.EngineRpm") or (0, 0)) == 2147483647


def test_one_that_is_lost_gives_back_what_it_held(rig: Rig) -> None:
    rig.tick(800, 0.5)
    rig.tick(trouble="it has gone")
    asked = len(rig.port.asked)
    rig.tick(trouble="it has gone")
    assert (repr(rig.read("vehicle.EngineRpm")), rig.read("input.Brake")) == ("nan", 0)
    assert (len(rig.port.asked), rig.fmu.late) == (asked, 0)
    part = rig.bench.wiring.parts["fmu"]
    assert isinstance(part, FmuPart)
    ((name, row),) = part.rows()
    assert (name, row.file, row.trouble, row.step) == ("other", "other.fmu", "it has gone", 0.001)


def test_commands_are_above_it(rig: Rig) -> None:
    rig.bench.overrides.set("input.Brake", 0.75)
    rig.tick(800, 0.5)
    assert rig.read("input.Brake") == 0.75


def test_it_replaces_what_is_told(rig: Rig) -> None:
    (doubt,) = rig.bench.wiring.parts["fmu"].doubts()
    assert (
        doubt == "fmu.other: writes 1 computed entry; all others are of the built-in vehicle, which goes on behind it"
    )
    assert rig.bench.wiring.parts["fmu"].describe() == {
        "other": "other.fmu: 3 inputs, 2 outputs, each 1 ms; one step late"
    }


def test_a_bench_without_one_has_no_part(tmp_path: Path) -> None:
    (tmp_path / "bench.yaml").write_text("name: plain\nvehicle: compact\n")
    assert "fmu" not in Bench(load_bench(str(tmp_path / "bench.yaml"))).wiring.parts


def test_a_reload_goes_on_with_it_and_takes_no_other(rig: Rig, tmp_path: Path) -> None:
    rig.tick(800, 0.5)
    before = load_bench(str(tmp_path / "bench.yaml"))
    (tmp_path / "bench.yaml").write_text(BENCH + "shutdown: 3\n")
    after = load_bench(str(tmp_path / "bench.yaml"))
    assert [*needs_restart(before, after)] == []
    rig.bench.adopt(load_bench_files(after), rig.t)
    rig.fmu = rig.bench.wiring.fmus["other"]
    assert rig.fmu.port is rig.port
    rig.tick()
    assert (rig.read("vehicle.EngineRpm"), rig.read("input.Brake"), rig.fmu.late) == (800, 0.5, 1)
    rig.tick(801, 0.5)
    assert rig.port.asked[-1] == (2, rig.port.asked[-1][1], 2 * MILLISECOND, 3 * MILLISECOND)
    (tmp_path / "bench.yaml").write_text(BENCH + "    step: 5\n")
    assert [*needs_restart(before, load_bench(str(tmp_path / "bench.yaml")))] == [("fmu",)]
