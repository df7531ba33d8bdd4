"""The recordings of a folder, as a list: what each manifest says, and the size on the disk."""

from pathlib import Path
from typing import Any

from hilbridge.base.common.errors import ConfigurationError, reason_of
from hilbridge.base.common.lasting_files import is_folder, is_there
from hilbridge.base.common.terminal import printable
from hilbridge.boundary.record.manifest import FIRST_SEGMENT, MANIFEST
from hilbridge.boundary.record.recording import Recording


def read_recordings(folder: Path) -> tuple[list[Recording], dict[str, str]]:
    """Return the recordings in a folder by name, and by name why the folder or one in it cannot be read; no links.

    Nothing where there is no such folder. Folders with neither a manifest nor records are none of ours.
    """
    try:
        directories = sorted(each for each in folder.iterdir() if not each.is_symlink())
    except FileNotFoundError:
        return [], {}
    except OSError as error:
        return [], {folder.name: reason_of(error)}
    recordings, broken = [], {}
    for directory in directories:
        try:
            if is_folder(directory) and any(is_there(directory / name) for name in (MANIFEST, FIRST_SEGMENT)):
                recordings.append(Recording(directory))
        except ConfigurationError as error:
            broken[directory.name] = error.message.removeprefix(f"{directory} is no recording: ")
        except OSError as error:
            broken[directory.name] = reason_of(error)
    return recordings, broken


def facts_of(recording: Recording) -> dict[str, Any]:
    """Return what a list shows of a recording. `duration` [s], `frames`: None of one that was not ended.

    `lacks`: why it cannot be replayed from its beginning; empty if it can.
    """
    manifest = recording.manifest
    return {
        "name": recording.directory.name,
        "bench": printable(manifest["bench"]),
        "vehicle": printable(manifest["vehicle"]),
        "began": printable(manifest.get("began", "")),
        "duration": manifest.get("duration"),
        "frames": manifest.get("frames"),
        "complete": manifest["complete"],
        "bytes": recording.stored,
        "lacks": recording.lacks_beginning,
    }
