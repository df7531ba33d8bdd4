"""An archive of a stranger is an FMU for this machine, or is refused in words; nothing of it runs or leaves it."""

import io
import os
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.fmu import package
from hilbridge.files.fmu.package import read_package, unpack

from ....fmus import LIBRARY, TOKEN, description, members, pack

pytestmark = pytest.mark.skipif(os.uname().machine != "x86_64", reason="the libraries are for x86-64")


@pytest.mark.parametrize(("version", "library"), [(2, "binaries/linux64/lag.so"), (3, "binaries/x86_64-linux/lag.so")])
def test_an_fmu_is_read_and_unpacked(version: int, library: str, tmp_path: Path) -> None:
    """The folders are those of FMI 2.0.4, 2.3.1 and FMI 3.0, 2.5.1.4.1."""
    read = read_package(pack(members(version, **{"resources/table.csv": b"1,2"})))
    assert (read.description.version, read.description.token, read.library) == (version, TOKEN, library)
    unpack(read, tmp_path / "unit")
    files = {str(one.relative_to(tmp_path / "unit")) for one in tmp_path.rglob("*") if one.is_file()}
    assert files == {"modelDescription.xml", library, "resources/table.csv"}
    assert (tmp_path / "unit/resources/table.csv").read_bytes() == b"1,2"


def _with_entry(name: str, mode: int = stat.S_IFREG | 0o644, content: bytes = b"x", flags: int = 0) -> bytes:
    file = io.BytesIO(pack(members(2)))
    with zipfile.ZipFile(file, "a") as archive:
        entry = zipfile.ZipInfo(name)
        entry.external_attr = mode << 16
        archive.writestr(entry, content)
    data = bytearray(file.getvalue())
    if flags:
        at = data.rfind(b"PK\x01\x02")
        struct.pack_into("<H", data, at + 8, flags)
    return bytes(data)


def _bomb() -> bytes:
    """The directory of an archive with a file of 600 MiB, which is all that is looked at."""
    data = bytearray(_with_entry("resources/zeros"))
    struct.pack_into("<I", data, data.rfind(b"PK\x01\x02") + 24, 600 << 20)
    return bytes(data)


ENTITIES = '<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]>' + description(2)
OUTSIDE = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>' + description(2)

HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "no archive": (lambda: b"hello", "is no FMU"),
    "an empty file": (lambda: b"", "is no FMU"),
    "cut off": (lambda: pack(members(2))[:-30], "is no FMU"),
    "no description": (lambda: pack({"a": b""}), "has no modelDescription.xml"),
    "a bomb": (_bomb, "unpacks to 600 MiB"),
    "many files": (lambda: pack({str(number): b"" for number in range(10_001)}), "has 10,001 files"),
    "path traversal": (lambda: _with_entry("resources/../../../x"), "leads out of its folder"),
    "an absolute path": (lambda: _with_entry("/etc/cron.d/x"), "is an absolute name"),
    "a path of Windows": (lambda: _with_entry("..\\..\\x"), "has the character"),
    "a link": (lambda: _with_entry("resources/x", stat.S_IFLNK | 0o777, b"/etc"), "has a link"),
    "a device": (lambda: _with_entry("resources/x", stat.S_IFCHR | 0o666), "has a link, or what is no file"),
    "a file twice": (lambda: _with_entry("MODELDESCRIPTION.XML"), "differs from"),
    "a file as folder": (lambda: _with_entry("modelDescription.xml/x"), "which is a file"),
    "encrypted": (lambda: _with_entry("resources/x", flags=1), "is encrypted"),
    "entities": (lambda: pack(members(2, description=ENTITIES)), "declares a document type"),
    "outside entities": (lambda: pack(members(2, description=OUTSIDE)), "declares a document type"),
    "a huge description": (lambda: pack(members(2, description=b" " * (33 << 20))), "is larger than 32 MiB"),
    "no library": (lambda: pack({"modelDescription.xml": description(2)}), "it has none at all"),
    "a library for Windows alone": (
        lambda: pack({"modelDescription.xml": description(2), "binaries/win64/lag.dll": b"MZ"}),
        r"no library for Linux on x86_64, binaries/linux64/lag.so: it has win64",
    ),
    "a library of the other version": (
        lambda: pack({"modelDescription.xml": description(3), "binaries/linux64/lag.so": LIBRARY}),
        "it has linux64",
    ),
    "a DLL in its place": (lambda: pack(members(2, b"MZ" + bytes(62))), "is no shared library for Linux on x86_64"),
    "a library for ARM": (lambda: pack(members(2, LIBRARY[:18] + b"\xb7\0" + LIBRARY[20:])), "is no shared library"),
    "a program": (lambda: pack(members(2, LIBRARY[:16] + b"\x02\0" + LIBRARY[18:])), "is no shared library"),
    "a library that is cut off": (lambda: pack(members(2, b"\x7fELF")), "is no shared library"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_archive_is_refused_in_words(case: str) -> None:
    make, words = HOSTILE[case]
    with pytest.raises(ConfigurationError, match=words):
        read_package(make())


def test_an_archive_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "LARGEST", 100)
    with pytest.raises(ConfigurationError, match="is larger than"):
        read_package(pack(members(2)))


def test_a_directory_without_end_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipfile, "ZipFile", lambda *_: pytest.fail("it is read"))
    with pytest.raises(ConfigurationError, match="has more than 100,000 entries"):
        read_package(b"PK\x01\x02" * 100_001)


def test_what_is_longer_than_announced_is_not_unpacked(tmp_path: Path) -> None:
    """The size in the directory is a lie: the file ends there, and its checksum is wrong."""
    data = bytearray(pack(members(2, **{"resources/x": bytes(1 << 20)})))
    at = data.rfind(b"PK\x01\x02")
    struct.pack_into("<I", data, at + 24, 10)
    read = read_package(bytes(data))
    with pytest.raises(ConfigurationError, match="is damaged"):
        unpack(read, tmp_path / "unit")
    assert all(one.stat().st_size <= 1 << 12 for one in tmp_path.rglob("*") if one.is_file())
