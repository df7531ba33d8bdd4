"""The one way in which files with names from elsewhere get into a folder: bundles, recordings, archives, results.

A name is relative, with `/` between its parts, and means the same file on every system: so it has no `..`, no drive, no
name that Windows reserves, nothing that does not print, and differs from its neighbours in more than case and Unicode
form. No link inside the folder is followed, and none is replaced.
"""

import errno
import os
import stat
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, quoted

_LONGEST_PART: Final = 240
"""[byte] File systems take 255, and a file that grows has a longer name."""

_LONGEST_EXTENSION: Final = 16
"""[byte] of an extension that a name keeps when it is shortened; a number takes no more."""

_LONGEST: Final = 1024
"""[byte] of a name with all its parts."""

_UNUSABLE: Final = frozenset('\\:*?"<>|')
"""Characters that Windows takes for a separator, a drive, a stream or a pattern."""

_PORTS: Final = (f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³")
_DEVICES: Final = frozenset(("con", "prn", "aux", "nul", "conin$", "conout$", *_PORTS))
"""Names that are devices on Windows, with any extension (Microsoft, Naming Files, Paths, and Namespaces)."""

_GROWING: Final = ".new"
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class BundleError(ConfigurationError):
    """An entry cannot be written where its name says."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"the entry {quoted(name, 120)} {why}")


def check_names(names: Iterable[str]) -> None:
    """Raise BundleError for the first name that is not usable everywhere, or that is another one on some systems."""
    spelt: dict[str, str] = {}
    files: set[str] = set()
    for name in names:
        if why := _fault(name):
            raise BundleError(name, why)
        if name in files:
            raise BundleError(name, "occurs twice")
        files.add(name)
        parts = name.split("/")
        for depth in range(1, len(parts) + 1):
            part = "/".join(parts[:depth])
            if (other := spelt.setdefault(folded(part), part)) != part:
                raise BundleError(name, f"differs from {quoted(other)} only in case or Unicode form")
    for name in files:
        for folder in _folders(name):
            if folder in files:
                raise BundleError(name, f"lies in {quoted(folder)}, which is a file")


def folded(name: str) -> str:
    """Return a name so that two are equal where some file system takes them for one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def usable_name(name: str) -> str:
    """Return a name of a file, without folders, that `check_names` takes: itself, or one that resembles it."""
    kept = "".join(letter if letter.isprintable() and letter not in _UNUSABLE else "_" for letter in name)
    kept = kept.replace("/", "_").rstrip(". ")
    extension = PurePosixPath(kept).suffix
    if len(extension.encode()) > _LONGEST_EXTENSION:
        extension = ""
    stem = kept.removesuffix(extension).encode()[: _LONGEST_PART - 2 * _LONGEST_EXTENSION].decode(errors="ignore")
    if not extension:
        stem = stem.rstrip(". ")
    return f"{'_' if not stem or _is_device(stem) else ''}{stem}{extension}"


def write_bundle(folder: Path, files: Mapping[str, bytes], mode: int = 0o666) -> None:
    """Write files into a folder, which is made if need be, and return when they are on the disk.

    Each is written beside its place, synchronised and renamed, unless it is there with the same content. `mode`: its
    permissions, less those that the umask takes.

    BundleError: a name is not usable, or a link or something else than a file or a folder lies on the way; nothing is
    written for a name that is not usable. OSError: the disk does not take it.
    """
    check_names(files)
    folder.mkdir(parents=True, exist_ok=True)
    root = os.open(folder, _FOLDER & ~os.O_NOFOLLOW)  # the user has named this one
    try:
        for name, content in files.items():
            with _parent(root, name) as parent:
                _write(parent, name, content, mode)
    finally:
        os.close(root)


def read_source(path: Path) -> bytes:
    """Read a file that goes into a bundle; of a link what it leads to, for that is what the bench has used.

    ConfigurationError: it is a device, a pipe or a folder, which have no end or no content; it cannot be read.
    """
    try:
        with os.fdopen(os.open(path, _FILE & ~os.O_NOFOLLOW), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ConfigurationError(f"{path}: is no file, and cannot be copied")
            return file.read()
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror}") from error


def require_no_link(folder: Path, *names: str) -> None:
    """Raise BundleError if one of the entries of a folder is a link, which would lead whatever is written elsewhere."""
    for name in names:
        if (folder / name).is_symlink():
            raise BundleError(name, f"of {folder} is a link: remove it")


def _fault(name: str) -> str:
    """Return why a name is not usable everywhere; empty if it is."""
    if not name.isprintable():
        return "has characters that do not print"
    if name.startswith("/"):
        return "is an absolute name"
    if name[1:2] == ":" and name[:1].isalpha():
        return "begins with a drive"
    if unusable := sorted(_UNUSABLE.intersection(name)):
        return f"has the character {quoted(unusable[0])}"
    if len(name.encode()) > _LONGEST:
        return f"is longer than {_LONGEST} bytes"
    return next(filter(None, map(_fault_of_part, name.split("/"))), "")


def _fault_of_part(part: str) -> str:
    if part == "..":
        return "leads out of its folder"
    if part in ("", "."):
        return "has an empty part"
    if part[-1] in ". ":
        return "has a part that ends in a dot or a space"
    if len(part.encode()) > _LONGEST_PART:
        return f"has a part longer than {_LONGEST_PART} bytes"
    return "is the name of a device on Windows" if _is_device(part) else ""


def _is_device(part: str) -> bool:
    return part.partition(".")[0].rstrip(" ").casefold() in _DEVICES


def _folders(name: str) -> Iterable[str]:
    parts = name.split("/")
    return ("/".join(parts[:depth]) for depth in range(1, len(parts)))


@contextmanager
def _parent(root: int, name: str) -> Iterator[int]:
    """Open the folder of a name inside the folder `root`, and make it if need be; no link is followed."""
    descriptor = os.dup(root)
    try:
        for part in name.split("/")[:-1]:
            with suppress(FileExistsError):
                os.mkdir(part, dir_fd=descriptor)
                os.fsync(descriptor)
            try:
                inner = os.open(part, _FOLDER, dir_fd=descriptor)
            except OSError as error:
                if error.errno in (errno.ELOOP, errno.ENOTDIR):
                    raise BundleError(name, f"would be written through {quoted(part)}, which is no folder") from None
                raise
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


def _write(parent: int, name: str, content: bytes, mode: int) -> None:
    last = name.rpartition("/")[2]
    if _is_there(parent, name, last, content):
        return
    growing = last + _GROWING
    with suppress(FileNotFoundError):
        os.unlink(growing, dir_fd=parent)  # of a process that was killed here
    with os.fdopen(os.open(growing, _NEW, mode, dir_fd=parent), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(growing, last, src_dir_fd=parent, dst_dir_fd=parent)
    os.fsync(parent)


def _is_there(parent: int, name: str, last: str, content: bytes) -> bool:
    """Return whether a file has this content already. BundleError: a link or something else lies in its place."""
    try:
        found = os.stat(last, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(found.st_mode):
        what = "a link" if stat.S_ISLNK(found.st_mode) else "what is no file"
        raise BundleError(name, f"would be written over {what}")
    if found.st_size != len(content):
        return False
    try:
        with os.fdopen(os.open(last, _FILE, dir_fd=parent), "rb") as file:
            return file.read() == content
    except PermissionError:
        return False
