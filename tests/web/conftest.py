"""One browser, and one page with its bench, for all tests of the built folder."""

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from ..browser.chromium import Browser, Page, browser
from .test_frames import FOLDER

LIVE = "document.body?.dataset.web && document.querySelector('#connection').dataset.state === 'live'"
START = 140.0
"""[s] at most that a busy machine takes for the Python of a page, and again for its bench."""


class Handler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *given: object) -> None:  # noqa: A002 - the name of the base class
        """Says nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server of files, of a folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with served(FOLDER) as address:
        yield address


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as one:
        yield one


@pytest.fixture(scope="module")
def page(chromium: Browser, address: str) -> Iterator[Page]:
    """One for all tests of a module, since its Python takes seconds to start; what they do adds to what was."""
    page = chromium.page(f"{address}#drive")
    page.resize(1440, 900)
    page.wait_for("document.querySelector('#web-bench')?.options.length", START)
    page.wait_for(LIVE, START)
    yield page
    chromium.close_tabs()
