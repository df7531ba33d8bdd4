"""The commands of docs/releasing.md, with a key that is thrown away: what is ours verifies, and nothing else."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ..program import CHECKOUT

PAGE = (CHECKOUT / "docs/releasing.md").read_text(encoding="utf-8")

SIGNER = "releases@hilbridge"

WHEEL = "hilbridge-1-py3-none-any.whl"


def commands(name: str) -> str:
    """The block of the page behind the comment of this name."""
    (block,) = re.findall(rf"<!-- {name} -->\n```sh\n(.*?)```", PAGE, re.DOTALL)
    return str(block)


def follow(name: str, folder: Path, *, key: str = "key") -> subprocess.CompletedProcess[str]:
    """Run them as somebody would, with nothing of the settings of whoever runs the tests."""
    nobody = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "HOME": str(folder)}
    names = {f"GIT_{who}_{what}": "x@y" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {"PATH": os.environ["PATH"], "KEY": str(folder.parent / key), "VERSION": "1", **nobody, **names}
    script = f"set -e\n{commands(name)}"
    return subprocess.run(
        ["sh", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a release: files, sums, signature, and who may sign; the key lies beside it, and a stranger's."""
    parent = tmp_path_factory.mktemp("release")
    for key in ("key", "stranger"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", parent / key], check=True)
    folder = parent / "release"
    folder.mkdir()
    (folder / WHEEL).write_bytes(b"wheel")
    (folder / "hilbridge-1.tar.gz").write_bytes(b"sources")
    made = follow("signing", folder)
    assert made.returncode == 0, made.stderr
    public = (parent / "key.pub").read_text(encoding="ascii")
    (folder / "allowed_signers").write_text(f'{SIGNER} namespaces="hilbridge-release,git" {public}', encoding="ascii")
    return folder


@pytest.fixture
def release(signed: Path, tmp_path: Path) -> Path:
    """A copy that may be spoiled."""
    for name in ("key", "stranger"):
        shutil.copy(signed.parent / name, tmp_path)
    return Path(shutil.copytree(signed, tmp_path / "release"))


def test_a_release_verifies(release: Path) -> None:
    checked = follow("verifying", release)
    assert checked.returncode == 0, checked.stderr
    assert f"{WHEEL}: OK" in checked.stdout


def test_a_changed_file_is_found(release: Path) -> None:
    (release / WHEEL).write_bytes(b"wheel, and more")
    checked = follow("verifying", release)
    assert checked.returncode != 0
    assert f"{WHEEL}: FAILED" in checked.stdout


def test_a_changed_list_is_found_before_the_files_are_looked_at(release: Path) -> None:
    (release / WHEEL).write_bytes(b"another wheel")
    subprocess.run(f"sha256sum {WHEEL} >SHA256SUMS", shell=True, cwd=release, check=True)
    checked = follow("verifying", release)
    assert checked.returncode != 0
    assert "OK" not in checked.stdout


def test_a_stranger_cannot_sign(release: Path) -> None:
    """With a key of his own; nor with ours for another purpose."""
    assert follow("signing", release, key="stranger").returncode == 0
    assert follow("verifying", release).returncode != 0
    (release / "SHA256SUMS.sig").unlink()
    words = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(release.parent / "key"), "-n", "file", "SHA256SUMS"]
    subprocess.run(words, cwd=release, check=True)
    assert follow("verifying", release).returncode != 0


@pytest.mark.parametrize(("key", "good"), [("key", True), ("stranger", False)])
def test_the_tag_says_who_made_it(release: Path, key: str, good: bool) -> None:
    for words in (["init", "-q"], ["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qm", "x", "--allow-empty"]):
        subprocess.run(["git", "-c", "core.hooksPath=/dev/null", *words], cwd=release, check=True)
    made = follow("tagging", release, key=key)
    assert made.returncode == 0, made.stderr
    assert (follow("verifying the tag", release).returncode == 0) is good
