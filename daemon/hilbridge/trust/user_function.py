"""Functions and classes of the user, in a file of Python code or in an installed module.

The code runs with the rights of the daemon, so a file passes the gate first. What runs is the text that the gate has
seen: a file of byte code beside it is not looked at.
"""

import sys
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.trust.code import Code
from hilbridge.trust.gate import UntrustedCodeError, require_trust


def import_function(name: str, place: KeyPath) -> Callable[..., Any]:
    """Return the function `FILE.py:FUNCTION` or `MODULE:FUNCTION`.

    ConfigurationError: the file or module is not trusted, cannot be imported, or has no such function.
    """
    module, _, attribute = name.rpartition(":") if ":" in name else (name, "", "")
    try:
        found = getattr(import_code(module), attribute, None)
    except UntrustedCodeError as error:
        raise ConfigurationError(error.message, place) from None
    except Exception as error:  # noqa: BLE001 - code of the user may raise anything
        beside = "" if module.endswith(".py") else f"; a file beside the bench file is named {module}.py:{attribute}"
        raise ConfigurationError(f"cannot import {module}: {error}{beside}", place) from None
    if not callable(found):
        raise ConfigurationError(f"{module} has no function {attribute}", place)
    function: Callable[..., Any] = found
    return function


def import_code(name: str) -> ModuleType:
    """Return the module of a path that ends in `.py`, loaded once while it does not change, or an installed one.

    UntrustedCodeError: nobody has trusted it; any other exception: it cannot be imported.
    """
    if name.endswith(".py"):
        return _loaded(require_trust(Path(name)))
    if name.partition(".")[0] in sys.stdlib_module_names:
        raise UntrustedCodeError(f"{name} is a module of Python itself: name a function of your own that calls it")
    return import_module(name)


def _loaded(code: Code) -> ModuleType:
    known = f"hilbridge_user_code_{sha256(f'{code.path} {code.digest}'.encode()).hexdigest()[:16]}"
    if known in sys.modules:
        return sys.modules[known]
    loader = _Loader(known, code)
    module = module_from_spec(ModuleSpec(known, loader, origin=str(code.path)))
    module.__file__ = str(code.path)
    sys.modules[known] = module
    try:
        loader.exec_module(module)
    except BaseException:
        del sys.modules[known]
        raise
    return module


class _Loader(SourceFileLoader):
    """A loader that runs the text it was given."""

    def __init__(self, name: str, code: Code) -> None:
        super().__init__(name, str(code.path))
        self._text = code.text

    def get_code(self, fullname: str) -> CodeType:
        """Compile the text, whatever lies in a cache."""
        return self.source_to_code(self._text, self.get_filename(fullname))
