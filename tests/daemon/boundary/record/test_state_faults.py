"""Every call on the files of the stored state fails once, or from then on: nothing is lost, and the reason is told."""

import argparse
import errno
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.resources import Kind, find
from hilbridge.bench.bench import Bench
from hilbridge.boundary.observe.event_ring import RingEvent
from hilbridge.boundary.observe.events import MEMORY, STATE, encode_state
from hilbridge.boundary.observe.rings import Rings
from hilbridge.boundary.observe.state_writer import StateWriter
from hilbridge.boundary.record.state import COPIES, StateData, copy_path, encoded, read_state
from hilbridge.boundary.record.state_backup import back_up, restore
from hilbridge.boundary.record.state_start import load_state
from hilbridge.commands import state as state_command
from hilbridge.files.configuration.benchfile import BenchFile, load_bench
from hilbridge.runs.run import observation
from hilbridge.runs.run.preparation import RunOptions, make_rings

from ....faulty_files import FAULTS, fault_name, faulty_files

Tell = Callable[[str], None]


def of(kilometres: int, **more: Any) -> StateData:
    """A state of the bench of these tests."""
    return {
        "vehicle": {
            "odometer": kilometres * 1_000_000, "odometer_fraction": 0.0, "trip_start": 0, "fuel_left": 1_000_000,
            "fuel_used": 1, "fuel_used_fraction": 0.0, "engine_hours": 1, "engine_hours_fraction": 0.0,
            "engine_revolutions": 1, "engine_revolutions_fraction": 0.0, "battery_charge": 0.5, "long_fuel_trim": 0.0,
        },
        "memory_pieces": {"engine": {"12288": "cafe"}},
    } | more  # fmt: skip


OLD, EARLIER, OLDEST, NEW = encoded(of(3)), encoded(of(2)), encoded(of(1)), encoded(of(4))
DAMAGED = OLD[:-20]
STRANGE = encoded(of(3, vehicle={"wings": 2}))
PIECES = {"engine": {"12288": "cafe", "12800": "beef"}}


class World(NamedTuple):
    """A bench, the folder of its stored state, and what the observer was told of it last."""

    file: BenchFile
    bench: Bench
    path: Path
    handed: list[tuple[Path | None, str]]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("faults")
    text = yaml.safe_load(find(Kind.BENCH, "diagnostics").read_text(encoding="utf-8"))
    text["state"] = str(folder / "kept" / "state.json")
    bench = folder / "bench.yaml"
    bench.write_text(yaml.safe_dump(text, sort_keys=False), encoding="utf-8")
    file = load_bench(str(bench))
    handed: list[tuple[Path | None, str]] = []
    rings = make_rings(file, Bench(file), RunOptions(pace=1.0), None, {})

    def same_rings(*arguments: Any) -> Rings:
        handed.append((arguments[3], arguments[5]))
        return rings

    with pytest.MonkeyPatch.context() as patch:  # shared memory for every case takes most of the time
        patch.setattr(observation, "make_rings", same_rings)
        patch.setattr(observation, "make_bench_archive", lambda *_: None)
        yield World(file, Bench(file), folder / "kept" / "state.json", handed)


def a_run(world: World, tell: Tell) -> None:
    """The start of a run as the program makes it, then the observer: a piece of memory, a state, and the end."""
    begun = observation.Observation(world.file, world.bench, RunOptions(pace=1.0))
    try:
        for complaint in begun.complaints:
            tell(complaint)
        path, unlocked = world.handed[-1]
        assert path == world.path
        writer = StateWriter(path, unlocked)
        writer.take(RingEvent(1, 0, MEMORY, json.dumps(["engine", "12800", "beef"]).encode()))
        new = {key: value for key, value in of(4).items() if key != "memory_pieces"}
        writer.take(RingEvent(2, 0, STATE, encode_state(new)))
        writer.write()
        tell(writer.trouble)
        assert writer.trouble or writer.stored == 3
    finally:
        for descriptor in begun.process._held:
            os.close(descriptor)


def a_restoring(world: World, tell: Tell) -> None:
    restore(world.path.parents[1] / "backup.json", world.path)


def a_restoring_of_the_copy(world: World, tell: Tell) -> None:
    restore(copy_path(world.path, "previous"), world.path)


def a_backup(world: World, tell: Tell) -> None:
    back_up(world.path, world.path.with_name("copy.json"), force=False)


def a_look(world: World, tell: Tell) -> None:
    """`hilbridge state show` prints what cannot be read of it."""
    state_command.run(argparse.Namespace(action="show", bench=str(world.path), json=False))


class Situation(NamedTuple):
    """What the folder holds, what is done, and the content of the file afterwards where nothing fails."""

    files: dict[str, bytes]
    act: Callable[[World, Tell], None]
    odometer: int | None


BESIDE = {".previous": EARLIER, ".at-start": OLDEST}

SITUATIONS = {
    "a first run": Situation({}, a_run, 4),
    "a run": Situation({"": OLD, **BESIDE}, a_run, 4),
    "a run on damage": Situation({"": DAMAGED, **BESIDE}, a_run, 4),
    "a run on damage without copies": Situation({"": DAMAGED}, a_run, 4),
    "a run on damage where one was set aside": Situation(
        {"": DAMAGED, ".damaged": b"other", ".at-start": OLDEST}, a_run, 4
    ),
    "a run that cannot use all": Situation({"": STRANGE}, a_run, 4),
    "a run without a file beside copies": Situation(BESIDE, a_run, 4),
    "a restoring": Situation({"": OLD, **BESIDE}, a_restoring, 7),
    "a restoring over damage": Situation({"": DAMAGED, **BESIDE}, a_restoring, 7),
    "a restoring of the first": Situation({}, a_restoring, 7),
    "a restoring of the copy": Situation({"": OLD, **BESIDE}, a_restoring_of_the_copy, 2),
    "a restoring of the copy over damage": Situation({"": DAMAGED, **BESIDE}, a_restoring_of_the_copy, 2),
    "a backup": Situation({"": OLD, **BESIDE}, a_backup, 3),
    "a look": Situation({"": OLD, **BESIDE}, a_look, 3),
}


