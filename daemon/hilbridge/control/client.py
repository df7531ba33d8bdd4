"""Talks to a running daemon: one command, one answer."""

import json
import socket
from pathlib import Path
from typing import Any, Final

from hilbridge.common.errors import ConfigurationError
from hilbridge.settings.bench import LONGEST_LINE

PATIENCE: Final = 5.0
"""[s] for an answer: several thousand ticks."""


def ask(path: Path, command: dict[str, Any]) -> dict[str, Any]:
    """Sends a command to the daemon at a control socket and returns its answer.

    ConfigurationError: nobody is there, no permission, no answer, the command is too long, or the daemon refuses it
    (with the key path in a scenario that it was sent).
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


def _exchange(path: Path, line: bytes) -> bytes:
    answer = bytearray()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(PATIENCE)
        connection.connect(str(path))
        connection.sendall(line)
        while not answer.endswith(b"\n") and (data := connection.recv(1 << 16)):
            answer += data
    return bytes(answer)
