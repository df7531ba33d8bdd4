"""Which licences may come into an installation, and with which exceptions."""

from importlib.metadata import Distribution, distributions
from pathlib import Path

import pytest
from systemd.sbom import canonical

from . import licences


def installed(folder: Path, *metadata: str) -> dict[str, Distribution]:
    """Distributions with these lines of metadata, as an installer leaves them."""
    for number, lines in enumerate(metadata):
        place = folder / f"d{number}.dist-info"
        place.mkdir()
        (place / "METADATA").write_text(f"Metadata-Version: 2.4\nVersion: 1\n{lines}\n", encoding="utf-8")
    return {canonical(each.name): each for each in distributions(path=[str(folder)])}


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("MIT OR GPL-2.0-only", True),
        ("MIT AND GPL-2.0-only", False),
        ("Apache-2.0 AND MIT OR GPL-2.0-only", True),
        ("(MIT OR GPL-2.0-only)", False),
        ("AGPL-3.0-only", False),
    ],
)
def test_one_may_choose_between_licences_and_must_heed_all_that_are_joined(expression: str, allowed: bool) -> None:
    """AND binds before OR (SPDX specification, annex D)."""
    assert licences.is_allowed(expression) is allowed


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        ("License-Expression: GPL-3.0-only\nClassifier: License :: OSI Approved :: MIT License", ["GPL-3.0-only"]),
        ("License: anything\nClassifier: License :: OSI Approved :: MIT License", []),
        ("License: The Odd Licence\n  of many lines", ["The Odd Licence"]),
        ("Classifier: License :: OSI Approved", ["none named"]),
        ("Summary: nothing said", ["none named"]),
    ],
)
def test_the_expression_counts_before_classifiers_and_these_before_text(
    tmp_path: Path, lines: str, wrong: list[str]
) -> None:
    (one,) = installed(tmp_path, f"Name: one\n{lines}").values()
    assert licences.refused(one) == wrong


def test_what_users_get_has_no_exceptions(tmp_path: Path) -> None:
    """scapy is one for tests; not where hilbridge needs it, by way of an extra and of another library."""
    gpl = "Name: scapy\nLicense-Expression: GPL-2.0-only"
    ours = "Name: hilbridge\nLicense-Expression: MIT\nRequires-Dist: middle[x]; extra == '{}'"
    middle = "Name: middle\nLicense-Expression: MIT\nRequires-Dist: scapy; extra == 'x'"
    for extra, needed in (("test", False), ("mf4", True)):
        folder = tmp_path / extra
        folder.mkdir()
        lines = list(licences.offences(installed(folder, gpl, middle, ours.format(extra))))
        assert [line.partition(":")[0] for line in lines] == ["scapy"] * needed


def test_an_exception_that_nobody_needs_is_named(tmp_path: Path) -> None:
    (line,) = licences.offences(installed(tmp_path, "Name: scapy\nLicense-Expression: MIT"))
    assert line == "scapy: an exception that is not needed"


def test_everything_that_is_installed_here_may_be_used() -> None:
    assert licences.main() == 0
