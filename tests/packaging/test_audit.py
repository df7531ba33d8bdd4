"""The audit against a file of advisories, with advisories made up for the purpose."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from .audit import main


def advisory(*events: dict[str, str], name: str = "structlog", kind: str = "ECOSYSTEM", **more: Any) -> dict[str, Any]:
    """In the format of OSV."""
    package = {"ecosystem": "PyPI", "name": name}
    affected = {
        "package": package,
        "ranges": [{"type": kind, "events": list(events)}],
        "versions": more.pop("versions", []),
    }
    return {"id": "MADE-UP-1", "summary": "it burns", "affected": [affected], **more}


FROM_THE_FIRST = {"introduced": "0"}


def judged(folder: Path, record: object, version: str = "2.5") -> int:
    """The exit status for one library at a version."""
    (folder / "advisories.json").write_text(json.dumps(record), encoding="utf-8")
    component = {"name": "Struct.log", "version": version, "purl": f"pkg:pypi/struct-log@{version}"}
    (folder / "bill.json").write_text(json.dumps({"components": [component]}), encoding="utf-8")
    return main([str(folder / "advisories.json"), str(folder / "bill.json")])


@pytest.mark.parametrize(
    ("record", "status"),
    [
        (advisory(FROM_THE_FIRST, name="struct_log"), 1),
        (advisory(FROM_THE_FIRST, name="another"), 0),
        (advisory(FROM_THE_FIRST, {"fixed": "2.6"}, name="struct-log"), 1),
        (advisory(FROM_THE_FIRST, {"fixed": "2.5"}, name="struct-log"), 0),
        (advisory({"fixed": "2.5.1"}, {"introduced": "2.5"}, name="struct-log"), 1),
        (advisory({"introduced": "2.10"}, name="struct-log"), 0),
        (advisory(FROM_THE_FIRST, {"last_affected": "2.5"}, name="struct-log"), 1),
        (advisory(FROM_THE_FIRST, {"last_affected": "2.4"}, name="struct-log"), 0),
        (advisory(FROM_THE_FIRST, {"fixed": "1"}, {"introduced": "2"}, {"fixed": "3"}, name="struct-log"), 1),
        (advisory({"introduced": "3"}, name="struct-log", versions=["2.5"]), 1),
        (advisory(FROM_THE_FIRST, name="struct-log", kind="GIT"), 0),
        (advisory(FROM_THE_FIRST, name="struct-log", withdrawn="2026-01-01T00:00:00Z"), 0),
        ([advisory(FROM_THE_FIRST, name="another"), advisory(FROM_THE_FIRST, name="struct-log")], 1),
    ],
)
def test_a_version_is_concerned_where_it_is_listed_or_within_a_range(
    tmp_path: Path, record: object, status: int
) -> None:
    """From `introduced` to before `fixed`, or up to `last_affected` (OSV schema, "affected[].ranges[]")."""
    assert judged(tmp_path, record) == status


def test_a_version_that_has_no_order_counts_as_concerned(tmp_path: Path) -> None:
    assert judged(tmp_path, advisory(FROM_THE_FIRST, {"fixed": "1"}, name="struct-log"), version="nightly") == 1


def test_a_finding_names_package_version_and_advisory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judged(tmp_path, advisory(FROM_THE_FIRST, name="struct-log"))
    assert capsys.readouterr().out == "struct-log 2.5: MADE-UP-1: it burns\n1 findings in 1 packages\n"


def test_what_is_installed_is_judged_where_no_bill_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By a zip of advisories, in which there are other files too."""
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("MADE-UP-1.json", json.dumps(advisory(FROM_THE_FIRST)))
        archive.writestr("README", "hello")
    assert main([str(tmp_path / "all.zip")]) == 1
    assert capsys.readouterr().out.startswith("structlog 2")


@pytest.mark.parametrize(
    "record",
    [[], {}, {"id": "X", "affected": [{"package": {"ecosystem": "npm", "name": "x"}}]}, {"affected": 1}, 1],
)
def test_a_file_without_advisories_is_no_clean_result(tmp_path: Path, record: object) -> None:
    assert judged(tmp_path, record) == 2


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.json"
    file.write_text("{", encoding="utf-8")
    for name in (file, tmp_path / "none"):
        assert main([str(name)]) == 2
        assert str(name) in capsys.readouterr().err
