"""The recordings of a folder, as a list: what each manifest says, and the size on the disk."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from hilbridge.common.errors import ConfigurationError, reason_of
from hilbridge.record.manifest import MANIFEST
from hilbridge.record.recording import Recording


def list_recordings(folder: Path, warn: Callable[[str], None]) -> list[Recording]:
    """Return the recordings in a folder by name, no links among them. Empty: no such folder.

    `warn` is called for the folder, or a recording in it, that cannot be read; a folder without a manifest is none.
    """
    try:
        directories = sorted(each for each in folder.iterdir() if each.is_dir() and not each.is_symlink())
    except FileNotFoundError:
        return []
    except OSError as error:
        warn(f"the recordings in {folder} cannot be read: {reason_of(error)}")
        return []
    recordings = []
    for directory in directories:
        try:
            recordings.append(Recording(directory))
        except ConfigurationError as error:
            if not _lacks_manifest(directory):
                warn(error.message)
    return recordings


def _lacks_manifest(directory: Path) -> bool:
    try:
        return not (directory / MANIFEST).exists()
    except OSError:
        return False


def facts_of(recording: Recording) -> dict[str, Any]:
    """Return what a list shows of a recording. `duration` [s], `frames`: None of one that was not ended.

    `lacks`: why it cannot be replayed from its beginning; empty if it can.
    """
    manifest = recording.manifest
    return {
        "name": recording.directory.name,
        "bench": str(manifest.get("bench", "")),
        "vehicle": str(manifest.get("vehicle", "")),
        "duration": manifest.get("duration"),
        "frames": manifest.get("frames"),
        "complete": manifest.get("complete") is True,
        "bytes": recording.size,
        "lacks": recording.lacks_beginning,
    }
