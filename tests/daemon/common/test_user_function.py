"""Functions of the user by name."""

import math

import pytest

from hilbridge.common.errors import ConfigurationError
from hilbridge.common.user_function import import_function


def test_a_function_is_found_by_module_and_name() -> None:
    """Modules of packages too."""
    assert import_function("math:sqrt", ()) is math.sqrt
    assert import_function("os.path:join", ())("a", "b") == "a/b"


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
