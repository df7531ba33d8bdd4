"""The commit-msg hook accepts a subject in the imperative with a reason below it, and says what is wrong."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..program import CHECKOUT

HOOK = CHECKOUT / ".githooks/commit-msg"
BODY = "\n\nA reader of the log finds the reason here.\n"


def judge(message: str, folder: Path) -> list[str]:
    """The complaints of the hook; it refuses the commit if there are any."""
    file = folder / "COMMIT_EDITMSG"
    file.write_text(message)
    run = subprocess.run([sys.executable, HOOK, file], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == (1 if run.stderr else 0)
    return [line.removeprefix("commit message: ") for line in run.stderr.splitlines()]


@pytest.mark.parametrize(
    "message",
    [
        f"Move the load rigs to tests/bench{BODY}",
        f"Pass the time as a parameter{BODY}",
        f"Feed the watchdog from the tick{BODY}",
        f"{'A' * 71}{BODY}",
        f"# a comment of git\n\nName the plan's frames{BODY}# On branch main\n",
        "Merge branch 'main'",
        "fixup! Move the load rigs",
    ],
)
def test_a_good_message_is_accepted(message: str, tmp_path: Path) -> None:
    assert judge(message, tmp_path) == []


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        (f"{'A' * 72}{BODY}", "the subject has 72 characters; it should have fewer than 72"),
        (f"Move the load rigs.{BODY}", "the subject ends with a period"),
        (f"move the load rigs{BODY}", "the subject does not begin with a capital letter"),
        *(
            (f"{word} the load rigs{BODY}", f"the subject is not in the imperative: {word!r}")
            for word in ("Moved", "Moving", "Moves")
        ),
        ("Move the load rigs\nto tests/bench", "the second line is not empty"),
        ("Move the load rigs", "there is no body; it says why"),
        ("Move the load rigs\n\n# a comment is no reason\n", "there is no body; it says why"),
        ("Move the rigs\n\n# ------------------------ >8 ------\ndiff --git", "there is no body; it says why"),
    ],
)
def test_what_is_wrong_is_said(message: str, complaint: str, tmp_path: Path) -> None:
    (found,) = judge(message, tmp_path)
    assert found.startswith(complaint)


def test_git_can_run_the_hooks() -> None:
    assert all(os.access(hook, os.X_OK) for hook in (HOOK, HOOK.with_name("pre-commit")))
