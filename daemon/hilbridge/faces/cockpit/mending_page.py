"""The page of a bench that does not start: what is wrong, file by file and line by line, in the place of its cockpit.

It is served at the address of the cockpit, by the same rules of access, and shows nothing of the files but the reasons.
A browser that has it open asks again by itself, and so comes to the cockpit once that is there.
"""

import asyncio
import html
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import uvicorn
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.faces.cockpit.access import Access, AccessMiddleware
from hilbridge.faces.cockpit.page_token import token_of
from hilbridge.faces.cockpit.process import listen, page_address
from hilbridge.files.configuration.yamlfile import YamlFile
from hilbridge.files.settings.bench import CockpitSettings

_STATIC: Final = Path(__file__).parent / "static"

_AGAIN: Final = "3"
"""[s] until a browser asks again."""

_MOST_CONNECTIONS: Final = 32
_FAREWELL: Final = 1
"""[s] Time for connections to close."""

_PAGE: Final = """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>{name} does not start - hilbridge</title>
  <link rel="icon" href="/static/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/static/css/base.css">
</head>
<body>
  <main>
    <h1>{name} does not start</h1>
    <ul>
{reasons}
    </ul>
    <p>{remedy}</p>
    <p>This page asks again by itself, and gives way to the cockpit. If that wants another token,
      <code>hilbridge service</code> prints its address.</p>
  </main>
</body>
</html>
"""


def cockpit_settings(path: Path) -> CockpitSettings:
    """Return the settings of the page from a bench file of which anything may be wrong: where they are, the default.

    By default the page is on loopback, with a token of its own.
    """
    try:
        settings = CockpitSettings.model_validate(YamlFile.load(path).data.get("cockpit") or {}, strict=True)
        token_of(settings)
    except (ConfigurationError, ValidationError):
        return CockpitSettings()
    return settings


def render(name: str, reasons: Sequence[str], remedy: str) -> str:
    """Return the page as HTML."""
    rows = "\n".join(f"      <li><code>{html.escape(each)}</code></li>" for each in reasons)
    return _PAGE.format(name=html.escape(name), reasons=rows, remedy=html.escape(remedy))


def application(settings: CockpitSettings, token: str, content: Callable[[], str]) -> ASGIApp:
    """Return the web application: one page, whose content is made for each request, behind the rules of access."""

    async def page(_request: Request) -> Response:
        return HTMLResponse(content(), headers={"Refresh": _AGAIN})

    access = Access(loopback=settings.is_loopback, token=token, hosts=tuple(settings.hosts))
    routes = [Route("/", page), Mount("/static", StaticFiles(directory=_STATIC))]
    return AccessMiddleware(Starlette(routes=routes), access)


class MendingPage:
    """The page, served by a thread of its own until the process ends."""

    def __init__(self, settings: CockpitSettings, content: Callable[[], str]) -> None:
        """Open the socket and serve. LinkError: the address cannot be bound, or the packages are not installed."""
        token = token_of(settings)
        self._listener: Final = listen(settings)
        self.url: Final = page_address(self._listener, None if settings.token is not None else token)
        config = uvicorn.Config(
            application(settings, token, content),
            limit_concurrency=_MOST_CONNECTIONS,
            timeout_graceful_shutdown=_FAREWELL,
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=False,
        )
        self._server: Final = uvicorn.Server(config)
        self._thread: Final = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Free the address for the cockpit."""
        self._server.should_exit = True
        self._thread.join(_FAREWELL + 1)
        self._listener.close()

    def _serve(self) -> None:
        asyncio.run(self._server.serve(sockets=[self._listener]))
