"""Logs of other projects through `check`, `learn`, `explain` and `export`.

    pip download --no-deps --no-binary python-can python-can

has some, and so have SavvyCAN's examples; those that python-can writes are made here. Right: read, and python-can,
where it reads the file, has as many data frames. Told loss: frames or lines left out with a reason.
"""

import contextlib
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import can

from hilbridge.boundary.logs.account import Account, LogError
from hilbridge.boundary.logs.formats.catalogue import FORMATS
from hilbridge.boundary.logs.reading import read_here

from .outcome import Outcome, Verdict, print_table, run

_SUFFIXES: Final = frozenset({".asc", ".blf", ".csv", ".crtd", ".gz", ".log", ".mf4", ".trc", ".txt"})
_BENCH: Final = "name: corpus\nvehicle: compact\nbuses:\n  can:\n    interface: embedded\n    rest_bus: {}\n"
_DBC: Final = 'VERSION ""\nBU_: A\nBO_ 256 M: 8 A\n SG_ S : 0|8@1+ (1,0) [0|0] "" A\n'


def found(folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the logs of folders, by their suffixes."""
    for folder in folders:
        yield from sorted(one for one in folder.rglob("*") if one.suffix.lower() in _SUFFIXES and one.is_file())


def made(folder: Path) -> Iterator[Path]:
    """Yield logs that python-can writes, and the cases of every text format."""
    for suffix in (".asc", ".blf", ".csv", ".log", ".mf4", ".trc", ".log.gz"):
        path = folder / f"python-can{suffix}"
        with can.Logger(path) as logger:
            for index in range(300):
                logger.on_message_received(
                    can.Message(timestamp=index / 100, arbitration_id=256 + index % 3, data=[index % 256, 7], channel=0)
                )
        yield path
    for one in FORMATS:
        for number, case in enumerate(one.cases):
            path = folder / f"{one.name} {number}.log".replace(" ", "_")
            path.write_text(f"{case.text}\n", encoding="utf-8")
            yield path


def judged(path: Path, folder: Path) -> tuple[Verdict, str]:
    """Run the commands on a log."""
    account = Account()
    try:
        frames = sum(len(block.times) for block in read_here(path, account))
    except LogError as error:
        frames, account.error = 0, str(error)
    channel = next(iter(account.channels), "1")
    outcomes = _commands(path, channel, folder)
    for name, outcome in outcomes.items():
        if outcome.is_wrong:
            last = outcome.text.strip().splitlines()[-1:] or [f"status {outcome.status}"]
            return Verdict.WRONG, f"{name}: {last[0]}"
    if account.error or not frames:
        return Verdict.REFUSED, account.error or "; ".join(account.words()) or "no data frames"
    for name, outcome in outcomes.items():
        if outcome.status == 2 and not account.error:
            return Verdict.WRONG, f"{name} refuses what is read: {outcome.text.strip().splitlines()[-1]}"
    other = _python_can(path)
    counted = frames + account.unreadable + account.left_out.total()
    if other is not None and other > counted:
        return Verdict.WRONG, f"python-can has {other} data frames, {frames} are read and {counted - frames} counted"
    return (Verdict.LOSS, "; ".join(account.words())) if account.words() else (Verdict.RIGHT, "")


def _commands(path: Path, channel: str, folder: Path) -> dict[str, Outcome]:
    bench, database, out = folder / "bench.yaml", folder / "x.dbc", folder / "out.csv"
    bench.write_text(_BENCH.format(json.dumps({"file": str(path), "channel": channel})), encoding="utf-8")
    database.write_text(_DBC, encoding="utf-8")
    words = {
        "check": ["check", str(bench)],
        "learn": ["learn", str(path), "--channel", channel],
        "export": ["export", str(path), str(out), "--dbc", str(database), "--channel", channel],
    }
    outcomes = {}
    for name, command in words.items():
        outcomes[name] = run(command, folder)
    for one in out.glob("*"):
        one.unlink()
    if out.is_dir():
        out.rmdir()
    return outcomes


def _python_can(path: Path) -> int | None:
    """Return the data frames that python-can reads; None: it refuses the file."""
    with contextlib.suppress(Exception), can.LogReader(path) as reader:
        return sum(not one.is_error_frame and not one.is_remote_frame for one in reader)
    return None


def main(folders: Sequence[Path]) -> int:
    """Judge every log, print the table; return the exit status."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        logs = folder / "logs"
        logs.mkdir()
        paths = [*made(logs), *found(folders)]
        verdicts = {}
        for path in paths:
            verdict = verdicts[path.name] = judged(path, folder)
            print(f"{verdict[0]:24} {path.name}", file=sys.stderr, flush=True)
        return print_table(verdicts)
