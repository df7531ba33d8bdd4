"""What an interpreter and all that it does work with."""

from collections.abc import Callable
from dataclasses import dataclass, field

from hilbridge.diagnostics.elm327.connector import Connector
from hilbridge.diagnostics.elm327.protocols import Selection
from hilbridge.diagnostics.elm327.setup import Setup
from hilbridge.diagnostics.elm327.timing import AdaptiveTiming


@dataclass(slots=True)
class Session:
    """One client's options, protocol and times, the car it is plugged into, and where lines for it go."""

    connector: Connector
    show: Callable[[str], None]
    setup: Setup = field(default_factory=Setup)
    selection: Selection = field(default_factory=Selection)
    timing: AdaptiveTiming = field(default_factory=AdaptiveTiming)
