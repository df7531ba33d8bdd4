"""Commands are JSON objects on one line; what is wrong with one is said in words."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control.commands import Arm, FaultAdd, FaultClear, FaultList, Release, Set, Status, Stop, parse
from hilbridge.files.settings.faults import LinkFault


@pytest.mark.parametrize(
    ("line", "command"),
    [
        (b'{"command": "status"}', Status(command="status")),
        (b'{"command": "status", "frames": true}', Status(command="status", frames=True)),
        (b'{"command": "set", "entry": "road.Slope", "value": 0.1}', Set(command="set", entry="road.Slope", value=0.1)),
        (b'{"command": "release", "entry": null}', Release(command="release")),
        (b'{"command": "arm", "bus": "can", "armed": false}', Arm(command="arm", bus="can", armed=False)),
        (
            b'{"command": "fault-add", "fault": {"kind": "link", "bus": "can", "effect": "down", "for": 2}}',
            FaultAdd(command="fault-add", fault=LinkFault(kind="link", bus="can", effect="down", **{"for": 2.0})),
        ),
        (b'{"command": "fault-list"}', FaultList(command="fault-list")),
        (b'{"command": "fault-clear", "number": 3}', FaultClear(command="fault-clear", number=3)),
        (b'{"command": "stop"}', Stop(command="stop")),
    ],
)
def test_a_line_becomes_a_command(line: bytes, command: object) -> None:
    assert parse(line) == command


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"status", "a JSON object on one line"),
        (b"\xff\xfe", "a JSON object on one line"),
        (b"[" * 100_000, "a JSON object on one line"),
        (b"[]", "needs keys with values"),
        (b"{}", "command: is missing"),
        (b'{"command": "stopp"}', "did you mean 'stop'"),
        (b'{"command": "set", "entry": "road.Slope"}', "value: is missing"),
        (b'{"command": "set", "entry": "road.Slope", "value": []}', "value: needs a number or text, found a list"),
        (b'{"command": "set", "entry": "road.Slope", "value": NaN}', "value: needs a finite number"),
        (b'{"command": "set", "entry": "x", "value": 1, "seconds": -1}', "seconds: must be greater than 0"),
        (b'{"command": "fault-add", "fault": {"kind": "frames"}}', "fault.kind: 'frames' is none of"),
        (
            b'{"command": "fault-add", "fault": {"kind": "link", "bus": "can", "efect": "down"}}',
            "fault.effect: is missing",
        ),
        (b'{"command": "stop", "now": true}', "now: unknown key"),
    ],
)
def test_what_is_wrong_is_said(line: bytes, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words.replace("(", r"\(")):
        parse(line)


def test_a_line_full_of_mistakes_is_not_explained_to_its_end() -> None:
    """The first ones are, the others are counted."""
    steps = ", ".join(['{"expekt": "1"}'] * 20)
    with pytest.raises(ConfigurationError) as refusal:
        parse(f'{{"command": "scenario-start", "name": "x", "scenario": {{"steps": [{steps}]}}}}'.encode())
    assert str(refusal.value).count("unknown key") == 3
    assert str(refusal.value).endswith("; and 17 more")


@given(st.binary(max_size=100) | st.text(max_size=60).map(str.encode))
def test_no_line_is_a_surprise(line: bytes) -> None:
    """A command or a ConfigurationError."""
    with contextlib.suppress(ConfigurationError):
        parse(line)
