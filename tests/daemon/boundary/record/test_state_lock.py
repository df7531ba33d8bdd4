"""The lock on the stored state."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.record.state_lock import StateInUseError, lock_state, owner_of_lock

HOLDER = """
import sys
from pathlib import Path
from hilbridge.boundary.record.state_lock import lock_state
descriptor = lock_state(Path(sys.argv[1]))
print("locked", flush=True)
sys.stdin.read()
"""


def test_of_two_runs_the_second_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    """It is told which process has the state, and what helps. The lock outlives nobody who held it."""
    path = tmp_path / "folder" / "state.json"
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        with pytest.raises(ConfigurationError, match=rf"process {process.pid}, .*state\.json: end it, or give this"):
            lock_state(path)
        process.kill()
        process.wait()
        os.close(lock_state(path))


def test_an_observer_that_still_writes_is_waited_for(tmp_path: Path) -> None:
    """The run that began it has died: the lock is that of its child, which comes to its end."""
    path = tmp_path / "state.json"
    descriptor = lock_state(path)
    with subprocess.Popen([sys.executable, "-c", ""]) as dead:
        dead.wait()
    path.with_name("state.json.lock").write_text(f"{dead.pid}\n")
    end = threading.Timer(0.2, os.close, (descriptor,))
    end.start()
    os.close(lock_state(path))
    end.join()
    assert path.with_name("state.json.lock").read_text() == f"{os.getpid()}\n"


def test_a_folder_that_takes_no_lock_is_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("in the way")
    with pytest.raises(OSError, match="File exists"):
        lock_state(tmp_path / "folder" / "state.json")


def test_a_lock_is_looked_at_without_a_trace(tmp_path: Path) -> None:
    """However often somebody asks: no descriptor stays open, and the lock can be had."""
    path = tmp_path / "state.json"
    assert owner_of_lock(path) == ""
    os.close(lock_state(path))
    before = len(list(Path("/proc/self/fd").iterdir()))
    assert [owner_of_lock(path) for _ in range(5)] == [""] * 5
    held = lock_state(path)
    assert [owner_of_lock(path) for _ in range(5)] == [str(os.getpid())] * 5
    os.close(held)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_state_in_use_is_no_fault_of_the_file() -> None:
    """It may pass: the exit status is that of a run that failed, after which a service is started again."""
    assert StateInUseError(Path("state.json"), "7").may_pass
