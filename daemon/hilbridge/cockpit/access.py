"""Who may see the page, and who may command: decided from the headers of a request alone.

    Host      a name under which the page is really reached, so that no other site's name can be pointed here
              (DNS rebinding): loopback names at loopback; elsewhere an IP address, or a name of the bench file
    Origin    of a WebSocket: the page itself, so that no other site's script talks to the bench
    token     where the page is not on loopback: in the cookie that `/?token=` leaves, or as a bearer token

Compared in a time that does not tell how much of a token was right.
"""

import hmac
import ipaddress
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import urlsplit

COOKIE: Final = "hilbridge-cockpit"

_SCHEMES: Final = ("http", "https")
_BEARER: Final = "Bearer "


class Access:
    """The rules of one page. `token`: None where none is needed."""

    def __init__(self, *, loopback: bool, hosts: tuple[str, ...] = (), token: str | None = None) -> None:
        self._loopback: Final = loopback
        self._hosts: Final = hosts
        self._token: Final = token

    def knows_host(self, headers: Mapping[str, str]) -> bool:
        """The Host header names this page."""
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
        """The Origin header is there and names the host that was asked."""
        origin = headers.get("origin", "")
        return any(origin == f"{scheme}://{headers.get('host', '')}" for scheme in _SCHEMES)

    def has_token(self, headers: Mapping[str, str]) -> bool:
        """The cookie or the Authorization header holds the token; where none is needed, always."""
        if self._token is None:
            return True
        bearer = headers.get("authorization", "")
        if bearer.startswith(_BEARER):
            return self.is_token(bearer.removeprefix(_BEARER))
        return self.is_token(_cookie(headers.get("cookie", "")))

    def is_token(self, text: str) -> bool:
        """It is the token."""
        return self._token is not None and hmac.compare_digest(text.encode(), self._token.encode())


def _host_name(host: str) -> str | None:
    """The name of a Host header, without port and brackets; None for what is no host."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # ValueError for one that no port can be
    except ValueError:
        return None
    return parts.hostname if parts.netloc == host and "@" not in host else None


def _cookie(header: str) -> str:
    try:
        morsel = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return "" if morsel is None else morsel.value
