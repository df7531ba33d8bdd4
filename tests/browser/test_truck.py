"""An automatic gear lever and a retarder: the truck's bench."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from .chromium import Browser, Page
from .scene import RPM, choose, cockpit_of, slide

pytestmark = pytest.mark.nightly


@pytest.fixture
def page(chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    changes = (
        ("slcan: 29539", "slcan: 0"),
        ("[35002, pty]", "[0]"),
        ("rate: 1000", "rate: 500"),
        ("name: truck", "name: browser-truck"),
    )
    with cockpit_of(chromium, tmp_path, "truck", changes) as page:
        yield page


def test_it_drives_off_in_d_and_the_retarder_slows_it_down(page: Page) -> None:
    """No clutch to help with; the lever has P R N D M; each level of the retarder is a step of its slider."""
    assert page.evaluate("document.querySelector('#launch-row').hidden")
    labels = "[...document.querySelectorAll('#lever label')].map((one) => one.textContent)"
    assert page.evaluate(labels) == ["P", "R", "N", "D", "M"]
    page.click("#take")
    choose(page, "lever", 3)
    page.click("#start")
    page.wait_for(f"{RPM} > 450 && document.querySelector('#terminal').textContent === 'Ignition on (terminal 15)'")
    for entry in ("Handbrake", "Brake"):
        slide(page, f"input.{entry}", 0)
    choose(page, "lever", 4)
    slide(page, "input.Throttle", 1)
    page.wait_for("Number(document.querySelector('#speed .value').textContent) > 10")
    slide(page, "input.Throttle", 0)
    slide(page, "input.Retarder", 2)
    page.wait_for("document.querySelector('#control-input\\\\.Retarder').value === '2'")
    page.wait_for("Number(document.querySelector('#speed .value').textContent) < 8")
    assert page.errors == []
