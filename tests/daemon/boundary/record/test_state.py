"""What a bench keeps from one run to the next."""

import errno
import json
import os
import random
import resource
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.record.state import FORMAT, encoded, read_state, state_path, store_state
from hilbridge.boundary.record.state_start import load_state

STATE = {"odometer_m": 123_456_789, "fuel_l": 31.25, "dtcs": [{"code": "P0123", "confirmed": True}]}

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def test_what_was_stored_is_loaded(tmp_path: Path) -> None:
    """Also when it replaces another; of the others only the last one is left beside it."""
    path = tmp_path / "folder" / "bench.json"
    for odometer in range(3):
        store_state(path, STATE | {"odometer_m": odometer})
    assert load_state(path, pytest.fail) == STATE | {"odometer_m": 2}
    assert sorted(one.name for one in path.parent.iterdir()) == ["bench.json", "bench.json.previous"]
    assert read_state(path.with_name("bench.json.previous")) == STATE | {"odometer_m": 1}


def test_without_a_file_there_is_no_state(tmp_path: Path) -> None:
    """The first run of a bench begins with nothing, and nobody is warned; so does one that keeps nothing."""
    assert load_state(tmp_path / "missing.json", pytest.fail) == {}
    assert load_state(None, pytest.fail) == {}


@settings(max_examples=100)
@given(st.dictionaries(st.text(), json_values, max_size=4))
def test_any_json_comes_back(tmp_path_factory: pytest.TempPathFactory, state: dict[str, object]) -> None:
    path = tmp_path_factory.mktemp("state") / "state.json"
    path.write_bytes(encoded(state))
    assert load_state(path, pytest.fail) == state


@pytest.mark.parametrize("size", range(0, len(encoded(STATE)) - 1, 7))
def test_a_file_that_was_cut_off_is_set_aside(tmp_path: Path, size: int) -> None:
    """The run begins with nothing, a warning says so, and the file is kept for whoever wants to look."""
    path = tmp_path / "state.json"
    path.write_bytes(encoded(STATE)[:size])
    warnings: list[str] = []
    assert load_state(path, warnings.append) == {}
    assert "damaged" in warnings[0]
    assert [one.name for one in tmp_path.iterdir()] == ["state.json.damaged"]
    assert (tmp_path / "state.json.damaged").read_bytes() == encoded(STATE)[:size]


OLDER = {
    "vehicle": {"odometer": 5.0},
    "trouble_codes": {"engine": {"version": 2, "troubles": {}, "completed": []}},
    "identifiers": {"engine": {"version": 1, "identifiers": {"F199": "20261123"}}},
    "memory": {"engine": {"version": 1, "application": True, "regions": {}}},
}
"""As the programs wrote it in whose time each part had a version of its own."""


@pytest.mark.parametrize("head", [{}, {"format": 1}], ids=["of version 0.1.0", "format 1"])
def test_a_file_of_an_older_program_is_understood(tmp_path: Path, head: dict[str, int]) -> None:
    """The first ones had no number of their format. It is written in the present format from then on."""
    path = tmp_path / "state.json"
    check = f"{zlib.crc32(json.dumps(OLDER, sort_keys=True, separators=(',', ':')).encode()):08x}"
    path.write_text(json.dumps(head | {"crc32": check, "state": OLDER}))
    now = load_state(path, pytest.fail)
    assert now == {
        "vehicle": {"odometer": 5.0},
        "trouble_codes": {"engine": {"troubles": {}, "completed": []}},
        "identifiers": {"engine": {"F199": "20261123"}},
        "memory": {"engine": {"application": True, "regions": {}}},
    }
    store_state(path, now)
    assert json.loads(path.read_text())["format"] == FORMAT == 2
    assert load_state(path, pytest.fail) == now


def test_with_a_file_of_a_newer_program_no_run_begins(tmp_path: Path) -> None:
    """It is left as it is, so that the newer program finds it again."""
    path = tmp_path / "state.json"
    newer = encoded(STATE).replace(b'"format": 2', b'"format": 7')
    path.write_bytes(newer)
    with pytest.raises(ConfigurationError, match=r"is of format 7, .* formats up to 2: run the newer program, or move"):
        load_state(path, pytest.fail)
    assert path.read_bytes() == newer
    assert [one.name for one in tmp_path.iterdir()] == ["state.json"]


