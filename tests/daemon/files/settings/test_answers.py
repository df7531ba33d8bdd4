"""The settings of answers: patterns of requests, templates of answers, refusals by name."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError
from udsoncan.Response import Response

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.answers import AnswerTable, patterns_of
from hilbridge.files.settings.negative_responses import NAMES
from hilbridge.files.settings.request_patterns import parse_pattern

TABLE: TypeAdapter[AnswerTable] = TypeAdapter(AnswerTable)


def read(answers: Any) -> AnswerTable:
    table = TABLE.validate_python(answers, strict=True)
    patterns_of(table)
    return table


@pytest.mark.parametrize(
    ("pattern", "fits", "fits_not"),
    [
        ("21 01", ["2101"], ["21", "2102", "210100"]),
        ("2101", ["2101"], ["21"]),
        ("21 ..", ["2100", "21ff"], ["21", "210000"]),
        ("21 8?", ["2180", "218f"], ["2170", "2190"]),
        ("22 ?1 0?", ["22f10a", "220100"], ["22f20a", "22f11a"]),
        ("2E F1 98 *", ["2ef198", "2ef19800ff"], ["2ef1", "2ef199"]),
        ("21 {id}", ["2100"], ["21", "210000"]),
        ("27 {level} {key:4}", ["270201020304"], ["2702010203", "27020102030405"]),
        ("3B {id} {rest*}", ["3b90", "3b9001"], ["3b"]),
    ],
)
def test_a_pattern_fits_requests(pattern: str, fits: list[str], fits_not: list[str]) -> None:
    one = parse_pattern(pattern)
    assert all(one.matches(bytes.fromhex(request)) for request in fits)
    assert not any(one.matches(bytes.fromhex(request)) for request in fits_not)


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({"21 zz": "61"}, "'zz' is neither two hexadecimal digits, a wildcard"),
        ({"21 0": "61"}, "'0' is neither"),
        ({"": "61"}, "begins with no service"),
        ({".. 01": "61"}, "begins with no service"),
        ({"{x} 01": "61"}, "begins with no service"),
        ({"* 01": "61"}, "nothing can follow"),
        ({"61 01": "21"}, "is an answer, not a request"),
        ({"21 {a} {a}": "61"}, "captures 'a' twice"),
        ({"21 {a:0}": "61"}, "a capture has 1 to 4095 bytes"),
        ({"21 {a:4095}": "61"}, "is longer than 4095 bytes"),
        ({"21 {a}": "61 {b}"}, "'21 {a}' captures no 'b'"),
        ({"21 {a}": "61 {a:2}"}, "names what is captured alone"),
        ({"21 ..": "61 .."}, "an answer has no wildcards"),
        ({"21 {a:4000}": "61 {a}{a}"}, "has 8001 bytes: an answer has 4095 at most"),
        ({"21": "61" * 4096}, "has 4096 bytes"),
        ({"21 01": "61", "2101": "61"}, "means the same requests as '21 01'"),
        ({"21 ..": "61", "21 {a}": "61"}, "means the same requests as '21 ..'"),
        ({2101: "61"}, "needs a request in quotes, such as '21 01', found the number 2101"),
        ({"21 01": 61}, "needs bytes in quotes"),
        ({"21 01": []}, "at least 1 item"),
        ({"21 01": {}}, "needs one of 'data' and 'fields', 'refuse' or 'silent', has none"),
        ({"21 01": {"data": "61", "silent": True}}, "has data and silent"),
        ({"21 01": {"data": "61", "cycle": True}}, "needs 'turns'"),
        ({"21 01": {"data": "61", "turns": ["61"]}}, "belongs to each of 'turns'"),
        ({"21 01": {"turns": [{"turns": ["61"]}]}}, "Extra inputs"),
        ({"21 01": {"turns": ["61 {x}"]}}, "captures no 'x'"),
        ({"21 01": {"silent": True, "delay": 5}}, "does not go with 'silent'"),
        ({"21 01": {"refuse": "condition not correct"}}, "nearest: conditions not correct"),
        ({"21 01": {"refuse": 0x22, "enters": "C0"}}, "what is refused does nothing"),
        ({"21 01": {"data": "61", "length": 4}}, "belongs to 'fields'"),
        ({"10 C0": {"data": "50 C0", "enters": "00"}}, "should match pattern"),
        ({f"22 {n:04X}": "62" for n in range(10_001)}, "a control unit has 10000 at most"),
    ],
)
def test_what_cannot_be_played_is_refused(answers: Any, reason: str) -> None:
    with pytest.raises((ConfigurationError, ValidationError)) as error:
        read(answers)
    assert reason in str(error.value)


def test_refusals_have_the_names_of_the_standard() -> None:
    """Those of udsoncan, which has them in one word, as far as it has them; 80 is of ISO 14230-3."""
    theirs = {
        name.replace("_", "").casefold(): value
        for name, value in vars(Response.Code).items()
        if isinstance(value, int) and not name.startswith("_")
    }
    ours = {name.replace(" ", "").replace("-", "").casefold(): code for name, code in NAMES.items()}
    del ours["servicenotsupportedinactivediagnosticmode"]
    assert {name: code for name, code in ours.items() if theirs.get(name) != code} == {}
