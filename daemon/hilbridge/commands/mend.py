"""`hilbridge mend`: watch a bench file with which no run starts, until it is right; meanwhile its page says why.

The service manager starts this after a start that has ended with status 2, and starts the bench again when this ends
with status 0 (systemd/hilbridge-mend@.service). Each content of the files is tried once: where the check finds nothing
that the start refuses, only a change of the files leads to another start.
"""

import argparse
import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, LinkError
from hilbridge.base.common.lasting_files import replace_file
from hilbridge.base.common.terminal import printable
from hilbridge.base.process.notify import Notifier
from hilbridge.bench.adapters import with_adapters
from hilbridge.boundary.control.socket_paths import SYSTEM
from hilbridge.boundary.observe.output import is_journal
from hilbridge.commands.service_unit import SERVICE, mending_page_file, units
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.runs.run.build import build

_MACHINE: Final = Path("/etc/hilbridge")

_MOST_FILES: Final = 2000
"""Files that are watched."""

_LOOK: Final = 1.0
"""[s] between two looks at the files."""

_CHECK: Final = 30.0
"""[s] after which a wrong bench is checked again, though no file that is watched has changed: it may name others."""

_PAGE_MODE: Final = 0o640
"""Permissions of the file with the address of the page, and so its token: for the service and its group."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the bench file and the unit that runs it."""
    parser.add_argument("bench", type=Path, nargs="?", metavar="FILE", help="bench file (default: that of the unit)")
    parser.add_argument("--unit", default=SERVICE, help=f"unit that runs it (default: {SERVICE})")


def run(options: argparse.Namespace) -> int:
    """Return 0 when the bench is right."""
    file = options.bench or next((Path(one.bench) for one in units(options.unit) if one.name == options.unit), Path())
    if not file.name:
        raise ConfigurationError(f"systemd knows no bench file of {options.unit}: name it")
    Mending(file.absolute(), options.unit).until_right()
    return 0


class Mending:
    """The watch over one bench. `reasons`: why it does not start, a line each."""

    def __init__(self, file: Path, unit: str) -> None:
        self.reasons: Sequence[str] = ()
        self._file: Final = file
        self._unit: Final = unit
        self._notifier: Final = Notifier()
        self._tried_file: Final = SYSTEM / f"{unit}.tried"

    def until_right(self) -> None:
        """Serve the page and return when the files are right, and others than those that were tried last."""
        from hilbridge.faces.cockpit.mending_page import MendingPage, cockpit_settings  # the page is an extra

        self._notifier.ready(f"checks {self._file}")
        refused = self._refusal()
        content = fingerprint(self._file)
        wrong = faults(self._file)
        if not wrong and content != self._tried():
            self._try(content)
            return
        self.reasons = wrong or refused
        settings, page = cockpit_settings(self._file), None
        if settings.enabled:
            try:
                page = MendingPage(settings, self._render)
                self._say(6, f"page: {page.url}")
            except (LinkError, OSError) as error:
                self._say(4, f"there is no page: {error}")
        self._announce("" if page is None else page.url)
        try:
            while wrong or content == self._tried():
                self._notifier.status(printable(f"{self._unit} does not start: {'; '.join(self.reasons)}"))
                content = self._next(content, _CHECK if wrong else None)
                wrong = faults(self._file)
                self.reasons = wrong or refused
        finally:
            self._announce("")
            if page is not None:
                page.close()
        self._try(content)

    def _refusal(self) -> list[str]:
        """Return the reason of the start, as the service manager has it."""
        for each in units(self._unit):
            if each.name == self._unit and (text := each["StatusText"]):
                return [text]
        return ["the last start was refused; its reason is in the journal"]

    def _next(self, before: str, longest: float | None) -> str:
        """Wait for a change of the files, or for some time, and return what they are then."""
        end = None if longest is None else time.monotonic() + longest
        while (now := fingerprint(self._file)) == before and (end is None or time.monotonic() < end):
            time.sleep(_LOOK)
        return now

    def _render(self) -> str:
        from hilbridge.faces.cockpit.mending_page import render

        remedy = f"Mend it: {self._unit} then starts by itself, within seconds. `hilbridge check` shows the same."
        return render(self._unit, self.reasons, remedy)

    def _announce(self, url: str) -> None:
        """Leave the address of the page for `hilbridge service`, or take it away."""
        path = mending_page_file(self._unit)
        with suppress(OSError):  # without the folder there is no service
            if url:
                replace_file(path, f"{url}\n".encode(), _PAGE_MODE, anew=True)
            else:
                path.unlink(missing_ok=True)

    def _tried(self) -> str:
        """Return the content with which this has had the bench started last."""
        try:
            return self._tried_file.read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return ""

    def _try(self, content: str) -> None:
        with suppress(OSError):
            replace_file(self._tried_file, f"{content}\n".encode())
        self._say(6, f"{self._file} is right")

    def _say(self, priority: int, text: str) -> None:
        prefix = f"<{priority}>" if is_journal(1) else ""
        print(f"{prefix}{printable(text)}", flush=True)


def faults(file: Path) -> list[str]:
    """Return what is wrong with a bench, as `hilbridge check` finds it; none: nothing is."""
    try:
        build(with_adapters(load_bench(str(file))))
    except ConfigurationError as error:
        return str(error).splitlines()
    return []


def fingerprint(file: Path) -> str:
    """Return a digest that changes when a file does in the folder of a bench, and below."""
    digest = hashlib.sha256()
    for number, path in enumerate(_watched(file)):
        if number == _MOST_FILES:
            break
        try:
            status = path.stat()
            facts: tuple[int, ...] = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        except OSError as error:
            facts = (error.errno or 0,)
        digest.update(repr((str(path), *facts)).encode())
    return digest.hexdigest()


def _watched(file: Path) -> Iterator[Path]:
    yield file
    top = _MACHINE if _MACHINE in file.parents else file.parent
    for folder, folders, files in os.walk(top):
        folders.sort()
        yield from (Path(folder, name) for name in sorted(files))
