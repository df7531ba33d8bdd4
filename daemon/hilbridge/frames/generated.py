"""Functions made from Python text, once at start, so that a tick runs straight-line code."""

from collections.abc import Callable, Mapping
from typing import Any


def function(parameters: str, result: str, names: Mapping[str, Any], prelude: str = "pass") -> Callable[..., Any]:
    """`def f(parameters): prelude; return result`, with `names` as its globals.

    The text is made of numbers, own identifiers and repr() of signal names: nothing in a database becomes code.
    """
    scope = dict(names)
    exec(f"def generated({parameters}):\n    {prelude}\n    return {result}", scope)  # noqa: S102 - see docstring
    made: Callable[..., Any] = scope["generated"]
    return made
