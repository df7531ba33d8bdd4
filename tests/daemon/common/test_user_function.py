"""Functions of the user by name."""

import math
from pathlib import Path

import pytest

from hilbridge.common.errors import ConfigurationError
from hilbridge.common.user_function import import_function


def test_a_function_is_found_by_module_and_name() -> None:
    """Modules of packages too."""
    assert import_function("math:sqrt", ()) is math.sqrt
    assert import_function("os.path:join", ())("a", "b") == "a/b"


def test_a_function_is_found_in_a_file(tmp_path: Path) -> None:
    """Two files of the same name in two folders are two modules."""
    for folder, number in (("a", 1), ("b", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "sums.py").write_text(f"def number():\n    return {number}\n")
    found = [import_function(f"{tmp_path}/{folder}/sums.py:number", ())() for folder in ("a", "b")]
    assert found == [1, 2]


def test_a_module_that_is_not_installed_names_the_form_of_a_file() -> None:
    with pytest.raises(ConfigurationError, match=r"a file beside the bench file is named sums\.py:crc$"):
        import_function("sums:crc", ())


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("no_such_module:f", "cannot import no_such_module"),
        ("math:no_such_function", "math has no function no_such_function"),
        ("math:pi", "math has no function pi"),
        ("math", "math has no function"),
    ],
)
def test_what_cannot_be_called_is_refused_with_its_place(name: str, reason: str) -> None:
    """No module, no such name, or no function."""
    with pytest.raises(ConfigurationError, match=reason) as raised:
        import_function(name, ("a", "function"))
    assert raised.value.place == ("a", "function")
