"""What the server needs of the control unit around it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from hilbridge.diagnostics.dtc.trouble import Trouble
from vehiclesim.databus import DataBus


class TroubleMemory(Protocol):
    """The store of trouble codes."""

    recording: bool
    """Off: test results change nothing (service 85)."""

    @property
    def troubles(self) -> Mapping[str, Trouble]:
        """All codes that the control unit knows, by their J2012 form."""

    def clear(self, codes: Iterable[str] | None = None) -> None:
        """Forgets some codes, or all."""


class EntryOverrides(Protocol):
    """Entries of the data bus held over all other sources; ConfigurationError where that cannot be."""

    def set(self, entry: str, value: float, until: int | None = None) -> None:
        """Holds an entry, in its unit, until it is released (or a time [ns])."""

    def release(self, entry: str) -> None:
        """Gives it back."""


class NormalCommunication(Protocol):
    """The frames that the control unit sends beside diagnostics."""

    def set_normal_transmission(self, enabled: bool) -> None:
        """Sends them, or is silent."""


@dataclass(frozen=True, slots=True)
class ControlUnit:
    """What a tester reaches through the server.

    `read_pid`: the data bytes of OBD-II service 01, None where not supported. `reset`: called with 1 for a hard reset,
    2 for key off and on, 3 for a soft one; process and vehicle go on, but whoever keeps diagnostic state forgets it.
    """

    data: DataBus
    troubles: TroubleMemory
    overrides: EntryOverrides
    communication: NormalCommunication
    read_pid: Callable[[int], bytes | None]
    reset: Callable[[int], None]
    vin: str | None = None
    seed: int = 0
    """Of the bench: seeds of security access come from it."""
