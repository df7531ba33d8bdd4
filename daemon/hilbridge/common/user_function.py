"""Functions of the user, named in the bench file as `module:function`.

The module is found like any other module of Python, on PYTHONPATH for instance.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from hilbridge.common.errors import ConfigurationError, KeyPath


def import_function(name: str, place: KeyPath) -> Callable[..., Any]:
    """Return the function. ConfigurationError: the module cannot be imported, or has no such function."""
    module, _, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute, None)
    except Exception as error:  # noqa: BLE001 - a module of the user may raise anything
        raise ConfigurationError(f"cannot import {module}: {error}", place) from None
    if not callable(found):
        raise ConfigurationError(f"{module} has no function {attribute}", place)
    function: Callable[..., Any] = found
    return function
