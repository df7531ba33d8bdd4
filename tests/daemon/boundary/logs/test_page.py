"""docs/log-formats.md is as the tables of the formats have it."""

from ....log_formats import PAGE, page


def test_the_page_is_made_of_the_tables() -> None:
    """`python -m tests.log_formats --write` writes it."""
    assert PAGE.read_text(encoding="utf-8") == page()
