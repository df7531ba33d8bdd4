"""One browser for all tests, and benches with their page."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ..program import demo_bench, running
from .chromium import Browser, browser
from .scene import Scene


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as one:
        yield one


@pytest.fixture(autouse=True)
def own_tabs(chromium: Browser) -> Iterator[None]:
    """What a test opens is gone after it."""
    yield
    chromium.close_tabs()


@contextmanager
def _shown(chromium: Browser, folder: Path) -> Iterator[Scene]:
    """The demo bench, its page on a free port, its recordings below `folder`."""
    bench = demo_bench(folder, ("rate: 1000", "rate: 500"), ("name: demo", "name: browser-test"))
    declared = "OilLife: {unit: '%', range: [0, 100], default: 80}, Service: {codes: {0: none, 1: soon, 2: now}}"
    computed = "Half: {unit: '%', expression: custom.OilLife / 2}"
    own = f"\ncockpit: {{port: 0}}\nstate: {folder}/state.json\ncontrol: {{socket: {folder}/control.sock}}\n"
    own += f"custom: {{{declared}, {computed}}}\n"
    bench.write_text(bench.read_text(encoding="utf-8") + own, encoding="utf-8")
    with running(bench, page=True) as program:
        yield Scene(chromium, program, program.wait_for("cockpit")["url"], folder)


@pytest.fixture
def scene(chromium: Browser, tmp_path: Path) -> Iterator[Scene]:
    """A bench of the test's own."""
    with _shown(chromium, tmp_path) as scene:
        yield scene


@pytest.fixture(scope="session")
def steady(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """One bench for all tests that only look."""
    with _shown(chromium, tmp_path_factory.mktemp("steady")) as scene:
        yield scene
