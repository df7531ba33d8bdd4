"""Functions of the user by name."""

import os
import py_compile
from pathlib import Path

import pytest

import vehiclesim.curves
from hilbridge.common.errors import ConfigurationError
from hilbridge.trust.user_function import import_code, import_function

pytestmark = pytest.mark.usefixtures("own_code")


def test_a_function_is_found_by_module_and_name() -> None:
    """Modules of packages too."""
    assert import_function("vehiclesim.curves:power", ()) is vehiclesim.curves.power


@pytest.mark.parametrize("name", ["os:kill", "os.path:join", "posix:kill", "subprocess:run"])
def test_python_itself_has_no_functions_for_benches(name: str) -> None:
    """A key provider is called with two numbers, and os.kill takes two."""
    with pytest.raises(ConfigurationError, match="is a module of Python itself: name a function of your own"):
        import_function(name, ())


def test_a_function_is_found_in_a_file(tmp_path: Path) -> None:
    """Two files of the same name in two folders are two modules."""
    for folder, number in (("a", 1), ("b", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "sums.py").write_text(f"def number():\n    return {number}\n")
    found = [import_function(f"{tmp_path}/{folder}/sums.py:number", ())() for folder in ("a", "b")]
    assert found == [1, 2]


def test_a_file_is_loaded_anew_when_it_has_changed(tmp_path: Path) -> None:
    """And once while it has not: what it counts, it counts for all that name it."""
    file = tmp_path / "sums.py"
    file.write_text("def number():\n    return 1\n")
    first = import_code(str(file))
    assert import_code(str(file)) is first
    file.write_text("def number():\n    return 2\n")
    assert import_code(str(file)).number() == 2
    assert first.number() == 1


def test_the_text_is_what_runs_whatever_byte_code_lies_beside_it(tmp_path: Path) -> None:
    """Byte code that says of itself not to be checked is run by Python's own import in place of the text."""
    file = tmp_path / "sums.py"
    file.write_text("def number():\n    return 666\n")
    py_compile.compile(str(file), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    file.write_text("def number():\n    return 1\n")
    assert import_function(f"{file}:number", ())() == 1


def test_a_file_that_fails_is_tried_again(tmp_path: Path) -> None:
    file = tmp_path / "sums.py"
    file.write_text("import os\nassert 'READY' in os.environ\ndef number():\n    return 1\n")
    with pytest.raises(ConfigurationError, match="cannot import"):
        import_function(f"{file}:number", ())
    os.environ["READY"] = "1"
    try:
        assert import_function(f"{file}:number", ())() == 1
    finally:
        del os.environ["READY"]


def test_a_module_that_is_not_installed_names_the_form_of_a_file() -> None:
    with pytest.raises(ConfigurationError, match=r"a file beside the bench file is named sums\.py:crc$"):
        import_function("sums:crc", ())


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("no_such_module:f", "cannot import no_such_module"),
        ("yaml:no_such_function", "yaml has no function no_such_function"),
        ("yaml:__version__", "yaml has no function __version__"),
        ("yaml", "yaml has no function"),
    ],
)
def test_what_cannot_be_called_is_refused_with_its_place(name: str, reason: str) -> None:
    """No module, no such name, or no function."""
    with pytest.raises(ConfigurationError, match=reason) as raised:
        import_function(name, ("a", "function"))
    assert raised.value.place == ("a", "function")
