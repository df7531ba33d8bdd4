"""The clients of a running bench: what `hilbridge ctl` does, for programs of one's own.

    from hilbridge.client import Client

    with Client() as bench:                                   # the only one that runs; or its name, or a socket's path
        bench.set("input.Key", 1)
        bench.wait_until("vehicle.EngineRpm > 500", timeout=5)
        print(bench.get("auxiliary.CoolantTemperature"))

`AsyncClient` has the same methods as coroutines, `hilbridge.testing.VirtualBench` and `RealBench` have them in tests:
`AnyClient` is what a script for any of them takes. Every refusal is a ConfigurationError with the daemon's reason; its
subclass UnreachableError says that no daemon answers.
"""

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from hilbridge.base.common.errors import ConfigurationError
    from hilbridge.client.async_client import AsyncClient
    from hilbridge.client.sync_client import AnyClient, Client
    from hilbridge.client.talks import EntryValue, UnreachableError, Values

__all__ = ["AnyClient", "AsyncClient", "Client", "ConfigurationError", "EntryValue", "UnreachableError", "Values"]

_HOMES: Final = {
    "AnyClient": "hilbridge.client.sync_client",
    "AsyncClient": "hilbridge.client.async_client",
    "Client": "hilbridge.client.sync_client",
    "ConfigurationError": "hilbridge.base.common.errors",
    "EntryValue": "hilbridge.client.talks",
    "UnreachableError": "hilbridge.client.talks",
    "Values": "hilbridge.client.talks",
}


def __getattr__(name: str) -> Any:
    """Import on demand: `hilbridge ctl` has no use for asyncio."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
