"""The lines that begin and end every drafted bench file: its name, the access to its bus, its driver."""

from typing import Final, NamedTuple
from zlib import crc32

from hilbridge.files.configuration.yamltext import quoted_text

HIGHEST_RATE: Final = 1000
"""[ticks/s]"""

_FIRST_PORT: Final = 28_000
_PORTS: Final = 1000
"""TCP ports of drafts, below those that Linux gives to clients."""

DRIVER_LINES: Final = (
    "",
    "inputs:",
    "  - source: demo-driver         # until you have pedals: see config/reference/inputs.md",
    "",
)


class BusAccess(NamedTuple):
    """How the bus of a draft is reached: an interface with its channel, or embedded with a port for SLCAN."""

    interface: str = "embedded"
    channel: str | None = None
    bitrate: int | None = None


def head_lines(name: str, vehicle: str | None = None, rate: int = HIGHEST_RATE) -> list[str]:
    """Return the first keys of a bench file; without a vehicle the compact car, to be exchanged."""
    why = "" if rate == HIGHEST_RATE else "; what its frames need, and a fraction of the work of 1000"
    other = "vehicle: compact                # or another one, or your own: see config/vehicles"
    return [
        f"name: {quoted_text(name)}",
        f"rate: {rate:<26}# ticks per second{why}",
        other if vehicle is None else f"vehicle: {quoted_text(vehicle)}",
        "",
        "buses:",
    ]


def access_lines(access: BusAccess, name: str, usual: int | None = None) -> list[str]:
    """Return the keys of the bus that say how it is reached, and its bit rate where anything names it.

    The port follows from the name of the bench, so that drafts run side by side.
    """
    if access.interface == "embedded":
        port = _FIRST_PORT + crc32(name.encode()) % _PORTS
        lines = [
            "    interface: embedded         # on wires: socketcan, and `channel: can0` in place of the next line",
            f"    slcan: {port}                # a TCP port of loopback where python-can programs join the bus",
        ]
    else:
        lines = [
            f"    interface: {quoted_text(access.interface)}",
            f"    channel: {quoted_text(access.channel or 'can0')}",
        ]
    rate = access.bitrate or usual
    return [
        *lines,
        f"    bitrate: {rate}" if rate else "    # bitrate: 500000           # for `check` to tell the load",
    ]
