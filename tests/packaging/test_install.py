"""`make install` and `make uninstall` below DESTDIR, as whoever makes a package or an image uses them.

The tree gets hilbridge alone, without what it depends on: pip heeds PIP_NO_DEPS, and the rest is borrowed from the
environment of the tests.
"""

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
PREFIX = "usr/local"
ENVIRONMENT = os.environ | {
    "HILBRIDGE_PURE": "1",
    "PIP_NO_DEPS": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PYTHONPATH": sysconfig.get_path("purelib"),
}

SHELL_FILES = {
    f"{PREFIX}/share/man/man1/hilbridge.1",
    f"{PREFIX}/share/bash-completion/completions/hilbridge",
    f"{PREFIX}/share/zsh/site-functions/_hilbridge",
    f"{PREFIX}/share/fish/vendor_completions.d/hilbridge.fish",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """hilbridge, interpreted."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--wheel-dir", folder, CHECKOUT]
    # Nothing is installed for the build, so newer pips refuse to constrain it
    environment = {name: value for name, value in ENVIRONMENT.items() if name != "PIP_BUILD_CONSTRAINT"}
    subprocess.run(list(map(str, command)), env=environment, check=True, timeout=300)
    return next(folder.glob("hilbridge-*.whl"))


@pytest.fixture(scope="module")
def tree(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make install` puts below DESTDIR."""
    root = tmp_path_factory.mktemp("tree")
    make("install", f"DESTDIR={root}", f"WHEEL={wheel}")
    return root


def make(target: str, *variables: str) -> str:
    command = ["make", "--no-print-directory", "-C", str(CHECKOUT), target, f"PYTHON={sys.executable}", *variables]
    run = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def files(root: Path) -> set[str]:
    """Every file and link below a folder, but what lies in the virtual environment."""
    return {
        str(path.relative_to(root))
        for path in root.rglob("*")
        if (path.is_file() or path.is_symlink()) and f"{PREFIX}/lib/hilbridge" not in str(path)
    }


def test_every_file_lies_where_systemd_looks_for_it(tree: Path) -> None:
    """systemd.unit(5), sysusers.d(5), tmpfiles.d(5), sysctl.d(5), udev(7) name /usr/local/lib; nothing is enabled."""
    expected = {
        f"{PREFIX}/bin/hilbridge",
        f"{PREFIX}/lib/systemd/system/hilbridge.service",
        f"{PREFIX}/lib/systemd/system/hilbridge@.service",
        f"{PREFIX}/lib/systemd/system/hilbridge-mend@.service",
        f"{PREFIX}/lib/sysusers.d/hilbridge.conf",
        f"{PREFIX}/lib/tmpfiles.d/hilbridge.conf",
        f"{PREFIX}/lib/sysctl.d/80-hilbridge.conf",
        f"{PREFIX}/lib/udev/rules.d/70-hilbridge.rules",
        "etc/hilbridge/bench.yaml",
        *SHELL_FILES,
    }
    assert {name for name in files(tree) if "/share/doc/" not in name} == expected


def test_manual_and_completion_are_where_shells_look(tree: Path) -> None:
    """man(1), bash-completion, zshcompsys(1) and fish read below the prefix; no file names the tree."""
    for name in SHELL_FILES:
        text = (tree / name).read_text(encoding="utf-8")
        assert "hilbridge" in text
        assert str(tree) not in text


def test_the_documents_keep_their_places(tree: Path) -> None:
    """So that the guides reach the reference of the configuration by their links."""
    documents = tree / PREFIX / "share/doc/hilbridge"
    for name in ("README.md", "config/README.md", "config/VALUES.md", "docs/guides/first-cluster.md"):
        assert (documents / name).is_file()


def test_the_network_changes_only_when_somebody_copies_the_examples(tree: Path) -> None:
    examples = tree / PREFIX / "share/doc/hilbridge/examples"
    assert {path.name for path in (examples / "networkd").iterdir()} >= {"80-hilbridge-can0.network"}
    assert {path.name for path in (examples / "drop-ins").iterdir()} == {
        "link-setup.conf",
        "network-access.conf",
        "time-sync.conf",
        "usb-adapters.conf",
    }


def test_the_unit_starts_the_program_of_the_prefix(tree: Path) -> None:
    unit = (tree / PREFIX / "lib/systemd/system/hilbridge.service").read_text(encoding="utf-8")
    assert f"\nExecStart=/{PREFIX}/bin/hilbridge run /etc/hilbridge/bench.yaml\n" in unit
    assert f"\nDocumentation=file:///{PREFIX}/share/doc/hilbridge/README.md\n" in unit


def test_nothing_remembers_where_the_tree_was_made(tree: Path) -> None:
    """Scripts, settings and compiled files of the environment name the place where they will be used."""
    program = tree / PREFIX / "lib/hilbridge"
    name = str(tree).encode()
    assert [path for path in program.rglob("*") if path.is_file() and name in path.read_bytes()] == []
    assert (program / "bin/hilbridge").read_text(encoding="utf-8").startswith(f"#!/{PREFIX}/lib/hilbridge/bin/python")


def test_the_bill_of_materials_lies_beside_the_program(tree: Path) -> None:
    bill = json.loads((tree / PREFIX / "lib/hilbridge/sbom.cdx.json").read_text(encoding="utf-8"))
    assert bill["metadata"]["component"]["name"] == "hilbridge"
    assert "pip" in {component["name"] for component in bill["components"]}


def test_the_installed_program_runs(tree: Path, tmp_path: Path) -> None:
    python = tree / PREFIX / "lib/hilbridge/bin/python"
    borrowed = {"PYTHONPATH": sysconfig.get_path("purelib"), "HOME": str(tmp_path)}
    command = [str(python), "-P", "-m", "hilbridge", "run", "--clock", "virtual", "--duration", "1"]
    run = subprocess.run(command, env=borrowed, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_installing_again_keeps_what_the_user_wrote(wheel: Path, tree: Path) -> None:
    bench = tree / "etc/hilbridge/bench.yaml"
    shipped = bench.read_bytes()
    bench.write_text("name: mine\n", encoding="utf-8")
    make("install", f"DESTDIR={tree}", f"WHEEL={wheel}")
    assert bench.read_text(encoding="utf-8") == "name: mine\n"
    bench.write_bytes(shipped)


def test_uninstalling_leaves_the_configuration_and_says_so(wheel: Path, tmp_path: Path) -> None:
    make("install", f"DESTDIR={tmp_path}", f"WHEEL={wheel}", "PREFIX=/opt/hilbridge")
    said = make("uninstall", f"DESTDIR={tmp_path}", "PREFIX=/opt/hilbridge")
    assert {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()} == {
        "etc/hilbridge/bench.yaml"
    }
    assert f"{tmp_path}/etc/hilbridge" in said
