"""One open page: shows it what changes, and does what it asks.

Everything that a page holds it gives back when it goes: nobody's foot stays on the pedal of a closed window. A viewer
that takes messages slowly gets fewer of them, and only the newest.
"""

import asyncio
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from hilbridge.cockpit import wire
from hilbridge.cockpit.command_router import CommandRouter
from hilbridge.cockpit.feed import Feed

_PER_SECOND: Final = 240.0
"""Commands that a page may send at length, and at once; a hand on pedal, clutch and wheel makes 90."""
_TOO_MANY: Final = 1008
"""Close code of RFC 6455 for a message against the rules."""


class Allowance:
    """A bucket of commands that fills with time: `take` says whether one is left at `now` [s]."""

    def __init__(self, now: float) -> None:
        self._left = _PER_SECOND
        self._now = now

    def take(self, now: float) -> bool:
        self._left = min(self._left + (now - self._now) * _PER_SECOND, _PER_SECOND)
        self._now = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


class Viewer:
    """`greeting` is the page's first message; its commands go to the `desk`."""

    def __init__(self, socket: WebSocket, feed: Feed, desk: CommandRouter, greeting: str) -> None:
        self._socket: Final = socket
        self._feed: Final = feed
        self._desk: Final = desk
        self._greeting: Final = greeting

    async def serve(self, rate: int) -> None:
        """Until the page goes."""
        await self._socket.accept()
        self._feed.viewers += 1
        showing = asyncio.create_task(self._show(1.0 / rate))
        try:
            await self._listen()
        except WebSocketDisconnect:
            pass
        finally:
            showing.cancel()
            self._feed.viewers -= 1
            await self._desk.overrides.leave(self)

    async def _show(self, period: float) -> None:
        try:
            await self._socket.send_text(self._greeting)
            shown, seen = b"", -1
            while True:
                content = self._feed.snapshot()
                if content is not None and content != shown:
                    shown = content
                    await self._socket.send_bytes(content)
                if self._feed.round != seen:
                    seen = self._feed.round
                    for message in self._feed.news:
                        await self._socket.send_text(message)
                await asyncio.sleep(period)
        except (WebSocketDisconnect, RuntimeError):  # gone while it was written to; _listen notices as well
            return

    async def _listen(self) -> None:
        now = asyncio.get_running_loop().time
        allowance = Allowance(now())
        while True:
            text = await self._socket.receive_text()
            try:
                wish = wire.parse(text)
            except wire.MessageError:
                await self._socket.close(_TOO_MANY)
                return
            if not allowance.take(now()):
                await self._socket.close(_TOO_MANY)
                return
            await self._socket.send_text(wire.answer(wish.number, await self._desk.obey(self, wish.command)))
