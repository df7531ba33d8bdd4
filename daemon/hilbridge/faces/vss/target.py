"""Where a databroker is, and how it may be reached: on loopback, elsewhere by TLS, a token never in clear text."""

import ipaddress
import os
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.base.common.addresses import LOOPBACK, is_loopback
from hilbridge.base.common.errors import ConfigurationError, quoted

PORT: Final = 55555
"""Databroker's own."""

NO_PROXY: Final = "no_grpc_proxy"
"""The variable by which gRPC knows hosts that need no proxy, in small letters."""

_LONGEST_TOKEN: Final = 1 << 14
_LONGEST_HOST: Final = 253
"""[characters] of a name of DNS, RFC 1035."""


class Target(NamedTuple):
    """A databroker. `root`: certificates that its own must come from, for TLS; `name`: the name in that, if another."""

    host: str = LOOPBACK
    port: int = PORT
    root: Path | None = None
    name: str | None = None
    token: str | None = None

    @property
    def is_here(self) -> bool:
        """Whether only this machine is spoken to."""
        try:
            return is_loopback(self.host)
        except ValueError:
            return self.host == "localhost"

    @property
    def grpc_host(self) -> str:
        """The host as gRPC has it before a port: an address of IPv6 in brackets."""
        return f"[{self.host}]" if ":" in self.host else self.host

    def __str__(self) -> str:
        return f"{self.grpc_host}:{self.port}"


def target(
    address: str, *, remote: bool, root: Path | None = None, name: str | None = None, token: Path | None = None
) -> Target:
    """Return the databroker at HOST, HOST:PORT or [IPv6]:PORT, with the token that a file has.

    ConfigurationError: no such address; one beyond loopback without `remote`; a token that would go over a network in
    clear text; a file that cannot be read.
    """
    host, port = _split(address)
    found = Target(host, port, root, name, None if token is None else _read_token(token))
    if not found.is_here and not remote:
        raise ConfigurationError(f"{quoted(host)} is not this machine: `--remote` lets the values leave it")
    if not found.is_here and root is None and found.token is not None:
        raise ConfigurationError("a token goes over a network by TLS alone: give the certificates with `--tls FILE`")
    if name is not None and root is None:
        raise ConfigurationError("`--tls-name` needs `--tls FILE`")
    if root is not None:
        _require(root)
    return found


def keep_off_proxies(found: Target) -> None:
    """Keep gRPC from asking a proxy of the environment for an address of this machine."""
    if found.is_here:
        os.environ[NO_PROXY] = ",".join(filter(None, (os.environ.get(NO_PROXY), found.host)))


def _split(address: str) -> tuple[str, int]:
    if address.startswith("["):
        host, bracket, port = address[1:].partition("]")
        port = port.removeprefix(":") if bracket else "?"
    elif address.count(":") > 1:
        host, port = address, ""
    else:
        host, _, port = address.partition(":")
    number = int(port) if port.isascii() and port.isdecimal() else 0 if port else PORT
    if not 1 <= number <= 0xFFFF or not _is_host(host):
        raise ConfigurationError(f"{quoted(address)} is no address: HOST:PORT, such as {LOOPBACK}:{PORT}")
    return host, number


def _is_host(host: str) -> bool:
    """Return whether it is an IP address or a name; gRPC would take a scheme or a path of a socket too."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        letters = host.replace("-", "").replace(".", "")
        return letters.isascii() and letters.isalnum() and len(host) <= _LONGEST_HOST
    return True


def _read_token(path: Path) -> str:
    try:
        with path.open(encoding="ascii") as file:
            text = file.read(_LONGEST_TOKEN + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not ASCII"
        raise ConfigurationError(f"{path}: {reason}") from None
    token = text.strip()
    if not token or len(text) > _LONGEST_TOKEN or not token.isprintable() or " " in token:
        raise ConfigurationError(f"{path}: no token: one word, of {_LONGEST_TOKEN} characters at most")
    return token


def _require(path: Path) -> None:
    try:
        with path.open("rb"):
            return
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror}") from None
