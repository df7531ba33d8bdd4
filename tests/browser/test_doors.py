"""Who is let in, as a real browser meets it; a tab that vanishes lets go."""

import json
from pathlib import Path

import pytest

from ..program import demo_bench, running
from .chromium import Browser
from .scene import Scene, slide, start_engine

TOKEN = "a-token-of-the-tests"
TEXT = "document.body?.innerText"


def test_another_name_does_not_lead_to_the_page(steady: Scene) -> None:
    """A name that somebody points to this machine: DNS rebinding. The browser resolves it to loopback."""
    page = steady.browser.page(steady.url.replace("127.0.0.1", "rebound.test"))
    page.wait_for(f"{TEXT}?.includes('not reached under that name')")


def test_another_sites_script_cannot_connect(steady: Scene) -> None:
    """A page that is not the cockpit opens its WebSocket, and asks its workshop."""
    page = steady.browser.page("about:blank")
    address = json.dumps(steady.at("socket").replace("http", "ws"))
    closed = f"new Promise((done) => {{ const s = new WebSocket({address}); s.onopen = () => done('open');"
    assert page.evaluate(f"{closed} s.onclose = () => done('closed'); }})") == "closed"
    question = json.dumps(steady.at("workshop/engine"))
    asked = f"fetch({question}, {{method: 'POST', body: '{{}}'}}).then(() => 'answered', () => 'refused')"
    assert page.evaluate(asked) == "refused"


def test_the_printed_address_opens_the_page_and_is_not_kept(scene: Scene) -> None:
    """On loopback too, where other users of the machine are: without its token there is nothing, with it everything."""
    for path in ("", "workshop", "socket", "recordings"):
        page = scene.browser.page(scene.at(path).partition("?")[0])
        page.wait_for(f"{TEXT}?.includes('the token is missing')")
    page = scene.page()
    assert page.evaluate("location.search") == ""
    start_engine(page)
    page.reload()
    page.wait_for("document.querySelector('#connection')?.dataset.state === 'live'")


def test_without_the_token_there_is_nothing_to_see(chromium: Browser, tmp_path: Path) -> None:
    bench = demo_bench(tmp_path, ("name: demo", "name: browser-token"))
    own = f"\ncockpit: {{port: 0, address: 0.0.0.0, token: {TOKEN}}}\nstate: none\n"
    bench.write_text(bench.read_text(encoding="utf-8") + own, encoding="utf-8")
    with running(bench, page=True) as program:
        url = program.wait_for("cockpit")["url"].replace("0.0.0.0", "127.0.0.1")
        for path in ("", "?token=another-token-than-it", "workshop", "static/js/main.js"):
            page = chromium.page(url + path)
            page.wait_for(f"{TEXT}?.includes('the token is missing')")
        page = chromium.page(f"{url}?token={TOKEN}")
        page.wait_for("document.querySelector('#connection')?.dataset.state === 'live'")
        assert page.evaluate("location.search") == ""
        page = chromium.page(f"{url}workshop")
        page.wait_for("document.querySelectorAll('#plots svg').length === 3")


@pytest.mark.nightly
def test_a_read_only_page_has_nothing_to_press(chromium: Browser, tmp_path: Path) -> None:
    bench = demo_bench(tmp_path, ("name: demo", "name: browser-read-only"))
    own = "\ncockpit: {port: 0, read_only: true}\nstate: none\n"
    bench.write_text(bench.read_text(encoding="utf-8") + own, encoding="utf-8")
    with running(bench, page=True) as program:
        page = Scene(chromium, program, program.wait_for("cockpit")["url"], tmp_path).page()
        assert page.evaluate("document.querySelector('#connection').textContent") == "live, read-only"
        page.wait_for("document.querySelector('#troubles button') !== null")
        panels = ":is(.driver, .session, .faults, .troubles, .buses, .values tbody)"
        controls = f"{panels} :is(button, select, input):not(.handles *), #stop, #reload"
        free = f"[...document.querySelectorAll({json.dumps(controls)})].filter((one) => !one.matches(':disabled'))"
        assert page.evaluate(f"{free}.map((one) => one.outerHTML)") == []


def test_a_tab_that_crashes_lets_go(scene: Scene) -> None:
    one, other = scene.page(), scene.page()
    one.show()
    start_engine(one)
    slide(one, "input.Throttle", 0.3)
    other.show()
    other.wait_for("document.querySelector('#control-input\\\\.Throttle').value === '0.3'")
    one.crash()
    other.wait_for("document.querySelector('#control-input\\\\.Throttle').value !== '0.3'")
