"""From a log to columns: `hilbridge export LOG --dbc` beside python-can plus cantools, on the same frames.

    python -m tests.bench.log_columns [FRAMES] [DATABASE]

prints frames a second of each and the ratio, for candump and BLF, by the clock and by the time of processors, which
other programs on the machine do not change. The others read a hundredth of the frames, in which their cost for a frame
is the same. Their values go into lists, which is less than files.
"""

import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import can
import cantools
import opendbc  # type: ignore[import-untyped]
from cantools.database.can import Database

SHARE = 100


def write(path: Path, database: Database, frames: int) -> None:
    """Write frames of all messages of up to eight bytes in turn, with random bytes."""
    chance = random.Random(1)
    messages = [one for one in database.messages if one.length <= 8]
    with path.open("w") as file:
        for index in range(frames):
            message = messages[index % len(messages)]
            identifier = f"{message.frame_id:0{8 if message.is_extended_frame else 3}X}"
            data = chance.randbytes(message.length).hex().upper()
            file.write(f"({1_700_000_000 + index / 4000:.6f}) can0 {identifier}#{data}\n")


def converted(log: Path, blf: Path) -> None:
    """Write the frames of a log as BLF."""
    with can.BLFWriter(blf) as writer:
        for message in can.CanutilsLogReader(log):
            message.channel = 0
            writer.on_message_received(message)


def processor_time() -> float:
    """Seconds that this process and those that it has awaited took of processors."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def ours(log: Path, database: Path, folder: Path) -> tuple[float, float]:
    """Seconds that the command takes, by the clock and of processors."""
    out = folder / "out.parquet"
    shutil.rmtree(out, ignore_errors=True)
    begin, used = time.perf_counter(), processor_time()
    command = [sys.executable, "-m", "hilbridge", "export", str(log), str(out), "--dbc", str(database)]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin, processor_time() - used


def theirs(log: Path, database: Database) -> tuple[float, float]:
    """Seconds in which python-can reads and cantools decodes, by the clock and of processors."""
    columns: dict[str, list[object]] = {}
    begin, used = time.perf_counter(), processor_time()
    with can.LogReader(log) as reader:
        for message in reader:
            try:
                values = database.decode_message(message.arbitration_id, bytes(message.data), decode_choices=False)
            except Exception:  # noqa: BLE001 - a multiplexer of an unknown number
                continue
            assert isinstance(values, dict)
            for name, value in values.items():
                columns.setdefault(name, []).append(value)
    return time.perf_counter() - begin, processor_time() - used


def main() -> None:
    """Print the figures."""
    frames = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    name = sys.argv[2] if len(sys.argv) > 2 else str(Path(opendbc.__file__).parent / "dbc" / "vw_mqb.dbc")
    database = cantools.database.load_file(name, strict=False)
    assert isinstance(database, Database)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        large, small = folder / "large.log", folder / "small.log"
        write(large, database, frames)
        write(small, database, max(frames // SHARE, 1000))
        for suffix in (".log", ".blf"):
            if suffix == ".blf":
                converted(large, large.with_suffix(suffix))
                converted(small, small.with_suffix(suffix))
            own = ours(large.with_suffix(suffix), Path(name), folder)
            others = theirs(small.with_suffix(suffix), database)
            for what, mine, other in zip(("clock", "processors"), own, others, strict=True):
                rate, beside = frames / mine, max(frames // SHARE, 1000) / other
                print(f"{suffix} by the {what}: {rate:,.0f} frames/s", end=", ")
                print(f"python-can plus cantools {beside:,.0f}: {rate / beside:.1f} times")
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"most memory of a process: {used >> 10} MiB")


if __name__ == "__main__":
    main()
