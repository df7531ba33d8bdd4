"""The emulated machine of tests/lab/systemd-lab, as a test uses it."""

import base64
import json
import os
import socket
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 120.0
"""[s] for something to happen: Python starts in 20 s there."""

LONGEST_COMMAND = 200.0
"""[s] The shell gives up a command after 180 s, and says so."""


class Machine:
    """Speaks with the shell on the machine's second serial line (file `shell`), one command at a time."""

    def __init__(self) -> None:
        self._line = socket.socket(socket.AF_UNIX)
        self._line.settimeout(LONGEST_COMMAND)
        self._line.connect(os.environ["LAB_MACHINE"])
        self._answers = self._line.makefile("rb")

    def close(self) -> None:
        self._answers.close()
        self._line.close()

    def ask(self, command: str) -> tuple[int, str]:
        """Exit status and output, standard error included."""
        self._line.sendall(base64.b64encode(command.encode()) + b"\n")
        status, _, output = self._answers.readline().partition(b" ")
        return int(status), base64.b64decode(output).decode()

    def run(self, command: str) -> str:
        """The output of a command that succeeds."""
        status, output = self.ask(command)
        assert status == 0, f"{command}: {status}\n{output}"
        return output.strip()

    def write(self, path: str, text: str) -> None:
        """A file that everybody may read."""
        self.run(f"base64 --decode >{path} <<<{base64.b64encode(text.encode()).decode()}; chmod 644 {path}")

    def show(self, unit: str, key: str) -> str:
        """A property of a unit."""
        return self.run(f"systemctl show --value --property={key} {unit}")

    def journal(self, unit: str) -> list[dict[str, Any]]:
        """The entries of a unit in the journal, as journald gives them."""
        return [json.loads(line) for line in self.run(f"journalctl --unit={unit} --output=json").splitlines()]

    def until(self, condition: Callable[[], object]) -> None:
        """Waits until it holds."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, "it did not happen"
            time.sleep(0.5)
