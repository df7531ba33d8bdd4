"""What is kept of texts, and how much of it."""

import pytest

from hilbridge.base.common.kept_texts import KeptTexts


def read(kept: KeptTexts[object], path: str, text: str, mark: int = 0) -> object:
    """Return what is made of a text: an object of its own each time."""
    return kept.made(path, text, object, mark)


def test_the_same_text_is_made_once_by_path_and_mark() -> None:
    kept: KeptTexts[object] = KeptTexts(100, 100)
    one = read(kept, "a", "text")
    assert read(kept, "a", "text") is one
    assert read(kept, "b", "text") is not one
    assert read(kept, "a", "text", mark=1) is not one


def test_of_a_path_the_newest_text_is_kept() -> None:
    kept: KeptTexts[object] = KeptTexts(100, 100)
    one, two = read(kept, "a", "old"), read(kept, "a", "new")
    assert read(kept, "a", "new") is two
    assert read(kept, "a", "old") is not one


def test_all_texts_together_are_bounded_by_their_lengths() -> None:
    """Those used longest ago go; of 4 + 4 + 4 characters in 10 the first, unless it was read again."""
    kept: KeptTexts[object] = KeptTexts(10, 6)
    a, b = read(kept, "a", "aaaa"), read(kept, "b", "bbbb")
    assert read(kept, "a", "aaaa") is a
    c = read(kept, "c", "cccc")
    assert read(kept, "a", "aaaa") is a
    assert read(kept, "c", "cccc") is c
    assert read(kept, "b", "bbbb") is not b
    long = read(kept, "d", "d" * 7)
    assert read(kept, "d", "d" * 7) is not long
    assert read(kept, "b", "bbbb") is read(kept, "b", "bbbb")


def test_what_cannot_be_made_is_not_kept() -> None:
    kept: KeptTexts[float] = KeptTexts(100, 100)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            kept.made("a", "text", lambda: 1 / 0)
    assert kept.made("a", "text", lambda: 2.0) == 2.0
