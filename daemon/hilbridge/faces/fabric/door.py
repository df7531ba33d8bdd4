"""The door for commands from the fabric: questions pass, and what the bench file allows by name; nothing else."""

import json
from collections.abc import Collection
from typing import Any, Final

from hilbridge.base.common.control_line import LONGEST_LINE
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control.lines import Answer
from hilbridge.client.sync_client import AnyClient

_QUESTIONS: Final = frozenset(("status", "fault-list"))
_KEPT_BACK: Final = "page"
"""The part of the status that opens the page to every reader."""


class Door:
    """The commands from the fabric, one at a time to the control socket; without one everything is refused."""

    def __init__(self, client: AnyClient | None, allow: Collection[str]) -> None:
        self._client: Final = client
        self._allow: Final = frozenset(allow)

    def answer(self, line: bytes) -> bytes:
        """Return the answer to a line, whatever that is."""
        return json.dumps(self._answer(line)).encode()

    def ask(self, command: dict[str, Any]) -> Answer:
        """Have a command carried out, unless it is not allowed; the answer never has the page's token."""
        name = command.get("command")
        if self._client is None:
            return {"error": "this bench has no control socket"}
        if name not in _QUESTIONS and name not in self._allow:
            return {"error": f"the fabric may not do this: the bench file has no 'fabric: {{allow: [{name}]}}'"}
        try:
            answer = self._client.exchange(command)
        except ConfigurationError as error:
            return {"error": error.message}
        answer.pop(_KEPT_BACK, None)
        return answer

    def _answer(self, line: bytes) -> Answer:
        if len(line) > LONGEST_LINE:
            return {"error": f"a running bench takes {LONGEST_LINE >> 10} KiB at once"}
        try:
            command = json.loads(line)
        except (ValueError, RecursionError):
            command = None
        if not isinstance(command, dict) or not isinstance(command.get("command"), str):
            return {"error": "a command is a JSON object with the key 'command'"}
        return self.ask(command)
