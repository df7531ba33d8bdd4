"""Addresses of this machine and of others."""

import ipaddress
from typing import Final

LOOPBACK: Final = "127.0.0.1"
"""The address that only programs of this machine reach."""


def is_loopback(address: str) -> bool:
    """Return whether only programs of this machine reach an IP address."""
    return ipaddress.ip_address(address).is_loopback
