"""A command and its answer as lines of JSON: what crosses the control socket, and what the handler behind it takes."""

import json
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from hilbridge.base.common.control_line import LONGEST_LINE
from hilbridge.base.common.errors import ConfigurationError, Sought, dotted

PROTOCOL: Final = 1
"""The version of commands and answers: it grows when one of them is taken away or means something else.

New commands, new keys that may be left out and new parts of an answer do not change it.
"""

USUAL: Final = "usual"
"""The parts of a status by default, as one name."""

Command: TypeAlias = dict[str, Any]
"""A command; its key `command` has its name (commands.py)."""

Answer: TypeAlias = dict[str, Any]
"""The answer to a command: what was asked for, or the key `error` with the reason."""

HandleCommand: TypeAlias = Callable[[bytes], bytes]
"""The handler of a line, which returns its answer, as `CommandHandler.handle` does at the time of the tick."""


def encode_command(command: Command) -> bytes:
    """Return a command as a line with its end. ConfigurationError: it is longer than the daemon takes."""
    line = json.dumps(command).encode() + b"\n"
    if len(line) > LONGEST_LINE:
        raise ConfigurationError(
            f"a running bench takes {LONGEST_LINE >> 10} KiB at once, this has {len(line) / 1024:.0f}; of a scenario, "
            "the cycles in it are most: play them one after the other, or with 'hilbridge run --scenario'"
        )
    return line


def refusal(error: ConfigurationError) -> Answer:
    """Return the answer to a command that was refused in a tick, which leaves it to others to find what was meant."""
    reason = f"{dotted(error.place)}: {error.reason}" if error.place else error.reason
    return {"error": reason} if error.sought is None else {"sought": error.sought, "error": reason}


def worded(answer: Answer) -> Answer:
    """Return an answer for people: a refusal says what may have been meant."""
    if "sought" not in answer:
        return answer
    return {"error": answer["error"] + Sought(*answer["sought"]).hint}


def accepted(answer: Answer) -> Answer:
    """Return an answer. ConfigurationError: it is a refusal; with the key path in a scenario that was sent."""
    answer = worded(answer)
    if "error" in answer:
        raise ConfigurationError(
            answer["reason"] if "reason" in answer else answer["error"], tuple(answer.get("place", ()))
        )
    return answer


def execute(handle: HandleCommand, command: str, **keys: Any) -> Answer:
    """Have a command of this program carried out and return the answer. ConfigurationError: it was refused."""
    return accepted(answer_of(handle, {"command": command, **keys}))


def answer_of(handle: HandleCommand, command: Command) -> Answer:
    """Have a command of this program carried out; return the answer, also a refusal."""
    answer: Answer = json.loads(handle(json.dumps(command).encode()))
    return answer
