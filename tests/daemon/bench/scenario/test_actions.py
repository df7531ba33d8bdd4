"""Steps act by commands."""

from pathlib import Path

import pytest

from .stages import TICK, Rig


def test_a_ramp_is_a_straight_line_a_hundred_times_a_second(tmp_path: Path) -> None:
    """From where the entry is, to where it shall be, there at the end of the time; each value once."""
    rig = Rig(tmp_path, "{set: {input.Throttle: 0.8}, over: 0.04}")
    rig.put("input.Throttle", 0.4)
    rig.tick(10)
    values = [command["value"] for _, command in rig.commands]
    assert values == pytest.approx([0.4, 0.5, 0.6, 0.7, 0.8])
    assert [t // TICK for t, _ in rig.commands] == [0, 1, 2, 3, 4]


def test_a_ramp_of_something_that_is_not_available_is_a_jump(tmp_path: Path) -> None:
    rig = Rig(tmp_path, "{set: {request.EngineRpm: 2000}, over: 0.1}")
    rig.tick(20)
    assert [command["value"] for _, command in rig.commands] == [2000]


def test_commands_are_those_of_the_control_socket(tmp_path: Path) -> None:
    rig = Rig(
        tmp_path,
        """
        {set: {input.Key: 1, road.Slope: 0.1}}
        {release: [input.Key]}
        {release: [all]}
        {arm: {can: false}}
        """,
    )
    rig.tick(2)
    assert [command for _, command in rig.commands] == [
        {"command": "set", "entry": "input.Key", "value": 1, "by": "scenario"},
        {"command": "set", "entry": "road.Slope", "value": 0.1, "by": "scenario"},
        {"command": "release", "entry": "input.Key"},
        {"command": "release"},
        {"command": "arm", "bus": "can", "armed": False},
    ]


def test_a_fault_is_cleared_by_the_name_of_its_step(tmp_path: Path) -> None:
    """The daemon gave it number 7."""
    rig = Rig(
        tmp_path,
        """
        {name: out, fault: {kind: link, bus: can, effect: down, for: 3}}
        {clear: out}
        {clear: all}
        """,
    )
    rig.tick(2)
    assert [command for _, command in rig.commands] == [
        {
            "command": "fault-add",
            "fault": {"kind": "link", "bus": "can", "effect": "down", "for": 3},
            "by": "scenario",
        },
        {"command": "fault-clear", "number": 7},
        {"command": "fault-clear", "number": None},
    ]
