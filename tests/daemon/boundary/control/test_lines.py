"""A command is a line, an answer is a line; what the daemon would not take is refused before it is sent."""

import json

import pytest

from hilbridge.base.common.control_line import LONGEST_LINE
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control.lines import accepted, encode_command, execute


def command(length: int) -> dict[str, str]:
    """It takes so many bytes on its way, with the end of the line."""
    return {"command": "x" * (length - len('{"command": ""}\n'))}


def test_a_line_has_the_command_and_its_end() -> None:
    line = encode_command(command(LONGEST_LINE))
    assert (len(line), line[-1:]) == (LONGEST_LINE, b"\n")
    assert json.loads(line) == command(LONGEST_LINE)


def test_a_line_that_the_daemon_would_not_take_is_refused_with_its_length() -> None:
    with pytest.raises(ConfigurationError, match="64 KiB at once, this has 65"):
        encode_command(command(LONGEST_LINE + 1024))


def test_a_refusal_has_the_reason_alone_and_the_place_it_is_about() -> None:
    """The text for people has both; a program that knows the file says the line in place of the keys."""
    answer = {"error": "scenario.steps[0]: no such bus", "reason": "no such bus", "place": ["steps", 0]}
    with pytest.raises(ConfigurationError) as refusal:
        accepted(answer)
    assert (refusal.value.message, refusal.value.place) == ("no such bus", ("steps", 0))


def test_a_command_inside_of_the_program_is_the_same_line() -> None:
    lines: list[bytes] = []

    def handle(line: bytes) -> bytes:
        lines.append(line)
        return b'{"fault": 3}'

    assert execute(handle, "fault-clear", number=None) == {"fault": 3}
    assert [json.loads(line) for line in lines] == [{"command": "fault-clear", "number": None}]


def test_a_refusal_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match="unknown bus"):
        execute(lambda _: b'{"error": "unknown bus"}', "arm", bus="x")
