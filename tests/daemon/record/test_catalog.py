"""The list of the recordings of a folder."""

from pathlib import Path

from hilbridge.record.catalog import list_recordings


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    """A recording that is damaged, and a folder that is none; a folder of something else is passed over."""
    said: list[str] = []
    (tmp_path / "one").mkdir()
    (tmp_path / "one/manifest.json").write_text("{")
    (tmp_path / "other").mkdir()
    assert list_recordings(tmp_path, said.append) == []
    assert list_recordings(tmp_path / "missing", said.append) == []
    assert list_recordings(tmp_path / "one/manifest.json", said.append) == []
    assert len(said) == 2
    assert "one is no recording" in said[0]
    assert "Not a directory" in said[1]
