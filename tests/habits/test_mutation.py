"""The tool that changes the code to judge its tests: which changes it makes, and how it tells whether tests notice."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import coverage
import pytest
import yaml

from ..door_table import DOORS
from ..mutation import reach as reach_module
from ..mutation import trial as trial_module
from ..mutation.__main__ import case_of, interval, rank
from ..mutation.operators import Key, Source
from ..mutation.reach import LONG, Reach, Stopwatch
from ..mutation.rooms import CHECKOUT, ROOMS
from ..mutation.survivors import contradictions, load
from ..mutation.trial import KILLED, SURVIVED, TIMEOUT, UNTRIED, Case, try_at_import, try_in_functions


def changes(text: str) -> dict[str, set[str]]:
    """By operator, what becomes of a module."""
    found: dict[str, set[str]] = {}
    for mutant in Source("m", "m.py", dedent(text)).mutants:
        found.setdefault(mutant.key.operator, set()).add(mutant.key.text)
    return found


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("y = a < b", {"comparison": {"y = a < b → y = a >= b", "y = a < b → y = a <= b"}}),
        ("y = a == b", {"comparison": {"y = a == b → y = a != b"}}),
        ("y = a not in b", {"comparison": {"y = a not in b → y = a in b"}}),
        ("y = 0 <= a < n", {
            "comparison": {"y = 0 <= a < n → y = 0 < a < n", "y = 0 <= a < n → y = 0 <= a <= n"},
            "constant": {"0 <= a < n → 1 <= a < n"},
        }),
        ("y = a if a < b else b", {"comparison": {"a if a < b else b → a if a >= b else b"}}),
        ("if x > most:\n    x = most", {"comparison": {"x > most → x <= most"}}),
        ("y = a + b", {"arithmetic": {"y = a + b → y = a - b"}}),
        ("y = 'a' + b", {}),
        ("x <<= b", {"arithmetic": {"x <<= b → x >>= b"}, "drop": {"x <<= b → nothing"}}),
        ("y = -a", {"boolean": {"y = -a → y = a"}}),
        ("y = a and b", {"boolean": {"y = a and b → y = a or b"}}),
        ("if ready():\n    x = 'a'", {"boolean": {"ready() → not ready()"}}),
        ("y = (1, True, 2.0, 0.0, 'text', None)", {
            "constant": {
                f"(1, True, 2.0, 0.0, 'text', None) → ({inside}, 'text', None)"
                for inside in ("2, True, 2.0, 0.0", "1, False, 2.0, 0.0", "1, True, 2.5, 0.0", "1, True, 2.0, 1.0")
            }
        }),
        ("def f():\n    return a", {"return": {"return a → return None"}}),
        ("def f():\n    return None", {}),
        ("o.x = a\nx = a", {"drop": {"o.x = a → nothing"}}),
        ("f(a, b)", {"drop": {"f(a, b) → nothing"}, "swap": {"f(a, b) → f(b, a)"}}),
        ("y = min(a, b)", {}),
        ("y = zip(a, strict=True)", {}),
        ("raise ValueError(f'{a + 1}')", {"drop": {"raise ValueError(f'{a + 1}') → nothing"}}),
        ('"""A docstring: 1 < 2."""\nx: int = a', {}),
        ("if __name__ == '__main__':\n    main(1)", {}),
    ],
)  # fmt: skip
def test_the_changes_of_a_module(text: str, wanted: dict[str, set[str]]) -> None:
    """Each operator as its table says; what the program would do all the same is left out."""
    assert changes(text) == wanted


def test_a_mutant_is_named_by_where_it_is_and_not_by_its_line() -> None:
    """Class and function, and its number among those that read the same."""
    text = "class C:\n    LIMIT = 7\n    def f(self, n=3):\n        a(n + 1)\n        a(n + 1)\n"
    keys = [mutant.key for mutant in Source("m", "m.py", text).mutants if mutant.key.operator == "constant"]
    assert keys == [
        Key("m", "C", "constant", "LIMIT = 7 → LIMIT = 8"),
        Key("m", "C", "constant", "3 → 4"),
        Key("m", "C.f", "constant", "n + 1 → n + 2"),
        Key("m", "C.f", "constant", "n + 1 → n + 2 (2)"),
    ]
    moved = [mutant.key for mutant in Source("m", "m.py", f"# a comment\n\nB = f()\n{text}").mutants]
    assert set(keys) <= set(moved)


def test_the_code_of_a_mutant_does_what_it_says() -> None:
    """And the source is as it was afterwards."""
    source = Source("m", "m.py", "def f(a, b):\n    return a - b\n")
    (mutant,) = (one for one in source.mutants if one.key.operator == "arithmetic")
    spaces: list[dict[str, object]] = [{}, {}]
    exec(source.code(mutant), spaces[0])
    exec(source.code(), spaces[1])
    assert [eval("f(5, 3)", space) for space in spaces] == [8, 2]


def test_a_sample_is_the_same_wherever_the_code_moves_to() -> None:
    """It goes by the names of mutants; another seed is another sample."""
    keys = [Key("m", "f", "constant", f"{n} → {n + 1}") for n in range(100)]
    first = sorted(keys, key=lambda key: rank(1, key))[:10]
    assert sorted([*keys[50:], *keys[:50]], key=lambda key: rank(1, key))[:10] == first
    assert sorted(keys, key=lambda key: rank(2, key))[:10] != first


ELSEWHERE = (
    "hilbridge.commands.",  # they hand on what rooms read; a mutant of a command is a run of the program
    "hilbridge.faces.labgrid.",  # its tests have an environment of their own
    "hilbridge.faces.vss.broker",  # the same
    "hilbridge.testing.",
    "hilbridge.runs.run.replay",
    "hilbridge.bench.drive.",
    "hilbridge.desk.draft.from_bench",
    "hilbridge.desk.fit.",
)
"""What reads what others have made, and is in no room of the mutants."""


def test_what_reads_from_outside_is_in_a_room_of_the_mutants() -> None:
    """Every reader of a foreign door; the doors are those that SECURITY.md lists."""
    known = {module for room in ROOMS.values() for module, _ in room.modules()}
    readers = {module for door in DOORS if door.is_foreign for module in door.modules}
    unseen = sorted(one for one in readers - known if not one.startswith(ELSEWHERE))
    assert not unseen
    assert all(any(reader.startswith(one) for reader in readers - known) for one in ELSEWHERE)


@pytest.mark.parametrize("room", ROOMS)
def test_the_files_and_tests_of_a_room_exist(room: str) -> None:
    """A room that was moved would have no mutant, and nobody would see it."""
    found = ROOMS[room]
    for place in (*found.sources, *found.tests, *found.without, *found.pages):
        assert (CHECKOUT / place).exists(), place
    assert list(found.modules())


MODULE = """
TABLE = [1, 2, 3]

