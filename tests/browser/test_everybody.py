"""Both pages, for everybody: colours, widths, screen readers."""

import os
from pathlib import Path

import pytest

from .chromium import Page
from .scene import Scene, violations

SHOTS = os.environ.get("HILBRIDGE_SCREENSHOTS")
"""Folder that screenshots are kept in, for people to look at."""


HEIGHTS = {1280: 900, 390: 844, 844: 390}
"""Of a window, and of a phone that stands and that lies, by their widths."""


def check(page: Page, name: str, scheme: str, width: int) -> None:
    page.resize(width, HEIGHTS[width], mobile=width < 1000)
    page.colour_scheme(scheme)
    page.wait_for(f"document.documentElement.dataset.theme === '{scheme}'")
    if SHOTS is not None:
        page.screenshot(Path(SHOTS) / f"{name}-{scheme}-{width}.png")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.errors == []


@pytest.mark.nightly("1280-dark", "390-light", "844-dark", "844-light")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390, 844])
def test_everybody_can_use_the_cockpit(steady: Scene, scheme: str, width: int) -> None:
    """axe-core finds nothing in any view, folds open; nothing is wider than the screen; the system's colours hold."""
    page = steady.page()
    page.click("#frames .open")
    page.wait_for("document.querySelectorAll('#frames .signals dd').length > 3")
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true)); 0")
    page.wait_for("document.querySelector('#lateness dd')?.textContent")
    for view in ("bus", "bench", "drive"):
        page.evaluate(f"location.hash = '{view}'; 0")
        page.wait_for(f"document.body.dataset.view === '{view}'")
        check(page, f"cockpit-{view}", scheme, width)


@pytest.mark.nightly("#arrange", "#calibrate", "#measure")
@pytest.mark.parametrize("opened", ["#view", "#arrange", "#gamepad-setup", "#calibrate", "#measure"])
def test_everybody_can_use_what_opens_in_the_cockpit(steady: Scene, opened: str) -> None:
    """The menu, the bars of buttons on the panels, the dialog of a wheel, the measuring cursors."""
    page = steady.page()
    page.evaluate("navigator.getGamepads = () => [{mapping: '', id: 'Wheel', axes: [0], buttons: []}]; 0")
    page.wait_for("!document.querySelector('#gamepad-setup').hidden")
    page.click(opened)
    check(page, opened.strip("#"), "dark", 1280)


@pytest.mark.nightly("1280-dark", "390-light")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_everybody_can_use_the_workshop(steady: Scene, scheme: str, width: int) -> None:
    check(steady.workshop(), "workshop", scheme, width)


@pytest.mark.nightly("truck")
@pytest.mark.parametrize("vehicle", ["320d-g20", "truck"])
def test_everybody_can_use_the_workshop_with_any_engine(steady: Scene, vehicle: str) -> None:
    """One by a measured table, one by parameters."""
    page = steady.workshop()
    page.evaluate(
        f"(() => {{ const menu = document.querySelector('#vehicle'); menu.value = '{vehicle}';"
        " menu.dispatchEvent(new Event('change')); })()"
    )
    page.wait_for("!document.querySelector('#graph-title').textContent.startsWith('compact')")
    check(page, f"workshop-{vehicle}", "light", 390)
