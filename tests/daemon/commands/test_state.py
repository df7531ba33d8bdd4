"""`hilbridge state`: where it is, what it says, backup and restoring."""

import json
import os
import re
from pathlib import Path

import pytest

from hilbridge.boundary.record.state import encoded, read_state, store_state
from hilbridge.boundary.record.state_lock import lock_state
from hilbridge.commands import state as command
from hilbridge.commands.cli import main

VEHICLE = {"odometer": 123_456_000_000, "engine_hours": 7_250_000}
STATE = {
    "vehicle": VEHICLE,
    "trouble_codes": {"engine": {"troubles": {"P0301": {"confirmed": True}, "P0302": {"confirmed": False}}}},
    "identifiers": {"engine": {"F199": "20261123"}},
}


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The stored state of the demo bench of a user."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setattr(command, "SERVICE_BENCH", tmp_path / "etc/bench.yaml")
    monkeypatch.setattr(command, "SERVICE_FOLDER", tmp_path / "service")
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "hilbridge/demo.json"
    store_state(file, STATE)
    return file


def test_the_path_of_a_bench(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A bench of the machine keeps its state where the service does; it is also the default, if there is one."""
    assert main(["state", "path"]) == 0
    (tmp_path / "own.yaml").write_text("name: own\nstate: /elsewhere/state.json\n")
    assert main(["state", "path", str(tmp_path / "own.yaml")]) == 0
    (tmp_path / "etc").mkdir()
    (tmp_path / "service").mkdir()
    (tmp_path / "etc/bench.yaml").write_text("name: car\n")
    assert main(["state", "path"]) == 0
    assert main(["state", "path", str(path)]) == 0
    found = capsys.readouterr().out.split()
    assert found == [str(path), "/elsewhere/state.json", str(tmp_path / "service/car.json"), str(path)]


@pytest.mark.parametrize("text", ["name: ../up\n", "vehicle: compact\n", "name: own\nstate: none\n"])
def test_a_bench_without_a_state(path: Path, tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.yaml").write_text(text)
    assert main(["state", "path", str(tmp_path / "own.yaml")]) == 2
    assert "own.yaml: 'name' or 'state' is wrong" in (said := capsys.readouterr().err) or "nothing is kept" in said


def test_what_it_says(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["state", "show"]) == 0
    said = capsys.readouterr().out
    for words in ("123,456.000 km", "7.25 h", "1 trouble code\n", "1 written identifier\n", "no run", "mode 640"):
        assert words in said
    assert main(["state", "show", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["state"] == STATE


def test_a_damaged_one_is_shown_as_such_and_left_alone(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.write_bytes(b"{")
    assert main(["state", "show"]) == 1
    assert "not JSON" in capsys.readouterr().out
    assert main(["state", "backup", "-o", "copy.json"]) == 2
    assert "damaged: not JSON" in capsys.readouterr().err
    assert not Path("copy.json").exists()
    assert path.read_bytes() == b"{"


def test_a_backup_is_put_back(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was there before is kept, and a restoring can be taken back."""
    assert main(["state", "backup", "-o", "copy.json"]) == 0
    assert main(["state", "backup", "-o", "copy.json"]) == 2
    assert "--force" in capsys.readouterr().err
    store_state(path, {"vehicle": {"odometer": 5}})
    assert main(["state", "restore", "copy.json"]) == 0
    assert "123,456.000 km" in capsys.readouterr().out
    assert read_state(path) == STATE
    assert main(["state", "restore", f"{path}.previous"]) == 0
    assert read_state(path) == {"vehicle": {"odometer": 5}}
    assert read_state(path.with_name("demo.json.previous")) == STATE


def test_while_a_run_has_it_a_backup_is_made_and_none_is_restored(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lock = lock_state(path)
    try:
        assert main(["state", "show"]) == 0
        assert f"process {os.getpid()}" in capsys.readouterr().out
        assert main(["state", "backup", "-o", "copy.json"]) == 0
        assert main(["state", "restore", "copy.json"]) == 2
        assert f"process {os.getpid()}, and would write over it: end it (`systemctl stop" in capsys.readouterr().err
    finally:
        os.close(lock)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"odometer: 5", "no stored state, or damaged: not JSON"),
        (encoded(STATE).replace(b"7250000", b"7250001"), "its checksum does not fit"),
        (encoded(STATE).replace(b'"format": 2', b'"format": 9'), "format 9.*use the newer program"),
    ],
)
def test_what_is_no_backup_is_not_restored(
    path: Path, content: bytes, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("copy.json").write_bytes(content)
    assert main(["state", "restore", "copy.json"]) == 2

    assert re.search(reason, capsys.readouterr().err)
    assert read_state(path) == STATE


def test_a_damaged_state_is_kept_when_another_takes_its_place(path: Path) -> None:
    assert main(["state", "backup", "-o", "copy.json"]) == 0
    for content in (b"first", b"second"):
        path.write_bytes(content)
        assert main(["state", "restore", "copy.json"]) == 0
    assert path.with_name("demo.json.unreadable").read_bytes() == b"first"
    assert path.with_name("demo.json.unreadable-2").read_bytes() == b"second"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_what_root_restores_belongs_to_the_service(path: Path) -> None:
    """Whatever the umask is; also when it is the state itself that was copied back with the rights of root."""
    os.chown(path.parent, 12345, 12346)
    path.chmod(0o600)
    before = os.umask(0o077)
    try:
        assert main(["state", "restore", str(path), str(path)]) == 0
    finally:
        os.umask(before)
    status = path.stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o777) == (12345, 12346, 0o640)
    assert path.with_name("demo.json.lock").stat().st_uid == 12345


@pytest.mark.parametrize("trick", [Path.symlink_to, Path.hardlink_to])
def test_a_lock_does_not_lead_into_another_file(
    path: Path, tmp_path: Path, trick: object, capsys: pytest.CaptureFixture[str]
) -> None:
    """Root restores in a folder of the service's user."""
    other = tmp_path / "precious"
    other.write_bytes(b"precious")
    trick(path.with_name("demo.json.lock"), other)  # type: ignore[operator]
    assert main(["state", "backup", "-o", "copy.json"]) == 0
    assert main(["state", "restore", "copy.json"]) == 2
    assert "cannot be restored" in capsys.readouterr().err
    assert other.read_bytes() == b"precious"
