"""The store of trouble codes as J1939 sees it.

    active              confirmed, and the last test failed
    previously active   confirmed, and the last test passed
    malfunction lamp    as the store says: for emission-related codes
    amber warning lamp  an active code that has nothing to do with emissions

Codes without an SPN do not appear. Red stop and protect lamp stay off: the codes do not tell how grave they are.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Protocol

from hilbridge.diagnostics.dtc.trouble import Trouble
from hilbridge.diagnostics.j1939.diagnostic_messages import Fault, Lamps


class Store(Protocol):
    """What is needed of a `TroubleStore`."""

    changes: int
    indicator: bool

    @property
    def troubles(self) -> Mapping[str, Trouble]: ...

    def clear(self, codes: Iterable[str] | None = None) -> None: ...


class StoredTroubles:
    """The `Troubles` of one control unit."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store

    @property
    def changes(self) -> int:
        return self._store.changes

    def active(self) -> list[Fault]:
        return [fault for fault in map(_fault, self._confirmed(failing=True).values()) if fault is not None]

    def previously_active(self) -> list[Fault]:
        return [fault for fault in map(_fault, self._confirmed(failing=False).values()) if fault is not None]

    def lamps(self) -> Lamps:
        warning = any(not trouble.code.emission for trouble in self._confirmed(failing=True).values())
        return Lamps(malfunction=self._store.indicator, warning=warning)

    def clear_active(self, t: int) -> bool:
        """DM11. It is never refused."""
        self._store.clear(list(self._confirmed(failing=True)))
        return True

    def clear_previously_active(self, t: int) -> bool:
        """DM3. It is never refused."""
        self._store.clear(list(self._confirmed(failing=False)))
        return True

    def _confirmed(self, *, failing: bool) -> dict[str, Trouble]:
        return {
            name: trouble
            for name, trouble in self._store.troubles.items()
            if trouble.confirmed and trouble.failing == failing
        }


def _fault(trouble: Trouble) -> Fault | None:
    code = trouble.code
    return None if code.spn is None else Fault(code.spn, code.fmi, trouble.occurrences)
