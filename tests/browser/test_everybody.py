"""Both pages, for everybody: colours, widths, screen readers."""

import os
from pathlib import Path

import pytest

from .chromium import Page
from .scene import Scene, violations

SHOTS = os.environ.get("HILBRIDGE_SCREENSHOTS")
"""Folder that screenshots are kept in, for people to look at."""


def check(page: Page, name: str, scheme: str, width: int) -> None:
    page.resize(width, 844 if width < 700 else 900, mobile=width < 700)
    page.colour_scheme(scheme)
    page.wait_for(f"document.documentElement.dataset.theme === '{scheme}'")
    if SHOTS is not None:
        page.screenshot(Path(SHOTS) / f"{name}-{scheme}-{width}.png")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.errors == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_everybody_can_use_the_cockpit(steady: Scene, scheme: str, width: int) -> None:
    """axe-core finds nothing, also with a frame opened; nothing is wider than the screen; the system's colours hold."""
    page = steady.page()
    page.click("#frames .open")
    page.wait_for("document.querySelectorAll('#frames .signals dd').length > 3")
    page.wait_for("document.querySelector('#lateness dd')?.textContent")
    check(page, "cockpit", scheme, width)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_everybody_can_use_the_workshop(steady: Scene, scheme: str, width: int) -> None:
    check(steady.workshop(), "workshop", scheme, width)


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
