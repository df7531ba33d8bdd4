"""What the commands of a recording held, and for how long."""

import json

from hilbridge.base.common.units import SECOND
from hilbridge.boundary.record.boundary_records import COMMAND, FRAME
from hilbridge.boundary.record.command_history import CommandSpan, command_spans
from hilbridge.boundary.record.recording import BoundaryRecord


def at(when: float, command: str, **keys: object) -> BoundaryRecord:
    line = json.dumps({"command": command, **keys}).encode()
    return BoundaryRecord(round(when * SECOND), COMMAND, line)


def test_an_entry_is_held_from_its_first_set_to_its_release() -> None:
    """However often it is set in between, and whether it is named with its channel or not."""
    records = [
        at(1, "set", entry="Throttle", value=0.1),
        BoundaryRecord(SECOND, FRAME, b"ignored"),
        at(2, "set", entry="input.Throttle", value=0.2),
        at(3, "release", entry="Throttle"),
        at(4, "set", entry="road.Slope", value=0.1),
    ]
    assert command_spans(records) == [CommandSpan("input.Throttle", 1, 3), CommandSpan("road.Slope", 4, None)]


def test_a_release_of_all_a_time_limit_and_a_holder_that_gives_back() -> None:
    records = [
        at(0, "set", entry="input.Key", value=1, by="page"),
        at(0, "set", entry="input.Brake", value=1, seconds=2.5),
        at(0, "set", entry="road.Slope", value=1),
        at(4, "give-back", by="page"),
        at(5, "release", entry=None),
        at(6, "set", entry="road.Slope", value=1, seconds=1),
    ]
    assert sorted(command_spans(records)) == [
        ("input.Brake", 0, 2.5),
        ("input.Key", 0, 4),
        ("road.Slope", 0, 5),
        ("road.Slope", 6, 7),
    ]


def test_entries_that_one_command_holds_are_held_alike() -> None:
    """Whatever stands in the place of the further ones in a command that was refused."""
    records = [
        at(1, "set", entry="Throttle", value=0.1, also={"input.Brake": 0, "road.Slope": 0.1}, seconds=2),
        at(2, "release", entry="Brake"),
        at(5, "set", entry="Throttle", value=0.1, also=7),
        at(6, "release"),
    ]
    assert sorted(command_spans(records)) == [
        ("input.Brake", 1, 2),
        ("input.Throttle", 1, 3),
        ("input.Throttle", 5, 6),
        ("road.Slope", 1, 3),
    ]


def test_other_commands_are_moments_in_words() -> None:
    records = [
        at(1, "arm", bus="powertrain", armed=True),
        at(2, "fault-add", fault={"frame": "powertrain.EngineData1", "effect": "drop", "probability": 0.5}),
    ]
    assert command_spans(records) == [
        CommandSpan("arm powertrain", 1, 1),
        CommandSpan("fault-add powertrain.EngineData1 drop 0.5", 2, 2),
    ]
