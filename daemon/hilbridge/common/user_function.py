"""Functions and classes of the user, in a file of Python code or in an installed module.

The code runs with the rights of the daemon: a file that names it is as trusted as a program.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from hilbridge.common.errors import ConfigurationError, KeyPath


def import_function(name: str, place: KeyPath) -> Callable[..., Any]:
    """Return the function `FILE.py:FUNCTION` or `MODULE:FUNCTION`.

    ConfigurationError: the file or module cannot be imported, or has no such function.
    """
    module, _, attribute = name.rpartition(":") if ":" in name else (name, "", "")
    try:
        found = getattr(import_code(module), attribute, None)
    except Exception as error:  # noqa: BLE001 - code of the user may raise anything
        beside = "" if module.endswith(".py") else f"; a file beside the bench file is named {module}.py:{attribute}"
        raise ConfigurationError(f"cannot import {module}: {error}{beside}", place) from None
    if not callable(found):
        raise ConfigurationError(f"{module} has no function {attribute}", place)
    function: Callable[..., Any] = found
    return function


def import_code(name: str) -> ModuleType:
    """Return the module of a path that ends in `.py`, loaded once, or an installed one by its name."""
    if not name.endswith(".py"):
        return import_module(name)
    path = Path(name).resolve()
    known = f"hilbridge_user_code_{abs(hash(path))}"
    if known in sys.modules:
        return sys.modules[known]
    specification = spec_from_file_location(known, path)
    if specification is None or specification.loader is None:
        raise ImportError("it is no Python file")
    module = module_from_spec(specification)
    specification.loader.exec_module(module)
    sys.modules[known] = module
    return module
