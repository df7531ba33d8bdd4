"""The built page for everybody: both themes, a window and a phone both ways, screen readers."""

import pytest

from ..browser.chromium import Page
from ..browser.test_everybody import HEIGHTS, check
from ..browser.test_layout import top_and_bottom
from .conftest import START
from .test_frames import pytestmark

__all__ = ["pytestmark"]


@pytest.fixture(scope="module")
def opened(page: Page) -> Page:
    """All folds open, and so all controls of the bar in sight."""
    page.show()
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true)); 0")
    page.wait_for("document.querySelector('#frames .open') !== null", START)
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", HEIGHTS)
def test_everybody_can_use_it(opened: Page, scheme: str, width: int) -> None:
    """axe-core finds nothing in any view, the bar open; nothing is wider than the screen; the theme is the system's."""
    for view in ("bus", "bench", "drive"):
        opened.evaluate(f"location.hash = '{view}'; 0")
        opened.wait_for(f"document.body.dataset.view === '{view}'")
        check(opened, f"web-{view}", scheme, width)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_a_phone_shows_speed_and_pedals_together(opened: Page, width: int, height: int) -> None:
    """With the bar folded, as it is at first; a finger hits its summary, its lists and its buttons."""
    opened.resize(width, height, mobile=True)
    bar = "document.querySelector('.web-bar details')"
    heights = f"[...{bar}.querySelectorAll('summary, select, button, input')].map((one) => one.offsetHeight)"
    assert opened.evaluate(f"{bar}.open = true; Math.min(...{heights})") >= 44
    opened.evaluate(f"{bar}.open = false; scrollTo(0, 0); 0")
    for selector in ("#speed .value", ".slider:nth-child(1) input", ".slider:nth-child(2) input"):
        top, bottom = top_and_bottom(opened, selector)
        assert top >= 0, selector
        assert bottom <= height, selector
