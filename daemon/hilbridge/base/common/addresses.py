"""Addresses of this machine and of others."""

import ipaddress
from collections.abc import Collection
from typing import Final

LOOPBACK: Final = "127.0.0.1"
"""The address that only programs of this machine reach."""


def is_loopback(address: str) -> bool:
    """Return whether only programs of this machine reach an IP address."""
    return ipaddress.ip_address(address).is_loopback


def is_wildcard(address: str) -> bool:
    """Return whether an IP address stands for all addresses of this machine."""
    return ipaddress.ip_address(address).is_unspecified


def normal(address: str) -> str:
    """Return an IP address in its one spelling: IPv6 at its shortest, an IPv4 address within IPv6 as IPv4."""
    found = ipaddress.ip_address(address)
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return str(mapped or found)


def is_among(address: str, named: Collection[str]) -> bool:
    """Return whether an IP address is among `normal` ones, of which one without a zone (%eth0) is of every zone."""
    spelled = normal(address)
    return spelled in named or spelled.partition("%")[0] in named
