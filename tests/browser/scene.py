"""A page of a running bench in the browser, and what hands do there."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ..program import CHECKOUT, Program, running
from .chromium import Browser, Page

AXE = Path(__file__).parents[2] / "build/axe/package/axe.min.js"
"""The accessibility checker; install-packages fetches it."""

RPM = "Number(document.querySelector('#rpm .value').textContent)"
SPEED = "Number(document.querySelector('#speed .value').textContent)"
NEEDLE = "Number(document.querySelector('#rpm .needle').getAttribute('transform').match(/-?[\\d.]+/)[0])"


@contextmanager
def cockpit_of(chromium: Browser, folder: Path, name: str, changes: Iterable[tuple[str, str]]) -> Iterator[Page]:
    """Run a shipped bench in which texts are replaced, and open its cockpit, live."""
    text = (CHECKOUT / f"config/benches/{name}.yaml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    bench = folder / "bench.yaml"
    bench.write_text(f"{text}\ncockpit: {{port: 0}}\nstate: none\n", encoding="utf-8")
    with running(bench, page=True) as program:
        page = chromium.page(program.wait_for("cockpit")["url"])
        page.resize(1280, 900)
        page.wait_for("document.querySelector('#connection')?.dataset.state === 'live'")
        yield page


class Scene(NamedTuple):
    """A browser, a running bench, and where its page is."""

    browser: Browser
    program: Program
    url: str
    folder: Path
    """Of the bench file."""

    def at(self, path: str) -> str:
        """The address of another page of the bench, with the token."""
        return urlsplit(self.url)._replace(path=f"/{path}").geturl()

    def page(self, view: str = "drive") -> Page:
        """A new tab with a view of the cockpit, live, its frames decoded."""
        page = self.browser.page(f"{self.url}#{view}")
        page.resize(1280, 900)
        page.wait_for("document.querySelector('#connection')?.dataset.state === 'live'")
        page.wait_for(f"{row('EngineData1')} !== undefined")
        return page

    def workshop(self) -> Page:
        """A new tab with the engine workshop, its graph drawn."""
        page = self.browser.page(self.at("workshop"))
        page.evaluate("localStorage.clear()")
        page.reload()
        page.resize(1280, 900)
        page.wait_for("document.querySelectorAll('#plots svg').length === 3")
        return page


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
    page.wait_for(f"{RPM} > 700 && document.querySelector('#terminal').textContent === 'Ignition on (terminal 15)'")


def row(message: str) -> str:
    """The expression for the row of a frame in the table."""
    return (
        "[...document.querySelectorAll('#frames tbody')]"
        f".find((body) => body.querySelector('.open').textContent === '{message}')"
    )


def sent(page: Page, message: str) -> int:
    """The count of a frame in the table."""
    return int(page.evaluate(f"{row(message)}.rows[0].cells[6].textContent"))


def violations(page: Page) -> list[Any]:
    """What axe-core finds: rules with the places that break them."""
    page.evaluate(AXE.read_text(encoding="utf-8") + "; 0")
    found: list[Any] = json.loads(
        page.evaluate(
            "axe.run().then(({violations}) => JSON.stringify(violations.map("
            "({id, nodes}) => [id, nodes.map(({target, failureSummary}) => [target, failureSummary])])))"
        )
    )
    return found


def choose_in(page: Page, menu: str, value: str) -> None:
    """Chooses an option of a menu as a hand does."""
    page.evaluate(
        f"(() => {{ const menu = document.getElementById('{menu}'); menu.value = {json.dumps(value)};"
        " menu.dispatchEvent(new Event('change')); })()"
    )
