"""A recording once more: its bench, fed with its inputs, must put the same frames on its buses, byte for byte.

Only links and clock are others (record/playback.py); everything between is what `hilbridge run` runs. Frames are
compared tick by tick, in the order in which they were on the buses, those from outside included; the first that
differs ends the replay.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZipFile

from hilbridge import loop
from hilbridge.bench.bench import Bench
from hilbridge.bench.bench_files import load_bench_files
from hilbridge.bench.stored_state import StoredState
from hilbridge.clock import Clock
from hilbridge.codec.frame import Frame
from hilbridge.common.errors import ConfigurationError
from hilbridge.configuration.benchfile import load_bench
from hilbridge.configuration.bundle import BENCH
from hilbridge.record import manifest
from hilbridge.record.boundary_records import FrameRecord
from hilbridge.record.playback import Playback
from hilbridge.record.recording import Recording
from hilbridge.record.state import load_state

Decoded = dict[str, float]


@dataclass(frozen=True, slots=True)
class Difference:
    """The first frame that is not as recorded; None stands for no frame at all."""

    tick: int
    bus: str
    recorded: Frame | None
    replayed: Frame | None
    message: str | None = None
    """Its name, where both have the same identifier and the database knows it."""
    signals: dict[str, tuple[float, float]] = field(default_factory=dict)
    """The signals that differ: as recorded, and as replayed."""


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """How a replay went. `builds`: what computes the frames here and computed them there, where these differ."""

    ticks: int
    frames: int
    difference: Difference | None
    builds: dict[str, tuple[str, str]]
    changed_files: list[str]
    end: str
    """Why the recording ends where it does; empty when the run ended in good order."""
    missing: bool
    """Records are missing in its middle: what comes after could not be compared."""
    interrupted: bool = False
    """The user wanted the end: nothing was compared from there on."""

    @property
    def identical(self) -> bool:
        """Every frame that was recorded was there again, and no other."""
        return self.difference is None and not self.missing and not self.interrupted


def builds(recording: Recording) -> dict[str, tuple[str, str]]:
    """Of the software: what was another when the recording was made, there and here."""
    there, here = recording.manifest["software"], manifest.software()
    return {
        name: (str(there.get(name)), str(here.get(name)))
        for name in sorted(there.keys() | here.keys())
        if there.get(name) != here.get(name)
    }


def replay(
    recording: Recording, stop: loop.StopRequest | None = None, progress: Callable[[int], None] | None = None
) -> ReplayResult:
    """Replays a recording to its end, to the first difference, or until `stop`; `progress` as Recording.records.

    ConfigurationError: its beginning was removed, or its bench cannot be built here.
    """
    if recording.lacks_beginning:
        raise ConfigurationError(f"{recording.directory} {recording.lacks_beginning}")
    file = load_bench(str(recording.bench.absolute()))
    bench = Bench(file)
    StoredState(bench).restore(load_state(recording.directory / manifest.BENCH / manifest.STATE, _refuse), _refuse)
    stop = stop or loop.StopRequest()
    player = _Player(bench, Playback(recording.records(progress), bench.settings.period), stop)
    player.run()
    playback = player.playback
    interrupted = stop.requested and player.difference is None
    if interrupted:
        end = ""
    elif playback.missing:
        end = "records are missing"
    elif not playback.ended:
        end = recording.damage or "the run did not end in good order"
    else:
        end = ""
    return ReplayResult(
        playback.ticks,
        player.frames,
        player.difference,
        builds(recording),
        manifest.changed_files(recording.directory, recording.manifest),
        end,
        playback.missing,
        interrupted,
    )


def _refuse(complaint: str) -> None:
    raise ConfigurationError(complaint)


class _Player:
    """The stages of a tick are the bench's; then the commands of the tick are obeyed and its frames compared."""

    def __init__(self, bench: Bench, playback: Playback, stop: loop.StopRequest) -> None:
        self.sample = bench.sample
        self.step = bench.step
        self.serve = bench.serve
        self.publish = bench.publish
        self.playback: Final = playback
        self.frames = 0
        self.difference: Difference | None = None
        self._bench: Final = bench
        self._stop: Final = stop
        self._controller = bench.command_handler(self)
        self._replayed: Final[list[FrameRecord]] = []
        bench.connect(self.playback.link, self.playback.port, self.playback.tools)
        for bus in bench.buses.values():
            bus.attach_observer(self._take)

    def run(self) -> None:
        loop.run(self.playback, self, self._stop)

    def write(self, clock: Clock) -> None:
        """Ends the tick."""
        for line in self.playback.commands:
            self._controller.handle(line, clock.t)
        if self.playback.reload:
            self._adopt(self.playback.reload, clock.t)
        self._compare(clock)
        self._replayed.clear()

    def request_stop(self) -> None:
        """The bench shuts down as it did; the recording itself says when that was over."""
        self._bench.shut_down(self.playback.t)

    def request_reload(self) -> None:
        """The recording has what was read then."""

    def _adopt(self, archive: bytes, t: int) -> None:
        with TemporaryDirectory(prefix="hilbridge-") as folder:
            with ZipFile(BytesIO(archive)) as files:
                files.extractall(folder)
            self._bench.adopt(load_bench_files(load_bench(str(Path(folder, BENCH)))), t)
        self._controller = self._bench.command_handler(self)

    def _take(self, _t: int, bus: int, received: bool, frame: Frame) -> None:
        self._replayed.append(FrameRecord(bus, received, frame))

    def _compare(self, clock: Clock) -> None:
        recorded, replayed = self.playback.frames, self._replayed
        if self.playback.is_partial:
            replayed = replayed[: len(recorded)]
        self.frames += len(recorded)
        if recorded == replayed:
            return
        before, now = next(pair for pair in zip_longest(recorded, replayed) if pair[0] != pair[1])
        self.difference = self._difference(clock.t // clock.period, before, now)
        self._stop.requested = True

    def _difference(self, tick: int, recorded: FrameRecord | None, replayed: FrameRecord | None) -> Difference:
        known = recorded or replayed
        bus = "" if known is None else list(self._bench.buses)[known.bus]
        before = None if recorded is None else recorded.frame
        now = None if replayed is None or (recorded is not None and recorded.bus != replayed.bus) else replayed.frame
        if before is None or now is None or before.can_id != now.can_id:
            return Difference(tick, bus, before, now)
        message, was = self._decoded(bus, before)
        _, becomes = self._decoded(bus, now)
        signals = {
            name: (value, becomes[name]) for name, value in was.items() if name in becomes and becomes[name] != value
        }
        return Difference(tick, bus, before, now, message, signals)

    def _decoded(self, bus: str, frame: Frame) -> tuple[str | None, Decoded]:
        """The message of a frame and its physical values, as far as the bus's databases know them."""
        database = self._bench.wiring.databases.get(bus)
        for message in database.messages if database is not None else ():
            same = message.frame_id == frame.identifier and message.is_extended_frame == frame.is_extended
            if same and len(frame.data) >= message.length:
                values = message.decode(frame.data, decode_choices=False)
                numbers = values.items() if isinstance(values, dict) else ()
                return message.name, {name: value for name, value in numbers if isinstance(value, int | float)}
        return None, {}
