"""Where control sockets lie, and which one a command means."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control import socket_paths


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The run directory of a user on a machine where the service has never been installed."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(socket_paths, "SYSTEM", tmp_path / "none")
    (tmp_path / "hilbridge").mkdir(mode=0o700)
    return tmp_path / "hilbridge"


def test_a_socket_is_named_by_its_bench(folder: Path) -> None:
    assert socket_paths.socket_path("demo") == folder / "demo.sock"


def test_the_only_bench_needs_no_name(folder: Path) -> None:
    (folder / "demo.sock").touch()
    assert socket_paths.find_socket(None) == folder / "demo.sock"


def test_of_several_benches_one_is_named(folder: Path) -> None:
    (folder / "one.sock").touch()
    (folder / "two.sock").touch()
    assert socket_paths.find_socket("two") == folder / "two.sock"
    with pytest.raises(ConfigurationError, match="several benches are running: one, two"):
        socket_paths.find_socket(None)


def test_a_path_is_taken_as_it_is(folder: Path) -> None:
    assert socket_paths.find_socket("./my.sock") == Path("my.sock")


@pytest.mark.parametrize(("name", "words"), [(None, "no bench is running"), ("demo", "no bench named 'demo'")])
def test_no_bench_is_told(folder: Path, name: str | None, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        socket_paths.find_socket(name)


def test_a_folder_that_others_can_write_to_is_refused(folder: Path) -> None:
    """In /tmp anybody may have made it before us."""
    folder.chmod(0o777)
    with pytest.raises(PermissionError, match="others may write"):
        socket_paths.make_private(folder)


def test_a_folder_of_another_user_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that only he can write to: he would read what is written into the sockets there."""
    monkeypatch.setattr("os.getuid", lambda: folder.stat().st_uid + 1)
    with pytest.raises(PermissionError, match="belongs to somebody else"):
        socket_paths.make_private(folder)


def test_the_folder_is_made_for_its_user_alone(folder: Path) -> None:
    socket_paths.make_private(folder / "new")
    assert (folder / "new").stat().st_mode & 0o777 == 0o700
