"""What whoever builds a wheel is told before and while it is built."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

HOOK = Path(__file__).parents[2] / "hatch_build.py"


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", HOOK)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_python_that_is_too_old_is_refused_in_words(hook: ModuleType) -> None:
    """pip compares `requires-python` only with a wheel that is built, and so too late."""
    with pytest.raises(SystemExit, match=r"hilbridge needs Python 3\.11 or later; this is Python 3\.10\.13 "):
        hook.refuse_old_python((3, 10, 13, "final", 0))


@pytest.mark.parametrize("version", [(3, 11, 0, "final", 0), (3, 14, 1, "final", 0), (4, 0, 0, "alpha", 1)])
def test_others_are_not(hook: ModuleType, version: tuple[int | str, ...]) -> None:
    hook.refuse_old_python(version)
