"""What a user is told who may not use the socket of a daemon; stat(1) knows whose it is."""

import subprocess
from pathlib import Path

import pytest

from hilbridge.client.reach import unreachable

REFUSED = PermissionError(13, "Permission denied")


@pytest.mark.parametrize(("mode", "words"), [(0o660, "usermod -aG {group} "), (0o600, "lets group {group} in")])
def test_who_is_refused_learns_which_group_is_not(tmp_path: Path, mode: int, words: str) -> None:
    """With the command that makes the user a member, or the key that lets the group in."""
    path = tmp_path / "bench.sock"
    path.touch()
    path.chmod(mode)
    group = subprocess.run(["stat", "-c", "%G", path], check=True, capture_output=True, text=True).stdout.strip()
    told = str(unreachable(path, REFUSED))
    assert told.startswith(f"no daemon can be reached at {path}: Permission denied: ")
    assert words.format(group=group) in told


def test_a_folder_that_is_closed_is_said(tmp_path: Path) -> None:
    """The socket in it cannot be looked at; another error has its reason alone."""
    assert str(unreachable(tmp_path / "none.sock", REFUSED)).endswith("its folder is closed to this user")
    refused = unreachable(tmp_path / "a.sock", ConnectionRefusedError(111, "Connection refused"))
    assert str(refused).endswith("a.sock: Connection refused")
