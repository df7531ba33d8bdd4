"""Gives commands from inside the program: what `hilbridge ctl` says, without the socket."""

import json
from collections.abc import Callable
from typing import Any, TypeAlias

from hilbridge.common.errors import ConfigurationError

Obey: TypeAlias = Callable[[bytes], bytes]
"""Carries out a line and answers it, as `Controller.handle` does at the time of the tick."""


def order(obey: Obey, command: str, **keys: Any) -> dict[str, Any]:
    """Gives a command; the answer. ConfigurationError: it was refused."""
    line = json.dumps({"command": command, **keys}).encode()
    answer: dict[str, Any] = json.loads(obey(line))
    if "error" in answer:
        raise ConfigurationError(answer["error"])
    return answer
