"""The ports of a daemon under measurement, found in its log."""

import re
import socket

from hilbridge.runs.benchmarks.daemon import Daemon
from hilbridge.runs.benchmarks.result import UnavailableError


def slcan_port(daemon: Daemon, bus: str) -> int:
    """Return the TCP port of a bus on loopback."""
    for record in daemon.records("bus open"):
        found = re.search(r"127\.0\.0\.1:(\d+)", record["link"])
        if record["bus"] == bus and found:
            return int(found[1])
    raise UnavailableError(f"bus {bus} has no TCP port")


def slcan_terminal(daemon: Daemon, bus: str) -> str:
    """Return the name of the pseudo terminal of a bus for SLCAN programs."""
    for record in daemon.records("bus open"):
        found = re.search(r"/dev/pts/\d+", record["link"])
        if record["bus"] == bus and found:
            return found[0]
    raise UnavailableError(f"bus {bus} has no pseudo terminal")


def socketcand_port(daemon: Daemon, bus: str) -> int:
    """Return the TCP port of a bus on loopback for socketcand programs."""
    for record in daemon.records("bus open"):
        found = re.search(r"socketcand on socket://127\.0\.0\.1:(\d+)", record["link"])
        if record["bus"] == bus and found:
            return int(found[1])
    raise UnavailableError(f"bus {bus} has no port for socketcand")


def doip_port(daemon: Daemon) -> int:
    """Return the port of the DoIP entity on loopback."""
    for record in daemon.records("DoIP port open"):
        return int(record["port"].rsplit(":", 1)[1])
    raise UnavailableError("the bench has no DoIP entity")


def pedal_port(daemon: Daemon) -> str:
    """Return the name of the pseudo terminal for pedals."""
    for record in daemon.records("pedal port open"):
        if record["port"].startswith("pseudo terminal "):
            return str(record["port"].split()[-1])
    raise UnavailableError("the bench has no pseudo terminal for pedals")


def scan_tool_port(daemon: Daemon) -> int:
    """Return the TCP port of the ELM327 on loopback."""
    for record in daemon.records("scan tool port open"):
        if found := re.search(r"127\.0\.0\.1:(\d+)", record["port"]):
            return int(found[1])
    raise UnavailableError("the bench has no TCP port for scan tools")


def scan_tool_terminal(daemon: Daemon) -> str:
    """Return the name of the ELM327's pseudo terminal."""
    for record in daemon.records("scan tool port open"):
        if found := re.search(r"/dev/pts/\d+", record["port"]):
            return found[0]
    raise UnavailableError("the bench has no pseudo terminal for scan tools")


def xcp_port(daemon: Daemon) -> int:
    """Return the TCP port of the XCP slave on loopback."""
    for record in daemon.records("XCP"):
        return int(record["where"].rpartition(":")[2])
    raise UnavailableError("the bench has no slave of XCP")


def page_address(daemon: Daemon) -> str:
    """Return the URL of the cockpit."""
    for record in daemon.records("cockpit"):
        return str(record["url"])
    raise UnavailableError("the daemon has no page")


def pseudo_terminals(daemon: Daemon, event: str) -> list[str]:
    """Return the names of the pseudo terminals of this event in the log, in their order."""
    ports = [str(record["port"]) for record in daemon.records(event)]
    return [port.removeprefix("pseudo terminal ") for port in ports if port.startswith("pseudo terminal ")]


def game_port(daemon: Daemon) -> int:
    """Return the UDP port on loopback where datagrams of a game are read."""
    for record in daemon.records("telemetry port open"):
        if found := re.match(r"UDP port (\d+) ", record["port"]):
            return int(found[1])
    raise UnavailableError("the bench has no port for a game")


def free_port(kind: socket.SocketKind) -> int:
    """Return a port of loopback that nobody listens to now."""
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
