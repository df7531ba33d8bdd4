"""Files that outlive a run: the folder where they lie, and their replacement as a whole."""

import os
from collections.abc import Mapping
from pathlib import Path


def state_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return $STATE_DIRECTORY, which systemd sets, or $XDG_STATE_HOME/hilbridge (~/.local/state/hilbridge)."""
    if service := environment.get("STATE_DIRECTORY", "").partition(":")[0]:
        return Path(service)
    home = environment.get("XDG_STATE_HOME", "")
    folder = Path(home) if Path(home).is_absolute() else Path.home() / ".local/state"
    return folder / "hilbridge"


def replace_file(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Replace a file, or make it, and return when it is on the disk. OSError: the old one is kept.

    `mode`: its permissions, less those that the umask takes.

    The new one is written beside it, synchronised and renamed: a crash at any moment leaves the old file or the new.
    """
    made = [folder for folder in path.parents if not folder.exists()]
    path.parent.mkdir(parents=True, exist_ok=True)
    for one in made:
        _synchronise(one.parent)
    growing = path.with_name(f"{path.name}.new")
    growing.unlink(missing_ok=True)  # of a run that was killed here
    with open(growing, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    growing.replace(path)
    _synchronise(path.parent)


def _synchronise(folder: Path) -> None:
    """Return when the names in a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
