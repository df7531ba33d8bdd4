"""The code generator: functions made from Python text, once at start, so that a tick runs straight-line code.

It makes the encoders and decoders of messages, and the expressions of bench files. Functions of the same text share one
piece of code, so that it is compiled once and stays in the processor's caches.
"""

from collections.abc import Callable, Mapping
from functools import cache
from types import CodeType
from typing import Any


def function(parameters: str, result: str, names: Mapping[str, Any], prelude: str = "pass") -> Callable[..., Any]:
    """Make `def f(parameters): prelude; return result`, with `names` as its globals.

    The text is made of numbers, own identifiers and repr() of signal names: nothing in a database becomes code.
    """
    scope = dict(names)
    code = _compiled(f"def generated({parameters}):\n    {prelude}\n    return {result}")
    exec(code, scope)  # noqa: S102 - see above
    made: Callable[..., Any] = scope.pop("generated")  # a function in its own globals is never freed
    return made


@cache
def _compiled(text: str) -> CodeType:
    return compile(text, "<generated>", "exec")
