"""The list of the recordings of a folder."""

from pathlib import Path

from hilbridge.boundary.record.catalog import read_recordings


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    """A recording that is damaged, and a folder that is none; a folder of something else is passed over."""
    (tmp_path / "one").mkdir()
    (tmp_path / "one/manifest.json").write_text("{")
    (tmp_path / "other").mkdir()
    recordings, broken = read_recordings(tmp_path)
    assert (recordings, [*broken]) == ([], ["one"])
    assert read_recordings(tmp_path / "missing") == ([], {})
    assert read_recordings(tmp_path / "one/manifest.json") == ([], {"manifest.json": "Not a directory"})
