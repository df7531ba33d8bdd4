"""The commands of a page, run as its reader runs them, and compared with the output that the page shows.

A fenced block whose first line says `save as NAME` is a file, and so is one below a line that ends so, for languages
without comments. A block of the language `console` is a terminal: lines with `$ ` are commands, the others what they
print, where `…` stands for anything, and white space for any of it. A command must succeed; one that shall fail says
`; echo $?`. A `hilbridge run` that does not end by itself keeps the first terminal; the commands that follow are typed
in a second one, until the page starts another bench. What cannot be run stands in a block of the language `sh`.

Ports are exchanged for free ones, so that pages can be tried side by side, and the page for browsers stays closed.
"""

import os
import pty
import re
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from .program import CHECKOUT, DEMO

PATIENCE: Final = 60.0

_FENCE: Final = re.compile(r"(?:[Ss]ave as `([\w./-]+)`:\n\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SAVE_AS: Final = re.compile(r"^\W*save as ([\w./-]+)")
_PORT: Final = re.compile(r"\b(?:(?:29|35)\d{3}|13400)\b")
_ESCAPES: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_ENDS: Final = re.compile(r"--duration|--scenario|--clock")


class Command(NamedTuple):
    """A line of a terminal, and the lines that it prints."""

    line: str
    shown: str


def blocks(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield language and content of every fenced block, and the name of the file that it is, or ""."""
    for found in _FENCE.finditer(text):
        named = _SAVE_AS.match(found[3])
        yield found[2], found[3], found[1] or (named[1] if named else "")


def steps(text: str) -> Iterator[Command | tuple[str, str]]:
    """Yield the commands, and the files as name and content, in the order of the page."""
    for language, content, name in blocks(text):
        if name:
            yield name, content
        elif language == "console":
            for part in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
                command, _, shown = re.sub(r"\\\n\s*", "", part).partition("\n")
                yield Command(re.sub(r"\s+#.*", "", command), shown)


def not_run(text: str) -> set[str]:
    """Return the commands that the page only shows."""
    lines = (line for language, content, _ in blocks(text) if language == "sh" for line in content.splitlines())
    return {re.sub(r"\s+#.*", "", line) for line in lines if line and not line.startswith("#")}


def missing(shown: str, printed: str) -> str | None:
    """Return the first line that was not printed where the page shows it, or None.

    Lines follow each other; a line `…` allows any number of lines in between.
    """
    lines = [" ".join(line.split()) for line in _ESCAPES.sub("", printed).splitlines()]
    lines = [line for line in lines if line]
    position, free = 0, False
    for expected in (" ".join(line.split()) for line in shown.splitlines()):
        if expected in {"", "…"}:
            free = free or expected == "…"
            continue
        pattern = re.compile(".*".join(map(re.escape, expected.split("…"))))
        places = range(position, len(lines)) if free else range(position, min(position + 1, len(lines)))
        found = next((place for place in places if pattern.fullmatch(lines[place])), None)
        if found is None:
            return expected
        position, free = found + 1, False
    return None


class Reader:
    """Somebody who follows a page in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ports: dict[str, str] = {}
        self._environment = os.environ | {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "XDG_RUNTIME_DIR": str(folder / ".runtime"),
            "XDG_CONFIG_HOME": str(folder / ".config"),
            "XDG_STATE_HOME": str(folder / ".state"),
            "COLUMNS": "160",
            "NO_COLOR": "1",
            "TERM": "xterm",
        }
        (folder / ".runtime").mkdir(mode=0o700)
        (folder / "demo.yaml").write_text(self._own_ports(DEMO.read_text(encoding="utf-8")), encoding="utf-8")

    def follow(self, text: str) -> None:
        """Do all that a page says, in its order."""
        with ExitStack() as terminals:
            for step in steps(text):
                if not isinstance(step, Command):
                    name, content = step
                    (self._folder / name).parent.mkdir(parents=True, exist_ok=True)
                    (self._folder / name).write_text(self._own_ports(content), encoding="utf-8")
                    continue
                line, shown = map(self._own_ports, step)
                if line.startswith("hilbridge run") and not _ENDS.search(line):
                    terminals.close()
                    first = terminals.enter_context(self._first_terminal(line))
                    assert first.shows(shown), f"$ {line}\n{shown}\nis not what it prints:\n{first.text[:4000]}"
                else:
                    self._second_terminal(line, shown)

    def _second_terminal(self, line: str, shown: str) -> None:
        command = ["sh", "-c", _closed(line)]
        run = subprocess.run(
            command, cwd=self._folder, env=self._environment, timeout=300, check=False, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert run.returncode == 0, f"$ {line}\nfails:\n{run.stdout}"
        line_missing = missing(shown, run.stdout)
        assert line_missing is None, f"$ {line}\nprints no such line: {line_missing}\n{run.stdout}"

    @contextmanager
    def _first_terminal(self, line: str) -> Iterator["_Terminal"]:
        ours, theirs = pty.openpty()
        command = ["sh", "-c", f"stty cols 250; exec {_closed(line)}"]
        with subprocess.Popen(
            command, cwd=self._folder, env=self._environment, stdin=theirs, stdout=theirs, stderr=theirs
        ) as process:
            os.close(theirs)
            terminal = _Terminal(ours)
            try:
                assert terminal.shows("… ready …"), terminal.text
                yield terminal
            finally:
                process.terminate()
                terminal.read_to_the_end()
                process.wait(PATIENCE)
                os.close(ours)

    def _own_ports(self, text: str) -> str:
        """Exchange every port for a free one, the same on the whole page."""
        return _PORT.sub(lambda found: self._ports.setdefault(found[0], _free_port()), text)


class _Terminal:
    """A terminal in which a bench runs: all that it has printed."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.text = ""

    def shows(self, shown: str) -> bool:
        """Wait until what is shown has been printed; other lines may stand in between."""
        deadline = time.monotonic() + PATIENCE
        expected = "".join(f"…\n{line}\n" for line in shown.splitlines())
        while missing(expected, self.text) is not None:
            if time.monotonic() > deadline or not self._read():
                return False
        return True

    def read_to_the_end(self) -> None:
        while self._read():
            pass

    def _read(self) -> bool:
        if not select.select([self._descriptor], [], [], PATIENCE)[0]:
            return False
        try:
            self.text += os.read(self._descriptor, 65536).decode(errors="replace").replace("\r", "\n")
        except OSError:  # the other end is closed
            return False
        return True


def _closed(line: str) -> str:
    """Return a command that leaves the page for browsers closed, and runs the demo from the reader's folder."""
    if line.startswith("hilbridge run"):
        return re.sub(r"run demo\b(?!\.)", "run demo.yaml", line).replace("run ", "run --no-web ", 1)
    return line


def _free_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return str(server.getsockname()[1])


def guides() -> list[Path]:
    """Return the guides of the site."""
    return sorted((CHECKOUT / "docs/guides").glob("*.md"))
