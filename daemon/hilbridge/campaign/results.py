"""The results of a campaign: a folder with its files, a manifest, and a row for each run that is over.

    manifest.json     campaign, purpose, number of runs, software
    campaign.yaml     the campaign file, as it was
    files/HASH/       the files of each bench and scenario, as they were
    rows.jsonl        a row for each run, as JSON; in the order of the campaign once all are there
    recordings/RUN/   the recordings of the runs that are to have one

A row is on the disk before it counts, so that what was made is kept whatever ends the campaign.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from hilbridge.campaign.play import Row, line
from hilbridge.campaign.runs import Campaign, CampaignRun, Contents
from hilbridge.common.errors import ConfigurationError
from hilbridge.common.lasting_files import replace_file

MANIFEST: Final = "manifest.json"
ROWS: Final = "rows.jsonl"
FILES: Final = "files"
RECORDINGS: Final = "recordings"
_FORMAT: Final = 1

SETTLED: Final = frozenset(("passed", "failed"))
"""Verdicts that another attempt would come to as well; runs with others are made again."""


class Results:
    """The folder of results, open for more rows; a context manager."""

    def __init__(self, folder: Path, campaign: Campaign) -> None:
        """Make the folder, or open the one that holds results of this campaign.

        ConfigurationError: it holds something else, or cannot be written to.
        """
        self.folder: Final = folder
        self.rows: Final[dict[str, Row]] = {}
        self._order: Final = [run.name for run in campaign.runs]
        try:
            self._check(campaign)
            self._write_files(campaign)
            known = set(self._order)
            for row in read_rows(folder):
                if row["verdict"] in SETTLED and row["run"] in known:
                    self.rows[row["run"]] = row
            self._rewrite()
            self._file = (folder / ROWS).open("ab")
        except OSError as error:
            raise ConfigurationError(f"cannot keep results in {folder}: {error.strerror}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):  # the rows are there; only their order is not
            self._file.close()
            self._rewrite()

    def add(self, content: bytes) -> Row:
        """Keep a row, a line of JSON; return it. ConfigurationError: the disk does not take it."""
        row: Row = json.loads(content)
        if row["run"] not in self.rows:
            try:
                self._file.write(content)
                self._file.flush()
                os.fsync(self._file.fileno())
            except OSError as error:
                raise ConfigurationError(f"a row was not kept in {self.folder}: {error.strerror}") from error
            self.rows[row["run"]] = row
        return row

    def unrecorded(self, campaign: Campaign) -> list[CampaignRun]:
        """Return the runs that are to have a recording and have none, each with the place for it."""
        wanted = campaign.settings.recordings
        made = [run for run in campaign.runs if run.name in self.rows]
        if wanted != "all":
            made = [run for run in made if self.rows[run.name]["verdict"] == "failed"]
            made = made[: wanted if isinstance(wanted, int) else 0 if wanted == "none" else None]
        folder = (self.folder / RECORDINGS).absolute()
        return [run._replace(recording=str(folder / run.name)) for run in made if not (folder / run.name).exists()]

    def _check(self, campaign: Campaign) -> None:
        """ConfigurationError: the folder is another campaign's, or no folder of results."""
        self.folder.mkdir(parents=True, exist_ok=True)
        held = sorted(each.name for each in self.folder.iterdir())
        if held and MANIFEST not in held:
            raise ConfigurationError(f"{self.folder} holds something else ({held[0]}): name a new folder with --into")
        if held:
            facts = read_manifest(self.folder)
            if facts["campaign"] != campaign.file.name:
                raise ConfigurationError(
                    f"{self.folder} holds results of {facts['campaign']}: name another folder with --into"
                )

    def _write_files(self, campaign: Campaign) -> None:
        facts = {
            "format": _FORMAT,
            "campaign": campaign.file.name,
            "purpose": campaign.settings.purpose,
            "runs": len(campaign.runs),
            "software": campaign.software,
        }
        write_files(self.folder, campaign.files)
        (self.folder / "campaign.yaml").write_bytes(campaign.file.path.read_bytes())
        replace_file(self.folder / MANIFEST, json.dumps(facts, indent=2).encode() + b"\n")

    def _rewrite(self) -> None:
        """Write the rows in the order of the campaign."""
        content = b"".join(line(self.rows[name]) for name in self._order if name in self.rows)
        replace_file(self.folder / ROWS, content)


def write_files(folder: Path, files: Mapping[str, Contents]) -> None:
    """Write the files of the runs, which have the names of their hashes."""
    for name, contents in files.items():
        for file, content in contents.items():
            path = folder / FILES / name / file
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                replace_file(path, content)


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest. ConfigurationError: it is none, or of another format."""
    try:
        facts: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if facts["format"] == _FORMAT and isinstance(facts["campaign"], str):
            return facts
    except (OSError, ValueError, TypeError, KeyError):
        pass
    raise ConfigurationError(f"{folder} holds no results of a campaign that this program can read")


def read_rows(folder: Path) -> Iterator[Row]:
    """Yield the rows; a last one that was cut off is left out."""
    try:
        lines: Iterable[bytes] = (folder / ROWS).read_bytes().splitlines()
    except FileNotFoundError:
        return
    for each in lines:
        with suppress(ValueError):
            row = json.loads(each)
            if isinstance(row, dict) and isinstance(row.get("run"), str) and isinstance(row.get("verdict"), str):
                yield row