def prepare(world: World, situation: Situation) -> None:
    folder = world.path.parent
    folder.mkdir(exist_ok=True)
    for each in folder.iterdir():
        each.unlink()
    for ending, content in situation.files.items():
        copy_path(world.path, "x").with_name(world.path.name + ending).write_bytes(content)
    (world.path.parents[1] / "backup.json").write_bytes(encoded(of(7)))


def kilometres(path: Path) -> int:
    return int(read_state(path)["vehicle"]["odometer"]) // 1_000_000


def every_call(world: World, name: str) -> int:
    """How many calls a clean run makes; it does what it should."""
    situation = SITUATIONS[name]
    prepare(world, situation)
    told: list[str] = []
    with faulty_files(world.path.parent) as layer:
        situation.act(world, told.append)
    assert kilometres(world.path) == situation.odometer
    if situation.act is a_run and situation.files.get("") == OLD:
        assert read_state(world.path)["memory_pieces"] == PIECES
        assert not any(told)
    assert len(layer.calls) > 5
    return len(layer.calls)


def outcomes(world: World, name: str, fault: int, *, lasting: bool) -> Iterator[tuple[str, list[str], bool]]:
    """For every call that fails in turn: its name, what was told, and whether all was done nevertheless."""
    situation = SITUATIONS[name]
    for number in range(every_call(world, name)):
        prepare(world, situation)
        told: list[str] = []
        opened = len(list(Path("/proc/self/fd").iterdir()))
        with faulty_files(world.path.parent, number, fault, lasting=lasting) as layer:
            try:
                situation.act(world, told.append)
            except ConfigurationError as error:
                told.append(error.message)
        assert len(list(Path("/proc/self/fd").iterdir())) <= opened, layer.failed
        yield f"{number} {layer.failed}", [each for each in told if each], bool(layer.failed)


def judge(world: World, name: str, call: str, told: list[str]) -> None:
    """Nothing that was there is lost; the file is as before, or as it should become; and if not, it was told why."""
    files, _, wanted = SITUATIONS[name]
    found = [each.read_bytes() for each in world.path.parent.iterdir()]
    here = world.path.read_bytes() if world.path.exists() else None
    before = files.get("")
    if before is not None:
        assert before in found, call
    if wanted == 2:  # what is restored is there, wherever it breaks off
        assert EARLIER in found, call
    done = here is not None and here != before and decoded_is(world.path, wanted)
    if here is not None and here != before and not done:  # a copy took the place of a damaged one
        assert before == DAMAGED, call
        assert here in files.values(), call
    if here is None:
        assert before is None or before == DAMAGED, call
    if not done and wanted in (2, 4, 7):
        assert told, call
    if done and before is not None and wanted == 4 and before == OLD:
        assert read_state(world.path)["memory_pieces"] == PIECES, call
    good = [content for ending, content in files.items() if ending in ("", *(f".{each}" for each in COPIES))]
    if any(each not in (DAMAGED, STRANGE) for each in good):  # there is one to begin with afterwards, too
        after: list[str] = []
        state = load_state(world.path, after.append)
        assert state or not world.path.exists(), call
        if state:
            assert state["vehicle"]["odometer"] >= 1_000_000, call


def decoded_is(path: Path, wanted: int | None) -> bool:
    try:
        return kilometres(path) == wanted
    except (ValueError, KeyError):
        return False


@pytest.mark.parametrize("fault", FAULTS, ids=fault_name)
@pytest.mark.parametrize("name", SITUATIONS)
def test_a_call_that_fails_loses_nothing(world: World, name: str, fault: int) -> None:
    for call, told, reached in outcomes(world, name, fault, lasting=False):
        assert reached, call
        judge(world, name, call, told)


@pytest.mark.parametrize("fault", [errno.EIO, errno.EROFS], ids=fault_name)
@pytest.mark.parametrize("name", SITUATIONS)
def test_a_disk_that_fails_from_one_call_on_loses_nothing(world: World, name: str, fault: int) -> None:
    for call, told, reached in outcomes(world, name, fault, lasting=True):
        assert reached, call
        judge(world, name, call, told)


@pytest.mark.parametrize("fault", FAULTS[:-1], ids=fault_name)
def test_the_reason_of_the_system_is_told(world: World, fault: int) -> None:
    """In a run on a good state: in each of the messages, or else the run has done everything."""
    for call, told, _ in outcomes(world, "a run", fault, lasting=False):
        complete = decoded_is(world.path, 4) and read_state(world.path)["memory_pieces"] == PIECES
        assert complete or any(os.strerror(fault) in each for each in told), (call, told)


def test_a_short_reading_is_no_damage(world: World) -> None:
    """The file is whole: it is not set aside, and no copy takes its place."""
    for call, told, _ in outcomes(world, "a run", FAULTS[-1], lasting=False):
        assert not any("damaged" in each for each in told), call
        assert not copy_path(world.path, "damaged").exists(), call
