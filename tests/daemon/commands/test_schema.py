"""`hilbridge schema` prints a schema or the reference page."""

import json

import pytest

from hilbridge.boundary.control.commands import command_schema
from hilbridge.commands.cli import main
from hilbridge.commands.file_kinds import KINDS
from hilbridge.desk.fit.targets import targets_schema
from hilbridge.files.configuration.reference import reference


@pytest.mark.parametrize(
    ("arguments", "title"),
    [
        ([], "hilbridge bench file"),
        (["bench"], "hilbridge bench file"),
        (["vehicle"], "hilbridge vehicle file"),
        (["scenario"], "hilbridge scenario file"),
        (["control"], "hilbridge control protocol 1"),
    ],
)
def test_a_schema_is_one_json_object(capsys: pytest.CaptureFixture[str], arguments: list[str], title: str) -> None:
    """Of the bench file when none is named."""
    assert main(["schema", *arguments]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == title


@pytest.mark.parametrize("file", KINDS)
def test_a_schema_is_made_once_and_stays_as_it_is(capsys: pytest.CaptureFixture[str], file: str) -> None:
    """All wrong files of a process are explained by one, and what is printed is a copy with words filled in."""
    schema = KINDS[file].schema()
    before = json.dumps(schema)
    assert main(["schema", file]) == 0
    assert KINDS[file].schema() is schema
    assert json.dumps(schema) == before


def test_the_reference_is_printed_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """One page after the other."""
    assert main(["schema", "--reference"]) == 0
    assert capsys.readouterr().out == "\n".join(reference(targets_schema(), command_schema()).values())


def test_another_kind_of_file_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    """With the way to the kinds that there are."""
    with pytest.raises(SystemExit) as stopped:
        main(["schema", "cluster"])
    assert stopped.value.code == 2
    assert "hilbridge schema --help lists them" in capsys.readouterr().err
