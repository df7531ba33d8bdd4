"""`hilbridge top` in a real terminal: tmux, whose screen can be read."""

import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ..program import PATIENCE, demo_bench, running


class Terminal:
    """A tmux server of its own with one window that runs a command."""

    def __init__(self, socket: Path, command: str) -> None:
        self._tmux = ["tmux", "-S", str(socket), "-f", "/dev/null"]
        self._call("new-session", "-d", "-x", "120", "-y", "36", f"{command}; echo status $?; sleep 60")

    def _call(self, *arguments: str) -> str:
        done = subprocess.run([*self._tmux, *arguments], capture_output=True, text=True, check=True, timeout=PATIENCE)
        return done.stdout

    def press(self, *keys: str) -> None:
        self._call("send-keys", *keys)

    def resize(self, columns: int, rows: int) -> None:
        self._call("resize-window", "-x", str(columns), "-y", str(rows))

    def wait_for(self, seen: Callable[[str], bool]) -> str:
        """The screen, once it shows what is waited for."""
        screen, end = "", time.monotonic() + PATIENCE
        while time.monotonic() < end:
            screen = self._call("capture-pane", "-p")
            if seen(screen):
                return screen
            time.sleep(0.1)
        raise AssertionError(screen)

    def close(self) -> None:
        subprocess.run([*self._tmux, "kill-server"], capture_output=True, check=False, timeout=PATIENCE)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[[], Terminal]]:
    """Opens `hilbridge top` for the bench `demo` of this test."""
    opened: list[Terminal] = []

    def open_top() -> Terminal:
        command = shlex.join([sys.executable, "-m", "hilbridge", "top", str(tmp_path / "c.sock")])
        opened.append(Terminal(tmp_path / "tmux", command))
        return opened[-1]

    yield open_top
    for one in opened:
        one.close()


@pytest.mark.way_out("terminal")
def test_top_follows_the_bench_obeys_its_keys_and_leaves_a_clean_terminal(
    tmp_path: Path, terminal: Callable[[], Terminal]
) -> None:
    """It survives the end of the bench and a smaller window; q ends it with status 0."""
    bench = demo_bench(tmp_path)
    bench.write_text(
        f"{bench.read_text(encoding='utf-8')}\ncontrol: {{socket: {tmp_path}/c.sock}}\nstate: none\n", encoding="utf-8"
    )
    with running(bench) as program:
        program.wait_for("ready")
        top = terminal()
        top.wait_for(lambda screen: "EngineData1" in screen and "rpm" in screen)
        top.wait_for(lambda screen: "gear" in screen and "1000 ticks/s" in screen)
        top.press("2")
        top.wait_for(lambda screen: "demo driver" in screen and "EngineData1" not in screen)
        top.press("3")
        top.wait_for(lambda screen: "codes and faults 0" in screen and "demo driver" not in screen)
        top.resize(80, 24)
        top.press("1")
        top.wait_for(lambda screen: "EngineData1" in screen)
    top.wait_for(lambda screen: "no daemon can be reached" in screen)
    top.press("q")
    top.wait_for(lambda screen: screen.strip() == "status 0")


def test_without_a_terminal_it_says_what_to_use_instead() -> None:
    command = [sys.executable, "-m", "hilbridge", "top"]
    run = subprocess.run(command, input="", capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert run.returncode == 2
    assert "hilbridge ctl status" in run.stderr
