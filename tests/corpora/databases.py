"""All databases of opendbc with the generated ones, and the test data of cantools and canmatrix.

Each is checked, drafted as a bench, run, exported and learned from. Judges of what a file has: cantools with
`strict=False`, and canmatrix where cantools refuses it. What a judge sees is read with the same layout and values, or
it is told that it is not.
"""

import logging
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.database import FORMATS, Database, load_database

from .outcome import Outcome, Verdict, print_table, run

Key = tuple[int, bool]

_NUMBER = re.compile(r" \(\d+\)$")
"""What the second signal of a name on one page has behind its name."""


class Seen(NamedTuple):
    """A message as a judge sees it: its signals by name with start (None: not known), length and scale."""

    name: str
    signals: list[tuple[str, int | None, int, float]]
    message: Any = None


def found_files(folders: list[Path], scratch: Path) -> Iterator[Path]:
    """Yield the databases of packages, the generated ones of opendbc, and those below the folders."""
    from opendbc import get_generated_dbcs  # type: ignore[import-untyped]

    for package in ("opendbc", "canmatrix"):
        folders = [*folders, Path(str(files(package)))]
    for folder in folders:
        yield from sorted(path for path in folder.rglob("*") if path.suffix.lower() in FORMATS)
    for name, text in sorted(get_generated_dbcs().items()):
        path = scratch / f"{name}.dbc"
        path.write_text(text, encoding="utf-8")
        yield path


def judged(path: Path) -> dict[Key, Seen]:
    """Return what the judges see; nothing where both refuse the file."""
    import cantools.database
    from cantools.database.can import Database as CanDatabase

    encoding = "utf-8"
    try:
        path.read_text(encoding)
    except UnicodeDecodeError:
        encoding = "cp1252"
    with suppress(Exception):
        content = cantools.database.load_file(path, encoding=encoding, strict=False)
        if isinstance(content, CanDatabase):
            return {
                (one.frame_id, one.is_extended_frame): Seen(
                    one.name, [(each.name, each.start, each.length, float(each.scale)) for each in one.signals], one
                )
                for one in reversed(content.messages)
            }
    return _by_canmatrix(path)


def _by_canmatrix(path: Path) -> dict[Key, Seen]:
    import canmatrix.formats  # type: ignore[import-untyped]

    logging.disable(logging.CRITICAL)
    seen: dict[Key, Seen] = {}
    identifiers = [int(one) for one in re.findall(r"^BO_ (\d+)", path.read_text(errors="replace"), re.MULTILINE)]
    is_guessing = any(0x7FF < one < 1 << 31 for one in identifiers)
    """It refuses such messages, and gives their signals to the one before them."""
    with suppress(Exception):
        for matrix in canmatrix.formats.loadp(str(path)).values():
            for frame in matrix.frames:
                if frame.name == "VECTOR__INDEPENDENT_SIG_MSG":
                    continue
                signals: list[tuple[str, int | None, int, float]] = [
                    (one.name, None, one.size, float(one.factor))
                    for one in frame.signals
                    if not one.is_multiplexer or path.suffix != ".sym"  # has no name in the file
                ]
                if is_guessing:
                    signals = []
                identifier = frame.arbitration_id
                seen[identifier.id, bool(identifier.extended) or identifier.id > 0x7FF] = Seen(frame.name, signals)
    return seen


