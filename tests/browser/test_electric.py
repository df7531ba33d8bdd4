"""The page of a vehicle whose key starts no engine."""

from pathlib import Path

import pytest

from ..program import CHECKOUT, running
from .chromium import Browser
from .scene import RPM, Scene

pytestmark = pytest.mark.nightly


def test_the_key_of_a_hybrid_makes_it_ready(chromium: Browser, tmp_path: Path) -> None:
    """The button says so; then READY is lit, the rev counter stands at 0, and the figures have a power gauge."""
    text = (CHECKOUT / "config/benches/hybrid.yaml").read_text(encoding="utf-8")
    for old, new in (("29542", "0"), ("29543", "0"), ("[35005, pty]", "[0, pty]"), ("rate: 1000", "rate: 200")):
        assert old in text
        text = text.replace(old, new)
    bench = tmp_path / "bench.yaml"
    bench.write_text(
        text.partition("inputs:")[0]
        + "inputs: []\ndiagnostics:"
        + text.partition("diagnostics:")[2]
        + "\ncockpit: {port: 0}\n"
    )
    with running(bench, page=True) as program:
        page = Scene(chromium, program, program.wait_for("cockpit")["url"], tmp_path).page()
        page.wait_for("document.querySelector('#start').textContent === 'Switch on'")
        page.click("#start")
        ready = "document.querySelector('[data-lamp=READY]')"
        page.wait_for(f"{ready}.dataset.lit === 'true'")
        assert page.evaluate(RPM) == 0
        assert "Power gauge" in page.evaluate("document.querySelector('#readouts').textContent")
        assert page.errors == []
