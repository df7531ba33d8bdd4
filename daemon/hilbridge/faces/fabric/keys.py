"""The key expressions of a bench on the fabric, `hilbridge/BENCH/...`; docs/guides/lab.md has what each carries.

All payloads are JSON in UTF-8. Values are published when they have changed: a listener asks for the entries first.
Nothing is published, or asked of the tick, while no one listens.
"""

from typing import Final

PREFIX: Final = "hilbridge"

ALIVE: Final = "alive"
SUMMARY: Final = "summary"
COMMAND: Final = "command"
ENTRIES: Final = "entries"
BUS: Final = "bus"
LOG: Final = "log"
STATUS: Final = "status"
VERDICTS: Final = "verdicts"


def key_of(bench: str, *parts: str) -> str:
    """Return a key expression of a bench; `*` for a bench: of each."""
    return "/".join((PREFIX, bench, *parts))


def bench_of(key: str) -> str:
    """Return the bench of a key."""
    return key.split("/")[1]