def losses(database: Database, seen: dict[Key, Seen]) -> tuple[list[str], list[str]]:
    """Return what is wrong, and what is lost and told: messages, signals, layouts, values."""
    told = "\n".join(database.warnings)
    wrong: list[str] = []
    lost: list[str] = []
    ours = {(one.frame_id, one.is_extended_frame): one for one in reversed(database.messages)}
    for key, one in seen.items():
        if key not in ours:
            known = f"message {one.name} " in told or "0x" in told
            (lost if known else wrong).append(f"message {one.name} 0x{key[0]:X} is not read")
            continue
        try:
            codec = compile_message(ours[key])
        except ConfigurationError as error:
            lost.append(error.message)
            continue
        read = [(codec.name_of(key), one.start, one.length, float(one.scale)) for key, one in codec.layouts.items()]
        read = [(_NUMBER.sub("", name), start, length, scale) for name, start, length, scale in read]
        names = {name for name, *_ in read}
        for name, start, length, scale in one.signals:
            if not any(
                row[0] == name and (start is None or row[1] == start) and row[2:] == (length, scale) for row in read
            ):
                known = name in codec.left_out or f"signal {name} " in told or f"signals {name} " in told
                what = "has another layout" if name in names else "is not read"
                (lost if known else wrong).append(f"signal {name} of {one.name} {what}")
        if one.message is not None and not codec.left_out and not codec.names and not codec.overlaps:
            wrong += _other_values(codec, one)
    return wrong, lost


def _other_values(codec: Any, seen: Seen) -> Iterator[str]:
    source = random.Random(seen.name)
    for _ in range(3):
        data = source.randbytes(codec.length)
        with suppress(Exception):  # a number that selects nothing, which the judge refuses
            values = seen.message.decode(data, decode_choices=False)
            found = codec.decode(data)
            if any(name not in found or found[name] != value for name, value in values.items() if value == value):
                yield f"{seen.name} has other values"


def verdict_of(path: Path, folder: Path) -> tuple[Verdict, str]:
    """Return what comes of a database, and why."""
    bench = folder / "bench.yaml"
    bench.write_text(
        f"name: corpus\nvehicle: compact\nbuses:\n  can:\n    interface: embedded\n    database: {str(path)!r}\n",
        encoding="utf-8",
    )
    checked = run(("check", str(bench)), folder)
    if checked.is_wrong:
        return Verdict.WRONG, f"check: {_last(checked)}"
    if checked.status == 2:
        return Verdict.REFUSED, _last(checked)
    wrong, lost = losses(load_database(path), judged(path))
    if wrong:
        return Verdict.WRONG, "; ".join(wrong[:3]) + (f" and {len(wrong) - 3} more" if len(wrong) > 3 else "")
    for step in ("new", "run", "export", "learn"):
        outcome = _step(step, path, folder)
        if outcome.is_wrong or (step == "new" and outcome.status != 0):
            return Verdict.WRONG, f"{step}: {_last(outcome)}"
        if outcome.status != 0:
            break
    if lost or "nothing is left out" not in checked.text:
        inventory = [line for line in checked.text.splitlines() if line.startswith("database of can")]
        return Verdict.LOSS, "; ".join([*inventory, *lost[:2]])
    return Verdict.RIGHT, ""


def _step(step: str, path: Path, folder: Path) -> Outcome:
    draft, recording, log = folder / "draft.yaml", folder / "recording", folder / "frames.log"
    if step == "new":
        return run(("new", "--from", str(path), str(draft), "--force"), folder)
    if step == "run":
        shutil.rmtree(recording, ignore_errors=True)
        words = ("run", str(draft), "--clock", "virtual", "--duration", "0.2", "--record", str(recording))
        return run(words, folder)
    if step == "export":
        log.unlink(missing_ok=True)
        return run(("export", str(recording), str(log)), folder)
    return run(("learn", str(log)), folder)


def _last(outcome: Outcome) -> str:
    lines = [line for line in outcome.text.splitlines() if line.strip()]
    return f"status {outcome.status}: {lines[-1] if lines else 'nothing printed'}"


def main(folders: list[Path]) -> int:
    """Print the verdicts; return the exit status."""
    found: dict[str, tuple[Verdict, str]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "work").mkdir()
        for path in list(found_files(folders, folder)):
            name = "/".join(path.parts[-3:])
            found[name] = verdict_of(path, folder / "work")
            print(f"{found[name][0]:24} {name}", file=sys.stderr, flush=True)
    return print_table(found)
