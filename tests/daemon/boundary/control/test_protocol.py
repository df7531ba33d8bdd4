"""The schema of the control protocol, by a validator of other people: it takes what a bench takes, and answers."""

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.views import OF_RUN, VIEWS
from hilbridge.boundary.control.answers import UNREADABLE, read_answer, shapes
from hilbridge.boundary.control.commands import parse
from hilbridge.boundary.control.lines import PROTOCOL
from hilbridge.boundary.control.protocol import protocol_schema

from ....program import demo_bench, running

SCHEMA = protocol_schema()
COMMAND = Draft202012Validator(SCHEMA)
STEP = {"wait": {"until": "vehicle.Speed > 1000", "timeout": 60}}

ALL = {
    "command": "status",
    "parts": ["usual", "auxiliary", "entries", "layouts", "statistics", "file", *VIEWS, *OF_RUN],
}
LINES: list[dict[str, Any]] = [
    {"command": "status"},
    ALL,
    {"command": "status", "parts": ["statistics"]},
    {"command": "set", "entry": "input.Throttle", "value": 0.4, "seconds": 2, "by": "test"},
    {"command": "set", "entry": "input.Key", "value": "start"},
    {"command": "set", "entry": "input.Brake", "value": 1, "rate": 2.5},
    {"command": "set", "entry": "input.Clutch", "value": "automatic", "rate": None},
    {"command": "release", "entry": "input.Key"},
    {"command": "give-back", "by": "test"},
    {"command": "arm", "armed": True},
    {"command": "date", "date": "2026-03-01T12:00:00"},
    {"command": "send", "bus": "powertrain", "id": 0x123, "data": "0102"},
    {"command": "ask", "bus": "powertrain", "request": "22F190"},
    {"command": "fault-add", "fault": {"kind": "link", "bus": "powertrain", "effect": "down", "for": 0.01}},
    {"command": "fault-list"},
    {"command": "fault-clear"},
    {"command": "tune-engine", "values": {}},
    {"command": "trouble-set", "ecu": "engine", "code": "P0301"},
    {"command": "trouble-clear"},
    {"command": "scenario-start", "name": "s", "scenario": {"steps": [STEP]}},
    {"command": "scenario-stop"},
    {"command": "record-start", "folder": None},
    {"command": "status", "parts": ["recording", "scenario"]},
    {"command": "record-stop"},
    {"command": "reload"},
    {"command": "begin", "start": {"speed": 50}},
    {"command": "stop"},
]
"""Each command at least once."""

WRONG: list[Any] = [
    1,
    [],
    {},
    {"command": "stopp"},
    {"command": "stop", "now": True},
    {"command": "set", "entry": "input.Throttle"},
    {"command": "set", "entry": "input.Throttle", "value": [1]},
    {"command": "set", "entry": "input.Throttle", "value": 1, "seconds": 0},
    {"command": "set", "entry": "input.Throttle", "value": 1, "by": ""},
    {"command": "set", "entry": "input.Throttle", "value": 1, "rate": 0},
    {"command": "status", "parts": ["Frames"]},
    {"command": "send", "bus": "powertrain", "id": -1},
    {"command": "send", "bus": "powertrain", "id": 1, "data": "0"},
    {"command": "record-start", "folder": "here"},
    {"command": "trouble-set", "ecu": "engine", "code": "P0301", "result": "perhaps"},
    {"command": "fault-add", "fault": {"kind": "link", "bus": "powertrain", "effect": "up"}},
]


def test_the_schema_is_one() -> None:
    """It has each command once, and the answer to each."""
    Draft202012Validator.check_schema(SCHEMA)
    names = SCHEMA["discriminator"]["mapping"].keys()
    assert names == {line["command"] for line in LINES}
    assert {f"answer-{name}" for name in names} <= SCHEMA["$defs"].keys()
    assert shapes().keys() <= names
    assert SCHEMA["version"] == PROTOCOL


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["command"])
def test_what_a_bench_takes_is_valid(line: dict[str, Any]) -> None:
    assert not [error.message for error in COMMAND.iter_errors(line)]
    assert parse(json.dumps(line).encode()).command == line["command"]


@pytest.mark.parametrize("line", WRONG, ids=json.dumps)
def test_what_it_refuses_is_not(line: Any) -> None:
    assert not COMMAND.is_valid(line)
    with pytest.raises(ConfigurationError):
        parse(json.dumps(line).encode())


def leaves(error: ValidationError) -> Iterator[ValidationError]:
    """The errors of the alternatives that were tried."""
    for inner in error.context or ():
        yield from leaves(inner)
    if not error.context:
        yield error


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Any]:
    """The control socket of a bench that runs in a process of its own, as a file."""
    with running(demo_bench(tmp_path), "--no-demo-driver") as program, socket.socket(socket.AF_UNIX) as client:
        client.settimeout(60)
        client.connect(program.wait_for("control socket open")["path"])
        with client.makefile("rw", encoding="utf-8") as file:
            yield file


def test_every_answer_of_a_bench_is_valid(door: Any) -> None:
    """All commands in turn on one connection, a refusal among them; and of the status all parts."""
    refused = []
    for line in LINES:
        door.write(json.dumps(line) + "\n")
        door.flush()
        answer = json.loads(door.readline())
        kind = SCHEMA | {"oneOf": [{"$ref": f"#/$defs/answer-{line['command']}"}]}
        errors = Draft202012Validator(kind).iter_errors(answer)
        assert not [(inner.json_path, inner.message[:200]) for one in errors for inner in leaves(one)], line
        if "error" in answer:
            refused.append(line["command"])
        elif line["command"] == "status":
            assert answer["protocol"] == PROTOCOL
            assert line != ALL or shapes()["status"].keys() <= answer.keys()
    assert refused == ["ask", "begin"]  # no cluster is behind the bus, and the first tick is over


def test_the_dialogue_of_the_page_is_held(door: Any) -> None:
    """Line by line; of the status, its first keys."""
    page = Path(__file__).parents[4] / "config" / "reference" / "control.md"
    dialogue = re.findall(r"^> (.*)\n(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(dialogue) == 3
    for line, answer in dialogue:
        door.write(line + "\n")
        door.flush()
        heard = json.loads(door.readline())
        if "…" in answer:
            assert list(heard)[:6] == re.findall(r'"(\w+)":', answer)
        else:
            assert heard == json.loads(answer)


def test_another_version_is_told() -> None:
    """Before what of its answer could not be read."""
    answer = read_answer(json.dumps({"protocol": PROTOCOL + 1, "time": "now"}).encode(), {"command": "status"})
    assert answer[UNREADABLE] == [
        f"the bench speaks version {PROTOCOL + 1} of the control protocol, this program version {PROTOCOL}",
        "time is the text 'now', not a number",
    ]
