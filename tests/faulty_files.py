"""A layer over the files of a folder in which one call fails: the nth of all that are made, whichever that is.

It counts the calls of a clean run, so that each of them can be made to fail in turn; there is no list of calls to keep.
Every opening that Python knows of is counted a second time by an audit hook: a reader that went around this layer would
be noticed.
"""

import errno
import fcntl
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

ERRORS: Final = (errno.EACCES, errno.EIO, errno.ENOSPC, errno.EROFS, errno.ESTALE)
SHORT: Final = 0
"""In place of the number of an error: half of the bytes are read, and then no more; half of them are written."""
FAULTS: Final = (*ERRORS, SHORT)

_BY_PATH: Final = (
    "open",
    "stat",
    "lstat",
    "mkdir",
    "listdir",
    "scandir",
    "unlink",
    "remove",
    "rename",
    "replace",
    "link",
)
_BY_FILE: Final = ("read", "pread", "write", "pwrite", "fsync", "fdatasync", "fstat", "ftruncate", "fchown", "fchmod")

_opened: list[str] = []
"""Paths of every opening since the program began to count."""

_counting = [False]


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    if _counting[0] and event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
        _opened.append(os.fsdecode(arguments[0]))


sys.addaudithook(_audit)


def fault_name(fault: int) -> str:
    return errno.errorcode[fault] if fault else "short"


class FaultyFiles:
    """The layer. `calls`: the names of the calls so far, in their order; `failed`: the name of the one that failed."""

    def __init__(self, folder: Path, number: int | None, fault: int, *, lasting: bool) -> None:
        """`number`: of the call that fails, from 0 on; None: none does. `lasting`: so do all calls behind it."""
        self._folder: Final = str(folder)
        self._number: Final = number
        self._fault: Final = fault
        self._lasting: Final = lasting
        self._ended: Final[set[int]] = set()  # descriptors of which a short reading was the end
        self._really: Final = os.readlink
        self.calls: list[str] = []
        self.failed = ""

    def is_ours(self, target: object) -> bool:
        if isinstance(target, int):
            try:
                target = self._really(f"/proc/self/fd/{target}")
            except OSError:
                return False
        return isinstance(target, str | os.PathLike) and os.fspath(target).startswith(self._folder)

    def by_path(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            targets = arguments[:2] if name in ("rename", "replace", "link") else arguments[:1]
            if any(map(self.is_ours, targets)) and self._fails(name) and self._fault:
                raise OSError(self._fault, os.strerror(self._fault), str(arguments[0]))
            result = function(*arguments, **options)
            if name == "open":
                self._ended.discard(result)
            return result

        return call

    def by_file(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(descriptor: Any, *arguments: Any) -> Any:
            number = descriptor if isinstance(descriptor, int) else descriptor.fileno()
            if not self.is_ours(number):
                return function(descriptor, *arguments)
            if number in self._ended and name == "read":
                return b""
            if self._fails(name):
                if self._fault:
                    raise OSError(self._fault, os.strerror(self._fault))
                if name in ("read", "pread"):
                    self._ended.add(number)
                    part = function(descriptor, *arguments)
                    return part[: len(part) // 2]
                if name in ("write", "pwrite") and len(arguments[0]) > 1:
                    return function(descriptor, memoryview(arguments[0])[: len(arguments[0]) // 2], *arguments[1:])
            return function(descriptor, *arguments)

        return call

    def _fails(self, name: str) -> bool:
        number = len(self.calls)
        self.calls.append(name)
        fails = self._number is not None and (number >= self._number if self._lasting else number == self._number)
        if fails and not self.failed:
            self.failed = name
        return fails


@contextmanager
def faulty_files(
    folder: Path, number: int | None = None, fault: int = errno.EIO, *, lasting: bool = False
) -> Iterator[FaultyFiles]:
    """Puts the layer over the files below a folder."""
    layer = FaultyFiles(folder, number, fault, lasting=lasting)
    with pytest.MonkeyPatch.context() as patch:
        for name in _BY_PATH:
            patch.setattr(os, name, layer.by_path(name, getattr(os, name)))
        for name in _BY_FILE:
            patch.setattr(os, name, layer.by_file(name, getattr(os, name)))
        patch.setattr(fcntl, "flock", layer.by_file("flock", fcntl.flock))
        _opened.clear()
        _counting[0] = True
        try:
            yield layer
        finally:
            _counting[0] = False
    opened = sum(layer.is_ours(path) for path in _opened)
    refused = layer.calls.count("open") - opened  # those that failed here reached nothing
    assert 0 <= refused <= (len(layer.calls) if layer.failed else 0), "something is opened that this layer does not see"
