"""The replay of a recording: its bench, fed with its inputs, must put the same frames on its buses, byte for byte.

Only links and clock are replaced (boundary/record/playback.py); everything between is what `hilbridge run` runs. Frames
are compared tick by tick, in their order on the buses, those from outside included; the first that differs ends the
replay.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZipFile

from hilbridge.base.clock import Clock, StopRequest
from hilbridge.base.common.archives import ZIP_ERRORS
from hilbridge.base.common.bundle_files import check_names, write_bundle
from hilbridge.base.common.errors import ConfigurationError, reason_of
from hilbridge.base.common.units import SECOND
from hilbridge.bench.bench import Bench
from hilbridge.bench.bench_files import load_bench_files
from hilbridge.bench.stored_state import StoredState
from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.boundary_records import FRAME_LAYOUT, FrameRecord
from hilbridge.boundary.record.playback import Playback
from hilbridge.boundary.record.recording import Recording
from hilbridge.boundary.record.state import StateData, read_state
from hilbridge.files.configuration.benchfile import BenchFile, load_bench
from hilbridge.files.configuration.bundle import BENCH
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.custom import entries_of
from hilbridge.frames.codec.frame import Frame
from hilbridge.runs import loop
from vehiclesim.databus import DataBus
from vehiclesim.entries import Entries

Decoded = dict[str, float]

_LARGEST_BENCH: Final = 256 << 20
"""[byte] Files of a bench that was adopted, the log of a rest bus among them; more of them are damage."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first frame that is not as recorded; None: there is no frame."""

    tick: int
    bus: str
    recorded: Frame | None
    replayed: Frame | None
    message: str | None = None
    """Name of the message, if both have the same identifier and a database has it."""
    signals: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Signals that differ: recorded and replayed value."""


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """The result of a replay. `builds`: recorded and present software, where they differ."""

    ticks: int
    frames: int
    difference: Difference | None
    builds: dict[str, tuple[str, str]]
    changed_files: list[str]
    end: str
    """Reason why the recording ends; empty when the run ended in good order."""
    missing: bool
    """Whether records are missing, so that the ticks after them could not be compared."""
    interrupted: bool = False
    """Whether the user has ended the replay."""

    @property
    def identical(self) -> bool:
        """Whether exactly the recorded frames were replayed."""
        return self.difference is None and not self.missing and not self.interrupted


def builds(recording: Recording) -> dict[str, tuple[str, str]]:
    """Return the software that has changed since the recording: its version then and now."""
    there, here = recording.manifest["software"], manifest.software()
    return {
        name: (str(there.get(name)), str(here.get(name)))
        for name in sorted(there.keys() | here.keys())
        if there.get(name) != here.get(name)
    }


def recorded_entries(recording: Recording) -> Entries:
    """Return the entries of the data bus of the bench that was recorded. ConfigurationError: it cannot be read here."""
    return entries_of(load_bench(str(recording.bench.absolute())).settings.custom)


def load_recorded(recording: Recording) -> BenchFile:
    """Return the bench file of a recording that can be replayed.

    ConfigurationError: its beginning was removed, or its files are wrong or missing.
    """
    if recording.lacks_beginning:
        raise ConfigurationError(f"{recording.directory} {recording.lacks_beginning}")
    return load_bench(str(recording.bench.absolute()))


def rebuild(recording: Recording, file: BenchFile) -> Bench:
    """Return the bench of a recording as it was before the first tick. ConfigurationError: it cannot be built here."""
    bench = Bench(file)
    StoredState(bench).restore(begun_with(recording), _refuse)
    bench.nvram.connected = recording.manifest.get("stored") is True
    return bench


def replay(
    recording: Recording,
    stop: StopRequest | None = None,
    progress: Callable[[int], None] | None = None,
    watch: Callable[[DataBus, int], None] | None = None,
    bench: Bench | None = None,
    until: int | None = None,
    *,
    reaches: bool = True,
) -> ReplayResult:
    """Replay a recording to its end, to the first difference, or until `stop`; `progress` as Recording.records.

    `watch` gets the data bus and the time [ns] of each tick, when its frames have been sent. `bench`: one that is
    rebuilt already. `until` [ns]: the first tick that is not replayed; `reaches`: the recording must come that far.

    ConfigurationError: its beginning was removed, its bench cannot be built here, or it ends before an `until` that it
    must reach.
    """
    bench = bench or rebuild(recording, load_recorded(recording))
    stop = stop or StopRequest()
    player = Replayer(bench, Playback(recording.records(progress), bench.settings.period), stop, watch)
    player.playback.until = until
    player.run()
    return player.result(recording, reaches=reaches)


def begun_with(recording: Recording) -> StateData:
    """Return the state that the recorded run began with. ConfigurationError: it cannot be read."""
    path = recording.directory / manifest.BENCH / manifest.STATE
    try:
        return read_state(path)
    except FileNotFoundError:
        if manifest.STATE not in recording.manifest["sha256"]:
            return {}
        raise ConfigurationError(f"the stored state {path} of the recording is missing") from None
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"the stored state {path} cannot be read: {reason_of(error)}") from None


def _refuse(complaint: str) -> None:
    raise ConfigurationError(complaint)


def unpack(archive: bytes, folder: Path) -> None:
    """Write the files of an archive into a folder.

    ConfigurationError: it is none, its files are too large, or one of them would not lie in the folder.
    """
    try:
        with ZipFile(BytesIO(archive)) as files:
            entries = files.infolist()
            size = sum(entry.file_size for entry in entries)
            if size <= _LARGEST_BENCH:
                check_names(entry.filename for entry in entries)
                write_bundle(folder, {entry.filename: files.read(entry) for entry in entries})
    except ZIP_ERRORS as error:
        raise ConfigurationError(f"a bench that was adopted is unreadable: {error}") from error
    if size > _LARGEST_BENCH:
        raise ConfigurationError(f"a bench that was adopted has more than {_LARGEST_BENCH >> 20} MiB of files")


class Replayer:
    """The stages of a tick: those of the bench, then the commands of the tick, then the comparison of its frames."""

    def __init__(
        self, bench: Bench, playback: Playback, stop: StopRequest, watch: Callable[[DataBus, int], None] | None
    ) -> None:
        self.sample = bench.sample
        self.step = bench.step
        self.serve = bench.serve
        self.publish = bench.publish
        self.playback: Final = playback
        self.frames = 0
        self.difference: Difference | None = None
        self._bench: Final = bench
        self._stop: Final = stop
        self._watch: Final = watch
        self._replayed: Final[list[bytes]] = []  # payloads, as a recording has them
        self.connect(bench)
        self._command_handler = bench.command_handler(self)
        playback.answer = bench.answer
        for bus in bench.buses.values():
            bus.attach_observer(self._take)

    def connect(self, bench: Bench) -> None:
        """Connect the bench with what was recorded."""
        bench.connect(self.playback.link, self.playback.port, self.playback.tools)

    def run(self) -> None:
        """Replay to the end, to the first difference, or to the tick that was named."""
        loop.run(self.playback, self, self._stop)

    def result(self, recording: Recording, *, reaches: bool = True) -> ReplayResult:
        """Return the result. ConfigurationError: the recording ends before the tick that it must reach."""
        playback = self.playback
        interrupted = self._stop.requested and self.difference is None
        if interrupted or playback.paused:
            end = ""
        elif playback.missing:
            end = playback.damage or recording.damage or "records are missing"
        elif not playback.ended:
            end = recording.damage or "the run did not end in good order"
        else:
            end = ""
        if reaches and playback.until is not None and not (playback.paused or interrupted or self.difference):
            reason = f": {end}" if end else ""
            raise ConfigurationError(
                f"{recording.directory} ends at {(playback.t + playback.period) / SECOND:.9g} s, "
                f"before {playback.until / SECOND:.9g} s{reason}"
            )
        return ReplayResult(
            playback.ticks,
            self.frames,
            self.difference,
            builds(recording),
            manifest.changed_files(recording.directory, recording.manifest),
            end,
            playback.missing,
            interrupted,
        )

    def write(self, clock: Clock) -> None:
        """End the tick: carry out its commands and its reload, and compare its frames."""
        if self._watch is not None:
            self._watch(self._bench.vehicle.data, clock.t)
        self.obey_recorded(clock.t)
        self.compare(clock)

    def obey_recorded(self, t: int) -> None:
        """Carry out what was ordered in the tick of time `t` [ns]."""
        for number, written in self.playback.writings:
            self._bench.nvram.end(number, written=written)
        for line in self.playback.commands:
            self._command_handler.handle(line, t)
        if self.playback.reload:
            self._adopt(self.playback.reload, t)

    def request_stop(self) -> None:
        """Shut down the bench; the recording has the end of that."""
        self._bench.shut_down(self._bench.now)

    def request_reload(self) -> int:
        """Do nothing: the recording has the bench that was read."""
        return 0

    def _adopt(self, archive: bytes, t: int) -> None:
        with TemporaryDirectory(prefix="hilbridge-") as folder:
            unpack(archive, Path(folder))
            self._bench.adopt(load_bench_files(load_bench(str(Path(folder, BENCH)))), t)
        self._command_handler = self._bench.command_handler(self)

    def _take(self, _t: int, bus: int, received: bool, frame: Frame) -> None:
        can_id, data, flags = frame
        self._replayed.append(FRAME_LAYOUT.pack(can_id, bus, received, flags) + data)

    def compare(self, clock: Clock) -> None:
        """Compare the frames of the tick with the recorded ones; the first difference ends the replay."""
        self._compare(clock)
        self._replayed.clear()

    def _compare(self, clock: Clock) -> None:
        payloads = self._replayed
        if self.playback.is_partial:
            payloads = payloads[: len(self.playback.payloads)]
        self.frames += len(self.playback.payloads)
        if self.playback.payloads == payloads:
            return
        recorded, replayed = self.playback.frames, [FrameRecord.decode(payload) for payload in payloads]
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
        message, was = decoded(self._bench, bus, before)
        _, becomes = decoded(self._bench, bus, now)
        signals = {
            name: (value, becomes[name]) for name, value in was.items() if name in becomes and becomes[name] != value
        }
        return Difference(tick, bus, before, now, message, signals)


def decoded(bench: Bench, bus: str, frame: Frame) -> tuple[str | None, Decoded]:
    """Return the message of a frame and its physical values, as far as the bench knows it."""
    database = bench.wiring.messages.get(bus)
    for message in database.messages if database is not None else ():
        same = message.frame_id == frame.identifier and message.is_extended_frame == frame.is_extended
        if same and len(frame.data) >= message.length:
            values = compile_message(message).decode(frame.data)
            return message.name, {name: value for name, value in values.items() if isinstance(value, int | float)}
    return None, {}
