"""A Python file of the user, as it is now: its text, and one digest of all that it would import from its folder."""

import ast
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.base.common.lasting_files import is_file, is_folder

_LARGEST: Final = 64 << 20
"""[byte] A file of code; what is larger is none."""


class Code(NamedTuple):
    """A Python file. `text` is what the digest was made of, and what is run."""

    path: Path
    text: bytes
    digest: str
    """SHA-256 in hexadecimal digits; of a file that imports nothing beside it that of sha256sum(1)."""

    @property
    def label(self) -> str:
        """Return what people know it by."""
        return str(self.path)


def read_code(path: Path) -> Code:
    """Read a file, and those of its folder that it names in import statements, and so on.

    OSError: it cannot be read. ValueError: it is too large.
    """
    path = path.resolve()
    text = _read(path)
    digest = sha256(text)
    for name, neighbour in sorted(_neighbours(path, text).items()):
        digest.update(f"\n{name} {sha256(neighbour).hexdigest()}".encode())
    return Code(path, text, digest.hexdigest())


def _neighbours(path: Path, text: bytes) -> dict[str, bytes]:
    """Return the other files of the folder that would be imported, by their names in it."""
    found = {path: text}
    waiting = [path]
    while waiting:
        for each in _imported(path.parent, found[waiting.pop()]):
            if each not in found:
                found[each] = _read(each)
                waiting.append(each)
    del found[path]
    return {str(each.relative_to(path.parent)): content for each, content in found.items()}


def _imported(folder: Path, text: bytes) -> Iterator[Path]:
    """Yield the files of a folder that the import statements of a text name: modules, and packages as a whole."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # it cannot be run either
        return
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    for name in {name.partition(".")[0] for name in names} - {""}:
        module, package = folder / f"{name}.py", folder / name
        if is_file(module):
            yield module
        if is_folder(package):
            yield from (each for each in package.rglob("*.py") if is_file(each))


def _read(path: Path) -> bytes:
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:  # a FIFO is an empty file
        text = file.read(_LARGEST + 1)
    if len(text) > _LARGEST:
        raise ValueError(f"{path} has more than {_LARGEST >> 20} MiB")
    return text
