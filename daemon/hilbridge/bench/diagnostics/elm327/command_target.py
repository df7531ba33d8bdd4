"""The interface of an interpreter to its commands, and the form of the functions that carry them out."""

import re
from collections.abc import Callable, Iterable
from typing import Final, Protocol, TypeAlias

from hilbridge.bench.diagnostics.elm327.chip import Chip
from hilbridge.bench.diagnostics.elm327.request import ObdRequest
from hilbridge.bench.diagnostics.elm327.session import AdapterActivity, AdapterSession, Setup

OK: Final = "OK"
UNKNOWN: Final = "?"


class CommandTarget(Protocol):
    """The interpreter, as far as AT commands act on it."""

    t: int

    @property
    def chip(self) -> Chip:
        """The adapter that the interpreter is part of."""

    @property
    def session(self) -> AdapterSession:
        """Options, protocol and timing of the client."""

    def reset(self) -> None:
        """Restore the state after power-on, with the stored protocol."""

    def store_protocol(self) -> None:
        """Store the protocol, so that it survives a reset."""

    def enter_low_power(self) -> None:
        """Ignore the bus until the client sends the next line."""

    def write(self, text: str) -> None:
        """Write characters to the client."""

    def write_line(self, line: str) -> None:
        """Write a line to the client."""

    def write_prompt(self) -> None:
        """Write an empty line and the prompt to the client."""

    def begin_request(self, request: ObdRequest, setup: Setup | None = None) -> None:
        """Send a request, with other options than those of the client; its answers and the prompt follow."""

    def start_activity(self, activity: AdapterActivity) -> None:
        """Start an activity; the prompt follows when it is done."""


CommandFunction: TypeAlias = Callable[[CommandTarget, str], str | None]
"""A function that carries out a command with its argument. It returns the line of the answer, or None without one."""

Commands: TypeAlias = tuple[tuple[re.Pattern[str], CommandFunction], ...]
"""Commands with an argument: a pattern whose first group is the argument, and the function."""


def table(*commands: tuple[str, CommandFunction]) -> Commands:
    """Return commands of patterns as text."""
    return tuple((re.compile(pattern), function) for pattern, function in commands)


def run(commands: Iterable[tuple[re.Pattern[str], CommandFunction]], elm: CommandTarget, line: str) -> str | None:
    """Carry out the first command whose pattern matches; return the line of its answer, UNKNOWN if there is none."""
    for pattern, function in commands:
        match = pattern.fullmatch(line)
        if match is not None:
            return function(elm, match[1] if pattern.groups else "")
    return UNKNOWN
