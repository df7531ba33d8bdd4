"""The Debian package in a tree of its own, which nothing has booted: installed, used, purged."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

CHANGED_BY_ANY_PACKAGE = ("var/lib/dpkg", "var/log", "var/cache", "etc/ld.so", "proc", "dev", "package.deb")


class Tree:
    """A fresh Debian."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, *command: str) -> str:
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "DEBIAN_FRONTEND": "noninteractive"}
        run = subprocess.run(
            ["chroot", str(self.root), *command],
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert run.returncode == 0, run.stdout + run.stderr
        return run.stdout

    def files(self) -> set[str]:
        """Everything but where dpkg keeps its books."""
        names = (str(path.relative_to(self.root)) for path in self.root.rglob("*"))
        return {name for name in names if not name.startswith(CHANGED_BY_ANY_PACKAGE) and "__pycache__" not in name}


@pytest.fixture
def debian(tmp_path: Path) -> Iterator[Tree]:
    root = tmp_path / "root"
    subprocess.run(["cp", "-a", os.environ["LAB_BASE"], str(root)], check=True, timeout=120)
    shutil.copy(os.environ["LAB_PACKAGE"], root / "package.deb")
    yield Tree(root)
    shutil.rmtree(root)


def test_an_installed_package_runs_and_a_purged_one_is_gone(debian: Tree) -> None:
    """No file remains but what systemd makes on a booted machine (tmpfiles.d), which systemd/README.md names."""
    before = debian.files()
    debian.run("dpkg", "--install", "/package.deb")
    assert debian.run("hilbridge", "--version").startswith("hilbridge ")
    debian.run("hilbridge", "run", "--clock", "virtual", "--duration", "1")
    assert debian.run("getent", "passwd", "hilbridge")
    debian.run("dpkg", "--purge", "hilbridge")
    assert debian.files() - before == set()


def test_an_upgrade_keeps_what_the_user_wrote(debian: Tree) -> None:
    """Bench files are configuration files of the package."""
    debian.run("dpkg", "--install", "/package.deb")
    bench = debian.root / "etc/hilbridge/bench.yaml"
    bench.write_text("name: mine\n", encoding="utf-8")
    debian.run("dpkg", "--install", "/package.deb")
    assert bench.read_text(encoding="utf-8") == "name: mine\n"
