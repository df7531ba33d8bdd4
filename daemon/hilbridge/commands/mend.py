"""`hilbridge mend`: watch a bench file with which no run starts, until it is right; meanwhile its page says why.

The service manager starts this after a start that has ended with status 2, and starts the bench again when this ends
with status 0 (systemd/hilbridge-mend@.service). Where the check finds nothing that the start refuses, the files may not
be to blame, or name others: the start is tried again, at once the first time, then after 10 s, 20 s ... 10 minutes. A
change of the files leads to another start at once.

It needs no page: without the packages of that (the extra `cockpit`) it says so, and waits all the same.
"""

import argparse
import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, LinkError
from hilbridge.base.common.lasting_files import replace_file
from hilbridge.base.common.remedies import extra_remedy
from hilbridge.base.common.terminal import printable
from hilbridge.base.process.notify import Notifier
from hilbridge.bench.adapters import with_adapters
from hilbridge.boundary.control.socket_paths import SYSTEM
from hilbridge.boundary.observe.output import is_journal
from hilbridge.commands.service_unit import SERVICE, mending_page_file, units
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.runs.run.build import build

if TYPE_CHECKING:
    from hilbridge.faces.cockpit.mending_page import MendingPage

_MACHINE: Final = Path("/etc/hilbridge")

_MOST_FILES: Final = 2000
"""Files that are watched."""

_LOOK: Final = 1.0
"""[s] between two looks at the files."""

_CHECK: Final = 30.0
"""[s] after which a wrong bench is checked again, though no file that is watched has changed: it may name others."""

_FIRST_PAUSE: Final = 10.0
"""[s] before the second start with the same files; each pause is twice the one before."""
_LONGEST_PAUSE: Final = 600.0

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


class Tries(NamedTuple):
    """The starts of one content of the files: their number, and when the last was [s, monotonic clock]."""

    content: str = ""
    number: int = 0
    last: float = 0.0

    def next_after(self, content: str, now: float) -> "Tries":
        """Return these with a start more; of another content, or after a long time in which it ran, it is the first."""
        is_same = content == self.content and now - self.last <= 2 * _LONGEST_PAUSE
        return Tries(content, self.number + 1 if is_same else 1, now)

    def pause(self, content: str, now: float) -> float:
        """Return how long the next start of a content has to wait [s]; 0: it is due."""
        if content != self.content:
            return 0.0
        pause = min(_FIRST_PAUSE * float(1 << self.number - 1), _LONGEST_PAUSE)
        return max(0.0, self.last + pause - now)


class Mending:
    """The watch over one bench. `reasons`: why it does not start, a line each."""

    def __init__(self, file: Path, unit: str) -> None:
        self.reasons: Sequence[str] = ()
        self._file: Final = file
        self._unit: Final = unit
        self._notifier: Final = Notifier()
        self._tried_file: Final = SYSTEM / f"{unit}.tried"

    def until_right(self) -> None:
        """Serve the page and return when the files are right, and not after a start of the same just now."""
        self._notifier.ready(f"checks {self._file}")
        refused = self._refusal()
        content = fingerprint(self._file)
        wrong = faults(self._file)
        if not wrong and not self._pause(content):
            self._try(content)
            return
        self._tell(wrong, refused, content)
        page = self._open_page()
        self._announce("" if page is None else page.url)
        try:
            while wrong or self._pause(content):
                self._notifier.status(printable(f"{self._unit} does not start: {'; '.join(self.reasons)}"))
                content = self._next(content, _CHECK if wrong else self._pause(content))
                wrong = faults(self._file)
                self._tell(wrong, refused, content)
        finally:
            self._announce("")
            if page is not None:
                page.close()
        self._try(content)

    def _tell(self, wrong: Sequence[str], refused: Sequence[str], content: str) -> None:
        """Have the page say why the bench does not start; where the files are right, when it is tried again."""
        again = f"the check finds nothing wrong in {self._file}: the start is tried again"
        self.reasons = wrong or [*refused, f"{again} within {self._pause(content):.0f} s, and by itself after that"]

    def _open_page(self) -> "MendingPage | None":
        """Open the page; where that cannot be, say why and go without."""
        try:
            from hilbridge.faces.cockpit.mending_page import MendingPage, cockpit_settings

            settings = cockpit_settings(self._file)
            page = MendingPage(settings, self._render) if settings.enabled else None
        except ImportError:
            self._say(4, f"there is no page, which is not installed: {extra_remedy('cockpit')}")
        except (LinkError, OSError) as error:
            self._say(4, f"there is no page: {error}")
        else:
            if page is not None:
                self._say(6, f"page: {page.url}")
            return page
        return None

    def _refusal(self) -> list[str]:
        """Return the reason of the start, as the service manager has it."""
        for each in units(self._unit):
            if each.name == self._unit and (text := each["StatusText"]):
                return [text]
        return ["the last start was refused; its reason is in the journal"]

    def _next(self, before: str, longest: float) -> str:
        """Wait for a change of the files, or for some time [s], and return what they are then."""
        end = time.monotonic() + longest
        while (now := fingerprint(self._file)) == before and time.monotonic() < end:
            time.sleep(_LOOK)
        return now

    def _render(self) -> str:
        from hilbridge.faces.cockpit.mending_page import render

        remedy = f"Mend it: {self._unit} then starts by itself, within seconds. `hilbridge check` shows what is wrong."
        return render(self._unit, self.reasons, remedy)

    def _announce(self, url: str) -> None:
        """Leave the address of the page for `hilbridge service`, or take it away."""
        path = mending_page_file(self._unit)
        with suppress(OSError):  # without the folder there is no service
            if url:
                replace_file(path, f"{url}\n".encode(), _PAGE_MODE, anew=True)
            else:
                path.unlink(missing_ok=True)

    def _tries(self) -> Tries:
        """Return the starts that this has caused. The file is of this boot, and so is the clock in it."""
        with suppress(OSError, ValueError, OverflowError):
            content, count, last = self._tried_file.read_text(encoding="ascii").split()
            return Tries(content, max(1, min(int(count), 100)), float(last))
        return Tries()

    def _pause(self, content: str) -> float:
        return self._tries().pause(content, time.monotonic())

    def _try(self, content: str) -> None:
        tries = self._tries().next_after(content, time.monotonic())
        try:
            replace_file(self._tried_file, f"{tries.content} {tries.number} {tries.last:.3f}\n".encode())
        except OSError as error:
            self._say(4, f"{self._tried_file} cannot be written, so every start waits {_FIRST_PAUSE:.0f} s: {error}")
            time.sleep(_FIRST_PAUSE)
        self._say(6, f"{self._file} is right; start {tries.number} of it")

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
