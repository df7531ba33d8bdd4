"""The words of tests/search_words.py stand in their pages; that the built index has them `make docs` asks."""

import re

import pytest

from ..program import CHECKOUT
from ..search_words import FOUND


@pytest.mark.parametrize("words", FOUND)
def test_a_page_has_the_words_that_lead_to_it(words: str) -> None:
    page = (CHECKOUT / f"{FOUND[words]}.md").read_text(encoding="utf-8").lower()
    for part in words.lower().split():
        assert re.search(rf"\b{re.escape(part)}", page), f"{FOUND[words]}.md has no {part!r}"


def test_the_pages_are_on_the_map() -> None:
    """Each guide is a line of the start page, once."""
    start = (CHECKOUT / "docs/index.md").read_text(encoding="utf-8")
    lines = re.findall(r"^guides/([\w-]+)$", start, re.MULTILINE)
    assert sorted(lines) == sorted(path.stem for path in (CHECKOUT / "docs/guides").glob("*.md"))
