"""Functions and classes of the user, in a file of Python code or in an installed package.

    trust → import → a function or class of its kind → call

in this order: the code runs with the rights of the daemon, so that it passes the gate first, and what a file names is
called when it has been seen to be what the place needs. What runs of a file is the text that the gate has seen: a file
of byte code beside it is not looked at.
"""

import sys
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath, quoted
from hilbridge.base.trust.code import Code
from hilbridge.base.trust.gate import UntrustedCodeError, require_trust, require_trust_of_name
from hilbridge.base.trust.installed import FORMER
from hilbridge.base.trust.kinds import Kind

_LONGEST_WORDS: Final = 200


def import_function(name: str, kind: Kind, place: KeyPath) -> Callable[..., Any]:
    """Return the function or class `FILE.py:NAME` or `MODULE:NAME`; nothing of it has been called.

    ConfigurationError: the file or name is not trusted, cannot be imported, or is not of this kind.
    """
    name = FORMER.get(name, name)
    module, _, attribute = name.rpartition(":") if ":" in name else (name, "", "")
    try:
        if module.endswith(".py"):
            code = import_code(module)
        else:
            code = _imported(module, require_trust_of_name(name, kind.group).file)
        found = getattr(code, attribute, None)
    except UntrustedCodeError as error:
        beside = f"; a file beside this one is named {module}.py:{attribute}" if module.isidentifier() else ""
        raise ConfigurationError(f"{error.message}{beside}", place) from None
    except Exception as error:  # noqa: BLE001 - code of the user may raise anything
        words = quoted(f"{type(error).__name__}: {error}", _LONGEST_WORDS)
        raise ConfigurationError(f"cannot import {module}: {words}", place) from None
    if (fault := kind.fault_of(found, attribute)) is not None:
        raise ConfigurationError(f"{module}: {fault}" if fault.startswith(attribute) else f"{module} {fault}", place)
    function: Callable[..., Any] = found  # type: ignore[assignment]
    return function


def import_code(path: str) -> ModuleType:
    """Return the module of a file, loaded once while it does not change.

    UntrustedCodeError: it is not trusted; any other exception: it cannot be imported.
    """
    return _loaded(require_trust(Path(path)))


def _imported(name: str, file: Path) -> ModuleType:
    """Return an installed module. ImportError: it comes from another file than the gate has seen."""
    module = import_module(name)
    if Path(str(module.__file__)).resolve() != file:
        raise ImportError(f"it comes from {module.__file__}")
    return module


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
