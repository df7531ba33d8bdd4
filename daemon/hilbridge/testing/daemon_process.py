"""A daemon that is started for a test."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError

_PATIENCE: Final = 60.0
"""[s] for the start, and for the end."""

_POLL_INTERVAL: Final = 0.02
_LAST_LINES: Final = 3


class DaemonProcess:
    """`hilbridge run` of a bench file in real time; its log is a file."""

    def __init__(self, bench: Path, seed: int | None, options: Sequence[str]) -> None:
        self._folder: Final = TemporaryDirectory(prefix="hilbridge-")
        self._log: Final = Path(self._folder.name, "daemon.log")
        command = [sys.executable, "-P", "-m", "hilbridge", "run", str(bench), "--no-web", *options]
        command += [] if seed is None else ["--seed", str(seed)]
        with self._log.open("wb") as log:
            self._process: Final = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )

    def control_socket(self) -> str:
        """Wait until the bench is ready; return the path of its control socket.

        ConfigurationError: it ends before, or has no control socket, with the last lines of its log.
        """
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            ended = self._process.poll() is not None
            events = {record.get("event"): record for record in self._records()}
            if "ready" in events and "control socket open" in events:
                return str(events["control socket open"]["path"])
            if ended or "control socket not open" in events:
                break
            time.sleep(_POLL_INTERVAL)
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()[-_LAST_LINES:]
        raise ConfigurationError("\n".join(["the bench does not start:", *lines]))

    def copy_log(self, path: Path) -> Path:
        """Copy the log as it is now; return the copy."""
        shutil.copyfile(self._log, path)
        return path

    def end(self) -> None:
        """End the run in good order, or at once if it does not end."""
        self._process.terminate()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._folder.cleanup()

    def _records(self) -> list[dict[str, Any]]:
        """Return the whole lines of the log so far that are records."""
        text = self._log.read_bytes()
        lines = text[: text.rfind(b"\n") + 1].splitlines()
        return [json.loads(line) for line in lines if line.startswith(b"{")]
