"""The benches that run on this machine, for an assistant: those whose control sockets lie in the usual folders."""

from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control.socket_paths import running_sockets
from hilbridge.client.sync_client import Client
from hilbridge.faces.mcp.tool import Arguments

MOST_BENCHES: Final = 20
"""Benches in one answer: one that hangs is waited for."""


def list_benches(_bench: None, _given: Arguments, _by: str) -> dict[str, Any]:
    """Return the benches, each by the name under which it is found; one that does not answer with the reason."""
    sockets = running_sockets()
    return {"benches": [*map(_facts, sockets[:MOST_BENCHES])], "left_out": max(0, len(sockets) - MOST_BENCHES)}


def _facts(path: Path) -> dict[str, Any]:
    try:
        with Client(path) as bench:
            answer = bench.status("scenario")
            known = {key: answer[key] for key in ("vehicle", "rate_hz", "time", "scenario")}
    except ConfigurationError as error:
        return {"bench": path.stem, "trouble": str(error)}
    return {"bench": path.stem, **known}
