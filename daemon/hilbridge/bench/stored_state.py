"""The state that a bench keeps from one run to the next, collected from its parts and restored into them.

    vehicle        odometer, trip, fuel, operating hours, battery, learned fuel trim
    trouble_codes  by control unit
    identifiers    by control unit: those that testers have written
    memory         by control unit: whether its flash is valid
    memory_pieces  by control unit: the content of its memory that testers have changed

It is stored when a trouble code, an identifier or memory changes, once a minute, and at the end of the run
(record/state.py); the pieces of memory go before it one by one, because they are large.
"""

import math
from collections.abc import Callable
from typing import Any, Final

from hilbridge.bench.bench import Bench
from hilbridge.common.units import SECOND
from hilbridge.record.state import MEMORY_PIECES, StateData
from vehiclesim import AuxiliaryMemory

INTERVAL: Final = 60 * SECOND
"""[ns] after which a distance is worth storing."""

LOOK: Final = SECOND // 10
"""[ns] between two looks for changes, which are counted in every control unit."""

Warn = Callable[[str], None]

StorePiece = Callable[[str, str, str | int | None], bool]
"""A function that takes a piece of memory, by control unit and address; False: it has no room now."""


class StoredState:
    """The kept state of one bench; `due` returns when `state` is to be stored."""

    def __init__(self, bench: Bench) -> None:
        self._bench: Final = bench
        self._stored = self._changes()
        self._next = INTERVAL
        self._look = 0  # [ns]

    def state(self) -> StateData:
        """Return what is to be kept now, as plain JSON data."""
        control_units = self._bench.wiring.control_units
        return {
            "vehicle": self._bench.vehicle.auxiliaries.memory()._asdict(),
            "trouble_codes": {ecu.name: ecu.store.export() for ecu in control_units.ecus},
            "identifiers": {name: uds.identifiers.export() for name, uds in control_units.uds.items()},
            "memory": {name: uds.memory.export() for name, uds in control_units.uds.items() if uds.memory.regions},
        }

    def store_memory(self, store: StorePiece, most: int | None = None) -> bool:
        """Hand changed pieces of memory to `store` while it takes them, at most `most`; return whether that is all."""
        handed_over = 0
        for name, uds in self._bench.wiring.control_units.uds.items():
            while (changed := uds.memory.changed_piece()) is not None:
                if handed_over == most or not store(name, *changed):
                    return False
                uds.memory.piece_stored()
                handed_over += 1
        return True

    def store_all_memory(self) -> None:
        """Count all pieces of memory that differ from the bench file as changed: what was handed over may be lost."""
        for uds in self._bench.wiring.control_units.uds.values():
            uds.memory.store_all()

    def restore(self, state: StateData, warn: Warn) -> None:
        """Restore the parts from what was kept of them; call `warn` for what they cannot use, which is left out."""
        if "vehicle" in state:
            self._restore_part("vehicle", self._restore_vehicle, state["vehicle"], warn)
        codes, identifiers = _section(state, "trouble_codes"), _section(state, "identifiers")
        memory, pieces = _section(state, "memory"), _section(state, MEMORY_PIECES)
        control_units = self._bench.wiring.control_units
        for ecu in control_units.ecus:
            if ecu.name in codes:
                self._restore_part(f"trouble codes of {ecu.name}", ecu.store.restore, codes[ecu.name], warn)
        for name, uds in control_units.uds.items():
            if name in identifiers:
                self._restore_part(f"identifiers of {name}", uds.identifiers.restore, identifiers[name], warn)
            if name in memory:
                whole = {"known": memory[name], "pieces": pieces.get(name, {})}
                self._restore_part(f"memory of {name}", uds.memory.restore, whole, warn)
        self._stored = self._changes()

    def due(self, t: int) -> bool:
        """Return whether something has changed that must not be lost, or a minute is over; looked at by LOOK."""
        if t < self._look:
            return False
        self._look = t + LOOK
        changes = self._changes()
        if changes == self._stored and t < self._next:
            return False
        self._stored = changes
        self._next = t + INTERVAL
        return True

    def _changes(self) -> int:
        control_units = self._bench.wiring.control_units
        codes = sum(ecu.store.changes for ecu in control_units.ecus)
        return codes + sum(uds.identifiers.changes + uds.memory.changes for uds in control_units.uds.values())

    def _restore_vehicle(self, kept: Any) -> None:
        memory = AuxiliaryMemory(**kept)
        if not all(type(value) in (int, float) and math.isfinite(value) for value in memory):
            raise ValueError("not all of it is numbers")
        self._bench.vehicle.auxiliaries.start_from(memory)

    @staticmethod
    def _restore_part(name: str, take: Callable[[Any], None], kept: Any, warn: Warn) -> None:
        try:
            take(kept)
        except (TypeError, ValueError, KeyError) as error:
            warn(f"what was stored of the {name} cannot be used: {error}")


def _section(state: StateData, name: str) -> dict[str, Any]:
    section = state.get(name)
    return section if isinstance(section, dict) else {}
