"""The recordings of a folder, as a list: what each manifest says, and the size on the disk."""

from pathlib import Path
from typing import Any

from hilbridge.common.errors import ConfigurationError
from hilbridge.record.recording import Recording


def list_recordings(folder: Path) -> list[Recording]:
    """Return the recordings in a folder by name; no links, and nothing that cannot be read. Empty: no such folder."""
    try:
        directories = sorted(each for each in folder.iterdir() if each.is_dir() and not each.is_symlink())
    except OSError:
        return []
    recordings = []
    for directory in directories:
        try:
            recordings.append(Recording(directory))
        except ConfigurationError:
            continue
    return recordings


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
