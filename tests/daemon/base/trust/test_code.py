"""The digest of a Python file is that of all that it imports from its folder."""

from hashlib import sha256
from pathlib import Path

import pytest

from hilbridge.base.trust.code import read_code


def digest(folder: Path) -> str:
    return read_code(folder / "main.py").digest


def test_the_digest_of_a_file_alone_is_that_of_sha256sum(tmp_path: Path) -> None:
    """So a user can compare it; imports of what is installed do not count."""
    (tmp_path / "main.py").write_bytes(b"import yaml\n")
    assert digest(tmp_path) == sha256(b"import yaml\n").hexdigest()


@pytest.mark.parametrize("name", ["helper.py", "tools/__init__.py", "tools/deep/inner.py", "far.py"])
def test_a_change_of_what_it_imports_changes_its_digest(tmp_path: Path, name: str) -> None:
    """Modules, packages with all below them, and what these import in their turn."""
    (tmp_path / "tools/deep").mkdir(parents=True)
    (tmp_path / "main.py").write_text("def f():\n    import helper\nfrom tools.deep import inner\n")
    (tmp_path / "helper.py").write_text("from far import x\n")
    for each in ("far.py", "tools/__init__.py", "tools/deep/inner.py", "stranger.py"):
        (tmp_path / each).write_text("x = 1\n")
    before = digest(tmp_path)
    (tmp_path / "stranger.py").write_text("x = 2\n")
    assert digest(tmp_path) == before
    (tmp_path / name).write_text((tmp_path / name).read_text() + "x = 3\n")
    assert digest(tmp_path) != before


def test_a_file_that_cannot_be_parsed_has_a_digest(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_bytes(b"import helper (\0")
    (tmp_path / "helper.py").write_bytes(b"")
    assert digest(tmp_path) == sha256(b"import helper (\0").hexdigest()


def test_a_file_without_end_is_no_code(tmp_path: Path) -> None:
    (tmp_path / "main.py").symlink_to("/dev/zero")
    with pytest.raises(ValueError, match="has more than 64 MiB"):
        digest(tmp_path)
