"""An open page and the next run of its bench: what a maker holds outlives the process."""

import socket
from pathlib import Path

from ..program import demo_bench, running
from .chromium import Browser

LIVE = "document.querySelector('#connection')?.dataset.state === 'live'"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


def test_an_open_page_takes_up_the_next_run(chromium: Browser, tmp_path: Path) -> None:
    """The run ends, its file changes, and the next one begins: the tab shows what is now, with nothing typed."""
    bench = demo_bench(tmp_path, ("name: demo", "name: browser-next"))
    own = f"\ncockpit: {{port: {free_port()}}}\nstate: {tmp_path / 'next.json'}\n"
    bench.write_text(bench.read_text(encoding="utf-8") + own, encoding="utf-8")
    with running(bench, page=True) as program:
        url = program.wait_for("cockpit")["url"]
        page = chromium.page(url)
        page.wait_for(LIVE)
        page.evaluate("window.before = true")
    page.wait_for(f"!({LIVE})")
    with running(bench, page=True) as program:
        assert program.wait_for("cockpit")["url"] == url
        page.wait_for(f"window.before === undefined && {LIVE}")
        page.wait_for("document.querySelector('#connection').textContent === 'live'")
