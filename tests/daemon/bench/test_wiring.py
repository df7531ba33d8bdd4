"""A bench goes on with another configuration: what stays the same, what changes, and what a refusal leaves behind.

The oracle is a bench that was not touched: adopting what it has already must not move a bit of any frame.
"""

import gc
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.base.clock import VirtualClock
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.bench.bench import Bench
from hilbridge.bench.bench_files import load_bench_files
from hilbridge.boundary.links.embedded import EmbeddedLink
from hilbridge.boundary.links.link import Link
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame

TICK = 5_000_000

BENCH = """
name: changing
rate: 200
seed: 3
vehicle: compact
buses:
  one:
    interface: embedded
    database: powertrain.dbc
    transmit: [HILBRIDGE]
    raw:
      Counter: {id: 0x700, period: 20, data: 0000AA0000000000, protection: [{counter: {at: {bit: 0, width: 4}}}]}
      Fixed: {id: 0x701, period: 100, data: BB}
inputs:
  - {source: can, bus: one, message: DriverInputs, signals: {Throttle: {}, Key: {}}, timeout: 500}
  - {source: demo-driver}
diagnostics: {units: {engine: {unit: engine, bus: one}}}
faults:
  - {kind: frame, bus: one, message: 0x701, effect: drop, probability: 0.5}
"""

Traffic = list[tuple[int, Frame]]


class Driven:
    """A bench that is ticked by hand, and all frames of its bus."""

    def __init__(self, folder: Path, text: str = BENCH, link: Callable[[Bus], Link] = EmbeddedLink) -> None:
        self.folder = folder
        self.bench = Bench(load_bench(str(self._written(text))))
        self.bench.connect(link)
        self.frames: Traffic = []
        self.bench.buses["one"].attach_observer(lambda t, _bus, _received, frame: self.frames.append((t, frame)))
        self.clock = VirtualClock(TICK)

    def _written(self, text: str) -> Path:
        file = self.folder / "bench.yaml"
        file.write_text(text)
        return file

    def run(self, ticks: int, each: Callable[[int], None] = lambda _: None) -> None:
        for _ in range(ticks):
            self.clock.wait()
            each(self.clock.t)
            self.bench.sample(self.clock.t)
            self.bench.step()
            self.bench.serve(self.clock.t)
            self.bench.publish(self.clock.t)

    def adopt(self, text: str = BENCH) -> None:
        self.bench.adopt(load_bench_files(load_bench(str(self._written(text)))), self.clock.t)

    def of(self, can_id: int) -> Traffic:
        return [(t, frame) for t, frame in self.frames if frame.can_id == can_id]


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Traffic:
    """The frames of a run longer than any that is compared with it."""
    driven = Driven(tmp_path_factory.mktemp("untouched"))
    driven.run(1000)
    return driven.frames


