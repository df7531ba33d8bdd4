"""The gate of a bus as its plan requires it: odometer frames, budget, and the warnings about frames held back."""

from collections.abc import Collection, Sequence
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, Doubt, KeyPath
from hilbridge.files.settings import BusSettings
from hilbridge.frames.bus.bus import Outlet
from hilbridge.frames.bus.busload import Budget
from hilbridge.frames.bus.gate import NOTHING, Brought, Gate, never_sent
from hilbridge.frames.codec.frame import EXTENDED_MASK
from hilbridge.frames.codec.sources import EntryId
from hilbridge.frames.plan.selection import Outgoing, Selection
from vehiclesim.channels import AUXILIARY, AuxiliaryData

HARDWARE_BUDGET: Final = 80.0
"""[%] of the bus's time, where the bench file names none."""

COUNTED: Final = {(AUXILIARY, AuxiliaryData.ODOMETER), (AUXILIARY, AuxiliaryData.DISTANCE_PULSES)}
"""The values that an instrument cluster adds to its own odometer."""


def build_gate(
    link: Outlet, settings: BusSettings, selection: Selection, tick: int, brought: Brought = NOTHING
) -> Gate:
    """Build the gate before `link` for what the plan sends on the bus, and routes bring there; `tick` [ns]."""
    return Gate(
        link,
        settings,
        odometer=odometer_identifiers(settings, selection.outgoing),
        budget=build_budget(settings, selection, tick),
        brought=brought,
    )


def odometer_identifiers(settings: BusSettings, frames: Sequence[Outgoing]) -> list[int]:
    """Return the identifiers (with their flag) of frames that would make a real odometer count, and may not."""
    if not is_counted(settings):
        return []
    return [frame.can_id for frame in frames if makes_count(frame)]


def is_counted(settings: BusSettings) -> bool:
    """Return whether a bus may have a real odometer that must not count."""
    return settings.is_hardware and not settings.odometer


def makes_count(frame: Outgoing) -> bool:
    """Return whether a frame makes an instrument cluster count the way."""
    return frame.counts_way or reads_any(frame, COUNTED)


def reads_any(frame: Outgoing, entries: Collection[EntryId]) -> bool:
    """Return whether a value of the frame results from one of these entries."""
    return any(entry in entries for assignment in frame.assignments for entry in assignment.source.entries)


def build_budget(settings: BusSettings, selection: Selection, tick: int) -> Budget | None:
    """Return the budget of a bus, None where it has none or its bit rate is unknown; `tick` [ns]."""
    percent = _percent(settings)
    if percent is None or selection.bitrate is None:
        return None
    return Budget(percent, selection.bitrate, selection.data_bitrate or selection.bitrate, tick)


def gate_warnings(settings: BusSettings, selection: Selection, load: float | None, place: KeyPath) -> list[Doubt]:
    """Return a warning for each frame of a bus's plan that its gate will hold back.

    `load` [%] is that of the plan, `place` the key path of the bus. ConfigurationError: the plan needs more than the
    budget, or there is a budget and the bit rate is unknown.
    """
    percent = _percent(settings)
    here = (*place, "load_budget")
    if settings.load_budget is not None and load is None:
        raise ConfigurationError("needs the bit rate of the bus: 'bitrate', or an attribute of the database", here)
    if percent is not None and load is not None and load > percent:
        raise ConfigurationError(f"the frames take {load:.1f} % of the bus, {percent:g} % are allowed", here)
    reasons = held_back(settings, selection.outgoing)
    return [
        Doubt(f"{frame.message} is {reasons[frame.can_id]}") for frame in selection.outgoing if frame.can_id in reasons
    ]


def held_back(settings: BusSettings, frames: Sequence[Outgoing]) -> dict[int, str]:
    """Return the identifiers (with their flag) of frames that never pass, each with the reason as text."""
    never, allowed = never_sent(settings), settings.allow
    odometer = odometer_identifiers(settings, frames)
    reasons = {}
    for can_id in (frame.can_id for frame in frames):
        identifier = can_id & EXTENDED_MASK
        if any(identifier in one for one in never):
            reasons[can_id] = f"never sent: 0x{identifier:X} is in 'never_send'"
        elif allowed is not None and not any(identifier in one for one in allowed):
            reasons[can_id] = f"not sent: 0x{identifier:X} is not in 'allow'"
        elif can_id in odometer:
            reasons[can_id] = "not sent: it makes a real odometer count; 'odometer: true' allows it"
    return reasons


def _percent(settings: BusSettings) -> float | None:
    """Return the share [%] of the bus's time that own frames may take, None where there is no limit."""
    return settings.load_budget or (HARDWARE_BUDGET if settings.is_hardware else None)
