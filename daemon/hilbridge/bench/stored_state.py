"""The state that a bench keeps from one run to the next, collected from its parts and restored into them.

    vehicle        odometer, trip, fuel, operating hours, battery, learned fuel trim
    electric       energies of an electric drive, and the charge of its battery
    trouble_codes  by control unit
    identifiers    by control unit: those that testers have written
    memory         by control unit: whether its flash is valid
    memory_pieces  by control unit: the content of its memory that testers have changed

It is stored when a trouble code, an identifier or memory changes, once a minute, and at the end of the run
(boundary/record/state.py); the pieces of memory go before it one by one, because they are large. Of a unit that writes
at its shutdown (`nv_storage`) it has the trouble codes and identifiers of the last shutdown until the run ends.
"""

import math
from collections.abc import Callable, Container, Iterable, Mapping
from functools import partial
from typing import Any, Final

from hilbridge.base.common.units import SECOND
from hilbridge.bench.bench import Bench
from hilbridge.boundary.record.state import MEMORY_PIECES, StateData
from vehiclesim import AuxiliaryMemory
from vehiclesim.electric.electric_drive import ElectricDrive, ElectricMemory

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
        self._at_shutdown: Final[dict[tuple[str, str], tuple[int, Any]]] = {}  # by kind and unit
        self._stored = self._changes()
        self._next = INTERVAL
        self._look = 0  # [ns]

    def state(self, *, ended: bool = False) -> StateData:
        """Return what is to be kept now, as plain JSON data; `ended`: the run is over, for every unit."""
        control_units, vehicle = self._bench.wiring.control_units, self._bench.vehicle
        electric = {} if vehicle.electric is None else {"electric": vehicle.electric.memory()._asdict()}
        return electric | {
            "vehicle": vehicle.auxiliaries.memory()._asdict(),
            "trouble_codes": {
                ecu.name: self._kept("trouble codes", ecu.name, ecu.store.export, ended) for ecu in control_units.ecus
            },
            "identifiers": {
                name: self._kept("identifiers", name, uds.identifiers.export, ended)
                for name, uds in control_units.uds.items()
            },
            "memory": {name: uds.memory.export() for name, uds in control_units.uds.items() if uds.memory.regions},
        }

    def _kept(self, kind: str, unit: str, export: Callable[[], Any], ended: bool) -> Any:
        """Return a part of a unit as it is, or as it was at the last shutdown of one that writes then."""
        control_units = self._bench.wiring.control_units
        if ended or unit not in control_units.deferred:
            return export()
        shutdowns, known = control_units.shutdowns(unit), self._at_shutdown.get((kind, unit))
        if known is None or known[0] != shutdowns:
            known = self._at_shutdown[kind, unit] = shutdowns, export()
        return known[1]

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
        if "electric" in state:
            if self._bench.vehicle.electric is None:
                warn("what was stored of the electric drive is not used: this vehicle has none")
            else:
                take = partial(self._restore_electric, self._bench.vehicle.electric)
                self._restore_part("electric drive", take, state["electric"], warn)
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
        self._warn_of_strangers(codes, {ecu.name for ecu in control_units.ecus}, "trouble codes", warn)
        for what, section in (("identifiers", identifiers), ("memory", memory)):
            self._warn_of_strangers(section, control_units.uds, what, warn)
        self._stored = self._changes()
        self._at_shutdown.clear()
        self.state()

    @staticmethod
    def _warn_of_strangers(section: Mapping[str, Any], known: Container[str], what: str, warn: Warn) -> None:
        for name in section:
            if name not in known and section[name]:
                warn(f"what was stored of the {what} of {name} is not used: this bench has none of the name")

    def due(self, t: int) -> bool:
        """Return whether something has changed that must not be lost, or a minute is over; looked at by LOOK."""
        if t < self._look:
            return False
        self._look = t + LOOK
        return t >= self._next or self._changes() != self._stored

    def handed_over(self, t: int) -> None:
        """Note that the state of time `t` [ns] is on its way to the disk."""
        self._stored = self._changes()
        self._next = t + INTERVAL

    def _changes(self) -> int:
        control_units = self._bench.wiring.control_units
        deferred = control_units.deferred
        codes = sum(ecu.store.changes for ecu in control_units.ecus if ecu.name not in deferred)
        written = sum(uds.identifiers.changes for name, uds in control_units.uds.items() if name not in deferred)
        memory = sum(uds.memory.changes for uds in control_units.uds.values())
        return codes + written + memory + sum(control_units.shutdowns(name) for name in deferred)

    def _restore_vehicle(self, kept: Any) -> None:
        memory = AuxiliaryMemory(**kept)
        _check_numbers(memory)
        self._bench.vehicle.auxiliaries.start_from(memory)

    @staticmethod
    def _restore_electric(drive: ElectricDrive, kept: Any) -> None:
        memory = ElectricMemory(**kept)
        _check_numbers(memory)
        drive.start_from(memory)

    @staticmethod
    def _restore_part(name: str, take: Callable[[Any], None], kept: Any, warn: Warn) -> None:
        try:
            take(kept)
        except (TypeError, ValueError, KeyError) as error:
            warn(f"what was stored of the {name} cannot be used: {error}")


def _check_numbers(values: Iterable[Any]) -> None:
    if not all(type(value) in (int, float) and math.isfinite(value) for value in values):
        raise ValueError("not all of it is numbers")


def _section(state: StateData, name: str) -> dict[str, Any]:
    section = state.get(name)
    return section if isinstance(section, dict) else {}
