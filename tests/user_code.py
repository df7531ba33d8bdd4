"""Python code of the user: a file whose functions a test makes and exchanges, and a function in this file."""

from pathlib import Path
from types import ModuleType

from hilbridge.base.trust.user_function import import_code


def user_module(folder: Path, **functions: object) -> ModuleType:
    """Return the module of a new file in a folder, with these functions: benches name it by its `__file__`.

    The code must be trusted (`own_code`).
    """
    file = folder / "user_module.py"
    file.write_text("")
    module = import_code(str(file))
    module.__dict__.update(functions)
    return module


def refuse(step: int, head: bytes, parameters: list[bytes], challenge: bytes) -> None:
    """Authenticate by nothing."""