def double(x):
    return 2 * x

def build():
    return [double(x) for x in TABLE]

BUILT = build()

def wait(n):
    while n > 0:
        n -= 1

def unused(x):
    return x + 1
"""

TESTS = """
import mutated

def test_double(): assert mutated.double(4) == 8
def test_built(): assert mutated.BUILT == [2, 4, 6]
def test_wait(): mutated.wait(3)
"""

WANTED = {
    "return 2 * x → return 2 / x": KILLED,
    "n -= 1 → nothing": TIMEOUT,
    "n > 0 → n >= 0": SURVIVED,
    "return x + 1 → return x - 1": SURVIVED,
    "[1, 2, 3] → [2, 2, 3]": KILLED,
}

TRIAL = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from tests.habits.test_mutation import trial
trial(sys.argv[1])
"""


def trial(way: str) -> None:
    """Print the verdict for each mutant of the module, in a folder with it and its tests."""
    source = Source("mutated", str(Path("mutated.py").resolve()), Path("mutated.py").read_text())
    tests = [f"test_it.py::test_{name}" for name in ("double", "built", "wait")]
    chosen = [one for one in source.mutants if one.key.text in WANTED]
    cases = {n: Case(source, one, tests, at_import=False) for n, one in enumerate(chosen)}
    options = ["-q", "-pno:cacheprovider", "-crc.ini"]
    sys.path.insert(0, ".")
    pytest.MonkeyPatch().setattr(trial_module, "PROCESSOR", 1)  # [s]
    if way == "functions":
        verdicts = dict(try_in_functions(cases, ["mutated"], [*options, "test_it.py"], 2))
    else:
        verdicts = dict(try_at_import(cases, options, 1))
    for n, one in enumerate(chosen):
        print(f"verdict|{verdicts[n]}|{one.key.text}")


@pytest.mark.parametrize("way", ["functions", "import"])
def test_tests_that_notice_a_change_kill_it(way: str, tmp_path: Path) -> None:
    """In place of the functions, or of the module as it is imported; one that never ends is ended."""
    (tmp_path / "mutated.py").write_text(MODULE)
    (tmp_path / "test_it.py").write_text(TESTS)
    (tmp_path / "rc.ini").write_text("[pytest]\n")
    command = [sys.executable, "-c", TRIAL, way]
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    lines = [line.split("|") for line in ended.stdout.splitlines() if line.startswith("verdict|")]
    at_import = UNTRIED if way == "functions" else KILLED
    assert {text: verdict for _, verdict, text in lines} == {**WANTED, "[1, 2, 3] → [2, 2, 3]": at_import}


