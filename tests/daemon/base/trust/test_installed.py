"""A name in an installed package is found without an import, and trusted by the user or by its package's own word."""

import json
import sys
import zipfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.trust import gate, store
from hilbridge.base.trust.kinds import CHECKSUM, KEY
from hilbridge.base.trust.user_function import import_function

CODE = """
from pathlib import Path
Path(__file__).with_suffix(".ran").touch()
from os import system
def key(level, seed):
    return seed
def checksum(data, identifier, count):
    return 0
"""

Install = Callable[..., Path]


@pytest.fixture(autouse=True)
def another_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A test begins as a process does."""
    monkeypatch.setattr(gate, "_GATE", gate._Gate())
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        del sys.modules[name]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Put a distribution `lamps` with a file into a folder of packages; return the module's file."""
    site = tmp_path / "site"

    def put(name: str = "lamps.py", version: str = "1.0", points: str = "", lists: bool = True) -> Path:
        file, about = site / name, site / f"lamps-{version}.dist-info"
        for folder in (file.parent, about):
            folder.mkdir(parents=True, exist_ok=True)
        file.write_text(CODE)
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: lamps\nVersion: {version}\n")
        (about / "RECORD").write_text(f"{name},,\n" if lists else "")
        (about / "entry_points.txt").write_text(points)
        if str(site) not in sys.path:
            monkeypatch.syspath_prepend(str(site))
        return file

    return put


def refused(name: str, kind: object = KEY) -> str:
    with pytest.raises(ConfigurationError) as raised:
        import_function(name, kind, ("a", "function"))  # type: ignore[arg-type]
    assert raised.value.place == ("a", "function")
    return raised.value.message


def upgrade(file: Path, version: str) -> None:
    """Another version of the distribution takes the place of the old one."""
    (about,) = file.parent.glob("lamps-*.dist-info")
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: lamps\nVersion: {version}\n")
    about.rename(about.with_name(f"lamps-{version}.dist-info"))
    gate._GATE.passed.clear()
    sys.path_importer_cache.clear()
    sys.path[:] = [*sys.path, "/nowhere"]  # as a process of its own would find it


def test_a_name_is_refused_unread_and_trusted_in_this_version(install: Install) -> None:
    """With what carries it; a question names it, another version asks again, and so does another name."""
    file = install()
    assert "lamps:key of lamps 1.0 is code that nobody has trusted here" in refused("lamps:key")
    assert not file.with_suffix(".ran").exists()
    asked = gate.take_refused()
    assert [each.label for each in asked] == ["lamps:key of lamps 1.0"]
    store.add(asked)
    assert import_function("lamps:key", KEY, ())(1, b"seed") == b"seed"
    assert store.entries() == [(sha256(b"lamps:key\nlamps\n1.0\n").hexdigest(), "lamps:key of lamps 1.0")]
    assert [each.label for each in gate.passed()] == ["lamps:key of lamps 1.0"]
    assert "lamps:system of lamps 1.0 is code" in refused("lamps:system")
    upgrade(file, "1.1")
    assert "lamps:key of lamps 1.1 is code that nobody has trusted" in refused("lamps:key")


def test_trust_is_taken_away_by_the_name(install: Install) -> None:
    install()
    refused("lamps:key")
    store.add(gate.take_refused())
    assert [entry.label for entry in store.forget("lamps:key")] == ["lamps:key of lamps 1.0"]
    refused("lamps:key")


def test_what_a_package_declares_for_this_purpose_needs_no_other_word(install: Install) -> None:
    """In the group of this kind, as it is called, and in no other."""
    file = install(points="[hilbridge_keys]\nmine = lamps:key\n[console_scripts]\nsum = lamps:checksum\n")
    assert import_function("lamps:key", KEY, ())(1, b"seed") == b"seed"
    assert file.with_suffix(".ran").exists()
    assert not store.entries()
    assert "nobody has trusted" in refused("lamps:checksum", CHECKSUM)
    assert "nobody has trusted" in refused("lamps:key", CHECKSUM)


def test_what_is_declared_is_looked_at_too(install: Install) -> None:
    install(points="[hilbridge_keys]\nmine = lamps:checksum\n")
    assert "checksum does not take (level, seed)" in refused("lamps:checksum")


def test_no_package_declares_the_code_of_another(install: Install) -> None:
    install(points="[hilbridge_keys]\nmine = yaml:load\n")
    assert "yaml:load of PyYAML" in refused("yaml:load")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        *(
            (f"{name}:x", "is a module of Python itself")
            for name in (
                "os",
                "os.path",
                "posix",
                "subprocess",
                "builtins",
                "this",
                "antigravity",
                "_pyrepl.x",
                "ctypes",
            )
            if name.partition(".")[0] in sys.stdlib_module_names
        ),
        ("hilbridge.base.trust.store:add", "is a part of hilbridge"),
        ("hilbridge:cli", "is a part of hilbridge"),
        ("vehiclesim.curves:power", "is a part of hilbridge"),
        ("yaml:YAMLObject.from_yaml", "is no MODULE:NAME"),
        ("yaml.:load", "is no MODULE:NAME"),
        ("..yaml:load", "is no MODULE:NAME"),
        ("yaml:", "is no MODULE:NAME"),
        ("yaml", "is no MODULE:NAME"),
        (":key", "is no MODULE:NAME"),
        ("yaml:load:x", "is no MODULE:NAME"),
        ("/tmp/x:load", "is no MODULE:NAME"),
        ("http://x/y:load", "is no MODULE:NAME"),
        ("yaml/load:x\x1b[2J", "is no MODULE:NAME"),
        ("no_such_module:key", "cannot import no_such_module"),
        ("yaml.no_such_module:key", "cannot import yaml.no_such_module"),
        ("__main__:key", "cannot import __main__"),
        ("test.support:run_in_subinterp", "is a module of Python itself|belongs to no distribution|cannot import"),
        ("conftest:key", "cannot import conftest|belongs to no distribution"),
    ],
)
def test_what_a_file_cannot_name_is_refused(name: str, reason: str) -> None:
    """It cannot be trusted either: nothing is asked."""
    assert any(each in refused(name) for each in reason.split("|")), refused(name)
    assert "\x1b" not in refused(name)
    assert not gate.take_refused()


