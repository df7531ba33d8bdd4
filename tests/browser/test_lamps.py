"""Why a lamp is on: the page of a bench with a cluster, whose frames are disturbed on the page itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from .chromium import Browser, Page
from .scene import choose, choose_in, cockpit_of


@pytest.fixture
def page(chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    changes = (
        ("slcan: 29537", "slcan: 0"),
        ("name: cluster-mazda-rx8", "name: browser-lamps"),
        ("inputs:\n  - source: demo-driver\n", ""),
    )
    with cockpit_of(chromium, tmp_path, "cluster-mazda-rx8", changes) as page:
        yield page


def test_a_lamp_is_explained_by_its_frame(page: Page) -> None:
    """Off without ignition, then good; the frame that is dropped is named with its lamp, which stands first."""
    row = "[...document.querySelectorAll('#lamps li')].find((one) => one.textContent.includes('power steering (lamp)'))"
    page.wait_for(f"{row}?.textContent.includes('terminal 15 is off')")
    page.click("#take")
    choose(page, "key", 0)
    page.wait_for(f"{row}?.querySelector('.state').dataset.state === 'good'")
    page.wait_for("document.querySelector('#frame-fault-frame option[value=\"cluster.PowerSteering\"]') !== null")
    choose_in(page, "frame-fault-frame", "cluster.PowerSteering")
    choose_in(page, "frame-fault-effect", "0")
    page.click("#frame-fault button")
    page.wait_for(f"{row}?.querySelector('.state').dataset.state === 'bad'")
    assert "PowerSteering (0x300): fault 1" in page.evaluate(f"{row}.textContent")
    assert "power steering" in page.evaluate("document.querySelector('#lamps li').textContent")
    assert page.errors == []
