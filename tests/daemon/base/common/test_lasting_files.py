"""Files that are read and replaced as a whole."""

import errno
import os
from contextlib import suppress
from pathlib import Path

import matplotlib.figure
import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import keep_copy, replace_file, write_output
from hilbridge.base.plots import style
from hilbridge.base.trust import store
from hilbridge.base.trust.code import Code
from hilbridge.bench.drive import series
from hilbridge.boundary.record import manifest
from hilbridge.runs.run import verdict

from ....faulty_files import FAULTS, fault_name, faulty_files


def test_the_permissions_of_a_file_outlive_its_content(tmp_path: Path) -> None:
    path = tmp_path / "file"
    replace_file(path, b"old", 0o600)
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o640)
    replace_file(path, b"new", 0o600)
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", 0o640)


def test_a_planted_link_is_not_written_through(tmp_path: Path) -> None:
    """Root writes in folders of others: the new file is one that did not exist."""
    other = tmp_path / "precious"
    other.write_bytes(b"precious")
    (tmp_path / "file.new").symlink_to(other)
    replace_file(tmp_path / "file", b"new")
    assert other.read_bytes() == b"precious"
    assert not (tmp_path / "file").is_symlink()


def test_a_device_is_written_and_never_replaced(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="not a regular file"):
        replace_file(Path(os.devnull), b"x")
    write_output(Path(os.devnull), "x")
    assert Path(os.devnull).is_char_device()
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    write_output(link, "x")
    assert link.is_symlink()
    assert target.read_text() == "x"


def test_where_a_file_can_have_no_second_name_it_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FAT and some network file systems have no hard links; the kernel refuses them for files of others."""
    path = tmp_path / "file"
    path.write_bytes(b"content")

    def link(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)
    keep_copy(path, tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == b"content"
    assert (tmp_path / "copy").stat().st_ino != path.stat().st_ino


@pytest.mark.parametrize("fault", FAULTS, ids=fault_name)
def test_no_trust_is_lost_by_a_call_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: int) -> None:
    """The list is read to be written with one entry more: it has all of the old ones, or the command says why not."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    old = [Code(Path(f"/{number}.py"), b"", f"{number:064}") for number in range(3)]
    new = Code(Path("/new.py"), b"", "f" * 64)

    def begin() -> None:
        store.list_path().unlink(missing_ok=True)
        store.add(old)

    begin()
    with faulty_files(tmp_path) as clean:
        store.add([new])
    for number in range(len(clean.calls)):
        begin()
        refused = False
        with faulty_files(tmp_path, number, fault):
            try:
                store.add([new])
            except ConfigurationError:
                refused = True
        known = [entry.digest for entry in store.entries()]
        assert known[:3] == [code.digest for code in old]
        assert refused or known[3:] == [new.digest]


@pytest.mark.parametrize("fault", FAULTS, ids=fault_name)
def test_no_manifest_is_lost_by_a_call_that_fails(tmp_path: Path, fault: int) -> None:
    """At the end of a recording it is read, and written with what is known then."""
    manifest.create(tmp_path, {"bench": "demo", "vehicle": "car", "buses": []})
    old = manifest.read(tmp_path)
    with faulty_files(tmp_path) as clean:
        manifest.update(tmp_path, {"complete": True})
    for number in range(len(clean.calls)):
        manifest.update(tmp_path, {"complete": False})
        refused = False
        with faulty_files(tmp_path, number, fault):
            try:
                manifest.update(tmp_path, {"complete": True})
            except (OSError, ValueError):
                refused = True
        assert manifest.read(tmp_path) in (old, old | {"complete": True})
        assert refused or manifest.read(tmp_path)["complete"]


def test_what_cannot_be_written_whole_leaves_the_old_one(tmp_path: Path) -> None:
    """Whichever call fails, a report that was there before is as it was; without a folder none is made."""
    path = tmp_path / "report.xml"
    path.write_text("old")
    with faulty_files(tmp_path) as layer:
        write_output(path, "old")
    for number in range(len(layer.calls)):
        with faulty_files(tmp_path, number, errno.ENOSPC), suppress(OSError):
            write_output(path, "new")
        assert path.read_text() in ("old", "new")
        write_output(path, "old")
    with pytest.raises(FileNotFoundError):
        write_output(tmp_path / "none" / "report.xml", "new")


def test_reports_of_runs_are_written_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Verdicts, time series and pictures."""
    writers = {"verdict": verdict, "series": series, "style": style}
    written = []
    for name, module in writers.items():
        monkeypatch.setattr(module, "write_output", lambda path, _content, name=name: written.append((name, path)))
    verdict.write_reports([], [tmp_path / "a.xml"], "")
    series.write_series({}, tmp_path / "a.csv")
    style.save(matplotlib.figure.Figure(), tmp_path / "a.svg")
    assert [name for name, _ in written] == list(writers)
