"""The trouble codes of all control units of a bench, for commands and status."""

from collections.abc import Mapping
from typing import Final

from hilbridge.bench.diagnostics.dtc.store import TroubleStore
from hilbridge.bench.diagnostics.dtc.trouble import Trouble
from hilbridge.bench.diagnostics.rows import CODE_STATES, MemoryRow, TroubleRow
from hilbridge.files.settings.dtc import TestOutcome
from hilbridge.frames.codec.database import unknown


class TroubleOverview:
    """The stores of trouble codes by the name of the control unit."""

    def __init__(self, stores: Mapping[str, TroubleStore]) -> None:
        self._stores: Final = stores

    def set(self, ecu: str, code: str, result: TestOutcome, t: int) -> None:
        """Report at `t` [ns] the result of the test of a code. ConfigurationError: no such control unit or code."""
        store = self._store(ecu)
        match result:
            case "failed" | "passed":
                store.let_go(code)
                store.report(code, failed=result == "failed", t=t)
            case "held":
                store.hold(code, t)
            case "stored":
                store.confirm(code, t)

    def clear(self, ecu: str | None) -> None:
        """End held failures and clear the codes of one control unit or of all, as service 04 does.

        ConfigurationError: no such control unit.
        """
        for store in self._stores.values() if ecu is None else [self._store(ecu)]:
            store.held.clear()
            store.clear(store.troubles, readiness=True)

    def status(self) -> dict[str, MemoryRow]:
        """Return by control unit whether its malfunction indicator is on, and the stored codes."""
        return {name: _status(store) for name, store in self._stores.items()}

    def codes(self) -> dict[str, dict[str, str]]:
        """Return by control unit the text of each of its codes."""
        return {
            name: {trouble.code.j2012: trouble.code.text for trouble in store.troubles.values()}
            for name, store in self._stores.items()
        }

    def _store(self, ecu: str) -> TroubleStore:
        if ecu not in self._stores:
            raise unknown("control unit", ecu, self._stores, ())
        return self._stores[ecu]


def _status(store: TroubleStore) -> MemoryRow:
    stored = [
        _row(trouble, held=name in store.held) for name, trouble in store.troubles.items() if _is_told(store, name)
    ]
    return MemoryRow(store.indicator, stored)


def _is_told(store: TroubleStore, name: str) -> bool:
    trouble = store.troubles[name]
    return trouble.pending or trouble.confirmed or trouble.permanent or name in store.held


def _row(trouble: Trouble, *, held: bool) -> TroubleRow:
    return TroubleRow(
        trouble.code.j2012,
        trouble.code.text,
        [state for state in CODE_STATES if getattr(trouble, state)],
        trouble.status,
        trouble.occurrences,
        trouble.frame is not None,
        held,
    )
