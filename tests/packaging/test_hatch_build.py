"""What whoever builds a wheel is told before and while it is built."""

import importlib.util
import json
import re
import tomllib
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packaging.specifiers import SpecifierSet

HOOK = Path(__file__).parents[2] / "hatch_build.py"
PYPROJECT = tomllib.loads(HOOK.with_name("pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", HOOK)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("version", ["3.10.13", "3.15.0", "4.0.0"])
def test_a_python_that_was_not_tried_is_refused_in_words(hook: ModuleType, version: str) -> None:
    """pip compares `requires-python` only with a wheel that is built, and so too late."""
    words = rf"hilbridge needs Python 3\.11, 3\.12, 3\.13 or 3\.14; this is Python {re.escape(version)} "
    with pytest.raises(SystemExit, match=words):
        hook.refuse_other_python((*map(int, version.split(".")), "final", 0))
    assert not SpecifierSet(PROJECT["requires-python"]).contains(version)


def test_those_that_were_tried_are_promised_everywhere_and_no_others(hook: ModuleType) -> None:
    """By the hook of the build, `requires-python` and the classifiers; `make wheels` builds what ran compiled."""
    tried = [".".join(map(str, version)) for version in hook.TRIED]
    for major, minor in hook.TRIED:
        hook.refuse_other_python((major, minor, 0, "final", 0))
    promised = SpecifierSet(PROJECT["requires-python"])
    assert [f"3.{minor}" for minor in range(30) if promised.contains(f"3.{minor}.1")] == tried
    assert re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"])) == tried
    built = [re.fullmatch(r"cp3(\d+)-manylinux_\*", each) for each in PYPROJECT["tool"]["cibuildwheel"]["build"]]
    assert [each and f"3.{each[1]}" for each in built] == tried[:1]  # of the others only the pure wheel was tried


def test_the_bill_of_a_compiled_wheel_names_what_is_inside_the_extensions(hook: ModuleType) -> None:
    """mypyc's runtime library, in the version that compiles; what is not compiled has none of it."""
    text = hook.bill_of_materials("1.2", compiled=True)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    bill = json.loads(text)
    assert bill["metadata"]["component"]["version"] == "1.2"
    (runtime,) = bill["components"]
    assert (runtime["name"], runtime["version"]) == ("mypyc runtime library", version("mypy"))
    assert json.loads(hook.bill_of_materials("1.2", compiled=False))["components"] == []
