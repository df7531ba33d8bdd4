"""The section `fabric` of a bench file."""

from typing import get_args

import pytest
from pydantic import ValidationError

from hilbridge.boundary.control.commands import BenchCommand, RunCommand
from hilbridge.files.settings.fabric import Changing, FabricSettings


def test_every_command_that_changes_something_has_to_be_allowed_by_name() -> None:
    """A command that is new is refused until it can be named here."""
    commands = [*get_args(BenchCommand), *get_args(RunCommand)]
    names = {get_args(one.model_fields["command"].annotation)[0] for one in commands}
    assert set(get_args(Changing)) == names


def test_nothing_is_allowed_by_default() -> None:
    assert FabricSettings().allow == []


def test_there_is_no_word_for_all_of_them() -> None:
    with pytest.raises(ValidationError):
        FabricSettings.model_validate({"allow": ["*"]})


def test_a_scenario_is_allowed_only_with_all_that_it_can_do() -> None:
    """Else it would arm a bus, or inject a fault, which the file does not allow by name."""
    with pytest.raises(Exception, match="needs set, release, arm, send, fault-add"):
        FabricSettings.model_validate({"allow": ["scenario-start"]})
    every = [*get_args(Changing)]
    assert FabricSettings.model_validate({"allow": every}).allow == every
