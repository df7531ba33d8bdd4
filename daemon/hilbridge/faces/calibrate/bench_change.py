"""A bench file with other calibrations: its text, the difference, and the file that takes its place at once."""

import os
import tempfile
from collections.abc import Mapping
from difflib import unified_diff
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.lasting_files import read_file, replace_file
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.yamledit import change


class BenchChange:
    """The change of some mappings of a bench file, `keys` by key path. ConfigurationError: they are not there."""

    def __init__(self, path: Path, keys: Mapping[KeyPath, Mapping[str, Any]]) -> None:
        self.path: Final = path.resolve()
        self._before: Final = _read(self.path)
        text = self._before
        for place, values in keys.items():
            text = change(text, place, values)
        self._text: Final = text

    def difference(self) -> str:
        """Return the changed lines as diff(1) shows them."""
        lines = self._before.splitlines(keepends=True), self._text.splitlines(keepends=True)
        return "".join(unified_diff(*lines, str(self.path), "calibrated"))

    def write(self) -> None:
        """Put the changed file in the place of the old one, whole, once it has been read as a bench.

        ConfigurationError: the changed file is no bench, or another program has changed the old one meanwhile.
        """
        handle, name = tempfile.mkstemp(prefix=f".{self.path.stem}-", suffix=".yaml", dir=self.path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(self._text)
            load_bench(name)
            if _read(self.path) != self._before:
                raise ConfigurationError(f"{self.path} was changed by somebody else meanwhile: calibrate again")
            replace_file(self.path, self._text.encode())
        finally:
            Path(name).unlink(missing_ok=True)


def _read(path: Path) -> str:
    return read_file(path).decode()