@pytest.mark.parametrize("number", [0, -1, True, "2", None, 2.0])
def test_a_format_that_is_none_is_damage(tmp_path: Path, number: object) -> None:
    path = tmp_path / "state.json"
    path.write_text(json.dumps(json.loads(encoded(STATE)) | {"format": number}))
    warnings: list[str] = []
    assert load_state(path, warnings.append) == {}
    assert "it names no format" in warnings[0]


def test_parts_that_are_none_of_an_older_format_are_damage(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    odd = {"identifiers": ["F199"]}
    whole = json.loads(encoded(odd)) | {"format": 1}
    path.write_text(json.dumps(whole))
    warnings: list[str] = []
    assert load_state(path, warnings.append) == {}
    assert "its parts are not those of format 1" in warnings[0]


def test_a_disk_that_is_full_at_any_byte_leaves_the_old_state(tmp_path: Path) -> None:
    """The kernel takes so many bytes of the new file and no more; as soon as there is room the new state is stored."""
    path = tmp_path / "state.json"
    store_state(path, STATE)
    newer = STATE | {"odometer_m": 1}
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    for size in range(len(encoded(newer))):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
        try:
            with pytest.raises(OSError, match="File too large"):
                store_state(path, newer)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert load_state(path, pytest.fail) == STATE
    store_state(path, newer)
    assert load_state(path, pytest.fail) == newer


def test_nothing_is_renamed_before_it_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The content is synchronised, whole, before the file takes its name; then the folder, which has the name."""
    path = tmp_path / "state.json"
    done: list[tuple[str, int]] = []
    synchronise = os.fsync

    def fsync(descriptor: int) -> None:
        target = Path(f"/proc/self/fd/{descriptor}").readlink()
        done.append((target.name, len(path.read_bytes()) if path.exists() else -1))
        assert target == tmp_path or target.read_bytes() == encoded(STATE)
        synchronise(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    store_state(path, STATE)
    assert done == [("state.json.new", -1), (tmp_path.name, len(encoded(STATE)))]


def test_a_disk_that_fails_leaves_the_old_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It took all bytes, and cannot keep them: the error is reported, and the file has its old content."""
    path = tmp_path / "state.json"
    store_state(path, STATE)

    def fsync(_descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OSError, match="Input/output error"):
        store_state(path, {})
    assert load_state(path, pytest.fail) == STATE


def test_a_changed_number_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(encoded(STATE).replace(b"123456789", b"123456788"))
    warnings: list[str] = []
    assert load_state(path, warnings.append) == {}
    assert "checksum" in warnings[0]


def test_where_it_is_kept(tmp_path: Path) -> None:
    """A path, or none; else the folder that systemd names, else that of the user's state."""
    service = {"STATE_DIRECTORY": "/var/lib/hilbridge:/var/lib/other", "XDG_STATE_HOME": "/home/a/state"}
    assert state_path("none", "demo", service) is None
    assert state_path(str(tmp_path / "mine.json"), "demo", service) == tmp_path / "mine.json"
    assert state_path(None, "demo", service) == Path("/var/lib/hilbridge/demo.json")
    del service["STATE_DIRECTORY"]
    assert state_path(None, "demo", service) == Path("/home/a/state/hilbridge/demo.json")
    assert state_path(None, "demo", {}) == Path.home() / ".local/state/hilbridge/demo.json"


STORE_FOR_EVER = """
import sys
from pathlib import Path
from hilbridge.boundary.record.state import store_state
for number in range(1_000_000):
    store_state(Path(sys.argv[1]), {"number": number, "padding": "x" * 20_000})
    print(number, flush=True)
"""


def test_a_process_that_is_killed_while_it_stores_loses_at_most_the_last_one(tmp_path: Path) -> None:
    """Twenty times at a random moment: the file is whole, and what was said to be stored is."""
    moments = random.Random(1)
    path = tmp_path / "state.json"
    for _ in range(20):
        command = [sys.executable, "-c", STORE_FOR_EVER, str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for _ in range(moments.randrange(1, 6)):
                process.stdout.readline()
            os.kill(process.pid, signal.SIGKILL)
            said = process.stdout.read().split()
        number = load_state(path, pytest.fail)["number"]
        if said:
            assert int(said[-1]) <= number <= int(said[-1]) + 1
