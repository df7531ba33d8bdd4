"""The key expressions of a bench on the fabric. All payloads are JSON in UTF-8.

| key | is | content |
|---|---|---|
| `hilbridge/BENCH/alive/SESSION` | a liveliness token | there while the bench is up |
| `hilbridge/BENCH/summary` | answers | what the bench is, who may do what, ticks; costs the tick nothing |
| `hilbridge/BENCH/command` | answers | the payload is a command of the control socket, the reply its answer |
| `hilbridge/BENCH/entries/ENTRY` | published, answers | `{"time", "value", "unit"}` of a value of the data bus |
| `hilbridge/BENCH/bus/BUS` | published | `{"time", "frames"}`: the newest frame of each identifier, twice a second |
| `hilbridge/BENCH/log` | published | a line of the log: `{"time", "level", "event", ...}` |
| `hilbridge/BENCH/status` | published | the status as `hilbridge ctl --json status` prints it, once a second |
| `hilbridge/BENCH/verdicts` | published | those of the scenario, when they have changed |

Values are published when they have changed: a listener asks for the entries first. Nothing is published, or asked of
the tick, while nobody listens.
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
