"""The routes of a gateway on the page: the bench of a car with two buses behind its diagnostic connector."""

from pathlib import Path

import pytest

from ..program import CHECKOUT, running
from .chromium import Browser
from .scene import choose_in

pytestmark = pytest.mark.nightly

NAME = "to-drive"


def test_a_route_is_seen_and_disturbed(chromium: Browser, tmp_path: Path) -> None:
    """What it carries, its counters, and a fault of it; an effect that no route can have is refused with its reason."""
    text = (CHECKOUT / "config/benches/car-network.yaml").read_text(encoding="utf-8")
    bench = tmp_path / "bench.yaml"
    text = text.replace("slcan: 29540", "slcan: 0").replace("rate: 1000", "rate: 500")
    bench.write_text(f"{text}\ncockpit: {{port: 0}}\nstate: none\n", encoding="utf-8")
    with running(bench, page=True) as program:
        page = chromium.page(program.wait_for("cockpit")["url"])
        page.resize(1280, 900)
        page.wait_for("document.querySelector('#tables')?.textContent.includes('connector to drive')")
        page.wait_for(
            f"[...document.querySelectorAll('#frame-fault-frame option')].some((one) => one.value === 'route {NAME}')"
        )
        page.evaluate(f"document.querySelector('#frame-fault-frame').value = 'route {NAME}'")
        choose_in(page, "frame-fault-effect", "0")
        page.click("#frame-fault button")
        page.wait_for(f"document.querySelector('#faults').textContent.includes('route {NAME} drop (active)')")
        page.wait_for("document.querySelector('#tables').textContent.includes('disturbed')")
        choose_in(page, "frame-fault-effect", "4")
        page.click("#frame-fault button")
        page.wait_for("document.querySelector('#fault-refusal').textContent.includes('effect')")
        assert page.errors == []
