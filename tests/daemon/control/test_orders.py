"""Commands from inside the program."""

import json

import pytest

from hilbridge.common.errors import ConfigurationError
from hilbridge.control.orders import order


def test_a_command_is_a_line_of_json_as_the_socket_has_it() -> None:
    lines: list[bytes] = []

    def obey(line: bytes) -> bytes:
        lines.append(line)
        return b'{"fault": 3}'

    assert order(obey, "fault-clear", number=None) == {"fault": 3}
    assert [json.loads(line) for line in lines] == [{"command": "fault-clear", "number": None}]


def test_a_refusal_is_an_error() -> None:
    with pytest.raises(ConfigurationError, match="unknown bus"):
        order(lambda _: b'{"error": "unknown bus"}', "arm", bus="x")
