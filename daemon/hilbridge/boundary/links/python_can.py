"""The interfaces of python-can: opened by their own parameters, with the one to blame when that fails.

Most interfaces swallow parameters that they do not know. Here one is refused whose name does not occur in the source
of the interface's class and of its base classes: no part can read it.
"""

import inspect
import re
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

import can
from can.interfaces import BACKENDS

from hilbridge.base.common.errors import KeyPath, LinkError, NotNowError
from hilbridge.base.common.remedies import driver_remedy


def require_options(interface: str, options: Mapping[str, Any]) -> None:
    """Raise LinkError, with its key, if no part of the interface reads an option."""
    try:
        module, name = BACKENDS[interface]
        driver = getattr(import_module(module), name)
    except Exception:  # noqa: BLE001 - a driver may raise anything; opening the interface reports it
        return
    for option in unread_options(driver, options):
        raise LinkError(f"no part of python-can's {interface} reads the parameter {option!r}", ("options", option))


def open_interface(interface: str, channel: str | int | None, options: Mapping[str, Any], **common: Any) -> can.BusABC:
    """Open an interface. LinkError, with the key that is to blame where that is known: it can never be opened so.

    NotNowError: the adapter is missing, taken or not permitted, as far as the driver's error says.
    `options` are the interface's own parameters; `common` are those that have a key of their own.
    """
    try:
        return can.Bus(channel, interface, ignore_config=True, **common, **options)
    except Exception as error:
        words = _words(error)
        if isinstance(error, ImportError | can.CanInterfaceNotImplementedError) or "library not found" in words.lower():
            raise LinkError(f"{words}; {driver_remedy(interface)}", ("interface",)) from error
        place = blamed_key(words, common, options)
        of_file = (bool(place) or isinstance(error, TypeError | ValueError)) and not _is_of_system(error)
        raise (LinkError if of_file else NotNowError)(words, place) from error


def unread_options(driver: type[can.BusABC], options: Iterable[str]) -> list[str]:
    """Return the options whose names do not occur in the modules of a driver's class and its bases."""
    modules = sorted({base.__module__ for base in driver.__mro__ if base is not object})
    try:
        source = "\n".join(inspect.getsource(sys.modules[module]) for module in modules)
    except OSError:  # a driver without source
        return []
    words = set(re.findall(r"\w+", source))
    return [option for option in options if option not in words]


def blamed_key(words: str, common: Iterable[str], options: Iterable[str]) -> KeyPath:
    """Return the key of the parameter that an error message names; empty if it names none."""
    named = set(re.findall(r"\w+", words))
    for option in options:
        if option in named:
            return ("options", option)
    return next(((key,) for key in common if key in named), ())


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__


def _is_of_system(error: BaseException | None) -> bool:
    """Return whether an error, or its cause, is one of the operating system: no such device, busy, ..."""
    while error is not None and not isinstance(error, OSError):
        error = error.__cause__ or error.__context__
    return error is not None
