"""Pages that rotate, pages in any order, and frames that only look as if they had some."""

import numpy as np

from hilbridge.desk.learn.certainty import Certainty
from hilbridge.desk.learn.multiplexers import find_multiplexer


def paged(selectors: np.ndarray) -> np.ndarray:
    """Frames whose bytes 2 to 7 belong to the page of byte 0."""
    pages = np.random.default_rng(1).integers(0, 256, (256, 6), np.uint8)
    data = np.zeros((len(selectors), 8), np.uint8)
    data[:, 0] = selectors
    data[:, 2:] = pages[selectors]
    data[:, 7] = np.arange(len(selectors)) // 50
    return data


def test_pages_that_rotate_are_listed_in_their_order() -> None:
    found = find_multiplexer(paged(np.tile([1, 5, 2, 9], 100)), np.zeros(8, np.uint8))
    assert found is not None
    assert (str(found.field), found.pages, found.rotates) == ("byte 0", (1, 5, 2, 9), True)
    assert found.certainty is Certainty.SURE


def test_pages_in_any_order_are_likely() -> None:
    found = find_multiplexer(paged(np.random.default_rng(2).integers(1, 6, 600)), np.zeros(8, np.uint8))
    assert found is not None
    assert (found.pages, found.rotates, found.certainty) == ((1, 2, 3, 4, 5), False, Certainty.LIKELY)


def test_a_counter_over_content_of_its_own_is_no_multiplexer() -> None:
    data = np.random.default_rng(3).integers(0, 256, (640, 8), np.uint8)
    data[:, 0] = np.arange(640) % 16
    assert find_multiplexer(data, np.zeros(8, np.uint8)) is None
