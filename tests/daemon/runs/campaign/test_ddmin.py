"""Delta debugging against the plain definition: what is left fails, and nothing of it can be left out."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.runs.campaign.ddmin import ddmin

Fails = Callable[[Sequence[int]], bool]


def shrunk(items: Sequence[int], fails: Fails) -> tuple[list[int], int]:
    """What is left, and how many lists were tried."""
    tried = 0

    def first(lists: Sequence[Sequence[int]]) -> int | None:
        nonlocal tried
        for i, each in enumerate(lists):
            tried += 1
            if fails(each):
                return i
        return None

    return ddmin(items, first), tried


@pytest.mark.parametrize(
    ("needed", "most"), [({57}, 20), ({3, 57}, 80), ({0, 99}, 80), ({10, 11, 12}, 80), (set(range(0, 100, 10)), 500)]
)
def test_the_needed_items_are_left_in_their_order(needed: set[int], most: int) -> None:
    left, tried = shrunk(range(100), lambda items: needed <= set(items))
    assert left == sorted(needed)
    assert tried <= most


def test_what_fails_without_any_input_is_empty() -> None:
    assert shrunk(range(50), lambda _: True) == ([], 1)


@given(
    st.lists(st.integers(0, 30), min_size=1, max_size=24), st.sets(st.integers(0, 30), min_size=1), st.integers(1, 9)
)
def test_no_single_item_can_be_left_out(items: list[int], marked: set[int], least: int) -> None:
    """For a failure that needs so many of some items, whichever."""

    def fails(some: Sequence[int]) -> bool:
        return sum(item in marked for item in some) >= least

    if not fails(items):
        return
    left, _ = shrunk(items, fails)
    assert fails(left)
    assert not any(fails(left[:i] + left[i + 1 :]) for i in range(len(left)))
