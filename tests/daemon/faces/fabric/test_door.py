"""Which commands pass from the fabric to the bench."""

import json
from typing import Any

import pytest

from hilbridge.base.common.control_line import LONGEST_LINE
from hilbridge.boundary.control.lines import Answer, Command
from hilbridge.client.sync_client import AnyClient
from hilbridge.client.talks import UnreachableError
from hilbridge.faces.fabric.door import Door


class Bench(AnyClient):
    """Answers every command, and keeps them; `gone`: no more."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self.gone = False

    def close(self) -> None:
        pass

    def exchange(self, command: Command) -> Answer:
        if self.gone:
            raise UnreachableError("nobody is there")
        self.commands.append(command)
        return {"time": 1.0, "page": "http://127.0.0.1:8090/?token=secret"}


def said(door: Door, command: Any) -> Any:
    return json.loads(door.answer(json.dumps(command).encode()))


@pytest.mark.parametrize("name", ["status", "fault-list"])
def test_questions_always_pass(name: str) -> None:
    bench = Bench()
    assert said(Door(bench, ()), {"command": name})["time"] == 1.0
    assert bench.commands == [{"command": name}]


@pytest.mark.parametrize("name", ["set", "arm", "fault-add", "scenario-start", "stop", "reload", "no-such", "*", ""])
def test_what_is_not_allowed_by_name_never_reaches_the_bench(name: str) -> None:
    bench = Bench()
    answer = said(Door(bench, ("release", "*")) if name != "*" else Door(bench, ()), {"command": name})
    assert f"allow: [{name}]" in answer["error"]
    assert bench.commands == []


def test_what_is_allowed_passes_as_it_is() -> None:
    bench = Bench()
    command = {"command": "set", "entry": "input.Throttle", "value": 0.4}
    assert "error" not in said(Door(bench, ["set"]), command)
    assert bench.commands == [command]


@pytest.mark.parametrize("parts", [None, ["page"], ["page", "page"], ["buses", "page"]])
def test_the_address_of_the_page_with_its_token_stays_here(parts: list[str] | None) -> None:
    assert "token" not in json.dumps(said(Door(Bench(), ()), {"command": "status", "parts": parts}))


@pytest.mark.parametrize(
    "line",
    [b"", b"{", b"[]", b'"status"', b"{}", b'{"command": 1}', b'{"command": ["set"]}', b"\xff", b"[" * 50_000],
    ids=range(9),
)
def test_what_is_no_command_is_answered(line: bytes) -> None:
    bench = Bench()
    assert "a command is a JSON object" in json.loads(Door(bench, ["set"]).answer(line))["error"]
    assert bench.commands == []


def test_a_line_that_is_too_long_is_not_even_read() -> None:
    line = b'{"command": "status", "more": "' + b"x" * LONGEST_LINE + b'"}'
    assert "at once" in json.loads(Door(Bench(), ()).answer(line))["error"]


def test_a_bench_that_does_not_answer_is_told() -> None:
    bench = Bench()
    bench.gone = True
    assert said(Door(bench, ()), {"command": "status"}) == {"error": "nobody is there"}
    assert said(Door(None, ()), {"command": "status"}) == {"error": "this bench has no control socket"}
