"""What a recording says about itself."""

import errno
import json
import os
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.record import manifest


def test_new_recording_is_incomplete(tmp_path: Path) -> None:
    """Until the run has ended the manifest says so; it names the run and what computes it."""
    manifest.create(tmp_path / "a" / "b", {"bench": "demo", "seed": 5})
    facts = json.loads((tmp_path / "a" / "b" / "manifest.json").read_text())
    assert (facts["format"], facts["complete"], facts["bench"], facts["seed"]) == (2, False, "demo", 5)
    assert {"hilbridge", "model", "python", "machine", "libc", "python-can", "zlib"} <= set(facts["software"])
    assert facts["software"]["model"] in {"compiled", "interpreted"}


def test_same_run_same_manifest(tmp_path: Path) -> None:
    """Two recordings of the same run on the same machine have equal manifests."""
    for name in ("a", "b"):
        manifest.create(tmp_path / name, {"bench": "demo"})
        manifest.update(tmp_path / name, {"complete": True})
    assert (tmp_path / "a" / "manifest.json").read_bytes() == (tmp_path / "b" / "manifest.json").read_bytes()


@pytest.mark.parametrize("name", ["frames.blf", "manifest.json"])
def test_recording_is_never_overwritten(tmp_path: Path, name: str) -> None:
    """A directory with a recording, or a part of one, is refused and left as it is."""
    (tmp_path / name).write_text("precious")
    with pytest.raises(ConfigurationError, match="already holds a recording"):
        manifest.create(tmp_path, {})
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "precious"


def test_other_files_do_not_matter(tmp_path: Path) -> None:
    """A directory may hold something else."""
    (tmp_path / "notes.txt").write_text("x")
    manifest.create(tmp_path, {})
    assert manifest.read(tmp_path)["complete"] is False


def test_directory_that_cannot_be_made(tmp_path: Path) -> None:
    """A clear error, before the run begins."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(ConfigurationError, match="cannot record into"):
        manifest.create(tmp_path / "file" / "directory", {})


def test_a_disk_that_refuses_a_recording_may_take_it_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file of the bench is wrong, so a service tries again; a folder that holds a recording does for good."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as refused:
        refused.setattr(manifest, "write_bundle", full)
        with pytest.raises(ConfigurationError, match="No space left") as told:
            manifest.create(tmp_path / "a", {})
    assert told.value.may_pass
    manifest.create(tmp_path / "b", {})
    with pytest.raises(ConfigurationError, match="already holds") as told:
        manifest.create(tmp_path / "b", {})
    assert not told.value.may_pass


def test_update_keeps_the_rest(tmp_path: Path) -> None:
    """Changed entries change, the others stay; no other file is left behind."""
    manifest.create(tmp_path, {"bench": "demo", "rate": 1000})
    manifest.update(tmp_path, {"complete": True, "frames": 3})
    facts = manifest.read(tmp_path)
    assert (facts["bench"], facts["rate"], facts["complete"], facts["frames"]) == ("demo", 1000, True, 3)
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]
