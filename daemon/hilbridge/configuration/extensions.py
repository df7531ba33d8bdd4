"""Blocks and components that a vehicle file takes from Python code of the user's.

The code runs with the rights of the daemon: it passes the gate of trust/gate.py first.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeVar

from hilbridge.common.errors import ConfigurationError, KeyPath, quoted
from hilbridge.trust.gate import UntrustedCodeError
from hilbridge.trust.user_function import import_code
from vehiclesim import Block, Component, Extensions, VehicleSettings
from vehiclesim.parameters import Scalar

_FORM: Final = "needs FILE.py:CLASS or MODULE:CLASS"

_Part = TypeVar("_Part")


def load_extensions(settings: VehicleSettings, folder: Path) -> Extensions:
    """Make the parts; files are looked for in `folder`, that of the vehicle file.

    ConfigurationError, with the key path in the vehicle file: no such file, module or class, a class of another kind,
    arguments that it refuses, a name that is missing or given twice.
    """
    blocks: dict[str, Block] = {}
    for i, block in enumerate(settings.blocks):
        if not block.name or block.name in blocks:
            raise ConfigurationError("needs a name of its own", ("blocks", i, "name"))
        blocks[block.name] = _make(Block, block.type, block.settings, folder, ("blocks", i))
    components = [
        _make(Component, component.type, component.settings, folder, ("components", i))
        for i, component in enumerate(settings.components)
    ]
    return Extensions(blocks, components)


def _make(kind: type[_Part], name: str, arguments: Mapping[str, Scalar], folder: Path, place: KeyPath) -> _Part:
    module_name, colon, class_name = name.rpartition(":")
    if not colon or not module_name or not class_name:
        raise ConfigurationError(_FORM, (*place, "type"))
    try:
        module = import_code(str(folder / module_name) if module_name.endswith(".py") else module_name)
    except UntrustedCodeError as error:
        raise ConfigurationError(error.message, (*place, "type")) from None
    except Exception as error:
        raise ConfigurationError(f"cannot load {module_name}: {_words(error)}", (*place, "type")) from error
    made = getattr(module, class_name, None)
    if not isinstance(made, type) or not issubclass(made, kind):
        raise ConfigurationError(
            f"{module_name} has no class {class_name} that is derived from vehiclesim.{kind.__name__}", (*place, "type")
        )
    try:
        return made(**arguments)
    except Exception as error:
        raise ConfigurationError(f"{class_name} cannot be made: {_words(error)}", (*place, "settings")) from error


def _words(error: Exception) -> str:
    return quoted(f"{type(error).__name__}: {error}", 200)
