"""Which commands are inputs of a run, and go into its recording, and which are not."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control.commands import BenchCommand, Command, Query, RunCommand
from hilbridge.boundary.control.dispatcher import Dispatcher
from hilbridge.files.settings.scenario import ScenarioSettings, StepSettings

T = 5_000_000_000

LINK_DOWN = {"kind": "link", "bus": "can", "effect": "down"}

EXAMPLES: dict[str, tuple[dict[str, Any], bool]] = {
    "Status": ({"command": "status"}, False),
    "FaultList": ({"command": "fault-list"}, False),
    "RecordStart": ({"command": "record-start", "folder": "/tmp/x"}, False),
    "RecordStop": ({"command": "record-stop"}, False),
    "ScenarioStart": ({"command": "scenario-start", "name": "town", "scenario": {"steps": [{"expect": "1"}]}}, False),
    "ScenarioStop": ({"command": "scenario-stop"}, False),
    "Set": ({"command": "set", "entry": "road.Slope", "value": 0.1}, True),
    "Release": ({"command": "release"}, True),
    "GiveBack": ({"command": "give-back", "by": "scenario town"}, True),
    "SetDate": ({"command": "date", "date": "2026-11-27T10:00:00", "smoothly": True}, True),
    "Begin": ({"command": "begin", "start": {"speed": 80}}, False),
    "Send": ({"command": "send", "bus": "can", "id": 291, "data": "01"}, True),
    "Arm": ({"command": "arm", "bus": "can"}, True),
    "Ask": ({"command": "ask", "bus": "can", "request": "22F190"}, True),
    "FaultAdd": ({"command": "fault-add", "fault": LINK_DOWN}, True),
    "FaultClear": ({"command": "fault-clear"}, True),
    "TuneEngine": ({"command": "tune-engine", "values": {"idle_rpm": 900.0}}, True),
    "TroubleSet": ({"command": "trouble-set", "ecu": "engine", "code": "P0301"}, True),
    "TroubleClear": ({"command": "trouble-clear"}, True),
    "ReloadCommand": ({"command": "reload"}, True),
    "Stop": ({"command": "stop"}, True),
}
"""A line of each class, and whether a replay must have it."""


class Desk:
    """Recordings, scenarios and a bench that keep what they are asked for."""

    def __init__(self) -> None:
        self.told: list[Any] = []
        self.recorded: list[bytes] = []
        self.reception = Dispatcher(self, Scenarios(self.told), self.answer, self.obey)

    def start(self, folder: Path | None, t: int) -> Path:
        if folder == Path("/full"):
            raise ConfigurationError("the disk is full")
        self.told.append((folder, t))
        return folder or Path("/state/demo-1")

    def stop(self, t: int) -> Path:
        self.told.append(t)
        return Path("/state/demo-1")

    def answer(self, question: Query) -> Iterator[bytes]:
        yield b'{"asked": '
        yield json.dumps(question.model_dump()).encode()
        yield b"}"

    def obey(self, line: bytes) -> bytes:
        self.recorded.append(line)
        return b"{}"

    def tell(self, **command: Any) -> Any:
        answer = self.reception.handle(json.dumps(command).encode(), T)
        return json.loads(answer if isinstance(answer, bytes) else b"".join(answer))


class Scenarios:
    """Scenarios whose beginnings and ends are kept."""

    def __init__(self, told: list[Any]) -> None:
        self.told = told

    def start(
        self, name: str, settings: ScenarioSettings, steps: Iterable[StepSettings], *, keep: bool
    ) -> Iterator[None]:
        count = 0
        for step in steps:
            if step.expect == "0":
                raise ConfigurationError("never", ("steps", 1, "expect"))
            count += 1
            yield
        self.told.append((name, count, keep))

    def stop(self) -> None:
        self.told.append("stopped")


def test_every_class_of_commands_has_an_example() -> None:
    classes = {kind.__name__ for kind in get_args(Command)}
    assert (
        classes
        == set(EXAMPLES)
        == {kind.__name__ for one in (RunCommand, Query, BenchCommand) for kind in get_args(one)}
    )


@pytest.mark.parametrize("kind", EXAMPLES)
def test_only_what_the_frames_depend_on_is_recorded(kind: str) -> None:
    """Questions, and what starts or stops recordings and scenarios, are no inputs: a replay needs none of it.

    A start state from outside is refused: it would hold up the tick.
    """
    command, recorded = EXAMPLES[kind]
    desk = Desk()
    assert ("error" in desk.tell(**command)) is (kind == "Begin")
    assert [json.loads(line) for line in desk.recorded] == ([command] if recorded else [])


def test_a_question_is_answered_a_piece_at_a_time() -> None:
    """Nothing is made before the first one is asked for; a question that is none is refused at once."""
    desk = Desk()
    pieces = desk.reception.handle(b'{"command": "status", "parts": ["buses"]}', T)
    assert not isinstance(pieces, bytes)
    assert next(pieces) == b'{"asked": '
    assert json.loads(next(pieces)) == {"command": "status", "frames": False, "parts": ["buses"]}
    assert "parts" in desk.tell(command="status", parts=["the weather"])["error"]


def test_recordings_are_started_and_stopped_with_the_time_of_the_tick() -> None:
    """The answer names the folder, also where nobody did."""
    desk = Desk()
    assert desk.tell(command="record-start", folder="/x") == {"recording": "/x"}
    assert desk.tell(command="record-start", folder=None) == {"recording": "/state/demo-1"}
    assert desk.tell(command="record-stop") == {"recording": "/state/demo-1"}
    assert desk.told == [(Path("/x"), T), (None, T), T]
    assert desk.tell(command="record-start", folder="/full") == {"error": "the disk is full"}
    assert "folder" in desk.tell(command="record-start", folder="relative")["error"]


def test_steps_that_follow_are_read_one_by_one() -> None:
    """As the control process sends them."""
    desk = Desk()
    head = json.dumps({"command": "scenario-start", "name": "town", "scenario": {"steps": [{"expect": "1"}]}})
    pieces = desk.reception.handle(f'{head}\n{{"expect":"2"}}\n{{"expect":"0"}}'.encode(), T)
    assert not isinstance(pieces, bytes)
    assert [next(pieces), next(pieces)] == [b"", b""]
    assert json.loads(next(pieces))["place"] == ["steps", 1, "expect"]
    assert desk.told == []


def test_a_scenario_that_is_none_is_refused_with_its_key() -> None:
    desk = Desk()
    assert desk.tell(command="scenario-start", name="town", scenario={"steps": [{"expect": "1"}]}) == {}
    assert desk.tell(command="scenario-stop") == {}
    assert desk.told == [("town", 1, False), "stopped"]
    answer = desk.tell(command="scenario-start", name="town", scenario={"steps": [{"expects": "1"}]})
    assert answer["error"].startswith("scenario.steps[0].expects: unknown key; did you mean 'expect'?")


def test_a_scenario_is_built_a_piece_at_a_time() -> None:
    """What does not fit is reported with its key path, so that who has the file finds the line."""
    desk = Desk()
    line = json.dumps(
        {"command": "scenario-start", "name": "town", "scenario": {"steps": [{"expect": "1"}] * 3}, "keep": True}
    )
    pieces = desk.reception.handle(line.encode(), T)
    assert not isinstance(pieces, bytes)
    assert [next(pieces) for _ in range(3)] == [b""] * 3
    assert desk.told == []
    assert list(pieces) == [b"{}"]
    assert desk.told == [("town", 3, True)]
    answer = desk.tell(command="scenario-start", name="town", scenario={"steps": [{"expect": "1"}, {"expect": "0"}]})
    assert answer == {"error": "scenario.steps[1].expect: never", "reason": "never", "place": ["steps", 1, "expect"]}
