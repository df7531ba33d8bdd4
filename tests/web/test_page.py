"""The built page in a real browser, served by a server of files: nothing else is behind it."""

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ..browser.chromium import Browser, Page, browser
from ..browser.scene import NEEDLE, RPM, row
from .test_frames import FOLDER, PROGRAM, in_page, pytestmark

__all__ = ["pytestmark"]

LIVE = "document.body.dataset.web && document.querySelector('#connection').dataset.state === 'live'"
OUTCOME = "document.querySelector('#web-outcome').textContent"
DATABASE = """VERSION ""
BU_: X
BO_ 256 Dropped: 8 X
 SG_ FirstByte : 0|8@1+ (1,0) [0|255] "" X
"""


class Handler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *given: object) -> None:  # noqa: A002 - the name of the base class
        """Says nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(FOLDER)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as one:
        yield one


@pytest.fixture(scope="module")
def page(chromium: Browser, address: str) -> Iterator[Page]:
    """One for all tests, since its Python takes seconds to start; what they do adds to what was."""
    page = chromium.page(f"{address}#drive")
    page.resize(1440, 900)
    page.wait_for(LIVE)
    yield page
    chromium.close_tabs()


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
    page.wait_for(LIVE)
    page.wait_for("document.querySelector('#bench-name').textContent.includes('MX-5')")
    page.wait_for("[...document.querySelectorAll('#frames .row, #frames tr')].length > 5")
