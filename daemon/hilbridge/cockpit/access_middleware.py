"""ASGI middleware before every page and WebSocket: applies the access rules, and adds the security headers."""

from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from hilbridge.cockpit.access import Access

REMEDY: Final = "the token is missing: open the page as /?token=TOKEN"

_HARMLESS: Final = ("GET", "HEAD")
"""Methods that another site may cause a browser to use; a WebSocket has no method."""

_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""Nothing is loaded from outside, and no other site may frame the page."""


class AccessMiddleware:
    """Refuse what `access` does not allow, before anything else is done."""

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
        elif scope.get("method") not in _HARMLESS and not self._access.is_own_origin(headers):
            reason, status = "only the page itself may connect", 403
        elif scope["path"] != "/" and not self._access.has_token(headers):
            reason, status = REMEDY, 401
        else:
            await self._app(scope, receive, _with_headers(send))
            return
        if scope["type"] == "websocket":
            await WebSocket(scope, receive, send).close(1008, reason)  # before it is accepted: HTTP 403
        else:
            await PlainTextResponse(reason, status)(scope, receive, _with_headers(send))


def _with_headers(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(_HEADERS)
        await send(message)

    return wrapped
