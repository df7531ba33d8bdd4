"""Functions made from Python text, once at start, so that a tick runs straight-line code.

Functions of the same text are one piece of code with names of their own: forty frames that have their checksum in the
same place keep one copy of it in the processor's caches.
"""

from collections.abc import Callable, Mapping
from functools import cache
from types import CodeType
from typing import Any


def function(parameters: str, result: str, names: Mapping[str, Any], prelude: str = "pass") -> Callable[..., Any]:
    """`def f(parameters): prelude; return result`, with `names` as its globals.

    The text is made of numbers, own identifiers and repr() of signal names: nothing in a database becomes code.
    """
    text = f"def generated({parameters}):\n    {prelude}\n    return {result}"
    return _executed(text, dict(names)) if names else _nameless(text)


def _executed(text: str, scope: dict[str, Any]) -> Callable[..., Any]:
    exec(_compiled(text), scope)  # noqa: S102 - see `function`
    made: Callable[..., Any] = scope.pop("generated")  # a scope that holds what has it as its globals stays for ever
    return made


@cache
def _nameless(text: str) -> Callable[..., Any]:
    return _executed(text, {})


@cache
def _compiled(text: str) -> CodeType:
    return compile(text, "<generated>", "exec")
