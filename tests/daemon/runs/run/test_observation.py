"""What control units wait for, between the tick and the observer."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.resources import Kind, find
from hilbridge.bench.bench import Bench
from hilbridge.boundary.observe.event_ring import GAP, RingEvent
from hilbridge.boundary.observe.events import LOG, MEMORY, STATE, decode_state
from hilbridge.boundary.record.boundary_records import WRITTEN, WRITTEN_LAYOUT
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.runs.run.observation import Observation
from hilbridge.runs.run.preparation import RunOptions

MS = 1_000_000


class Desk:
    """The tick's side of a run of the diagnostics bench; the test is the observer."""

    def __init__(self, folder: Path, change: Callable[[Any], None] = lambda _bench: None) -> None:
        text = yaml.safe_load(find(Kind.BENCH, "diagnostics").read_text(encoding="utf-8"))
        text["diagnostics"]["units"]["engine"]["uds"]["memory"] = [{"address": 0x3000, "data": "00 00", "write": True}]
        text["state"] = str(folder / "kept" / "state.json")
        change(text)
        path = folder / "bench.yaml"
        path.write_text(yaml.safe_dump(text, sort_keys=False), encoding="utf-8")
        file = load_bench(str(path))
        self.bench = Bench(file)
        self.observation = Observation(file, self.bench, RunOptions(pace=1.0))
        self.recorded: list[tuple[int, int, bool]] = []
        self.bench.boundary.listen(self._record)
        self._reader = self.observation.rings.event_reader()

    def _record(self, kind: int, t: int, payload: bytes) -> bool:
        assert kind == WRITTEN
        self.recorded.append((t, *WRITTEN_LAYOUT.unpack(payload)))
        return True

    def handed(self) -> list[RingEvent]:
        """The events since the last look."""
        return self._reader.read()

    def make_room(self) -> None:
        """Take all events out of the ring."""
        while self._reader.read():
            pass
        self._reader.release(self._reader.position)

    def say(self, *, stored: bool, event: RingEvent) -> None:
        """The observer's word about a state."""
        bookmarks = self.observation.rings.bookmarks
        (bookmarks.stored if stored else bookmarks.unstored)[0] = event.position + 1


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.mark.parametrize("stored", [True, False])
def test_a_writing_ends_when_the_observer_says_so(desk: Desk, *, stored: bool) -> None:
    """It is handed over once, with the state as it is then; its end is recorded in the tick that learns of it."""
    uds = desk.bench.wiring.control_units.uds["engine"]
    identifier = uds.identifiers.find(0xF199)
    uds.identifiers.write(identifier, b"\x20\x26\x11\x23")  # type: ignore[arg-type]
    number = desk.bench.nvram.write()
    for tick in range(5):
        desk.observation.write_nvram(tick * MS)
    (event,) = desk.handed()
    assert decode_state(event.payload)["identifiers"]["engine"] == {"F199": "20261123"}
    assert desk.bench.nvram.is_written(number) is None
    desk.say(stored=stored, event=event)
    desk.observation.write_nvram(5 * MS)
    assert desk.bench.nvram.is_written(number) is stored
    assert desk.recorded == [(5 * MS, number, stored)]


def test_what_is_asked_for_meanwhile_is_written_next(desk: Desk) -> None:
    """One state is on its way at a time."""
    nvram = desk.bench.nvram
    first = nvram.write()
    desk.observation.write_nvram(0)
    second = nvram.write()
    desk.observation.write_nvram(MS)
    (event,) = desk.handed()
    desk.say(stored=True, event=event)
    desk.observation.write_nvram(2 * MS)
    assert [nvram.is_written(one) for one in (first, second)] == [True, None]
    desk.observation.write_nvram(3 * MS)
    (event,) = desk.handed()
    desk.say(stored=True, event=event)
    desk.observation.write_nvram(4 * MS)
    assert nvram.is_written(second)


def test_a_new_observer_gets_everything_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one before it may have taken pieces of memory along; what it says of the earlier state does not count."""
    memory = desk.bench.wiring.control_units.uds["engine"].memory
    memory.regions[0].write(0, b"\xaa\xbb")
    number = desk.bench.nvram.write()
    desk.observation.write_nvram(0)
    before = desk.handed()
    assert [event.kind for event in before] == [MEMORY, STATE]
    monkeypatch.setattr(desk.observation.process, "poll", lambda _t: True)
    desk.observation.process.restarts = 1
    desk.observation.poll(MS)
    desk.say(stored=True, event=before[-1])
    desk.observation.write_nvram(2 * MS)
    assert desk.bench.nvram.is_written(number) is None
    again = [event for event in desk.handed() if event.kind in (MEMORY, STATE)]
    assert [event.kind for event in again] == [MEMORY, STATE]
    assert again[0].payload == before[0].payload
    desk.say(stored=True, event=again[-1])
    desk.observation.write_nvram(3 * MS)
    assert desk.bench.nvram.is_written(number)


def test_a_state_without_room_is_tried_again(desk: Desk) -> None:
    """A hundred times a second, because it is dear to make. Each record that has no room is counted as lost."""
    events = desk.observation.reporter.events
    for size in (1 << 15, 1 << 10, 1):
        while events.put(LOG, 0, bytes(size)):
            pass
    lost = events.lost
    desk.bench.nvram.write()
    tried = []
    for tick in range(35):
        desk.observation.write_nvram(tick * MS)
        if events.lost > lost:
            tried.append(tick)
            lost = events.lost
    assert tried == [0, 10, 20, 30]
    desk.make_room()
    desk.observation.write_nvram(40 * MS)
    assert [event.kind for event in desk.handed()] == [GAP, STATE]


def test_a_state_that_is_too_large_is_not_kept_and_said_so(tmp_path: Path) -> None:
    """Nobody waits for it."""

    def change(bench: Any) -> None:
        bench["diagnostics"]["units"]["engine"]["codes"] = {f"P1{i:03X}": {"text": f"code {i}"} for i in range(2000)}

    desk = Desk(tmp_path, change)
    (complaint,) = desk.observation.complaints
    assert complaint.startswith("nothing is kept of this bench: its state has 0.")
    assert not desk.bench.nvram.connected


def test_two_runs_do_not_keep_their_state_in_one_file(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="another run, process"):
        Desk(tmp_path)
    assert desk.bench.nvram.connected
