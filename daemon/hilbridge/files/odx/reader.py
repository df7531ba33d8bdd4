"""An ODX file, read in a child process: the keys that it means, and the account of what it holds."""

import json
import subprocess
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError, reason_of
from hilbridge.base.common.lasting_files import is_file, is_there
from hilbridge.base.common.words import counted
from hilbridge.files.odx.package import LARGEST

PATIENCE: Final = 300
"""[s] For the child, whose processor time is bounded too."""


@dataclass(frozen=True, slots=True)
class OdxAccount:
    """The account of a file: `keys` of a unit; `unread`: the reason by service; `names` by constant request.

    `counts`: what became of the `services`, by noun. `by_server`: services that the server answers without the file.
    `valueless`: fields that the file has no value for. `complaints`: where the file breaks the standard.
    """

    path: Path
    variant: str
    keys: Mapping[str, Any]
    services: int
    by_server: int
    counts: Mapping[str, int]
    unread: Mapping[str, str]
    valueless: int
    stated: int
    names: Mapping[str, str]
    complaints: Collection[str]

    def describe(self) -> str:
        """Return what was read for people."""
        parts = [counted(number, noun) for noun, number in self.counts.items() if number]
        if self.by_server:
            parts.append(f"{counted(self.by_server, 'service')} that the server has by itself")
        read = self.services - sum(1 for name in self.unread if not name.startswith("trouble code "))
        return f"{self.path.name}, {self.variant}: {read} of {counted(self.services, 'service')}: {', '.join(parts)}"

    def facts(self) -> dict[str, Any]:
        """Return the account for JSON."""
        return {
            "file": str(self.path),
            "variant": self.variant,
            "services": self.services,
            "by_server": self.by_server,
            **{f"{noun}s": number for noun, number in self.counts.items()},
            "unread": dict(self.unread),
            "doubts": self.doubts(),
        }

    def doubts(self) -> list[str]:
        """Return what was not read, and what was assumed: a line each."""
        lines = [f"{name}: not read: {reason}" for name, reason in self.unread.items()]
        if self.valueless:
            lines.append(f"no value in the file for {counted(self.valueless, 'field')}: the lowest that it allows")
        if self.stated:
            lines.append(
                f"states that {counted(self.stated, 'service')} need are not taken over: every session has them"
            )
        return [*lines, *(f"breaks the standard: {one}" for one in self.complaints)]


def read_odx(path: Path, variant: str | None, own: Collection[str] = (), *, obd: bool, vin: bool) -> OdxAccount:
    """Read a PDX package or an ODX document. `own`: keys of `uds` of the bench, which has `obd`, and a `vin`.

    ConfigurationError: it cannot be read, or is beyond the bounds.
    """
    if is_there(path) and not is_file(path):  # a pipe would be waited for
        raise ConfigurationError(f"{path}: is no regular file")
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{path}: cannot be read: {reason_of(error)}") from None
    asked = json.dumps({"variant": variant, "own": sorted(own), "obd": obd, "vin": vin})
    words = [sys.executable, "-P", "-m", "hilbridge.files.odx.child", asked]
    try:
        done = subprocess.run(words, input=content, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        raise ConfigurationError(f"{path}: takes more than {PATIENCE} s to read") from None
    except OSError as error:
        raise ConfigurationError(f"{path}: its reader does not start: {reason_of(error)}", may_pass=True) from None
    try:
        result = json.loads(done.stdout)
    except ValueError:
        last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        reason = f"status {done.returncode}{f': {last}' if last else ''}"
        raise ConfigurationError(f"{path}: its reader ended before the end of the file, {reason}") from None
    if (wrong := result.pop("error", None)) is not None:
        raise ConfigurationError(f"{path}: {wrong}")
    return OdxAccount(path, **result)
