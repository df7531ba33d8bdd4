"""Panels: moved, sized, hidden, kept, shared by link; units; the phone."""

import json

import pytest

from .chromium import Page
from .scene import Scene, choose_in

pytestmark = pytest.mark.nightly

ORDER = "[...document.querySelectorAll('main > [data-panel]')].map((one) => one.dataset.panel)"


def handle(panel: str, label: str) -> str:
    return f"[data-panel={panel}] .handles [aria-label^='{label}']"


def top_and_bottom(page: Page, selector: str) -> tuple[float, float]:
    """Of an element in the window, as drawn."""
    top, bottom = page.evaluate(
        f"(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
        " return [box.top, box.bottom]; })()"
    )
    return top, bottom


def test_panels_are_moved_sized_and_hidden_and_stay_so(scene: Scene) -> None:
    """By buttons, which keys reach, among those of the view; a reload shows the same, Reset what was at first."""
    page = scene.page("bus")
    first = page.evaluate(ORDER)
    assert first.index("frames") < first.index("faults")
    page.click("#arrange")
    page.click(handle("frames", "Move later"))
    page.click(handle("frames", "Narrower"))
    page.click(handle("log", "Hide"))
    page.reload()
    page.wait_for("document.querySelector('#connection')?.dataset.state === 'live'")
    order = page.evaluate(ORDER)
    assert order.index("frames") == order.index("faults") + 1
    assert page.evaluate("document.querySelector('[data-panel=frames]').dataset.columns") == "7"
    assert page.evaluate("document.querySelector('[data-panel=log]').hidden")
    page.click("#reset-layout")
    assert page.evaluate(ORDER) == first
    assert not page.evaluate("document.querySelector('[data-panel=log]').hidden")


def test_a_link_carries_the_layout(scene: Scene) -> None:
    """Another browser sees the same; what the link does not name stands behind."""
    page = scene.browser.page(f"{scene.url}#bus&layout=frames:12,-driver:4,instruments:6")
    page.wait_for(f"{ORDER}[0] === 'frames'")
    assert page.evaluate(ORDER)[:3] == ["frames", "driver", "instruments"]
    assert page.evaluate("document.querySelector('#driver').hidden")
    assert len(page.evaluate(ORDER)) > 10
    assert page.evaluate("document.body.dataset.view") == "bus"


def test_units_are_chosen_and_kept(scene: Scene) -> None:
    page = scene.page()
    choose_in(page, "units", "imperial")
    page.wait_for("document.querySelector('#speed .unit').textContent === 'mph'")
    page.reload()
    page.wait_for("document.querySelector('#speed .unit')?.textContent === 'mph'")
    assert "°F" in page.evaluate("document.querySelector('#readouts').textContent")
    page.wait_for("/mph/.test(document.querySelectorAll('.strip output')[1].textContent)")
    choose_in(page, "units", "metric")
    page.wait_for("document.querySelector('#speed .unit').textContent === 'km/h'")


@pytest.mark.parametrize("view", ["drive", "bus", "bench"])
def test_each_view_fits_a_usual_screen(steady: Scene, view: str) -> None:
    """By its address: nothing scrolls but lists within their panels, and no panel of another view is there."""
    page = steady.page(view)
    page.resize(1440, 900)
    page.show()
    assert page.evaluate("document.querySelector('#views [aria-current]').hash") == f"#{view}"
    box = "document.documentElement", "document.querySelector('main')"
    for element in box:
        assert page.evaluate(f"{element}.scrollHeight <= {element}.clientHeight"), element
    shown = "[...document.querySelectorAll('main > [data-panel]')].filter((one) => one.offsetParent !== null)"
    assert page.evaluate(f"{shown}.length") > 2
    assert page.evaluate(f"{shown}.filter((one) => !one.dataset.views.includes('{view}')).length") == 0
    assert page.evaluate(f"{shown}.filter((one) => one.getBoundingClientRect().bottom > 900).length") == 0


def test_tabs_change_the_view_and_the_next_visit_has_the_last_one(scene: Scene) -> None:
    page = scene.page()
    assert page.evaluate("document.body.dataset.view") == "drive"
    page.click("#views [href='#bus']")
    page.wait_for("document.body.dataset.view === 'bus' && document.querySelector('#frames').offsetParent !== null")
    assert page.evaluate("document.querySelector('#pedals').offsetParent === null")
    page.evaluate("history.replaceState(null, '', location.pathname); 0")
    page.reload()
    page.wait_for("document.body.dataset.view === 'bus'")
    page.click("#views [href='#drive']")
    page.wait_for("document.body.dataset.view === 'drive'")


def test_what_is_empty_is_not_there(steady: Scene) -> None:
    """The demo has no recordings and names no lamp of its frames."""
    page = steady.page()
    page.wait_for("document.querySelector('[data-panel=lamps]').dataset.empty === 'true'")
    page.wait_for("document.querySelector('[data-panel=recordings]').dataset.empty === 'true'")
    for view in ("bus", "bench"):
        page.evaluate(f"location.hash = '{view}'; 0")
        page.wait_for(f"document.body.dataset.view === '{view}'")
        for panel in ("lamps", "recordings"):
            assert page.evaluate(f"document.querySelector('[data-panel={panel}]').offsetParent === null")
    page.evaluate("location.hash = 'drive'; 0")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_a_phone_shows_speed_and_pedals_together(steady: Scene, width: int, height: int) -> None:
    """And a finger hits them: no pedal is lower than 44 px. Stop is not in sight."""
    page = steady.page()
    page.resize(width, height, mobile=True)
    page.show()
    for selector in ("#speed .value", ".slider:nth-child(1) input", ".slider:nth-child(2) input"):
        top, bottom = top_and_bottom(page, selector)
        assert top >= 0, selector
        assert bottom <= height, selector
    top, bottom = top_and_bottom(page, ".slider input")
    assert bottom - top >= 44
    assert page.evaluate("document.querySelector('#stop').offsetParent === null")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
