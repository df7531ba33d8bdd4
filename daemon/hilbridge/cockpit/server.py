"""The cockpit process: serves the pages and their WebSocket.

    python -m hilbridge.cockpit.server RINGS DOSSIER LISTENER

All are descriptors; a line of JSON on standard input says the rest (told.py), and a further one comes with each reload.
It ends when standard input does: whatever becomes of the tick process, its page goes with it.
"""

import asyncio
import contextlib
import signal
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from hilbridge.cockpit import wire
from hilbridge.cockpit.access import COOKIE, Access
from hilbridge.cockpit.access_middleware import REMEDY, AccessMiddleware
from hilbridge.cockpit.command_router import CommandRouter
from hilbridge.cockpit.control import Control
from hilbridge.cockpit.feed import Feed
from hilbridge.cockpit.library import Library
from hilbridge.cockpit.overrides import Overrides
from hilbridge.cockpit.setup_message import Ears
from hilbridge.cockpit.viewer import Viewer
from hilbridge.cockpit.workshop import Workshop
from hilbridge.cockpit.workshop_pages import workshop_routes
from hilbridge.observe.bench_archive import BenchArchive
from hilbridge.observe.events import About
from hilbridge.observe.rings import Rings
from hilbridge.process.child_process import KEPT_AWAY
from hilbridge.process.scheduling import become_ordinary

MOST_VIEWERS: Final = 16

_STATIC: Final = Path(__file__).parent / "static"
_MOST_CONNECTIONS: Final = 128
_PING: Final = 2.0
"""[s] between two; a browser that has gone without a word is missed after three times as long, and lets go."""
_FAREWELL: Final = 1
"""[s] for connections to close."""


def application(feed: Feed, control: Control, rings: Rings, ears: Ears) -> ASGIApp:
    """The pages, their WebSocket, and who may have them."""
    settings, files = ears.newest.settings, ears.newest.files
    access = Access(loopback=settings.is_loopback, hosts=tuple(settings.hosts), token=settings.token)
    read_only = settings.read_only or not control.is_there
    overrides = Overrides(control, About.decode(rings.about).pace)
    library = Library(None if files.folder is None else Path(files.folder))
    desk = CommandRouter(control, overrides, library, read_only=read_only)

    async def page(request: Request) -> Response:
        if access.has_token(request.headers):
            return FileResponse(_STATIC / "index.html")
        if not access.is_token(request.query_params.get("token", "")):
            return PlainTextResponse(REMEDY, 401)
        response = RedirectResponse("/", 303)
        response.set_cookie(COOKIE, settings.token or "", httponly=True, samesite="strict")
        return response

    async def connect(socket: WebSocket) -> None:
        if feed.viewers >= MOST_VIEWERS:
            await socket.close(1013, "too many viewers")
            return
        greeting = wire.hello(ears.newest.facts, library.names(), read_only=read_only, rate=settings.rate)
        await Viewer(socket, feed, desk, greeting).serve(settings.rate)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(feed.run()), asyncio.create_task(overrides.run())]
        yield
        for task in tasks:
            task.cancel()
        control.close()

    routes = [
        Route("/", page),
        WebSocketRoute("/socket", connect),
        *workshop_routes(Workshop(None if files.vehicle is None else Path(files.vehicle)), _STATIC / "workshop.html"),
        Mount("/static", StaticFiles(directory=_STATIC)),
    ]
    return AccessMiddleware(Starlette(routes=routes, lifespan=lifespan), access)


async def _serve(rings: Rings, bench_archive: BenchArchive, listener: socket.socket, ears: Ears) -> None:
    control = Control(ears.newest.control)
    feed = Feed(rings, control, bench_archive)
    feed.bench = ears.newest.bench
    config = uvicorn.Config(
        application(feed, control, rings, ears),
        ws="websockets-sansio",
        ws_max_size=wire.LONGEST,
        ws_max_queue=8,
        ws_ping_interval=_PING,
        ws_ping_timeout=2 * _PING,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_FAREWELL,
        log_config=None,
        log_level="critical",  # a viewer that does not say goodbye is no news
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )
    server = uvicorn.Server(config)

    def hear() -> None:
        if ears.listen():
            feed.bench = ears.newest.bench
        else:
            server.should_exit = True
            loop.remove_reader(ears.descriptor)

    loop = asyncio.get_running_loop()
    loop.add_reader(ears.descriptor, hear)
    await server.serve(sockets=[listener])


def main(rings: int, bench_archive: int, listener: int) -> None:
    """Serves until the daemon is gone."""
    signal.pthread_sigmask(signal.SIG_BLOCK, KEPT_AWAY)
    sys.modules.setdefault("asammdf", None)  # type: ignore[arg-type]  # python-can would import it, and numpy with it
    become_ordinary()
    ears = Ears(sys.stdin.fileno())
    asyncio.run(_serve(Rings(rings), BenchArchive(bench_archive), socket.socket(fileno=listener), ears))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
