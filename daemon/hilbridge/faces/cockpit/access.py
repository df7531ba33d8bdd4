"""Rules of access to the page, decided from the headers of a request alone.

    Host      a name of the page itself, so that another site's name cannot be made to point here (DNS
              rebinding): loopback names at loopback; elsewhere an IP address, or a name of the bench file
    Origin    of a WebSocket: the page itself, so that no other site's script talks to the bench
    token     that of the bench (page_token.py), so that other users of this machine cannot come in: in the
              cookie that an address with `?token=` leaves, or as a bearer token

Tokens are compared in constant time. The middleware applies the rules before every page and WebSocket.
"""

import hmac
import ipaddress
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

_COOKIE: Final = "hilbridge-cockpit"
"""With the port behind it: a browser keeps cookies by host, and benches that run side by side have a page each."""

_SCHEMES: Final = ("http", "https")
_BEARER: Final = "Bearer "

REMEDY: Final = (
    "the token is missing, or of another bench: open the address that `hilbridge ctl status` prints, or "
    "`hilbridge service` where no bench runs, or /?token=TOKEN"
)

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


class Access:
    """The access rules of one page."""

    def __init__(self, *, loopback: bool, token: str, hosts: tuple[str, ...] = ()) -> None:
        self._loopback: Final = loopback
        self._hosts: Final = hosts
        self._token: Final = token

    def knows_host(self, headers: Mapping[str, str]) -> bool:
        """Return whether the Host header names this page."""
        name = _host_name(headers.get("host", ""))
        if name is None:
            return False
        if name == "localhost":
            return self._loopback
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return name in self._hosts and not self._loopback
        return address.is_loopback or not self._loopback

    def is_own_origin(self, headers: Mapping[str, str]) -> bool:
        """Return whether there is an Origin header that names the requested host."""
        origin = headers.get("origin", "")
        return any(origin == f"{scheme}://{headers.get('host', '')}" for scheme in _SCHEMES)

    def has_token(self, headers: Mapping[str, str]) -> bool:
        """Return whether the cookie or the Authorization header carries the token."""
        bearer = headers.get("authorization", "")
        if bearer.startswith(_BEARER):
            return self.is_token(bearer.removeprefix(_BEARER))
        return self.is_token(_cookie(headers))

    def is_token(self, text: str) -> bool:
        """Return whether `text` is the token."""
        return hmac.compare_digest(text.encode(), self._token.encode())

    def admission(self, scope: Scope) -> Response | None:
        """Return what leaves the cookie and leads to the page without the token; None: the address has none."""
        if scope.get("method") not in _HARMLESS:
            return None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[-1]
        if not self.is_token(given):
            return None
        response = RedirectResponse(f"/{scope['path'].lstrip('/')}", 303)
        name = cookie_name(HTTPConnection(scope).headers)
        response.set_cookie(name, given, httponly=True, samesite="strict")
        return response


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
        elif (admission := self._access.admission(scope)) is not None:
            await admission(scope, receive, _with_headers(send))
            return
        elif not self._access.has_token(headers):
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


def cookie_name(headers: Mapping[str, str]) -> str:
    """Return the name of the cookie for the host of a request."""
    return f"{_COOKIE}-{urlsplit('//' + headers.get('host', '')).port or 80}"


def _host_name(host: str) -> str | None:
    """Return the name in a Host header, without port and brackets; None where it is malformed."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # ValueError: not a port number
    except ValueError:
        return None
    return parts.hostname if parts.netloc == host and "@" not in host else None


def _cookie(headers: Mapping[str, str]) -> str:
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(cookie_name(headers))
    except CookieError:
        return ""
    return "" if morsel is None else morsel.value
