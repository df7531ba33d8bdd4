"""The cockpit as people meet it: a real browser on a real run of the demo bench."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ..program import demo_bench, running
from .chromium import Browser, Page, browser

AXE = Path(__file__).parents[2] / "build/axe/package/axe.min.js"
"""The accessibility checker; `make browser` fetches it."""
SHOTS = os.environ.get("HILBRIDGE_SCREENSHOTS")
"""Folder that screenshots are kept in, for people to look at."""

RPM = "Number(document.querySelector('#rpm .value').textContent)"
NEEDLE = "Number(document.querySelector('#rpm .needle').getAttribute('transform').match(/-?[\\d.]+/)[0])"


class Scene(NamedTuple):
    """A browser, and where the page of a running bench is."""

    browser: Browser
    url: str

    def page(self) -> Page:
        """A new tab with the page, live."""
        page = self.browser.page(self.url)
        page.resize(1440, 900)
        page.wait_for("document.querySelector('#connection')?.dataset.state === 'live'")
        page.wait_for("document.querySelector('#frames').rows.length > 0")
        return page


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as one:
        yield one


@pytest.fixture
def scene(chromium: Browser, tmp_path: Path) -> Iterator[Scene]:
    bench = demo_bench(tmp_path, ("rate: 1000", "rate: 500"), ("name: demo", "name: browser-test"))
    text = bench.read_text(encoding="utf-8") + "\ncockpit: {port: 0}\n"
    bench.write_text(text, encoding="utf-8")
    with running(bench, page=True) as program:
        yield Scene(chromium, program.wait_for("cockpit")["url"])


def slide(page: Page, entry: str, value: float) -> None:
    """Moves a control as a hand does."""
    page.evaluate(
        f"(() => {{ const slider = document.getElementById('control-{entry}'); slider.value = {value};"
        " slider.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )


def choose(page: Page, group: str, value: int) -> None:
    page.click(f"#{group} input[value='{value}']")


def start_engine(page: Page) -> None:
    """Takes the wheel, puts everything to rest, turns the key."""
    page.click("#take")
    choose(page, "lever", 0)
    slide(page, "input.Throttle", 0)
    page.click("#start")
    page.wait_for(f"{RPM} > 700 && document.querySelector('#clamp').textContent === 'Terminal 15 on'")


def sent(page: Page, message: str) -> int:
    """The count of a frame in the table."""
    row = f"[...document.querySelector('#frames').rows].find((row) => row.cells[2].textContent === '{message}')"
    return int(page.evaluate(f"{row}.cells[5].textContent"))


def test_needle_and_table_follow_the_driver(scene: Scene) -> None:
    """Key on, start, throttle: the rev counter rises and its needle turns; frames are counted on."""
    page = scene.page()
    start_engine(page)
    idle, before = page.evaluate(NEEDLE), sent(page, "EngineData1")
    slide(page, "input.Throttle", 0.5)
    page.wait_for(f"{RPM} > 2500")
    assert page.evaluate(NEEDLE) > idle + 40
    page.wait_for("document.querySelector('#control-input\\\\.Throttle').value === '0.5'")
    assert sent(page, "EngineData1") > before
    slide(page, "input.Throttle", 0)
    page.wait_for(f"{RPM} < 1500")
    choose(page, "key", -1)
    page.wait_for(f"{RPM} === 0")
    page.wait_for("document.querySelector('#clamp').textContent === 'Key off'")
    assert page.errors == []


def test_the_page_drives_off_with_the_clutch_worked_for_it(scene: Scene) -> None:
    page = scene.page()
    start_engine(page)
    slide(page, "input.Handbrake", 0)
    slide(page, "input.Brake", 0)
    choose(page, "lever", 1)
    slide(page, "input.Throttle", 0.4)
    page.wait_for("Number(document.querySelector('#speed .value').textContent) > 15")
    assert page.evaluate("document.querySelector('#gear').textContent") == "1"
    assert page.errors == []


def test_a_second_page_shows_the_same(scene: Scene) -> None:
    """What one page holds, all pages show; it is given back when that page goes."""
    one, other = scene.page(), scene.page()
    one.show()
    start_engine(one)
    slide(one, "input.Throttle", 0.3)
    one.wait_for(f"{RPM} > 1500")
    other.show()
    other.wait_for("document.querySelector('#control-input\\\\.Throttle').value === '0.3'")
    other.wait_for(f"{RPM} > 1500")
    assert other.evaluate("document.querySelector('#who').textContent") == "The bench's inputs drive."
    one.call("Page.navigate", url="about:blank")
    other.wait_for("document.querySelector('#control-input\\\\.Throttle').value !== '0.3'")


def test_keys_are_pedals(scene: Scene) -> None:
    """W is pressed and let go: the pedal goes down and springs back; not while the focus is in a menu."""
    page = scene.page()
    start_engine(page)
    page.key("keyDown", "KeyW")
    page.wait_for("Number(document.querySelector('#control-input\\\\.Throttle').value) > 0.5")
    page.key("keyUp", "KeyW")
    page.wait_for("Number(document.querySelector('#control-input\\\\.Throttle').value) === 0")
    page.key("keyDown", "KeyE")
    page.key("keyUp", "KeyE")
    page.wait_for("document.querySelector('#lever :checked').value === '1'")
    page.evaluate("document.querySelector('#signal').focus()")
    page.key("keyDown", "KeyE")
    page.key("keyUp", "KeyE")
    page.evaluate("new Promise((done) => setTimeout(done, 200))")
    assert page.evaluate("document.querySelector('#lever :checked').value") == "1"


def test_a_gamepad_drives(scene: Scene) -> None:
    """A stub of the standard layout: trigger, stick and bumper move pedal, wheel and lever. Untouched it is idle."""
    page = scene.page()
    page.evaluate(
        "globalThis.pad = {mapping: 'standard', id: 'Stub', axes: [0, 0, 0, 0],"
        " buttons: Array.from({length: 17}, () => ({pressed: false, value: 0}))};"
        " navigator.getGamepads = () => [globalThis.pad]; 0"
    )
    page.wait_for("document.querySelector('#gamepad').textContent.startsWith('Stub')")
    assert page.evaluate("document.querySelector('#take').getAttribute('aria-pressed')") == "false"
    page.evaluate("pad.buttons[7].value = 0.6; pad.axes[0] = -0.5; 0")
    page.wait_for("document.querySelector('#control-input\\\\.Throttle').value === '0.6'")
    page.wait_for("document.querySelector('#control-input\\\\.Steer').value === '-0.5'")
    assert page.evaluate("document.querySelector('#take').getAttribute('aria-pressed')") == "true"
    choose(page, "lever", 0)
    page.evaluate("pad.buttons[5].pressed = true; 0")
    page.wait_for("document.querySelector('#lever :checked').value === '1'")


def test_trouble_codes_are_set_and_cleared(scene: Scene) -> None:
    """A code of one trip lights the malfunction indicator; clearing puts it out. It stays permanent (SAE J1979)."""
    page = scene.page()
    start_engine(page)
    page.evaluate("document.querySelector('#troubles select').value = 'P2122'")
    page.click("#troubles [type=submit]")
    page.wait_for("document.querySelector('#troubles .code')?.textContent === 'P2122'")
    page.wait_for("document.querySelector('#telltales li').dataset.lit === 'true'")
    page.click("#troubles .title button")
    page.wait_for("document.querySelector('#troubles .states').textContent === 'permanent'")
    page.wait_for("document.querySelector('#telltales li').dataset.lit === 'false'")


def test_a_bus_is_disarmed_and_armed(scene: Scene) -> None:
    page = scene.page()
    page.click("#buses button")
    page.wait_for("document.querySelector('#buses .state').textContent === 'listens only'")
    page.click("#buses button")
    page.wait_for("document.querySelector('#buses .state').textContent === 'transmits'")


def test_a_fault_of_the_vehicle_is_set_and_ended(scene: Scene) -> None:
    page = scene.page()
    page.click("#fault button")
    page.wait_for("document.querySelector('#faults').textContent.includes('fault.Misfire 0.5 (active)')")
    page.click("#faults button")
    page.wait_for("document.querySelector('#faults').textContent === 'Nothing is wrong on purpose'")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_everybody_can_use_it(scene: Scene, scheme: str, width: int, height: int) -> None:
    """axe-core finds nothing; nothing is wider than the screen; the system's colours are followed."""
    page = scene.page()
    page.resize(width, height, mobile=width < 700)
    page.colour_scheme(scheme)
    page.wait_for(f"document.documentElement.dataset.theme === '{scheme}'")
    page.evaluate("new Promise((done) => setTimeout(done, 4000))")
    if SHOTS is not None:
        page.screenshot(Path(SHOTS) / f"{scheme}-{width}.png")
    page.evaluate(AXE.read_text(encoding="utf-8") + "; 0")
    found: list[Any] = json.loads(
        page.evaluate(
            "axe.run().then(({violations}) => JSON.stringify(violations.map("
            "({id, nodes}) => [id, nodes.map(({target, failureSummary}) => [target, failureSummary])])))"
        )
    )
    assert found == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.errors == []
