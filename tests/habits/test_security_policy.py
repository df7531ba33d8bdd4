"""The table of SECURITY.md names tests that exist."""

import re

from ..program import CHECKOUT

POLICY = (CHECKOUT / "SECURITY.md").read_text(encoding="utf-8")


def test_every_test_that_a_line_names_is_there() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", POLICY)
    assert len(named) > 20
    missing = [
        f"{file}::{name}"
        for file, name in named
        if f"\ndef {name}(" not in (CHECKOUT / file).read_text(encoding="utf-8")
    ]
    assert missing == []


def test_whatever_is_claimed_to_be_impossible_is_shown() -> None:
    """Each row of the table that has a "may not" has a test."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in POLICY.splitlines() if line.startswith("| ")
    ]
    rows = [row for row in rows if len(row) == len(rows[0])]  # the list of tests/doors.py has a check of its own
    assert [row[0] for row in rows[1:] if row[3] and "::" not in row[4]] == []
