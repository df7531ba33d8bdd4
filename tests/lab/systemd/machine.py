"""A machine of its own: Debian 12, booted by systemd in a user-mode Linux kernel that has SocketCAN.

It starts from the disk of tests/lab/systemd-disk and keeps what it writes for itself. Programs run at full speed there;
a system call takes about 55 µs, and there is one processor, which the machine shares with everything else here.
"""

import base64
import json
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).parents[3]
DISK = CHECKOUT / "build/systemd-lab/disk"
UML = CHECKOUT / "tests/lab/uml"

BENCH = (Path(__file__).parent / "bench.yaml").read_text(encoding="utf-8")

PATIENCE = 60.0
"""[s] for something to happen."""

LONGEST_COMMAND = 320.0
"""[s] The shell gives up a command after 300 s, and says so."""

LIFE = 1200
"""[s] after which the machine ends, also when nobody is left to end it."""


class Machine:
    """Speaks with the shell on the machine's serial line (file `shell`), one command at a time."""

    def __init__(self, folder: Path, *, writable: bool = True) -> None:
        """Boots; `folder` gets what the machine writes to its disk and its console. `writable`: its root is."""
        self._line, far = socket.socketpair()
        self._line.settimeout(LONGEST_COMMAND)
        self._answers = self._line.makefile("rb")
        command = ["timeout", "--kill-after=5", str(LIFE), str(UML), "mem=1G", f"ubd0={folder}/changes,{DISK}"]
        command += [
            "root=/dev/ubda",
            "rw" if writable else "ro",
            "init=/lib/systemd/systemd",
            "quiet",
            "pty.legacy_count=0",
        ]
        command += ["con=null", "con0=null,fd:1", f"ssl0=fd:{far.fileno()}", f"uml_dir={folder}"]
        with far, (folder / "console").open("wb") as console:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                pass_fds=[far.fileno()],
            )
        if not self._answers.readline():
            self.close()
            raise RuntimeError((folder / "console").read_text(encoding="utf-8", errors="replace"))

    def close(self) -> None:
        """Off, without a shutdown."""
        self._process.terminate()
        self._process.wait(timeout=10)
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
        """The entries of a unit in the journal, long ones as well: an abort names more modules than 4096 bytes hold."""
        entries = self.run(f"journalctl --unit={unit} --all --output=json").splitlines()
        return [json.loads(entry) for entry in entries]

    def files(self) -> set[str]:
        """What lies on the disk, but for what any machine writes as it goes: logs, dpkg's books, caches."""
        beside = r"\|".join(
            ("var/log", "var/cache", "var/lib/dpkg", "var/lib/systemd", "var/lib/apt", "tmp", "var/tmp")
        )
        found = self.run(rf"find / -xdev -not -name __pycache__ -not -name '*.pyc' | grep -v '^/\({beside}\)/'")
        return set(found.splitlines())

    def until(self, condition: Callable[[], object], patience: float = PATIENCE, nap: float = 0.2) -> None:
        """Waits until it holds, for some time [s]; between two looks the machine has the `nap` for its own work."""
        end = time.monotonic() + patience
        while not condition():
            assert time.monotonic() < end, "it did not happen"
            time.sleep(nap)