@given(moments=st.lists(st.integers(1, 300), min_size=1, max_size=3))
@settings(max_examples=5)
def test_to_adopt_what_there_is_already_changes_no_frame(
    moments: list[int], untouched: Traffic, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """However often, whenever: counters, phases, the demo driver and the luck of the faults go on."""
    driven = Driven(tmp_path_factory.mktemp("same"))
    for ticks in moments:
        driven.run(ticks)
        driven.adopt()
    driven.run(50)
    assert driven.frames == untouched[: len(driven.frames)]
    assert len(driven.frames) > 100


def test_a_changed_frame_changes_alone(untouched: Traffic, tmp_path: Path) -> None:
    """New bytes, a new period and a new frame; the counter goes on, the others do not notice."""
    driven = Driven(tmp_path)
    driven.run(200)
    changed = BENCH.replace("0000AA", "0000CC").replace(
        "period: 100, data: BB}", "period: 200, data: BB}\n      Further: {id: 0x702, period: 50, data: DD}"
    )
    driven.adopt(changed)
    driven.run(200)
    counted = [frame.data for _, frame in driven.of(0x700)]
    assert [data[0] & 15 for data in counted] == [number % 16 for number in range(100)]
    assert [data[2] for data in counted] == [0xAA] * 50 + [0xCC] * 50
    assert len(driven.of(0x702)) == 20
    old_ones = [(t, frame) for t, frame in driven.frames if not 0x700 <= frame.can_id <= 0x702]
    assert old_ones == [(t, f) for t, f in untouched if not 0x700 <= f.can_id <= 0x702 and t < 2 * SECOND]
    assert driven.bench.wiring.plan.frames[-1].sent == len(driven.of(0x702))


PROFILE = """
title: A cluster
confidence: B
tested: here
sources: [this test]
bus:
  raw:
    Needle: {id: 0x703, period: 20, data: 00AA, protection: [{counter: {at: {bit: 0, width: 4}}}]}
"""


def test_a_changed_profile_is_adopted_with_its_bench(tmp_path: Path) -> None:
    """The bench file is as before; the frame has its new bytes, and its counter goes on."""
    text = BENCH.replace("    transmit:", "    profile: ./cluster.yaml\n    transmit:", 1)
    (tmp_path / "cluster.yaml").write_text(PROFILE)
    driven = Driven(tmp_path, text)
    driven.run(100)
    (tmp_path / "cluster.yaml").write_text(PROFILE.replace("00AA", "00CC"))
    driven.adopt(text)
    driven.run(100)
    sent = [frame.data for _, frame in driven.of(0x703)]
    assert [data[1] for data in sent] == [0xAA] * 25 + [0xCC] * 25
    assert [data[0] for data in sent] == [number % 16 for number in range(50)]


def test_a_message_that_is_taken_away_is_sent_no_more(tmp_path: Path) -> None:
    """And with it the fault of it is over."""
    driven = Driven(tmp_path)
    driven.run(100)
    without = "".join(line for line in BENCH.splitlines(keepends=True) if "0x701" not in line and line != "faults:\n")
    driven.adopt(without)
    before = len(driven.of(0x701))
    driven.run(100)
    assert len(driven.of(0x701)) == before
    assert [fault.state for fault in driven.bench.wiring.faults.status()] == ["over"]


def stored(bench: Bench) -> list[tuple[str, list[str]]]:
    return [(one.code, one.states) for one in bench.wiring.control_units.troubles.status()["engine"].stored]


def test_holds_faults_and_trouble_codes_of_commands_stay(tmp_path: Path) -> None:
    driven = Driven(tmp_path)
    bench = driven.bench
    bench.overrides.set("input.Brake", 0.5)
    driven.run(100)
    code = next(iter(bench.wiring.control_units.troubles.codes()["engine"]))
    bench.wiring.control_units.troubles.set("engine", code, "failed", driven.clock.t)
    driven.run(10)
    known = stored(bench)
    driven.adopt()
    driven.run(1)
    brake = next(one for one in bench.wiring.arbiter.control_states() if one.control == "Brake")
    assert (brake.source, brake.value) == ("command", 0.5)
    assert [fault.fault for fault in bench.wiring.faults.status()] == [1]
    assert stored(bench) == known == [(code, ["failing", "pending"])]


@pytest.mark.parametrize(
    "broken",
    [
        BENCH.replace("message: DriverInputs", "message: Nothing"),
        BENCH.replace("message: 0x701", "message: 0x7FF"),
        BENCH.replace("powertrain.dbc", "missing.dbc"),
    ],
)
def test_what_cannot_be_built_leaves_everything_as_it_was(broken: str, untouched: Traffic, tmp_path: Path) -> None:
    """Also where it fails late: nobody of the new configuration stays on the bus."""
    driven = Driven(tmp_path)
    driven.run(100)
    nodes, wiring = driven.bench.buses["one"].nodes, driven.bench.wiring
    with pytest.raises(ConfigurationError):
        driven.adopt(broken)
    assert driven.bench.buses["one"].nodes == nodes
    assert driven.bench.wiring is wiring
    driven.run(100)
    assert driven.frames == untouched[: len(driven.frames)]


class Wire(EmbeddedLink):
    """A link of a bus that counts as hardware, and the identifiers that left through it."""

    def __init__(self, bus: Bus) -> None:
        super().__init__(bus)
        self.sent: list[int] = []

    def receive(self, frame: Frame, t: int) -> None:
        self.sent.append(frame.can_id)

    def taken(self) -> set[int]:
        """What has left since the last call."""
        sent, self.sent = self.sent, []
        return set(sent)


WIRED = """
name: wired
rate: 200
vehicle: compact
buses:
  one:
    interface: socketcan
    channel: can0
    raw:
      Counter: {id: 0x700, period: 20, data: 00}
      Fixed: {id: 0x701, period: 20, data: 00}
      Odometer: {id: 0x702, period: 20, data: 00}
"""


def wired(folder: Path, armed: bool) -> tuple[Driven, Wire]:
    """A bench on hardware that a command has armed, or silenced; its file says nothing of it."""
    wires: list[Wire] = []

    def connect(bus: Bus) -> Wire:
        wires.append(Wire(bus))
        return wires[-1]

    driven = Driven(folder, WIRED, connect)
    driven.bench.gates["one"].armed = armed
    driven.run(10)
    return driven, wires[0]


@pytest.mark.parametrize(
    ("keys", "left"),
    [
        ("", {0x700, 0x701, 0x702}),
        ("never_send: [0x701]", {0x700, 0x702}),
        ("never_send: [0x700-0x7FF]", set()),
        ("allow: [0x702]", {0x702}),
    ],
)
def test_what_may_leave_is_what_the_adopted_file_says(keys: str, left: set[int], tmp_path: Path) -> None:
    """From the next frame on, without a restart, and again when the key is taken out."""
    driven, wire = wired(tmp_path, armed=True)
    assert wire.taken() == {0x700, 0x701, 0x702}
    driven.adopt(WIRED.replace("can0", f"can0\n    {keys}"))
    driven.run(10)
    assert wire.taken() == left
    driven.adopt(WIRED)
    driven.run(10)
    assert wire.taken() == {0x700, 0x701, 0x702}


@pytest.mark.parametrize("armed", [True, False])
@pytest.mark.parametrize("in_file", ["", "armed: true", "armed: false"])
def test_what_was_armed_stays_armed_and_what_was_not_stays_silent(armed: bool, in_file: str, tmp_path: Path) -> None:
    """A reload is no command: whatever the file says of it, a bus sends after it if it did before. So do counters."""
    driven, wire = wired(tmp_path, armed)
    before = driven.bench.gates["one"].statistics
    wire.taken()
    driven.adopt(WIRED.replace("can0", f"can0\n    {in_file}"))
    driven.run(10)
    gate = driven.bench.gates["one"]
    assert (gate.armed, driven.bench.buses["one"].is_armed) == (armed, armed)
    assert wire.taken() == ({0x700, 0x701, 0x702} if armed else set())
    assert gate.statistics is before
    gate.armed = not armed
    driven.run(10)
    assert wire.taken() == (set() if armed else {0x700, 0x701, 0x702})


def test_identifiers_that_others_send_stay_known(tmp_path: Path) -> None:
    """The counts go on and are news once; of a frame that the bench sends no more they are forgotten."""
    driven, wire = wired(tmp_path, armed=True)
    bus, bench = driven.bench.buses["one"], driven.bench
    for can_id in (0x700, 0x701):
        bus.transmit(Frame(can_id, b""), wire)
    driven.run(2)
    assert bench.id_conflicts["one"].status() == {"0x700": 1, "0x701": 1}
    assert [frame.can_id for frame in bench.id_conflicts["one"].new_conflicts()] == [0x700, 0x701]
    driven.adopt(WIRED.replace("      Fixed: {id: 0x701, period: 20, data: 00}\n", ""))
    bus.transmit(Frame(0x700, b""), wire)
    driven.run(2)
    assert bench.id_conflicts["one"].status() == {"0x700": 2}
    assert bench.id_conflicts["one"].new_conflicts() == []


def test_a_control_unit_that_was_built_anew_answers_once(tmp_path: Path) -> None:
    """The old one has left the bus."""
    driven = Driven(tmp_path)
    driven.run(50)
    driven.adopt()

    def ask(t: int) -> None:
        if t == 60 * TICK:
            driven.bench.buses["one"].transmit(Frame(0x7DF, bytes.fromhex("02010C0000000000")), None)
            driven.bench.overrides.set("input.Key", 0)

    driven.bench.overrides.set("input.Key", 0)
    driven.run(20, ask)
    assert [frame.data[:3] for _, frame in driven.of(0x7E8)] == [bytes((4, 0x41, 0x0C))]


def test_at_the_end_every_frame_shows_the_ignition_off(tmp_path: Path) -> None:
    """Each goes once more when it is due, then there is silence: within the longest period, 100 ms in `one`."""
    driven = Driven(tmp_path)
    driven.run(801)
    end = driven.clock.t
    driven.bench.shut_down(end)
    driven.run(400)
    after = [(t, frame.can_id) for t, frame in driven.frames if t > end]
    awake = {frame.can_id for frame in driven.bench.wiring.plan.frames}
    assert sorted(can_id for _, can_id in after if can_id != 0x701) == sorted(awake - {0x701})
    assert driven.bench.wiring.plan.is_asleep
    assert driven.bench.is_shut_down(driven.clock.t)


def living(kinds: list[type]) -> list[int]:
    """How many objects of each class there are."""
    types = Counter(map(type, gc.get_objects()))
    return [types[kind] for kind in kinds]


def test_what_is_replaced_is_freed_without_a_collector(tmp_path: Path) -> None:
    """In real time the collector never looks at what a reload built: a cycle with a message in it would stay for ever.

    Trouble codes and the sources that their monitors watch do stay; they are the same however many messages there are.
    """
    text = BENCH.replace("bus: one}}}", "bus: one, uds: {}}, transmission: {unit: gearbox, bus: one}}}")
    driven = Driven(tmp_path, text)
    automatic = gc.isenabled()
    gc.disable()
    try:
        for _ in range(2):
            driven.run(100)
            old = driven.bench.wiring
            kinds = [type(part) for part in (old, old.plan, old.arbiter, old.control_units, old.faults)]
            del old
            before = living(kinds)
            driven.adopt(text)
            assert living(kinds) == before
    finally:
        if automatic:
            gc.enable()
