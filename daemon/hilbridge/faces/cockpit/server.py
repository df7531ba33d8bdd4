"""The cockpit process: serves the pages and their WebSocket.

    python -m hilbridge.faces.cockpit.server RINGS ARCHIVE LISTENER

All three are descriptors. A line of JSON on standard input has everything else (setup_message.py), and each reload
sends another one. The process ends when standard input does, so the page never outlives the tick process.
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
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from hilbridge.base.common.lean_imports import lean_imports
from hilbridge.base.process.child_process import DAEMON_SIGNALS
from hilbridge.base.process.scheduling import become_ordinary
from hilbridge.boundary.observe.bench_archive import BenchArchive
from hilbridge.boundary.observe.events import About
from hilbridge.boundary.observe.rings import Rings
from hilbridge.faces.cockpit import wire
from hilbridge.faces.cockpit.access import Access, AccessMiddleware
from hilbridge.faces.cockpit.command_router import CommandRouter
from hilbridge.faces.cockpit.control import ControlClient
from hilbridge.faces.cockpit.feed import Feed
from hilbridge.faces.cockpit.library import Library
from hilbridge.faces.cockpit.overrides import PageOverrides
from hilbridge.faces.cockpit.recordings import Recordings, recording_routes
from hilbridge.faces.cockpit.roster import Roster
from hilbridge.faces.cockpit.setup_message import SetupReader
from hilbridge.faces.cockpit.viewer import Viewer
from hilbridge.faces.cockpit.workshop import Workshop
from hilbridge.faces.cockpit.workshop_pages import drive_routes, workshop_routes

MOST_VIEWERS: Final = 16
"""Viewers that are served at a time."""

_STATIC: Final = Path(__file__).parent / "static"
_MOST_CONNECTIONS: Final = 128
_PING: Final = 2.0
"""[s] Interval of pings; a silent browser counts as gone after three of them, and its overrides are released."""
_FAREWELL: Final = 1
"""[s] Time for connections to close."""


def application(feed: Feed, control: ControlClient, rings: Rings, setup: SetupReader) -> ASGIApp:
    """Return the web application: pages, WebSocket, and the access rules around them."""
    settings, files = setup.newest.settings, setup.newest.files
    access = Access(loopback=settings.is_loopback, token=setup.newest.token, hosts=tuple(settings.hosts))
    read_only = settings.read_only or not control.is_available
    roster = Roster()
    overrides = PageOverrides(control, roster, About.decode(rings.about).pace)
    library = Library(None if files.folder is None else Path(files.folder))
    workshop = Workshop(None if files.vehicle is None else Path(files.vehicle))
    router = CommandRouter(
        control, roster, overrides, library, None if files.bench is None else Path(files.bench), read_only=read_only
    )

    async def page(_request: Request) -> Response:
        return FileResponse(_STATIC / "index.html")

    async def past(_request: Request) -> Response:
        return Response(feed.history.to_bytes(), media_type="application/octet-stream")

    async def connect(socket: WebSocket) -> None:
        if feed.viewers >= MOST_VIEWERS:
            await socket.close(1013, "too many viewers")
            return

        def greet() -> str:
            return wire.hello(setup.newest.facts, library.names(), read_only=read_only, rate=settings.rate)

        await Viewer(socket, feed, router, greet).serve(settings.rate)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        works = (feed.run(), feed.remember(), feed.follow(settings.rate), overrides.run())
        tasks = [asyncio.create_task(work) for work in works]
        yield
        for task in tasks:
            task.cancel()
        control.close()

    routes = [
        Route("/", page),
        Route("/history", past),
        WebSocketRoute("/socket", connect),
        *workshop_routes(workshop, _STATIC / "workshop.html"),
        *drive_routes(workshop, control, read_only=read_only),
        *recording_routes(Recordings(rings)),
        Mount("/static", StaticFiles(directory=_STATIC)),
    ]
    return AccessMiddleware(Starlette(routes=routes, lifespan=lifespan), access)


async def _serve(rings: Rings, bench_archive: BenchArchive, listener: socket.socket, setup: SetupReader) -> None:
    control = ControlClient(setup.newest.control)
    feed = Feed(rings, control, bench_archive, About.decode(rings.about).buses)

    def adopt() -> None:
        facts = setup.newest.facts
        feed.adopt(setup.newest.bench, facts.get("custom", []), facts.get("gauges", []))

    adopt()
    config = uvicorn.Config(
        application(feed, control, rings, setup),
        ws="websockets-sansio",
        ws_max_size=wire.LONGEST,
        ws_max_queue=8,
        ws_ping_interval=_PING,
        ws_ping_timeout=2 * _PING,
        limit_concurrency=_MOST_CONNECTIONS,
        backlog=_MOST_CONNECTIONS,  # asyncio accepts so many at once: a flood of resets has to wait outside
        timeout_graceful_shutdown=_FAREWELL,
        log_config=None,
        log_level="critical",  # a viewer that vanishes is no event
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )
    server = uvicorn.Server(config)

    def take_setup() -> None:
        if setup.read():
            adopt()
        else:
            server.should_exit = True
            loop.remove_reader(setup.descriptor)

    loop = asyncio.get_running_loop()
    loop.add_reader(setup.descriptor, take_setup)
    await server.serve(sockets=[listener])


def main(rings: int, bench_archive: int, listener: int) -> None:
    """Serve until the daemon ends."""
    signal.pthread_sigmask(signal.SIG_BLOCK, DAEMON_SIGNALS)
    become_ordinary()
    lean_imports()
    setup = SetupReader(sys.stdin.fileno())
    asyncio.run(_serve(Rings(rings), BenchArchive(bench_archive), socket.socket(fileno=listener), setup))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
