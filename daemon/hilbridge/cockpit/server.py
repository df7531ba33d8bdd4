"""The cockpit process: serves the page and its WebSocket.

    python -m hilbridge.cockpit.server RINGS LISTENER

Both are descriptors; a line of JSON on standard input says the rest (process.py). It ends when standard input does:
whatever becomes of the tick process, its page goes with it.
"""

import asyncio
import contextlib
import json
import signal
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from hilbridge.child_process import KEPT_AWAY
from hilbridge.cockpit import wire
from hilbridge.cockpit.access import COOKIE, Access
from hilbridge.cockpit.control import Control
from hilbridge.cockpit.feed import Feed
from hilbridge.cockpit.viewer import Viewer
from hilbridge.observe.rings import Rings
from hilbridge.realtime import become_ordinary
from hilbridge.settings.cockpit import CockpitSettings

MOST_VIEWERS: Final = 16

_STATIC: Final = Path(__file__).parent / "static"
_MOST_CONNECTIONS: Final = 128
_FAREWELL: Final = 1
"""[s] for connections to close."""
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""Nothing from outside, in no frame of another site."""


class Gatekeeper:
    """Refuses what `access` does not allow, before anything else is done."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app: Final = app
        self._access: Final = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = HTTPConnection(scope).headers
        if not self._access.knows_host(headers):
            reason, status = "this page is not reached under that name", 421
        elif scope["type"] == "websocket" and not self._access.is_own_origin(headers):
            reason, status = "only the page itself may connect", 403
        elif scope["path"] != "/" and not self._access.has_token(headers):
            reason, status = "the token is missing: open the page as /?token=TOKEN", 401
        else:
            await self._app(scope, receive, _with_headers(send))
            return
        if scope["type"] == "websocket":
            await WebSocket(scope, receive, send).close(1008, reason)  # before it was accepted: HTTP 403
        else:
            await PlainTextResponse(reason, status)(scope, receive, _with_headers(send))


def application(settings: CockpitSettings, feed: Feed, control: Control, facts: dict[str, Any]) -> ASGIApp:
    """The page, its WebSocket, and who may have them."""
    access = Access(
        loopback=settings.is_loopback,
        hosts=tuple(settings.hosts),
        token=settings.token,
    )
    read_only = settings.read_only or not control.is_there
    greeting = wire.hello(facts, read_only=read_only, rate=settings.rate)
    index = (_STATIC / "index.html").read_bytes()

    async def page(request: Request) -> Response:
        if access.has_token(request.headers):
            return Response(index, media_type="text/html")
        if not access.is_token(request.query_params.get("token", "")):
            return PlainTextResponse("the token is missing: open the page as /?token=TOKEN", 401)
        response = RedirectResponse("/", 303)
        response.set_cookie(COOKIE, settings.token or "", httponly=True, samesite="strict")
        return response

    async def connect(socket: WebSocket) -> None:
        if feed.viewers >= MOST_VIEWERS:
            await socket.close(1013, "too many viewers")
            return
        await Viewer(socket, feed, control, greeting, read_only=read_only).serve(settings.rate)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        fetching = asyncio.create_task(feed.run())
        yield
        fetching.cancel()
        control.close()

    routes = [Route("/", page), WebSocketRoute("/socket", connect), Mount("/static", StaticFiles(directory=_STATIC))]
    return Gatekeeper(Starlette(routes=routes, lifespan=lifespan), access)


def _with_headers(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(_HEADERS)
        await send(message)

    return wrapped


async def _serve(rings: Rings, listener: socket.socket, told: dict[str, Any]) -> None:
    facts, path = told.pop("facts"), told.pop("control")
    settings = CockpitSettings.model_validate(told)
    control = Control(None if path is None else Path(path))
    config = uvicorn.Config(
        application(settings, Feed(rings, control), control, facts),
        ws="websockets-sansio",
        ws_max_size=wire.LONGEST,
        ws_max_queue=8,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_FAREWELL,
        log_config=None,
        log_level="critical",  # a viewer that does not say goodbye is no news
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )
    server = uvicorn.Server(config)

    def end() -> None:
        server.should_exit = True
        loop.remove_reader(sys.stdin.fileno())

    loop = asyncio.get_running_loop()
    loop.add_reader(sys.stdin.fileno(), end)
    await server.serve(sockets=[listener])


def main(rings: int, listener: int) -> None:
    """Serves until the daemon is gone."""
    signal.pthread_sigmask(signal.SIG_BLOCK, KEPT_AWAY)
    become_ordinary()
    told = json.loads(sys.stdin.buffer.readline())
    asyncio.run(_serve(Rings(rings), socket.socket(fileno=listener), told))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
