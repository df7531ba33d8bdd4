"""The address of a page as another machine reaches it, and as a QR code on a terminal, for a phone."""

import io
import ipaddress
import socket
from importlib.util import find_spec
from typing import Final
from urllib.parse import urlsplit

ROWS: Final = 30
"""A terminal has at least so many rows for a code and what is around it."""

_WHITE_ON_BLACK: Final = "\x1b[97;40m"
"""A code is dark on light, whatever colours the terminal has."""
_AS_BEFORE: Final = "\x1b[0m"

_ELSEWHERE: Final = {4: "192.0.2.1", 6: "2001:db8::1"}
"""Addresses of documentation (RFC 5737, RFC 3849), to ask the kernel which own address leads outside."""


def reachable(url: str) -> str | None:
    """Return the address as other machines reach it; None where it is this machine's alone.

    A page that listens on all networks has the address in place of 0.0.0.0 or :: that leads to the default route. No
    packet is sent.
    """
    parts = urlsplit(url)
    host = ipaddress.ip_address(parts.hostname or "")
    if host.is_loopback:
        return None
    if not host.is_unspecified:
        return url
    family = socket.AF_INET6 if host.version == 6 else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((_ELSEWHERE[host.version], 9))
            own = str(probe.getsockname()[0])
    except OSError:
        return None
    bare = f"[{own}]" if host.version == 6 else own
    return parts._replace(netloc=f"{bare}:{parts.port}").geturl()


def qr_code(url: str) -> str | None:
    """Return an address as a QR code (ISO/IEC 18004) of half blocks, for a terminal with UTF-8; None: segno lacks."""
    if find_spec("segno") is None:
        return None
    import segno

    text = io.StringIO()
    segno.make(url, error="l", micro=False).terminal(text, border=2, compact=True)
    return "".join(f"{_WHITE_ON_BLACK}{line}{_AS_BEFORE}\n" for line in text.getvalue().splitlines())
