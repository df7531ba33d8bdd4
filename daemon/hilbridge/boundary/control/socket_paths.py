"""The paths of the control sockets of running benches."""

import os
from os import PathLike
from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import ConfigurationError

SYSTEM: Final = Path("/run/hilbridge")
"""Made by systemd (RuntimeDirectory=) or tmpfiles for the service."""

SUFFIX: Final = ".sock"


def socket_folder() -> Path:
    """Return the folder for a socket of this user: the system's folder if permitted, else the user's run directory."""
    if os.access(SYSTEM, os.W_OK | os.X_OK):
        return SYSTEM
    return _user_folder()


def _user_folder() -> Path:
    """Return $XDG_RUNTIME_DIR/hilbridge, or, on machines without a login manager, a folder of the user in /tmp."""
    run = os.environ.get("XDG_RUNTIME_DIR", "")
    if run and os.access(run, os.W_OK | os.X_OK):
        return Path(run, "hilbridge")
    return Path("/tmp", f"hilbridge-{os.getuid()}")  # noqa: S108 - make_private() refuses it if it is not ours


def make_private(folder: Path) -> None:
    """Make the folder if need be. OSError unless it belongs to this user and no other user can write there."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    state = folder.lstat()
    if folder != SYSTEM and (state.st_uid != os.getuid() or state.st_mode & 0o022):
        raise PermissionError(f"{folder} belongs to somebody else, or others may write there")


def socket_path(bench: str) -> Path:
    """Return the path of the socket of a bench."""
    return socket_folder() / (bench + SUFFIX)


def running_sockets() -> list[Path]:
    """Return the existing sockets of the system and of this user."""
    return sorted(path for folder in (SYSTEM, _user_folder()) if folder.is_dir() for path in folder.glob(f"*{SUFFIX}"))


def find_socket(bench: str | PathLike[str] | None) -> Path:
    """Return the socket of a bench, or of the only one that runs; a name with a '/' is a path.

    ConfigurationError when there is none, or when there are several to choose from.
    """
    if bench is not None and (not isinstance(bench, str) or "/" in bench):
        return Path(bench)
    sockets = [path for path in running_sockets() if bench is None or path.stem == bench]
    if len(sockets) == 1:
        return sockets[0]
    if not sockets:
        which = "no bench" if bench is None else f"no bench named {bench!r}"
        raise ConfigurationError(f"{which} is running; looked for sockets in {SYSTEM} and {_user_folder()}")
    if bench is not None:
        return sockets[0]
    names = ", ".join(path.stem for path in sockets)
    raise ConfigurationError(f"several benches are running: {names}; choose one with --bench NAME")
