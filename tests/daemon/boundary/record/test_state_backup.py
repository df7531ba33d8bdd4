"""A backup of the stored state, put in its place: what was there before is kept and named, and nothing else is."""

from pathlib import Path

from hilbridge.boundary.record.state import decoded, encoded
from hilbridge.boundary.record.state_backup import restore

STATE = {"odometer": 12.5}


def test_what_was_there_before_is_named_only_where_something_was(tmp_path: Path) -> None:
    backup, path = tmp_path / "backup.json", tmp_path / "bench/state.json"
    backup.write_bytes(encoded(STATE))
    state, before = restore(backup, path)
    assert (state["odometer"], before) == (12.5, None)
    backup.write_bytes(encoded({"odometer": 99.0}))
    state, before = restore(backup, path)
    assert before is not None
    assert (state["odometer"], decoded(before.read_bytes())["odometer"]) == (99.0, 12.5)
