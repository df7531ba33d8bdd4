"""The address of the page outlives a run; `hilbridge page` prints it."""

import os
import subprocess
import sys
from pathlib import Path

from ..program import demo_bench, running


def page(*words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "hilbridge", "page", *words],
        capture_output=True, text=True, timeout=60, check=False, env=os.environ | environment,
    )  # fmt: skip


def test_the_next_run_has_the_same_token_and_the_command_opens_it(tmp_path: Path) -> None:
    """The address stands alone on its line, and goes to the browser that the machine names."""
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >{opened}\n', encoding="utf-8")
    browser.chmod(0o755)
    bench = demo_bench(tmp_path, ("name: demo", "name: next-run"))
    own = f"\ncockpit: {{port: 0}}\nstate: {tmp_path / 'next.json'}\ncontrol: {{socket: {tmp_path / 'socket'}}}\n"
    bench.write_text(bench.read_text(encoding="utf-8") + own, encoding="utf-8")
    tokens = []
    for _ in range(2):
        with running(bench, page=True) as program:
            url = program.wait_for("cockpit")["url"]
            tokens.append(url.partition("?")[2])
            done = page(str(tmp_path / "socket"), "--open", "--wait", "30", BROWSER=f"{browser} %s")
            assert (done.stdout, done.stderr, done.returncode) == (f"{url}\n", "", 0)
            assert opened.read_text(encoding="utf-8") == f"{url}\n"
    assert tokens[0] == tokens[1]
    assert (tmp_path / "next.page").stat().st_mode & 0o777 == 0o600
