"""The results of a campaign: a folder with its files, a manifest, and a row for each run that is over.

    manifest.json     campaign, purpose, number of runs, software
    campaign.yaml     the campaign file, as it was
    files/HASH/       the files of each bench and scenario, as they were
    rows.jsonl        a row for each run, as JSON; in the order of the campaign once all are there
    former.jsonl      rows of runs that the campaign does not have as it is now; taken back when it has them again
    unread.jsonl      lines of rows.jsonl that were no rows, as they were
    recordings/RUN/   the recordings of the runs that are to have one
    printed/RUN.txt   the last of what a run has printed that did not pass, if it printed
    campaign.lock     who writes here

A row is on the disk before it counts, and what is there is replaced as a whole by no less, so that what was made is
kept whatever ends the campaign. One campaign at a time writes here.
"""

import errno
import json
import os
import socket
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Annotated, Final, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hilbridge.base.common.bundle_files import read_source, require_no_link, write_bundle
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import is_file, is_there, read_file, replace_file
from hilbridge.base.common.owner_lock import take_lock
from hilbridge.base.common.terminal import printable
from hilbridge.base.common.words import counted
from hilbridge.runs.campaign.play import MOST_PRINTED, Made, Row, line
from hilbridge.runs.campaign.rows import SETTLED, RowError, Rows, StrangeRunError
from hilbridge.runs.campaign.runs import Campaign, CampaignRun, Contents

MANIFEST: Final = "manifest.json"
ROWS: Final = "rows.jsonl"
FORMER: Final = "former.jsonl"
UNREAD: Final = "unread.jsonl"
FILES: Final = "files"
RECORDINGS: Final = "recordings"
PRINTED: Final = "printed"
LOCK: Final = "campaign.lock"
_FORMAT: Final = 1
_BEFORE_MANIFEST: Final = frozenset((LOCK, f"{MANIFEST}.new"))
"""The files that a command leaves when it is killed before it has written the manifest."""

_OWN: Final = (MANIFEST, "campaign.yaml", ROWS, FORMER, UNREAD, FILES, RECORDINGS, PRINTED, LOCK)

_TOLD: Final = 10
"""Lines that are no rows of which each is told."""

_NO_LOCKS: Final = frozenset((errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL))
"""Errors of file systems without locks, such as Lustre that is mounted so."""


class Manifest(BaseModel):
    """The origin of the results; other keys are those of newer programs."""

    model_config = ConfigDict(strict=True, extra="ignore")

    format: Literal[1]
    campaign: str
    purpose: str
    runs: Annotated[int, Field(ge=0)]
    software: dict[str, str]


