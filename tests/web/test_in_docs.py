"""The bench on a page of the documentation site, in a real browser."""

from pathlib import Path

from ..browser.chromium import Browser
from ..habits.test_docs_bench import build, source
from .conftest import LIVE, START, served
from .test_frames import FOLDER, pytestmark

__all__ = ["pytestmark", "source"]

FRAME = "document.querySelector('iframe')"


def test_a_button_starts_the_bench_in_the_theme_of_the_site(chromium: Browser, source: Path) -> None:
    """Before, nothing of the bench is loaded; then it runs in a frame, and follows the site into dark and light."""
    site = build(source, FOLDER)[1].parent
    (site / "favicon.ico").touch()  # the browser asks for one
    with served(site) as address:
        page = chromium.page(f"{address}a/b/try.html")
        page.resize(1280, 900)
        page.wait_for("!(document.querySelector('.bench-here button')?.hidden ?? true)")
        loaded = "performance.getEntriesByType('resource').filter(({name}) => name.includes('/bench/')).length"
        assert page.evaluate(loaded) == 0
        page.evaluate("document.body.dataset.theme = 'dark'; 0")
        page.click(".bench-here button")
        inside = LIVE.replace("document", f"{FRAME}.contentDocument")
        page.wait_for(f"{FRAME}?.contentDocument?.querySelector('#connection') && {inside}", START)
        theme = f"{FRAME}.contentDocument.documentElement.dataset.theme"
        assert page.evaluate(theme) == "dark"
        page.evaluate("document.body.dataset.theme = 'light'; 0")
        page.wait_for(f"{theme} === 'light'")
        assert page.errors == []
    chromium.close_tabs()