def test_a_module_beside_a_package_that_does_not_list_it_is_refused(install: Install) -> None:
    file = install(lists=False, points="[hilbridge_keys]\nmine = lamps:key\n")
    assert "belongs to no distribution" in refused("lamps:key")
    assert not file.with_suffix(".ran").exists()


def test_a_module_in_front_of_an_installed_one_is_refused(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be imported in the place of what is trusted."""
    install(points="[hilbridge_keys]\nmine = lamps:key\n")
    (tmp_path / "lamps.py").write_text(CODE)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "belongs to no distribution" in refused("lamps:key")
    assert not (tmp_path / "lamps.ran").exists()


def test_a_module_that_is_imported_already_must_be_the_same(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    install(points="[hilbridge_keys]\nmine = lamps:key\n")
    monkeypatch.setitem(sys.modules, "lamps", json)
    assert "it comes from" in refused("lamps:key")


@pytest.mark.parametrize("relative", [True, False])
def test_no_package_is_installed_in_the_working_directory(
    install: Install, monkeypatch: pytest.MonkeyPatch, relative: bool
) -> None:
    """Whatever lies there: it may have come with the bench file."""
    file = install(points="[hilbridge_keys]\nmine = lamps:key\n")
    monkeypatch.chdir(file.parent)
    if relative:
        monkeypatch.setattr(sys, "path", ["", *(each for each in sys.path if each != str(file.parent))])
    assert "belongs to no distribution" in refused("lamps:key")
    assert not file.with_suffix(".ran").exists()


def test_a_package_in_a_zip_file_is_none(install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = install(points="[hilbridge_keys]\nmine = lamps:key\n")
    with zipfile.ZipFile(tmp_path / "lamps.zip", "w") as archive:
        for each in file.parent.rglob("*"):
            archive.write(each, each.relative_to(file.parent))
    monkeypatch.setattr(sys, "path", [str(tmp_path / "lamps.zip"), *(p for p in sys.path if p != str(file.parent))])
    assert "cannot import lamps: no file of a package" in refused("lamps:key")


@pytest.mark.parametrize("name", ["lamps/__init__.py", "lamps/deep.py"])
def test_packages_and_namespaces_are_found_without_their_import(install: Install, name: str) -> None:
    """Also a module of a namespace package, which has no file itself."""
    file = install(name=name)
    module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    assert f"{module}:key of lamps 1.0" in refused(f"{module}:key")
    assert not file.with_suffix(".ran").exists()
    store.add(gate.take_refused())
    assert import_function(f"{module}:key", KEY, ())(1, b"s") == b"s"


def test_an_editable_package_needs_its_own_word(install: Install, tmp_path: Path) -> None:
    """Its code changes without its version, so there is nothing to trust."""
    file = install(lists=False)
    url = {"url": f"file://{file.parent}", "dir_info": {"editable": True}}
    (file.parent / "lamps-1.0.dist-info/direct_url.json").write_text(json.dumps(url))
    assert "has no entry point for it in hilbridge_keys: declare one, or name FILE.py:NAME" in refused("lamps:key")
    assert not gate.take_refused()
    (file.parent / "lamps-1.0.dist-info/entry_points.txt").write_text("[hilbridge_keys]\nmine = lamps:key\n")
    sys.path[:] = [*sys.path, "/nowhere"]
    assert import_function("lamps:key", KEY, ())(1, b"s") == b"s"


@pytest.mark.parametrize(
    "origin",
    ["", "{", "[]", "7", '{"url": 7, "dir_info": {"editable": true}}', '{"dir_info": {"editable": true}}', "folder"],
)
def test_a_package_that_says_nothing_of_its_sources_has_none(install: Install, origin: str) -> None:
    """PEP 610: `dir_info` with `editable`, and the URL of the folder; of any other installation nothing is believed."""
    file = install(lists=False, points="[hilbridge_keys]\nmine = lamps:key\n")
    if origin == "folder":
        origin = json.dumps({"url": f"file://{file.parent}", "dir_info": {}})
    (file.parent / "lamps-1.0.dist-info/direct_url.json").write_text(origin)
    assert "belongs to no distribution" in refused("lamps:key")
    assert not file.with_suffix(".ran").exists()


def test_a_file_that_names_what_hilbridge_has_for_benches_is_believed() -> None:
    assert import_function("hilbridge.bench.diagnostics.uds.demo_security:key", KEY, ())(1, b"\0") == b"\x5b"
    assert "does not take (bytes, identifier, count)" in refused(
        "hilbridge.bench.diagnostics.uds.demo_security:key", CHECKSUM
    )