class Results:
    """The folder of results, open for more rows; a context manager."""

    def __init__(self, folder: Path, campaign: Campaign) -> None:
        """Make the folder, or open the one that holds results of this campaign.

        ConfigurationError: it holds something else, has an owner already, or cannot be written to.
        """
        self.folder: Final = folder
        self.rows: Final[dict[str, Row]] = {}
        self._unsettled: Final[dict[str, Row]] = {}
        self._runs: Final = {run.name: run for run in campaign.runs}
        self._reader: Final = Rows(self._runs, frozenset(campaign.settings.figures))
        self._lock: int | None = None
        try:
            self._check(campaign)
            self._lock = _locked(folder)
            self._check(campaign)
            self._write_files(campaign)
            self._read()
            self._file: Final = os.open(folder / ROWS, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        except OSError as error:
            self._release()
            raise ConfigurationError(f"cannot keep results in {folder}: {error.strerror}") from error
        except BaseException:
            self._release()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            with suppress(OSError):  # the rows are there; only their order is not
                os.close(self._file)
                self._rewrite()
        finally:
            self._release()

    def add(self, made: Made) -> None:
        """Keep a row, a line of JSON; one that does not fit is told. ConfigurationError: the disk does not take it."""
        row = self.row_of(made.row)
        if row is None or row["run"] in self.rows:
            return
        try:
            if made.printed and row["verdict"] != "passed":
                write_bundle(self.folder, {f"{PRINTED}/{row['run']}.txt": made.printed[-MOST_PRINTED:]})
            elif (former := self.printed(row["run"])) is not None:
                former.unlink()
            rest = memoryview(made.row)
            while rest:
                rest = rest[os.write(self._file, rest) :]
            os.fsync(self._file)
        except OSError as error:
            raise ConfigurationError(f"a row was not kept in {self.folder}: {error.strerror}") from error
        self.rows[row["run"]] = row

    def printed(self, run: str) -> Path | None:
        """Return the file with the last of what a run has printed, if there is one."""
        path = self.folder / PRINTED / f"{run}.txt"
        return path if is_file(path) else None

    def row_of(self, content: bytes) -> Row | None:
        """Return the row that a process or a worker has made; None, and it is told: it is none of this campaign."""
        try:
            return self._reader.read(content)
        except RowError as error:
            _tell(f"what came of run {error.run or 'unknown'} is not believed: {error}")
            return None

    def unrecorded(self, campaign: Campaign) -> list[CampaignRun]:
        """Return the runs that are to have a recording and have none, each with the place for it.

        BundleError: a link lies in such a place.
        """
        wanted = campaign.settings.recordings
        made = [run for run in campaign.runs if run.name in self.rows]
        if wanted != "all":
            made = [run for run in made if self.rows[run.name]["verdict"] == "failed"]
            made = made[: wanted if isinstance(wanted, int) else 0 if wanted == "none" else None]
        folder = (self.folder / RECORDINGS).absolute()
        for run in made:
            require_no_link(folder, run.name, f"{run.name}.unfinished")
        return [run._replace(recording=str(folder / run.name)) for run in made if not is_there(folder / run.name)]

    def _check(self, campaign: Campaign) -> None:
        """ConfigurationError: the folder is another campaign's, or no folder of results."""
        self.folder.mkdir(parents=True, exist_ok=True)
        held = sorted({each.name for each in self.folder.iterdir()} - _BEFORE_MANIFEST)
        if held and MANIFEST not in held:
            raise ConfigurationError(f"{self.folder} holds something else ({held[0]}): name a new folder with --into")
        if held:
            require_no_link(self.folder, *_OWN)
            known = read_manifest(self.folder).campaign
            if known != campaign.file.name:
                words = f"{self.folder} holds results of {printable(known)}: name another folder with --into"
                raise ConfigurationError(words)

    def _write_files(self, campaign: Campaign) -> None:
        """Write the manifest first: a folder that has none is taken for something else."""
        facts = {
            "format": _FORMAT,
            "campaign": campaign.file.name,
            "purpose": campaign.settings.purpose,
            "runs": len(campaign.runs),
            "software": campaign.software,
        }
        replace_file(self.folder / MANIFEST, json.dumps(facts, indent=2).encode() + b"\n")
        write_bundle(self.folder, {"campaign.yaml": read_source(campaign.file.path)})
        write_files(self.folder, campaign.files)

    def _read(self) -> None:
        """Take over the rows that are there; lines of another campaign are put aside, and told."""
        found = _Found(self._reader, _lines(self.folder / ROWS))
        if found.strange or found.unread:
            self._put_aside(FORMER, found.strange)
            self._put_aside(UNREAD, [content for _, content, _ in found.unread])
            for number, _, why in found.unread[:_TOLD]:
                _tell(f"{self.folder / ROWS}:{number}: {why}: it is not believed, and kept in {UNREAD}")
            if (more := len(found.unread) - _TOLD) > 0:
                _tell(f"and {counted(more, 'line')} more that are not believed")
            if found.strange:
                words = "of runs that this campaign does not have as it is now"
                _tell(f"{counted(len(found.strange), 'row')} {words}: kept in {self.folder / FORMER}")
        former = _Found(self._reader, _lines(self.folder / FORMER))
        for name, row in {**former.rows, **found.rows}.items():
            (self.rows if row["verdict"] in SETTLED else self._unsettled)[name] = row
        if found.strange or found.unread:
            self._rewrite()

    def _put_aside(self, name: str, lines: Iterable[bytes]) -> None:
        """Add lines to a file, as far as they are not in it."""
        known = _lines(self.folder / name)
        whole = dict.fromkeys(content.rstrip(b"\n") + b"\n" for content in (*known, *lines))
        if len(whole) > len(known):
            replace_file(self.folder / name, b"".join(whole))

    def _rewrite(self) -> None:
        """Write the rows in the order of the campaign."""
        rows = self._unsettled | self.rows
        replace_file(self.folder / ROWS, b"".join(line(rows[name]) for name in self._runs if name in rows))

    def _release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


class _Unread(NamedTuple):
    """A line that is no row: its number, its content, and why."""

    number: int
    content: bytes
    why: str


class _Found:
    """The contents of lines: `rows` by run, lines of `strange` runs, and those that are `unread`."""

    def __init__(self, reader: Rows, lines: Iterable[bytes]) -> None:
        self.rows: Final[dict[str, Row]] = {}
        self.strange: Final[list[bytes]] = []
        self.unread: Final[list[_Unread]] = []
        self._settled: Final[dict[str, _Unread]] = {}  # the first row of each run that has a verdict
        for number, content in enumerate(lines, 1):
            try:
                self._take(number, content, reader.read(content))
            except StrangeRunError:
                self.strange.append(content)
            except RowError as error:
                if content.strip():
                    self.unread.append(_Unread(number, content, str(error)))
        self.unread.sort()

    def _take(self, number: int, content: bytes, row: Row) -> None:
        """Take a row; of two that differ, though they have a verdict, none."""
        name = row["run"]
        if (first := self._settled.get(name)) is not None:
            if content != first.content and self.rows.pop(name, None) is not None:
                self.unread.append(first)
            raise RowError(f"run {name} is on line {first.number} already", name)
        self.rows[name] = row  # in place of one without a verdict, whose run was made again
        if row["verdict"] in SETTLED:
            self._settled[name] = _Unread(number, content, f"run {name} has another row below")


def _lines(path: Path) -> list[bytes]:
    """Return the lines of a file with their line feeds; none if there is no file. OSError: it cannot be read whole."""
    try:
        *whole, rest = read_file(path).split(b"\n")
    except FileNotFoundError:
        return []
    return [*(each + b"\n" for each in whole), *([rest] if rest else [])]


def _locked(folder: Path) -> int | None:
    """Lock the folder for this process; None, and it is told: its file system has no locks.

    ConfigurationError: another campaign writes there.
    """
    remedy = "wait for its end, or name another folder with --into"
    try:
        return take_lock(
            folder / LOCK,
            socket.gethostname(),
            lambda owner: ConfigurationError(
                f"another campaign, process {printable(owner)}, writes its results into {folder}: {remedy}"
            ),
        )
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
        _tell(f"{folder} cannot be locked ({error.strerror}): let no second campaign write there")
        return None


def write_files(folder: Path, files: Mapping[str, Contents]) -> None:
    """Write the files of the runs, which have the names of their hashes. BundleError: a name leads elsewhere."""
    named = {f"{FILES}/{name}/{file}": content for name, each in files.items() for file, content in each.items()}
    write_bundle(folder, named)


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest. ConfigurationError: it cannot be read, is none, or of another format."""
    try:
        return Manifest.model_validate_json(read_file(folder / MANIFEST))
    except (FileNotFoundError, ValidationError):
        reason = ""
    except OSError as error:
        reason = f": {MANIFEST}: {error.strerror or error}"
    raise ConfigurationError(f"{folder} holds no results of a campaign that this program can read{reason}")


def _tell(words: str) -> None:
    sys.stderr.write(f"hilbridge: {printable(words)}\n")
