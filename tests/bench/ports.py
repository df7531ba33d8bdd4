"""The ports of a daemon under measurement, found in its log."""

import re

from hilbridge.benchmarks.daemon import Daemon
from hilbridge.benchmarks.result import UnavailableError


def slcan_port(daemon: Daemon, bus: str) -> int:
    """Return the TCP port of a bus on loopback."""
    for record in daemon.records("bus open"):
        found = re.search(r"127\.0\.0\.1:(\d+)", record["link"])
        if record["bus"] == bus and found:
            return int(found[1])
    raise UnavailableError(f"bus {bus} has no TCP port")


def pedal_port(daemon: Daemon) -> str:
    """Return the name of the pseudo terminal for pedals."""
    for record in daemon.records("pedal port open"):
        if record["port"].startswith("pseudo terminal "):
            return str(record["port"].split()[-1])
    raise UnavailableError("the bench has no pseudo terminal for pedals")


def scan_tool_terminal(daemon: Daemon) -> str:
    """Return the name of the ELM327's pseudo terminal."""
    for record in daemon.records("scan tool port open"):
        if found := re.search(r"/dev/pts/\d+", record["port"]):
            return found[0]
    raise UnavailableError("the bench has no pseudo terminal for scan tools")


def page_address(daemon: Daemon) -> str:
    """Return the URL of the cockpit."""
    for record in daemon.records("cockpit"):
        return str(record["url"])
    raise UnavailableError("the daemon has no page")