def test_a_mutant_is_tried_with_the_tests_that_may_notice_it() -> None:
    """Its module's first, then the quickest that reach it; a table with the pages that are made of it."""
    source = Source("shop.till", str(CHECKOUT / "daemon/shop/till.py"), "TABLE = 1\ndef price(): return 2\n")
    own, other, page = "tests/shop/test_till.py::own", "tests/test_all.py::other", "tests/test_page.py::page"
    slow, elsewhere = "tests/shop/test_slow.py::slow", "tests/yard/test_slow.py::slow"
    names = {own: 0.3, other: 0.1, page: 0.2, slow: LONG, elsewhere: LONG}
    reach = Reach([reach_module.Test(*one) for one in names.items()], {"daemon/shop/till.py": {2: {0, 1}}})
    tests = {
        mutant.in_function: case_of(source, mutant, reach, ("tests/test_page.py",)).tests
        for mutant in source.mutants
        if mutant.key.operator == "constant"
    }
    assert tests == {True: [own, other, slow], False: [page, own, other]}


def test_of_tests_that_take_as_long_the_first_of_each_function_goes_first() -> None:
    """So that the many cases of one do not use up the time before another is tried."""
    source = Source("package.part", str(CHECKOUT / "sim/package/part.py"), "def f(a):\n    return a + 1\n")
    names = [f"tests/sim/package/test_part.py::{name}" for name in ("a[1]", "a[2]", "a[3]", "b", "c[1]", "c[2]")]
    reach = Reach([reach_module.Test(name, LONG) for name in names], {"sim/package/part.py": {2: set(range(6))}})
    tried = case_of(source, source.mutants[0], reach, ()).tests
    assert [name.partition("::")[2] for name in tried] == ["a[1]", "b", "c[1]", "a[2]", "c[2]", "a[3]"]


def test_a_test_that_takes_long_is_not_broken_off_within_coverage() -> None:
    """Which may hold a lock there, without which nothing would go on; a moment later it is."""
    stopwatch = Stopwatch(coverage.Coverage(data_file=None))
    frame = eval(compile("lambda: __import__('sys')._getframe()", coverage.__file__, "eval"))()
    stopwatch.break_off(0, frame)
    with pytest.raises(pytest.skip.Exception, match="takes too long"):
        stopwatch.break_off(0, sys._getframe())


def test_a_test_that_ends_is_not_broken_off() -> None:
    """Or the next one would find that it was not torn down."""
    signal.setitimer(signal.ITIMER_PROF, 1000.0)
    next(Stopwatch(coverage.Coverage(data_file=None)).pytest_runtest_teardown())
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_the_list_of_survivors_is_held_against_what_was_found(tmp_path: Path) -> None:
    """A survivor that is not listed, one that dies, and one whose code is no more: of the rooms that were tried."""
    file = tmp_path / "survivors.yaml"
    entries = [{"constant": "1 → 2", "equivalent": "nobody reads it"}, {"drop": "f() → nothing", "survives": "a cache"}]
    file.write_text(yaml.safe_dump({"m": {"f": entries}, "other": {"g": [{"swap": "a → b", "equivalent": "x"}]}}))
    listed = load(file)
    kept, dropped = Key("m", "f", "constant", "1 → 2"), Key("m", "f", "drop", "f() → nothing")
    new = Key("m", "f", "constant", "3 → 4")
    assert [listed[key].equivalent for key in (kept, dropped)] == [True, False]
    assert contradictions(listed, {kept, dropped, new}, [kept, dropped], [new]) == []
    assert contradictions(listed, {kept, new}, [new], [kept]) == [
        "new      m: f: constant: 3 → 4",
        "dies now m: f: constant: 1 → 2",
        "gone     m: f: drop: f() → nothing",
    ]
    file.write_text(yaml.safe_dump({"m": {"f": [{"constant": "1 → 2"}]}}))
    with pytest.raises(SystemExit, match="why it survives"):
        load(file)


def test_the_list_of_survivors_can_be_read_and_gives_reasons() -> None:
    assert all(len(one.reason.split()) > 2 for one in load().values())


def test_the_interval_of_a_score() -> None:
    """Wilson's score interval as published for 81 of 263 (Newcombe, Statistics in Medicine 17, 1998, table I)."""
    low, high = interval(81, 263)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)
    low, high = interval(0, 20)
    assert (round(low, 4), round(high, 4)) == (0.0, 0.1611)
