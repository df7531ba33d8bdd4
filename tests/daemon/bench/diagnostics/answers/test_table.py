"""Finding the pattern of a request: beside a search through all of them that is written as the rule says it."""

import random
import re

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.diagnostics.answers.table import MOST_GROUPS, PatternTable
from hilbridge.files.settings.request_patterns import parse_pattern


def table(*texts: str) -> PatternTable:
    return PatternTable({text: parse_pattern(text) for text in texts}, ("answers",))


def found(patterns: PatternTable, request: str) -> str | None:
    pattern = patterns.find(bytes.fromhex(request))
    return None if pattern is None else pattern.text


def test_the_pattern_with_the_most_given_digits_wins() -> None:
    """Whatever their order; of equally many, the longer one, and then the one without an open end."""
    patterns = table("22 *", "22 .. ..", "22 01 ..", "22 01 0?", "22 01 01", "22 {a} {b} *", "22")
    assert found(patterns, "220101") == "22 01 01"
    assert found(patterns, "220102") == "22 01 0?"
    assert found(patterns, "220112") == "22 01 .."
    assert found(patterns, "220212") == "22 .. .."
    assert found(patterns, "22021200") == "22 {a} {b} *"
    assert found(patterns, "2202") == "22 *"
    assert found(patterns, "22") == "22"
    assert found(patterns, "2301") is None


def _expression(text: str) -> re.Pattern[str]:
    """The pattern on digits in place of bytes."""
    digits = text.replace(" ", "").replace("*", ".*")
    return re.compile(digits.replace("?", "."), re.DOTALL)


def test_every_request_finds_what_a_search_through_all_finds() -> None:
    chance = random.Random(35)
    for _ in range(100):
        texts = {
            " ".join(["21", *(chance.choice(["01", "02", "0?", "?1", ".."]) for _ in range(chance.randrange(4)))])
            + chance.choice(["", "", " *"])
            for _ in range(12)
        }
        patterns = table(*texts)
        for _ in range(200):
            request = "21" + "".join(chance.choice(["01", "02", "11", "12"]) for _ in range(chance.randrange(5)))
            fitting = [text for text in texts if _expression(text).fullmatch(request)]
            best = found(patterns, request)
            assert (best is None) == (not fitting)
            if best is not None:
                given = {text: sum(one in "0123456789" for one in text) for text in fitting}
                assert best in fitting
                assert given[best] == max(given.values())


def test_thousands_of_patterns_are_as_many_look_ups_as_kinds_of_wildcards() -> None:
    """What a linear search would look at is counted by the look-ups in dictionaries."""
    texts = [f"22 {n >> 8:02X} {n & 0xFF:02X}" for n in range(5000)] + [f"22 .. {n:02X} 01" for n in range(256)]
    patterns = table(*texts)
    assert len(patterns._services[0x22]) == 2
    assert found(patterns, "221387") == "22 13 87"
    assert found(patterns, "22FF8801") == "22 .. 88 01"


def test_rivals_are_patterns_of_which_none_is_part_of_the_other() -> None:
    pairs = [(one.text, other.text) for one, other in table("21 0?", "21 ?1", "21 2?").rivals()]
    assert [{*pair} for pair in pairs] == [{"21 0?", "21 ?1"}, {"21 2?", "21 ?1"}]
    assert not [*table("21 *", "21 ..", "21 .. ..", "21 01 *", "21 01", "22 0?").rivals()]


def test_too_many_kinds_of_wildcards_are_refused() -> None:
    texts = [f"22{' ..' * n}" for n in range(MOST_GROUPS + 1)]
    with pytest.raises(ConfigurationError, match="service 22 has more than 64 kinds of wildcards") as error:
        table(*texts)
    assert error.value.place == ("answers", texts[-1])
