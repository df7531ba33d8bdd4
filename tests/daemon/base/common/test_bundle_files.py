"""Files with names from elsewhere: they get into their folder, or are refused by name."""

import os
import unicodedata
import warnings
from pathlib import Path, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.bundle_files import (
    BundleError,
    check_names,
    read_source,
    require_no_link,
    usable_name,
    write_bundle,
)
from hilbridge.base.common.errors import ConfigurationError

REFUSED = {
    "../evil": "leads out of its folder",
    "a/../../evil": "leads out of its folder",
    "a/b/..": "leads out of its folder",
    "..": "leads out of its folder",
    "/etc/passwd": "is an absolute name",
    "//host/share": "is an absolute name",
    "C:evil": "begins with a drive",
    "c:/evil": "begins with a drive",
    "a\\b": r"has the character '\\\\'",
    "..\\evil": "has the character",
    "file:stream": "has the character ':'",
    "what?": r"has the character '\?'",
    "": "has an empty part",
    "a//b": "has an empty part",
    "./a": "has an empty part",
    "a/": "has an empty part",
    "a\0b": "has characters that do not print",
    "a\nb": "has characters that do not print",
    "\x1b[2J": "has characters that do not print",
    "a\x9b": "has characters that do not print",
    "a\u202egnp.exe": "has characters that do not print",
    "\udcff": "has characters that do not print",
    "con": "is the name of a device",
    "Nul.txt": "is the name of a device",
    "logs/COM1": "is the name of a device",
    "lpt².log": "is the name of a device",
    "aux .dbc": "is the name of a device",
    "CONIN$": "is the name of a device",
    "a.": "ends in a dot or a space",
    "a /b": "ends in a dot or a space",
    "x" * 241: "has a part longer than 240 bytes",
    "ä" * 121: "has a part longer than 240 bytes",
    "/".join(["folder"] * 200): "is longer than 1024 bytes",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_that_leads_elsewhere_is_refused_by_name_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    """Also none of the files beside it."""
    with pytest.raises(BundleError, match=REFUSED[name]) as refused:
        write_bundle(tmp_path / "bundle", {"good": b"1", name: b"2"})
    assert repr(name)[1:-1][:50] in str(refused.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (("a.dbc", "A.dbc"), "'A.dbc' differs from 'a.dbc' only in case"),
        (("straße", "STRASSE"), "differs from 'straße' only in case"),
        (("\u00e4", "a\u0308"), "only in case or Unicode form"),
        (("Logs/a", "logs/b"), "'logs/b' differs from 'Logs' only in case"),
        (("a", "a/b"), "'a/b' lies in 'a', which is a file"),
        (("a/b", "a"), "'a/b' lies in 'a', which is a file"),
        (("a", "a"), "'a' occurs twice"),
    ],
)
def test_names_that_some_system_takes_for_one_are_refused(names: tuple[str, ...], reason: str) -> None:
    with pytest.raises(BundleError, match=reason):
        check_names(names)


@given(st.text(max_size=300) | st.from_regex(r"(con|aux|com1|a)[ .]?[ -~]{0,9}", fullmatch=True))
def test_a_name_that_is_taken_means_one_file_everywhere(name: str) -> None:
    """Judged by the rules of Windows in Python's own library, and by what the kernel makes of it."""
    try:
        check_names([name])
    except BundleError:
        return
    with warnings.catch_warnings(action="ignore"):
        windows = PureWindowsPath(name)
        assert (windows.is_reserved(), windows.drive, windows.root) == (False, "", "")
    assert windows.parts == tuple(name.split("/"))
    assert os.path.normpath(name) == name
    assert not os.path.relpath(name).startswith("..")


@given(st.text(max_size=300) | st.from_regex(r"(con|aux|com1|\.+|a)[ .]?[ -~]{0,9}", fullmatch=True))
def test_every_name_has_a_usable_one(name: str) -> None:
    """A usable one is kept as it is."""
    usable = usable_name(name)
    check_names([usable])
    assert "/" not in usable
    try:
        check_names([name])
    except BundleError:
        return
    if "/" not in name and len(name.encode()) <= 200 and len(PureWindowsPath(name).suffix.encode()) <= 16:
        assert usable == name


