"""A daemon of the tests: a control socket whose answers are those of a function."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ...control_door import ControlDoor

Reply = Callable[[dict[str, Any]], dict[str, Any]]


@contextmanager
def daemon(path: Path, reply: Reply) -> Iterator[list[dict[str, Any]]]:
    """Serves a socket; the list has the commands that came."""
    commands: list[dict[str, Any]] = []
    ended = threading.Event()
    server = ControlDoor(path)

    def handle(line: bytes) -> bytes:
        commands.append(json.loads(line))
        return json.dumps(reply(commands[-1])).encode()

    def serve() -> None:
        while not ended.wait(0.001):
            server.turn(handle)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield commands
    finally:
        ended.set()
        thread.join()
        server.close()


def entries(time: float, **values: float | None) -> dict[str, Any]:
    """The answer to the question for all entries; names have `_` in place of the dot."""
    channels: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        path = name.replace("_", ".")
        channels.setdefault(path.partition(".")[0], {})[path] = {"value": value, "unit": "rpm"}
    return {"time": time, "entries": channels}
