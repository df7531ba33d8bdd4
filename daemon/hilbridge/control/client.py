"""The client of a daemon: commands over its control socket or, inside of the program, to the handler behind it."""

import json
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

from hilbridge.common.control_line import LONGEST_LINE
from hilbridge.common.errors import ConfigurationError

TIMEOUT: Final = 5.0
"""[s] for an answer: several thousand ticks."""

RELOAD_TIMEOUT: Final = 120.0
"""[s] for the outcome of a reload."""

_POLL_INTERVAL: Final = 0.05
"""[s] between two requests of the status."""

HandleCommand: TypeAlias = Callable[[bytes], bytes]
"""The handler of a line, which returns its answer, as `CommandHandler.handle` does at the time of the tick."""


def execute(handle: HandleCommand, command: str, **keys: Any) -> dict[str, Any]:
    """Have a command of this program carried out and return the answer. ConfigurationError: it was refused."""
    line = json.dumps({"command": command, **keys}).encode()
    answer: dict[str, Any] = json.loads(handle(line))
    if "error" in answer:
        raise ConfigurationError(answer["error"])
    return answer


def ask(path: Path, command: dict[str, Any]) -> dict[str, Any]:
    """Send a command to the daemon at a control socket and return its answer.

    ConfigurationError: no daemon, no permission, no answer, the command is too long, or the daemon refuses it (with the
    key path in a scenario that it was sent).
    """
    line = json.dumps(command).encode() + b"\n"
    if len(line) > LONGEST_LINE:
        raise ConfigurationError(
            f"a running bench takes {LONGEST_LINE >> 10} KiB at once, this has {len(line) / 1024:.0f}; of a scenario, "
            "the cycles in it are most: play them one after the other, or with 'hilbridge run --scenario'"
        )
    try:
        answer = _exchange(path, line)
    except TimeoutError:
        raise ConfigurationError(f"the daemon at {path} does not answer") from None
    except OSError as error:
        raise ConfigurationError(f"no daemon can be reached at {path}: {error.strerror or error}") from error
    if not answer.endswith(b"\n"):
        raise ConfigurationError(f"the daemon at {path} ended before it answered")
    reply: dict[str, Any] = json.loads(answer)
    if "error" in reply:
        raise ConfigurationError(reply.get("reason", reply["error"]), tuple(reply.get("place", ())))
    return reply


def await_recording(path: Path) -> None:
    """Wait until a recording that was started is being written. ConfigurationError: it fails, or takes too long."""
    deadline = time.monotonic() + TIMEOUT
    while (recording := _status(path, "recording")["recording"]) is not None and not recording["begun"]:
        if time.monotonic() > deadline:
            raise ConfigurationError("the recording does not begin: the daemon's observer is busy or gone, see its log")
        time.sleep(_POLL_INTERVAL)
    if recording is not None and recording["error"]:
        raise ConfigurationError(recording["error"])


def await_reload(path: Path, request: int) -> dict[str, Any]:
    """Wait for the outcome of a reload by the number of its request. ConfigurationError: it takes too long."""
    deadline = time.monotonic() + RELOAD_TIMEOUT
    while (last := _status(path, "reload")["reload"]["last"]) is None or last["request"] < request:
        if time.monotonic() > deadline:
            raise ConfigurationError(
                f"the reload is not over after {RELOAD_TIMEOUT:.0f} s; the log of the run will report its outcome"
            )
        time.sleep(_POLL_INTERVAL)
    outcome: dict[str, Any] = last
    return outcome


def await_scenario(path: Path) -> dict[str, Any]:
    """Wait until a scenario that was started is over; return the parts `scenario` and `verdicts` of the status."""
    while _status(path, "scenario")["scenario"]["state"] == "running":
        time.sleep(_POLL_INTERVAL)
    status = _status(path, "scenario", "verdicts")
    return {"scenario": status["scenario"], "verdicts": status["verdicts"]}


def _status(path: Path, *parts: str) -> dict[str, Any]:
    return ask(path, {"command": "status", "parts": list(parts)})


def _exchange(path: Path, line: bytes) -> bytes:
    answer = bytearray()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(TIMEOUT)
        connection.connect(str(path))
        connection.sendall(line)
        while not answer.endswith(b"\n") and (data := connection.recv(1 << 16)):
            answer += data
    return bytes(answer)
