"""What whoever builds a wheel is told before and while it is built."""

import importlib.util
import json
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

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


def test_the_bill_of_a_compiled_wheel_names_what_is_inside_the_extensions(hook: ModuleType) -> None:
    """mypyc's runtime library, in the version that compiles; what is not compiled has none of it."""
    text = hook.bill_of_materials("1.2", compiled=True)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    bill = json.loads(text)
    assert bill["metadata"]["component"]["version"] == "1.2"
    (runtime,) = bill["components"]
    assert (runtime["name"], runtime["version"]) == ("mypyc runtime library", version("mypy"))
    assert json.loads(hook.bill_of_materials("1.2", compiled=False))["components"] == []
