"""The built page in a real browser, served by a server of files: nothing else is behind it."""

from pathlib import Path

from ..browser.chromium import Page
from ..browser.scene import NEEDLE, RPM, row
from .conftest import LIVE, START
from .test_frames import PROGRAM, in_page, pytestmark

__all__ = ["pytestmark"]

OUTCOME = "document.querySelector('#web-outcome').textContent"
DATABASE = """VERSION ""
BU_: X
BO_ 256 Dropped: 8 X
 SG_ FirstByte : 0|8@1+ (1,0) [0|255] "" X
"""


def test_it_is_driven_by_keys(page: Page) -> None:
    """The demo driver has started the engine; the key of the throttle raises its speed, needle and frame with it."""
    page.show()
    page.wait_for(f"{RPM} > 700")
    before = page.evaluate(NEEDLE)
    page.key("keyDown", "KeyW")
    page.wait_for(f"{RPM} > 3000 && {NEEDLE} > {before} + 20")
    page.key("keyUp", "KeyW")
    page.wait_for(f"{row('EngineData1')} !== undefined")
    assert page.errors == []


def test_a_control_unit_answers(page: Page) -> None:
    """Service 01, parameter 0D of SAE J1979 is the vehicle's speed, in one byte."""
    page.evaluate("document.querySelector('#web-request').value = '01 0D'; 0")
    page.click("#web-ask button")
    page.wait_for(f"/^41 0D [0-9A-F]{{2}}$/.test({OUTCOME})")


def test_a_dropped_database_decodes(page: Page) -> None:
    page.evaluate(
        f"const all = new DataTransfer(); all.items.add(new File([{DATABASE!r}], 'mine.dbc'));"
        " dispatchEvent(new DragEvent('drop', {dataTransfer: all, cancelable: true})); 0"
    )
    page.wait_for(f"{OUTCOME} === 'mine.dbc: 1 messages, on powertrain'")
    page.evaluate(
        "[...document.querySelectorAll('#frames button')].find((one) => one.textContent === 'EngineData1').click(); 0"
    )
    page.wait_for("document.querySelector('#frames').textContent.includes('FirstByte')")


def test_the_saved_candump_is_that_of_the_bench(page: Page, tmp_path: Path) -> None:
    """Its first second, of the demo driver alone, is that of the same bench elsewhere."""
    page.wait_for("document.querySelector('#clock').textContent >= '0:00:02'")
    page.download_to(tmp_path)
    page.click("#web-save")
    lines = page.downloaded(tmp_path, "candump.log").read_text(encoding="utf-8").splitlines()
    expected = in_page(PROGRAM.format(bench="demo", seconds=1).replace("'demo',", "'demo', rate=200,")).splitlines()
    assert len(expected) > 300
    assert lines[: len(expected)] == expected


def test_what_needs_a_daemon_is_not_shown(page: Page) -> None:
    shown = "[...document.querySelectorAll('#stop, #reload, #record, #recordings, [href*=workshop]')]"
    assert page.evaluate(f"{shown}.filter((one) => one.checkVisibility()).length") == 0
    assert "no hardware" in page.evaluate("document.querySelector('.web-bar').textContent")


def test_another_bench_and_vehicle_are_chosen(page: Page) -> None:
    """By the lists, and so by the address; the frames are those of the profile."""
    page.evaluate(
        "document.querySelector('#web-bench').value = 'cluster-vw-pq';"
        " document.querySelector('#web-vehicle').value = 'mx5-nd';"
        " document.querySelector('#web-choice').onchange(); 0"
    )
    page.wait_for("location.search.includes('vehicle=mx5-nd')")
    page.wait_for(LIVE, START)
    page.wait_for("document.querySelector('#bench-name').textContent.includes('MX-5')")
    page.wait_for("[...document.querySelectorAll('#frames .row, #frames tr')].length > 5")
