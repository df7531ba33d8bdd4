"""`hilbridge profiles add`: profiles and layouts of others as file, folder or archive; what is not data is refused."""

import zipfile
from pathlib import Path

import pytest

from hilbridge.base.resources import Kind, find
from hilbridge.commands.cli import main

PROFILE = """
title: A cluster of a stranger
confidence: B
tested: by its maker
sources: [a bench of the maker]
extends: parts/common.yaml
bus:
  raw:
    Engine: {id: 0x110, data: "00 00", period: 20}
"""
COMMON = "bus:\n  bitrate: 500000\n"
LAYOUT = """
title: A game
sources: [its page]
sizes: [8]
fields:
  speed: {offset: 0, type: f32}
"""
FILES = {
    "README.md": "facts",
    ".github/workflows/check.yml": "on: push",
    "clusters/theirs.yaml": PROFILE,
    "clusters/parts/common.yaml": COMMON,
    "layouts/their-game.yaml": LAYOUT,
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of this user's files."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    return tmp_path / "home/hilbridge"


def folder_of(path: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text, encoding="utf-8")
    return path


def archive_of(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"{'' if name.startswith(('/', '..')) else 'repository-main/'}{name}", text)
    return path


@pytest.mark.parametrize("form", ["folder", "archive"])
def test_a_pack_is_taken_in(form: str, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What lies in `clusters` and `layouts` goes by its name then; the same again is no fault."""
    source = folder_of(tmp_path / "pack", FILES) if form == "folder" else archive_of(tmp_path / "pack.zip", FILES)
    for _ in range(2):
        assert main(["profiles", "add", str(source)]) == 0
        assert "added: theirs" in capsys.readouterr().out
    taken = sorted(path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file())
    assert taken == ["clusters/parts/common.yaml", "clusters/theirs.yaml", "layouts/their-game.yaml"]
    assert find(Kind.PROFILE, "theirs") == home / "clusters/theirs.yaml"
    assert find(Kind.LAYOUT, "their-game") == home / "layouts/their-game.yaml"
    assert main(["new", "--profile", "theirs", str(tmp_path / "bench.yaml")]) == 0
    assert main(["check", str(tmp_path / "bench.yaml")]) == 0


def test_a_single_profile_is_taken_in(tmp_path: Path, home: Path) -> None:
    file = tmp_path / "alone.yaml"
    file.write_text(PROFILE.replace("extends: parts/common.yaml\n", ""), encoding="utf-8")
    assert main(["profiles", "add", str(file)]) == 0
    assert (home / "clusters/alone.yaml").read_bytes() == file.read_bytes()


CODE = ["setup.py", "clusters/hook.so", "run", "clusters/theirs.yaml.exe", "x.pth", "x.dist-info/a.py"]


@pytest.mark.parametrize("code", CODE)
@pytest.mark.parametrize("form", ["folder", "archive"])
def test_a_pack_that_is_not_data_alone_is_refused(
    form: str, code: str, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = FILES | {code: "print()"}
    source = folder_of(tmp_path / "pack", files) if form == "folder" else archive_of(tmp_path / "pack.zip", files)
    assert main(["profiles", "add", str(source)]) == 2
    assert "is code, or looks like it: a package of profiles is data alone" in capsys.readouterr().err
    assert not home.exists()


def _bomb(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(5):
            archive.writestr(f"clusters/{number}.yaml", b"#" * (8 << 20))


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"../clusters/evil.yaml": PROFILE}, "leads out of its folder"),
        ({"/clusters/evil.yaml": PROFILE}, "is an absolute name"),
        ({"clusters/a.yaml": COMMON, "clusters/A.yaml": COMMON}, "only in case"),
        ({"readme.md": ""}, "it is no package of profiles"),
        (FILES | {"old/clusters/theirs.yaml": PROFILE}, "has 'clusters/theirs.yaml' in two of its folders"),
        ({"clusters/theirs.yaml": PROFILE}, "extends: no profile 'parts/common.yaml'"),
        (FILES | {"clusters/parts/common.yaml": "bus: {bitrate: fast}"}, "bitrate"),
        (FILES | {"layouts/their-game.yaml": "title: A game\nfields: {}"}, "layouts/their-game.yaml:"),
    ],
)
def test_what_is_no_pack_is_refused_and_nothing_is_written(
    files: dict[str, str], words: str, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["profiles", "add", str(archive_of(tmp_path / "pack.zip", files))]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert "/tmp/tmp" not in said
    assert not home.exists()


def test_archives_that_are_damaged_or_burst_are_refused(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = archive_of(tmp_path / "whole.zip", FILES).read_bytes()
    middle = whole.index(b"A cluster of a stranger")
    for number, damaged in enumerate((b"", whole[:-40], whole[:middle] + b"B" + whole[middle + 1 :])):
        path = tmp_path / f"{number}.zip"
        path.write_bytes(damaged)
        assert main(["profiles", "add", str(path)]) == 2
        assert "cannot be read as an archive" in capsys.readouterr().err
    _bomb(tmp_path / "bomb.zip")
    assert main(["profiles", "add", str(tmp_path / "bomb.zip")]) == 2
    assert "has more than 10000 entries or 32 MiB" in capsys.readouterr().err
    assert not home.exists()


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_archives_that_are_damaged_anywhere_are_refused_in_words(
    method: int, tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every method of packing that Python knows, with bytes exchanged; encrypted too, by the flag of each entry."""
    whole = tmp_path / "whole.zip"
    with zipfile.ZipFile(whole, "w", method) as archive:
        archive.writestr("clusters/theirs.yaml", PROFILE.replace("extends: parts/common.yaml\n", ""))
    content = whole.read_bytes()
    encrypted = bytearray(content)
    encrypted[6] |= 1
    encrypted[content.index(b"PK\1\2") + 8] |= 1
    places = range(30, len(content), 7)
    damaged = [bytes(encrypted)]
    damaged += [content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :] for place in places]
    for number, each in enumerate(damaged):
        path = tmp_path / f"{number}.zip"
        path.write_bytes(each)
        assert main(["profiles", "add", str(path), "--force"]) in (0, 2)
        said = capsys.readouterr().err
        assert number or "encrypted" in said
        assert "Traceback" not in said
        assert "internal" not in said


def test_a_link_in_a_folder_is_not_followed(tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = folder_of(tmp_path / "pack", FILES)
    (source / "clusters/passwords.yaml").symlink_to("/etc/passwd")
    assert main(["profiles", "add", str(source)]) == 2
    assert "is a link: it is not followed" in capsys.readouterr().err
    assert not home.exists()


def test_nothing_that_is_there_is_replaced_without_a_word(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither another file of the user, nor a name that came with the program; `--force` does both."""
    source = folder_of(tmp_path / "pack", FILES)
    folder_of(home, {"clusters/theirs.yaml": "mine"})
    assert main(["profiles", "add", str(source)]) == 2
    assert "is there, and says something else: --force puts this in its place" in capsys.readouterr().err
    assert (home / "clusters/theirs.yaml").read_text() == "mine"
    assert main(["profiles", "add", str(source), "--force"]) == 0
    shipped = folder_of(tmp_path / "shipped", {"clusters/bmw-f.yaml": PROFILE, "clusters/parts/common.yaml": COMMON})
    assert main(["profiles", "add", str(shipped)]) == 2
    assert "bmw-f is a profile that came with hilbridge" in capsys.readouterr().err
    assert main(["profiles", "add", str(shipped), "--force"]) == 0
    assert find(Kind.PROFILE, "bmw-f") == home / "clusters/bmw-f.yaml"
