"""Blocks and components that a vehicle file takes from Python code of the user's.

The code runs with the rights of the daemon: it passes the gate of base/trust/gate.py first.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath, quoted
from hilbridge.base.trust.kinds import Kind
from hilbridge.base.trust.user_function import import_function
from vehiclesim import Block, Component, Extensions, VehicleSettings
from vehiclesim.parameters import Scalar

_FORM: Final = "needs FILE.py:CLASS or MODULE:CLASS"
_BLOCK: Final = Kind("hilbridge_blocks", base=Block)
_COMPONENT: Final = Kind("hilbridge_components", base=Component)

_LONGEST_WORDS: Final = 200


def load_extensions(settings: VehicleSettings, folder: Path) -> Extensions:
    """Make the parts; files are looked for in `folder`, that of the vehicle file.

    ConfigurationError, with the key path in the vehicle file: no such file, module or class, a class of another kind,
    arguments that it refuses, a name that is missing or given twice.
    """
    blocks: dict[str, Block] = {}
    for i, block in enumerate(settings.blocks):
        if not block.name or block.name in blocks:
            raise ConfigurationError("needs a name of its own", ("blocks", i, "name"))
        blocks[block.name] = _make(_BLOCK, block.type, block.settings, folder, ("blocks", i))
    components = [
        _make(_COMPONENT, component.type, component.settings, folder, ("components", i))
        for i, component in enumerate(settings.components)
    ]
    return Extensions(blocks, components)


def _make(kind: Kind, name: str, arguments: Mapping[str, Scalar], folder: Path, place: KeyPath) -> Any:
    module_name, colon, class_name = name.rpartition(":")
    if not colon or not module_name or not class_name:
        raise ConfigurationError(_FORM, (*place, "type"))
    beside = str(folder / name) if module_name.endswith(".py") else name
    made = import_function(beside, kind, (*place, "type"))
    try:
        return made(**arguments)
    except Exception as error:
        words = quoted(f"{type(error).__name__}: {error}", _LONGEST_WORDS)
        raise ConfigurationError(f"{class_name} cannot be made: {words}", (*place, "settings")) from error
