"""Which lines are requests, and how many answers they ask for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.bench.diagnostics.elm327.request import ObdRequest, parse_request


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ("010C", ObdRequest(b"\x01\x0c")),
        ("010C1", ObdRequest(b"\x01\x0c", 1)),
        ("03", ObdRequest(b"\x03")),
        ("031", ObdRequest(b"\x03", 1)),
        ("0904F", ObdRequest(b"\x09\x04", 15)),
        ("1", None),
        ("", None),
        ("01 0C", None),
        ("010G", None),
        ("٠١", None),
    ],
)
def test_bytes_and_the_count_of_answers(line: str, request_: ObdRequest | None) -> None:
    assert parse_request(line) == request_


@given(st.binary(min_size=1, max_size=20))
def test_every_byte_string_has_a_line(data: bytes) -> None:
    assert parse_request(data.hex().upper()) == ObdRequest(data)


@given(st.text(max_size=20))
def test_no_line_raises(line: str) -> None:
    parse_request(line)
