"""One open page: receives what changes, and has its commands carried out.

When a page closes, everything that it holds is released: no pedal stays pressed by a closed window. A viewer that reads
messages slowly gets fewer of them, and only the newest.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from hilbridge.base.common.token_bucket import TokenBucket
from hilbridge.base.common.units import SECOND
from hilbridge.faces.cockpit import wire
from hilbridge.faces.cockpit.command_router import CommandRouter
from hilbridge.faces.cockpit.feed import Feed

COMMANDS_PER_SECOND: Final = 240
"""[1/s] Commands that a page may send, on average and in one burst; three axes of a wheel with pedals make 90."""

_POLICY_VIOLATION: Final = 1008
"""Close code of RFC 6455 for a policy violation."""


def command_allowance() -> TokenBucket:
    """Return the bucket of one page's commands; its times are in ns."""
    return TokenBucket(COMMANDS_PER_SECOND, 1, SECOND // COMMANDS_PER_SECOND)


class Viewer:
    """A connected page. `greet` makes the first message, and one after each reload; `router` carries out commands."""

    def __init__(self, socket: WebSocket, feed: Feed, router: CommandRouter, greet: Callable[[], str]) -> None:
        self._socket: Final = socket
        self._feed: Final = feed
        self._router: Final = router
        self._greet: Final = greet

    async def serve(self, rate: int) -> None:
        """Serve the page until it closes; `rate` [Hz] of snapshots."""
        await self._socket.accept()
        self._feed.viewers += 1
        client = self._socket.client
        self._router.roster.join(self, "?" if client is None else client.host)
        showing = asyncio.create_task(self._show(1.0 / rate))
        try:
            await self._listen()
        except WebSocketDisconnect:
            pass
        finally:
            showing.cancel()
            self._feed.viewers -= 1
            await self._router.close(self)

    async def _show(self, period: float) -> None:
        try:
            shown, seen, known, setups = b"", -1, -1, -1
            sent: Sequence[str] = ()
            needles = ""
            roster = self._router.roster
            while True:
                if self._feed.setups != setups:
                    setups = self._feed.setups
                    await self._socket.send_text(self._greet())
                if roster.changes != known:
                    known = roster.changes
                    await self._socket.send_text(wire.viewers(roster.view(self)))
                content = self._feed.snapshot()
                if content is not None and content != shown:
                    shown = content
                    await self._socket.send_bytes(content)
                needles = await self._renew(needles, self._feed.needles)
                if self._feed.round != seen:
                    seen = self._feed.round
                    messages = self._feed.messages
                    for message in messages:
                        if message not in sent:
                            await self._socket.send_text(message)
                    sent = messages
                await asyncio.sleep(period)
        except (WebSocketDisconnect, RuntimeError):  # closed during a write; _listen notices as well
            return

    async def _renew(self, sent: str, newest: str) -> str:
        """Send a message that is another than the one sent last, if there is one; return it."""
        if newest and newest != sent:
            await self._socket.send_text(newest)
        return newest

    async def _listen(self) -> None:
        allowance = command_allowance()
        while True:
            text = await self._socket.receive_text()
            try:
                request = wire.parse(text)
            except wire.MessageError:
                await self._socket.close(_POLICY_VIOLATION)
                return
            if not allowance.take(time.monotonic_ns()):
                await self._socket.close(_POLICY_VIOLATION)
                return
            await self._socket.send_text(wire.answer(request.number, await self._router.execute(self, request.command)))
