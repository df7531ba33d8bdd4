"""The stored state with which a run begins, and the runs that do not begin."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.record.state import encoded, read_state, store_state
from hilbridge.boundary.record.state_start import keep_at_start, keep_unused, load_state

ONE, TWO, THREE = ({"odometer_m": number} for number in (1, 2, 3))
DAMAGE = encoded(ONE)[:-9]


def written(folder: Path) -> dict[str, bytes]:
    """What the folder holds, by name."""
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}


def loop(path: Path) -> None:
    path.symlink_to(path)


def lost_link(path: Path) -> None:
    path.symlink_to("/nowhere/state.json")


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (Path.mkdir, "Is a directory"),
        (loop, "Too many levels of symbolic links"),
        (lost_link, r"the symbolic link .* leads nowhere"),
        (os.mkfifo, "not a regular file"),
    ],
    ids=["a folder", "a loop", "a link to a disk that is not there", "a pipe"],
)
def test_on_a_state_that_cannot_be_read_no_run_begins(
    tmp_path: Path, make: Callable[[Path], object], reason: str
) -> None:
    """Reason and remedy are in the message, and all is left as it was."""
    path = tmp_path / "state.json"
    make(path)
    before = os.lstat(path)
    with pytest.raises(ConfigurationError, match=rf"cannot be read: {reason}.*sudo hilbridge state restore"):
        load_state(path, pytest.fail)
    assert os.lstat(path)[:4] == before[:4]
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_on_a_disk_that_is_not_there_is_no_first_run(tmp_path: Path) -> None:
    (tmp_path / "folder").symlink_to("/nowhere")
    with pytest.raises(ConfigurationError, match="leads nowhere"):
        load_state(tmp_path / "folder/state.json", pytest.fail)


def test_in_place_of_a_damaged_file_the_newest_good_copy_is_used(tmp_path: Path) -> None:
    """It is told which; the damaged one and the copies are all still there."""
    path = tmp_path / "state.json"
    store_state(path, ONE)
    keep_at_start(path, pytest.fail)
    store_state(path, TWO)
    store_state(path, THREE)
    damaged = path.read_bytes()[:-9]
    path.write_bytes(damaged)
    said: list[str] = []
    assert load_state(path, said.append) == TWO
    assert "set aside as state.json.damaged; the run begins with its copy state.json.previous" in said[0]
    assert (tmp_path / "state.json.damaged").read_bytes() == damaged
    assert read_state(path) == read_state(tmp_path / "state.json.previous") == TWO

    for name in ("state.json", "state.json.previous"):
        (tmp_path / name).write_bytes(b"worse")
    said.clear()
    assert load_state(path, said.append) == ONE
    assert "set aside as state.json.damaged-2; the run begins with its copy state.json.at-start" in said[0]
    assert (tmp_path / "state.json.damaged").read_bytes() == damaged
    assert (tmp_path / "state.json.damaged-2").read_bytes() == b"worse"


def test_what_is_damaged_in_the_same_way_again_is_not_kept_twice(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    for _ in range(3):
        path.write_bytes(DAMAGE)
        load_state(path, lambda _: None)
    assert written(tmp_path) == {"state.json.damaged": DAMAGE}


@pytest.mark.parametrize(
    "content",
    [
        b"ssh-ed25519 AAAA me\n",
        b'{"editor.fontSize": 12}',
        b'{"format": 2, "state": {}}',
        b"[]",
        b"\x7fELF",
        b"x",
        b'x = "crc32"',
        b'{"checks": ["' + b"x" * 200 + b'", "crc32"]}',
    ],
)
def test_what_was_never_a_state_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    """The bench file of a stranger can name any file of the user, also by a link."""
    path, link = tmp_path / "precious", tmp_path / "state.json"
    path.write_bytes(content)
    link.symlink_to(path)
    for name in (path, link):
        with pytest.raises(ConfigurationError, match="is no stored state of hilbridge, and stays as it is"):
            load_state(name, pytest.fail)
    assert {one.name for one in tmp_path.iterdir()} == {"precious", "state.json"}
    assert link.is_symlink()
    assert path.read_bytes() == content


@pytest.mark.parametrize("content", [b"", bytes(4096), b"{", DAMAGE], ids=["empty", "zeros", "begun", "cut off"])
def test_what_a_power_cut_leaves_is_a_damaged_state(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(content)
    said: list[str] = []
    assert load_state(path, said.append) == {}
    assert "set aside as state.json.damaged" in said[0]


def test_a_state_that_was_removed_is_begun_anew_and_its_copies_are_named(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    store_state(path, ONE)
    store_state(path, TWO)
    path.unlink()
    said: list[str] = []
    assert load_state(path, said.append) == {}
    assert f"`hilbridge state restore {path}.previous` takes the newest" in said[0]


def test_a_copy_of_a_newer_program_is_not_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(DAMAGE)
    newer = encoded(ONE).replace(b'"format": 2', b'"format": 9')
    (tmp_path / "state.json.previous").write_bytes(newer)
    before = written(tmp_path)
    with pytest.raises(ConfigurationError, match="format 9"):
        load_state(path, pytest.fail)
    assert written(tmp_path) == before


def test_a_state_that_is_not_used_as_a_whole_is_kept(tmp_path: Path) -> None:
    """Once for each content."""
    path = tmp_path / "state.json"
    names = []
    for state in (ONE, ONE, TWO):
        store_state(path, state)
        names.append(keep_unused(path).name)
    assert names == ["state.json.unused", "state.json.unused", "state.json.unused-2"]
    assert read_state(tmp_path / names[0]) == ONE


def test_there_are_two_copies_however_often_it_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    for number in range(20):
        store_state(path, {"number": number})
        keep_at_start(path, pytest.fail)
    assert sorted(written(tmp_path)) == ["state.json", "state.json.at-start", "state.json.previous"]
    assert read_state(tmp_path / "state.json.previous") == {"number": 18}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_what_root_makes_belongs_to_the_user_of_the_folder(tmp_path: Path) -> None:
    """And one that replaces another has its owner and its permissions."""
    folder = tmp_path / "folder"
    folder.mkdir()
    os.chown(folder, 12345, 12346)
    path = folder / "state.json"
    store_state(path, ONE)
    path.chmod(0o604)
    store_state(path, TWO)
    keep_at_start(path, pytest.fail)
    for each in folder.iterdir():
        status = each.stat()
        assert (status.st_uid, status.st_gid) == (12345, 12346)
    assert path.stat().st_mode & 0o777 == 0o604


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path: Path) -> None:
    """Though the folder would allow it: somebody has protected it."""
    folder = tmp_path / "folder"
    folder.mkdir()
    os.chown(folder, 12345, 12345)
    for each in (tmp_path, *tmp_path.parents[:3]):
        each.chmod(each.stat().st_mode | 0o055)
    path = folder / "state.json"
    path.write_bytes(encoded(ONE))
    path.chmod(0o644)
    if not (child := os.fork()):
        os.setgid(12345)
        os.setuid(12345)
        try:
            store_state(path, TWO)
        except PermissionError:
            os._exit(7)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert written(folder) == {"state.json": encoded(ONE)}
