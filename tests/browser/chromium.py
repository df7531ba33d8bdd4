"""A real browser without a screen: Debian's Chromium, driven by its DevTools protocol.

Browser.page(url)            a tab of its own
Page.evaluate(expression)    the value of a JavaScript expression, promises awaited
Page.wait_for(expression)    until it is true
"""

import base64
import itertools
import json
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

PATIENCE = 60.0
PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


NAVIGATED = -32000
"""The code of the protocol for a question that a navigation cut off."""


class NavigatedError(Exception):
    """The page went elsewhere while it was asked something."""


class Page:
    """One tab. What goes wrong in its scripts is kept in `errors`."""

    def __init__(self, socket: ClientConnection) -> None:
        self.errors: list[str] = []
        self._socket = socket
        self._numbers = itertools.count(1)
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """A method of the protocol, and its result."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(PATIENCE))
            self._note(message)
            if message.get("id") == number:
                if message.get("error", {}).get("code") == NAVIGATED:
                    raise NavigatedError(message["error"]["message"])
                assert "error" not in message, message["error"]
                result: dict[str, Any] = message["result"]
                return result

    def evaluate(self, expression: str) -> Any:
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait_for(self, expression: str, patience: float = PATIENCE) -> Any:
        """The first true value of an expression; `patience` [s]."""
        deadline = time.monotonic() + patience
        while True:
            with suppress(NavigatedError):  # a reload is under way
                if value := self.evaluate(expression):
                    return value
            assert time.monotonic() < deadline, f"never true: {expression} {self.errors}"
            time.sleep(0.05)

    def reload(self) -> None:
        """Loads the page anew, and waits until nothing of the old one is left."""
        self.evaluate("window.isOld = true; location.reload(); 0")
        self.wait_for("window.isOld === undefined")

    def click(self, selector: str) -> None:
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")

    def key(self, kind: str, code: str) -> None:
        """`kind`: keyDown or keyUp; `code`: KeyW ..."""
        letter = code[-1].lower()
        self.call("Input.dispatchKeyEvent", type=kind, code=code, key=letter, windowsVirtualKeyCode=ord(letter.upper()))

    def show(self) -> None:
        """Brings the tab to the front: one behind another does not draw."""
        self.call("Page.bringToFront")

    def resize(self, width: int, height: int, *, mobile: bool = False) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def colour_scheme(self, scheme: str) -> None:
        """`light` or `dark`, as the system would have it."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, file: Path, *, whole: bool = True) -> None:
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        file.write_bytes(base64.b64decode(answer["data"]))

    def download_to(self, folder: Path) -> None:
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def downloaded(self, folder: Path, name: str) -> Path:
        """The file of that name, once it is there as a whole."""
        deadline = time.monotonic() + PATIENCE
        while not (folder / name).is_file():
            assert time.monotonic() < deadline, f"no {name}"
            time.sleep(0.05)
        return folder / name

    def crash(self) -> None:
        """Its process is gone at once, and no script of it says goodbye."""
        self._socket.send(json.dumps({"id": next(self._numbers), "method": "Page.crash"}))

    def _note(self, message: dict[str, Any]) -> None:
        if message.get("method") == "Runtime.exceptionThrown":
            self.errors.append(message["params"]["exceptionDetails"].get("exception", {}).get("description", "?"))
        elif message.get("method") == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
            self.errors.append(message["params"]["entry"]["text"])


class Browser:
    """A running browser; `folder` is its profile."""

    def __init__(self, folder: Path) -> None:
        assert PROGRAM is not None, "no Chromium; on Debian: apt-get install chromium"
        self._process = subprocess.Popen(
            [
                PROGRAM,
                "--headless=new",
                "--no-sandbox",  # tests may run as root; they open nothing but the page under test
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-default-apps",
                "--disable-extensions",
                "--disable-sync",
                "--no-first-run",
                "--host-resolver-rules=MAP rebound.test 127.0.0.1",
                "--remote-debugging-port=0",
                f"--user-data-dir={folder}",
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._port = self._opened(folder / "DevToolsActivePort")
        self._tabs: dict[str, ExitStack] = {}  # by its identifier, what holds the connection

    def page(self, url: str) -> Page:
        """A new tab that shows an address."""
        request = urllib.request.Request(f"http://127.0.0.1:{self._port}/json/new?about:blank", method="PUT")
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            target = json.load(answer)
        connection = connect(target["webSocketDebuggerUrl"], max_size=None, ping_interval=None, close_timeout=1)
        held = self._tabs[target["id"]] = ExitStack()
        page = Page(held.enter_context(connection))
        page.call("Page.navigate", url=url)
        return page

    def close_tabs(self) -> None:
        """Closes all tabs that were opened: one that is left draws on, and stays a viewer of its bench."""
        for tab in self._tabs:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/json/close/{tab}", timeout=PATIENCE):
                pass
        self._leave_tabs()

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE)
        self._leave_tabs()

    def _leave_tabs(self) -> None:
        for held in self._tabs.values():
            held.close()
        self._tabs.clear()

    def _opened(self, file: Path) -> int:
        deadline = time.monotonic() + PATIENCE
        while not (file.exists() and (text := file.read_text(encoding="utf-8"))):
            assert self._process.poll() is None, "Chromium ended"
            assert time.monotonic() < deadline, "Chromium did not start"
            time.sleep(0.05)
        return int(text.splitlines()[0])


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """Starts a browser; it is gone afterwards."""
    running = Browser(folder)
    try:
        yield running
    finally:
        running.close()
