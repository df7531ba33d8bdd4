"""Functions of the user by name."""

import os
import py_compile
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.trust.kinds import LOCKSTEP, Kind
from hilbridge.base.trust.user_function import import_code, import_function
from vehiclesim import Component

pytestmark = pytest.mark.usefixtures("own_code")


NUMBER = Kind("hilbridge_numbers", ("value",))


def test_a_function_is_found_in_a_file(tmp_path: Path) -> None:
    """Two files of the same name in two folders are two modules."""
    for folder, number in (("a", 1), ("b", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "sums.py").write_text(f"def number(value):\n    return {number}\n")
    found = [import_function(f"{tmp_path}/{folder}/sums.py:number", NUMBER, ())(0) for folder in ("a", "b")]
    assert found == [1, 2]


def test_a_file_is_loaded_anew_when_it_has_changed(tmp_path: Path) -> None:
    """And once while it has not: what it counts, it counts for all that name it."""
    file = tmp_path / "sums.py"
    file.write_text("def number(value):\n    return 1\n")
    first = import_code(str(file))
    assert import_code(str(file)) is first
    file.write_text("def number(value):\n    return 2\n")
    assert import_code(str(file)).number(0) == 2
    assert first.number(0) == 1


def test_the_text_is_what_runs_whatever_byte_code_lies_beside_it(tmp_path: Path) -> None:
    """Byte code that says of itself not to be checked is run by Python's own import in place of the text."""
    file = tmp_path / "sums.py"
    file.write_text("def number(value):\n    return 666\n")
    py_compile.compile(str(file), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    file.write_text("def number(value):\n    return 1\n")
    assert import_function(f"{file}:number", NUMBER, ())(0) == 1


def test_a_file_that_fails_is_tried_again(tmp_path: Path) -> None:
    file = tmp_path / "sums.py"
    file.write_text("import os\nassert 'READY' in os.environ\ndef number(value):\n    return 1\n")
    with pytest.raises(ConfigurationError, match="cannot import"):
        import_function(f"{file}:number", NUMBER, ())
    os.environ["READY"] = "1"
    try:
        assert import_function(f"{file}:number", NUMBER, ())(0) == 1
    finally:
        del os.environ["READY"]


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        ("", NUMBER, "has no function thing"),
        ("thing = 7", NUMBER, "has no function thing"),
        ("class thing: pass", NUMBER, "has no function thing"),
        ("def thing(): RAN()", NUMBER, r"thing does not take \(value\)"),
        ("def thing(value, *, unit): RAN()", NUMBER, r"thing does not take \(value\)"),
        ("def thing(): RAN()", LOCKSTEP, "has no class thing"),
        ("thing = type(RAN)", LOCKSTEP, "thing has no method receive"),
        ("class thing:\n    def __init__(self): RAN()\n    def receive(self): RAN()", LOCKSTEP, "has no method tick"),
        ("class thing:\n    receive = tick = 1", LOCKSTEP, "thing has no method receive"),
        ("from unittest.mock import MagicMock as thing", LOCKSTEP, "thing has no method receive"),
        ("class thing:\n    def __init__(self): RAN()", Kind("", base=Component), "derived from vehiclesim.Component"),
        ("thing = RAN", Kind("", base=Component), "has no class thing"),
    ],
)
def test_what_is_not_of_its_kind_is_refused_and_never_called(
    tmp_path: Path, text: str, kind: Kind, reason: str
) -> None:
    """With the place that names it: functions by the arguments that they take, classes by base and methods."""
    (tmp_path / "own.py").write_text(f"def RAN(*_):\n    raise SystemExit\n\n{text}\n")
    with pytest.raises(ConfigurationError, match=reason) as raised:
        import_function(f"{tmp_path}/own.py:thing", kind, ("a", "function"))
    assert raised.value.place == ("a", "function")


@pytest.mark.parametrize(
    "text",
    [
        "def thing(value): return 1",
        "def thing(*values): return 1",
        "def thing(value, unit=None): return 1",
        "thing = lambda value: 1",
        "from functools import partial\nthing = partial(max, 1)",
        "class C:\n    def __call__(self, value): return 1\nthing = C()",
        "class C:\n    def thing(self, value): return 1\nthing = C().thing",
        "thing = max",
    ],
)
def test_whatever_takes_the_arguments_is_a_function(tmp_path: Path, text: str) -> None:
    """One in C that does not say what it takes is believed."""
    (tmp_path / "own.py").write_text(text)
    assert callable(import_function(f"{tmp_path}/own.py:thing", NUMBER, ()))


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "own.py")
    with pytest.raises(ConfigurationError, match="has no function thing"):
        import_function(f"{tmp_path}/own.py:thing", NUMBER, ())
