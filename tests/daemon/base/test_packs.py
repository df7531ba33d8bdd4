"""Profiles of installed packages: found by name if the package is data alone, and left out with the reason if not."""

import os
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from hilbridge.base.packs import _pack
from hilbridge.base.resources import Kind, find, names
from hilbridge.commands.cli import main

PROFILE = """
title: A cluster of a package
confidence: B
tested: by its maker
sources: [a bench of the maker]
bus:
  raw:
    Engine: {id: 0x110, data: "00 00", period: 20}
"""


def wheel(folder: Path, files: dict[str, str]) -> Path:
    """A wheel (PEP 427) that declares profiles in its folder `my_clusters`."""
    info = "my_clusters-1.2.dist-info"
    files = {
        **files,
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: my-clusters\nVersion: 1.2\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: by hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "[hilbridge.profiles]\nmy-clusters = my_clusters\n",
    }
    record = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
    path = folder / "my_clusters-1.2-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in (files | {f"{info}/RECORD": record}).items():
            archive.writestr(name, text)
    return path


def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str]) -> Path:
    """Have pip install such a wheel into a folder of packages."""
    packages = tmp_path / "packages"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-compile"]
    subprocess.run([*command, "--target", str(packages), str(wheel(tmp_path, files))], check=True)
    monkeypatch.syspath_prepend(str(packages))
    return packages


def test_the_profiles_of_a_package_go_by_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    packages = install(tmp_path, monkeypatch, {"my_clusters/clusters/theirs.yaml": PROFILE})
    assert find(Kind.PROFILE, "theirs") == packages / "my_clusters/clusters/theirs.yaml"
    assert "theirs" in names(Kind.PROFILE)
    assert main(["profiles", "theirs"]) == 0
    assert "theirs: A cluster of a package" in capsys.readouterr().out


def test_a_package_replaces_nothing_that_was_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, {"my_clusters/clusters/bmw-f.yaml": PROFILE})
    assert find(Kind.PROFILE, "bmw-f") == Kind.PROFILE.shipped / "bmw-f.yaml"


CODE = ["my_clusters/__init__.py", "my_clusters/clusters/x.so", "start.pth", "my_clusters-1.2.data/scripts/run"]


@pytest.mark.parametrize("code", CODE)
def test_a_package_with_code_is_left_out_and_nothing_of_it_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: str
) -> None:
    files = {"my_clusters/clusters/theirs.yaml": PROFILE, code: f"open({str(tmp_path / 'ran')!r}, 'w')"}
    install(tmp_path, monkeypatch, files)
    assert "theirs" not in names(Kind.PROFILE)
    assert main(["profiles"]) == 0
    said = capsys.readouterr()
    assert "A cluster of a package" not in said.out
    assert "left out: the package my-clusters 1.2: it has code" in said.err
    assert not (tmp_path / "ran").exists()


class Elsewhere(metadata.Distribution):
    """A distribution as Python 3.12 has it: of `files` those that are not in the folder are left out."""

    files = None

    def read_text(self, filename: str) -> str | None:
        texts = {"METADATA": "Name: my-clusters\nVersion: 1.2\n", "RECORD": "my/clusters/a.yaml,,\n../../bin/run,,\n"}
        return texts.get(filename)

    def locate_file(self, path: str | os.PathLike[str]) -> Path:
        return Path("/nowhere", path)


def test_a_script_outside_of_the_folder_is_code_too() -> None:
    assert _pack(Elsewhere(), "my").fault.startswith("it has code (../../bin/run)")


class Pointing(Elsewhere):
    """A distribution of data whose folder, as it declares it, has none of its files."""

    def read_text(self, filename: str) -> str | None:
        texts = {"METADATA": "Name: my-clusters\nVersion: 1.2\n", "RECORD": "my/clusters/a.yaml,,\n"}
        return texts.get(filename)


@pytest.mark.parametrize(
    ("folder", "fault"),
    [("my", ""), ("other", "none of its files lies in other"), ("m", "none of its files lies in m")],
)
def test_a_package_shows_its_own_folder_only(folder: str, fault: str) -> None:
    """Not the folder of another distribution, nor one of the system."""
    found = _pack(Pointing(), folder)
    assert (found.name, found.folder, found.fault) == ("my-clusters 1.2", Path("/nowhere", folder), fault)