def test_no_link_is_followed_and_none_is_replaced(tmp_path: Path) -> None:
    """In the place of a file, of a folder, of a folder's folder; dangling, to a file, to a folder."""
    outside, folder = tmp_path / "outside", tmp_path / "bundle"
    outside.mkdir()
    (outside / "kept").write_bytes(b"mine")
    folder.mkdir()
    (folder / "inner").mkdir()
    for number, (link, target) in enumerate(
        (
            ("a", outside / "kept"),
            ("b", outside / "made"),
            ("c", outside),
            ("inner/d", outside),
            ("e", folder / "inner"),
        )
    ):
        (folder / link).symlink_to(target)
        for name in (link, f"{link}/file", f"{link}/deeper/file"):
            with pytest.raises(BundleError, match=f"'{name}' would be written (through|over)"):
                write_bundle(folder, {name: b"evil"})
        assert (folder / link).is_symlink(), number
    assert [each.name for each in outside.iterdir()] == ["kept"]
    assert (outside / "kept").read_bytes() == b"mine"
    assert [each.name for each in (folder / "inner").iterdir()] == ["d"]


def test_a_link_where_the_new_file_grows_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "kept").write_bytes(b"mine")
    (tmp_path / "bundle").mkdir()
    (tmp_path / "bundle/a.new").symlink_to(tmp_path / "kept")
    write_bundle(tmp_path / "bundle", {"a": b"1"})
    assert (tmp_path / "kept").read_bytes() == b"mine"
    assert not (tmp_path / "bundle/a").is_symlink()


def test_a_hard_link_is_exchanged_and_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "kept").write_bytes(b"mine")
    (tmp_path / "bundle").mkdir()
    os.link(tmp_path / "kept", tmp_path / "bundle/a")
    write_bundle(tmp_path / "bundle", {"a": b"1"})
    assert ((tmp_path / "kept").read_bytes(), (tmp_path / "bundle/a").read_bytes()) == (b"mine", b"1")


def test_the_folder_that_the_user_names_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "bundle").symlink_to(tmp_path / "disk")
    write_bundle(tmp_path / "bundle", {"a/b": b"1"})
    assert (tmp_path / "disk/a/b").read_bytes() == b"1"


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        with pytest.raises(BundleError, match=f"'{name}' would be written over what is no file"):
            write_bundle(tmp_path, {name: b"1"})


def test_a_file_that_was_changed_is_written_anew_and_the_same_one_is_left(tmp_path: Path) -> None:
    write_bundle(tmp_path, {"a": b"1", "b": b"2"})
    (tmp_path / "a").write_bytes(b"X")
    before = (tmp_path / "b").stat()
    write_bundle(tmp_path, {"a": b"1", "b": b"2"})
    assert (tmp_path / "a").read_bytes() == b"1"
    assert ((tmp_path / "b").stat().st_ino, (tmp_path / "b").stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_files_are_on_the_disk_before_they_have_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is synchronised is the whole content, under another name; after the renaming the folder is."""
    seen = []

    def synchronised(descriptor: int) -> None:
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        seen.append((path.name, path.read_bytes() if path.is_file() else [each.name for each in path.iterdir()]))

    monkeypatch.setattr(os, "fsync", synchronised)
    write_bundle(tmp_path / "bundle", {"a": b"content"}, 0o600)
    assert seen == [("a.new", b"content"), ("bundle", ["a"])]
    assert (tmp_path / "bundle/a").stat().st_mode & 0o777 == 0o600


def test_a_source_may_be_a_link_and_is_never_endless(tmp_path: Path) -> None:
    """What is copied is what the bench has used. A device or a pipe would never end."""
    (tmp_path / "file").write_bytes(b"1")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "zero").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe")
    assert read_source(tmp_path / "link") == b"1"
    for name, reason in (("zero", "is no file"), ("pipe", "is no file"), ("none", "No such file"), (".", "directory")):
        with pytest.raises(ConfigurationError, match=reason):
            read_source(tmp_path / name)


def test_a_link_among_the_entries_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("/nowhere")
    require_no_link(tmp_path, "b")
    with pytest.raises(BundleError, match=r"'a' of .* is a link: remove it"):
        require_no_link(tmp_path, "b", "a")


def test_unicode_forms_are_those_of_the_standard() -> None:
    """Two names of one canonical form are one file on APFS and HFS+."""
    for letter in map(chr, (*range(0xC0, 0x250), 0x1E9E, 0x212B, 0x0390, 0x1FD3)):
        other = unicodedata.normalize("NFD", letter)
        if other != letter and letter.isprintable():
            with pytest.raises(BundleError, match="only in case or Unicode form"):
                check_names([letter, other])
