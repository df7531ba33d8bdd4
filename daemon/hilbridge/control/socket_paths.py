"""Where the control sockets of running benches lie."""

import os
from pathlib import Path
from typing import Final

from hilbridge.common.errors import ConfigurationError

SYSTEM: Final = Path("/run/hilbridge")
"""Made by systemd (RuntimeDirectory=) or tmpfiles for the service."""

SUFFIX: Final = ".sock"


def socket_folder() -> Path:
    """Where this user's daemon puts its socket: the system's folder if it may, else the user's run directory."""
    if os.access(SYSTEM, os.W_OK | os.X_OK):
        return SYSTEM
    return _user_folder()


def _user_folder() -> Path:
    """$XDG_RUNTIME_DIR/hilbridge, or, on machines without a login manager, a folder of the user's in /tmp."""
    run = os.environ.get("XDG_RUNTIME_DIR", "")
    if run and os.access(run, os.W_OK | os.X_OK):
        return Path(run, "hilbridge")
    return Path("/tmp", f"hilbridge-{os.getuid()}")  # noqa: S108 - private() refuses it if it is not ours


def make_private(folder: Path) -> None:
    """Makes the folder if need be. OSError unless it belongs to this user and nobody else can write there."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    state = folder.lstat()
    if folder != SYSTEM and (state.st_uid != os.getuid() or state.st_mode & 0o022):
        raise PermissionError(f"{folder} belongs to somebody else, or others may write there")


def socket_path(bench: str) -> Path:
    """Where the socket of a bench of this name is made."""
    return socket_folder() / (bench + SUFFIX)


def running_sockets() -> list[Path]:
    """The sockets that there are, of the system and of this user."""
    return sorted(path for folder in (SYSTEM, _user_folder()) if folder.is_dir() for path in folder.glob(f"*{SUFFIX}"))


def find_socket(bench: str | None) -> Path:
    """The socket of the bench of this name, or of the only one that runs; a name with a '/' is a path.

    ConfigurationError when there is none, or when there are several to choose from.
    """
    if bench is not None and "/" in bench:
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
