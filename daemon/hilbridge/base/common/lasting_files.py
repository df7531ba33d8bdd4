"""Files that outlive a run: the folder that holds them, their reading as a whole, and their replacement as a whole.

They are opened, read and written by functions of os alone, which tests/faulty_files.py lets fail one by one.
"""

import errno
import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

_NO_LINKS: Final = (errno.EPERM, errno.EACCES, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
"""Reasons for which a file system, or the kernel for a file of another user, gives a file no second name."""

NOT_THERE: Final = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP)
"""Reasons for which there is no file of a name, for any user."""

_PART: Final = 1 << 20
"""[byte] that are read at once."""


def state_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return $STATE_DIRECTORY, which systemd sets, or $XDG_STATE_HOME/hilbridge (~/.local/state/hilbridge)."""
    if service := environment.get("STATE_DIRECTORY", "").partition(":")[0]:
        return Path(service)
    home = environment.get("XDG_STATE_HOME", "")
    folder = Path(home) if Path(home).is_absolute() else Path.home() / ".local/state"
    return folder / "hilbridge"


def is_there(path: Path) -> bool:
    """Return whether there is a file or a folder. OSError: that cannot be found out, which never means that none is.

    `Path.exists`, `is_file` and `is_dir` have False for that from Python 3.14 on.
    """
    return _mode(path) is not None


def is_file(path: Path) -> bool:
    """Return whether there is a regular file. OSError as `is_there`."""
    mode = _mode(path)
    return mode is not None and stat.S_ISREG(mode)


def is_folder(path: Path) -> bool:
    """Return whether there is a folder. OSError as `is_there`."""
    mode = _mode(path)
    return mode is not None and stat.S_ISDIR(mode)


def _mode(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except OSError as error:
        if error.errno in NOT_THERE:
            return None
        raise


def read_file(path: Path, check: Callable[[os.stat_result], None] = lambda _status: None) -> bytes:
    """Return the whole content of a file. FileNotFoundError: there is none; OSError: it cannot be read.

    That a link leads nowhere, or that fewer bytes come than the file has, is an error of reading. `check` gets the
    status of the file that was opened, and may raise.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # does not wait at a pipe
    except FileNotFoundError:
        for each in (path, *path.parents):
            if each.is_symlink() and not is_there(each):
                raise OSError(errno.EIO, f"the symbolic link {each} leads nowhere", str(path)) from None
        raise
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        check(status)
        content = bytearray()
        while part := os.read(descriptor, _PART):
            content += part
    finally:
        os.close(descriptor)
    if len(content) != status.st_size:
        raise OSError(errno.EIO, f"{len(content)} of its {status.st_size} bytes were read", str(path))
    return bytes(content)


def replace_file(
    path: Path, content: bytes, mode: int = 0o666, *, keep: Path | None = None, anew: bool = False
) -> None:
    """Replace a file, or make it, and return when it is on the disk. OSError: the old one is kept.

    `mode`: the permissions of a new one, less those that the umask takes; one that replaces another has those of the
    old one, unless it is made `anew`. `keep`: the old one stays under this name. What root writes belongs to the owner
    of the old file, or else of the folder.

    The new one is written beside it, synchronised and renamed: a crash at any moment leaves the old file or the new.
    """
    if is_there(path) and not is_file(path):
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    made = [folder for folder in path.parents if not is_there(folder)]
    path.parent.mkdir(parents=True, exist_ok=True)
    for one in made:
        synchronise(one.parent)
    growing = _write_new(path, content, mode, None if anew else path)
    if keep is not None and is_there(path):
        _keep(path, keep)
    growing.replace(path)
    synchronise(path.parent)


def write_output(path: Path, content: str | bytes) -> None:
    """Write what a user asked for: in the place of an old file as a whole, or into a device or a pipe. OSError.

    A file that cannot be written whole leaves the old one; there must be a folder for it.
    """
    content = content.encode() if isinstance(content, str) else content
    if is_there(path) and not is_file(path):
        path.write_bytes(content)
    else:
        whole = path.resolve()
        whole.parent.stat()
        replace_file(whole, content)


def keep_copy(path: Path, copy: Path) -> None:
    """Keep the present content of a file under another name, which is replaced. OSError: that has its old content."""
    _keep(path, copy)
    synchronise(copy.parent)


def give_to_owner(descriptor: int, like: os.stat_result) -> None:
    """Give a file that root has made to the owner of the file or folder that it is like; of others nothing changes."""
    if os.geteuid() == 0 and (like.st_uid, like.st_gid) != (0, 0):
        os.fchown(descriptor, like.st_uid, like.st_gid)


def _keep(path: Path, copy: Path) -> None:
    """Give the file another name, or copy it where the file system has no such names; the old copy is replaced."""
    new = copy.with_name(f"{copy.name}.new")
    new.unlink(missing_ok=True)
    try:
        new.hardlink_to(path)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        new = _write_new(copy, read_file(path), 0o600, path)
    new.replace(copy)


def _write_new(path: Path, content: bytes, mode: int, like: Path | None) -> Path:
    """Write a file beside the one that it shall replace, synchronise it, and return its path.

    It has owner and permissions of the file `like`; without one, the owner of the folder, and all of `mode`.
    """
    old = like.stat() if like is not None and is_there(like) else None
    growing = path.with_name(f"{path.name}.new")
    growing.unlink(missing_ok=True)  # of a run that was killed here
    descriptor = os.open(growing, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        if old is not None or like is None:
            os.fchmod(descriptor, mode if old is None else stat.S_IMODE(old.st_mode))
        give_to_owner(descriptor, old or path.parent.stat())
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return growing


def synchronise(folder: Path) -> None:
    """Return when the names in a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
