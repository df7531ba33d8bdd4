"""Reports of the trouble codes of a control unit on request, beside DM1 and DM2 (SAE J1939-73).

    DM4   65229  freeze frames (below)
    DM5   65230  readiness: active codes, previously active codes, OBD compliance, monitors (5 bytes)
    DM6   65231  emission-related codes that are pending
    DM12  65236  emission-related codes that light the malfunction indicator
    DM20  49664  in-use performance: ignition cycles, general conditions; for each monitor SPN, completions, conditions
    DM21  49408  distance [km] with the indicator, since clearing; time [min] with the indicator, since clearing
    DM23  64949  emission-related codes that were confirmed, and light the indicator no longer
    DM26  64952  this trip: seconds since the start, warm-ups since clearing, monitors (5 bytes)
    DM28  64896  permanent codes

Codes have the form of DM1 (diagnostic_messages.py). Monitors, as SAE J1979 has them in bytes B to D of PID 01:

    byte 1       bits 0 to 2 misfire, fuel system, components: there is one; 4 to 6: it is not complete
    bytes 2, 3   there is one, see OTHERS of dtc/monitor_status.py and `_COMPRESSION`
    bytes 4, 5   the same: it is not complete

A freeze frame (DM4) is its length, the code, and 8 bytes from the values that service 02 of OBD-II has too:

    torque mode FF | boost 2 kPa | engine speed 1/8 rpm (2) | load 1 % | coolant 1 °C - 40 | speed 1/256 km/h (2)

FF or FFFF: not available.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final

from hilbridge.base.common.units import SECOND
from hilbridge.bench.diagnostics.dtc.monitor_status import CONTINUOUS, OTHERS, bits
from hilbridge.bench.diagnostics.dtc.store import TroubleStore
from hilbridge.bench.diagnostics.dtc.trouble import Trouble
from hilbridge.bench.diagnostics.j1939.diagnostic_messages import StoreSource, code_of, message
from hilbridge.frames.transport.transport_frames import LONGEST
from vehiclesim.channels import AUXILIARY, AuxiliaryData
from vehiclesim.databus import DataBus

DM4: Final = 0xFECD
DM5: Final = 0xFECE
DM6: Final = 0xFECF
DM12: Final = 0xFED4
DM20: Final = 0xC200
DM21: Final = 0xC100
DM23: Final = 0xFDB5
DM26: Final = 0xFDB8
DM28: Final = 0xFD80

COMPLIANCE: Final = {"petrol": 6, "diesel": 33, "electric": 5}
"""OBD compliance (SPN 1220): EOBD, and heavy duty EOBD of stage VI, as PID 1C of SAE J1979 numbers them."""

_COMPRESSION: Final = {
    "catalyst": 12,  # NMHC converting catalyst
    "heated-catalyst": 11,  # NOx converting catalyst
    "secondary-air": 9,  # boost pressure
    "oxygen-sensor": 5,  # exhaust gas sensor
    "oxygen-sensor-heater": 10,  # particulate filter
    "egr": 7,
}
"""Bit of a group in bytes 2 and 4, from 8 on in bytes 3 and 5, for compression ignition; else as OTHERS has it."""

_MONITORS: Final = {
    "petrol": {
        "catalyst": 3050,
        "evaporative-system": 3054,
        "secondary-air": 3053,
        "oxygen-sensor": 3056,
        "egr": 3058,
    },
    "diesel": {
        "catalyst": 5322,
        "heated-catalyst": 4364,
        "secondary-air": 5321,
        "oxygen-sensor": 5318,
        "oxygen-sensor-heater": 3064,
        "egr": 3058,
    },
    "electric": {},
}
"""SPN of the monitor of a group in DM20. Source: J1939-84, A.4, as its test in etools-net/j1939-84 has them."""

_NO_FRAME: Final = b"\x00" * 5 + b"\xff" * 3
_FMI_OF_A_MONITOR: Final = 0x1F << 19
"""The bits beside an SPN in DM20: reserved."""

_SINGLE: Final = 0xFA
_DOUBLE: Final = 0xFAFF
"""Highest values of one and two bytes."""


def trouble_reports(
    store: TroubleStore, data: DataBus, fuel: str, compliance: int | None = None
) -> dict[int, Callable[[], bytes]]:
    """Return the messages by their PGN; `fuel` is "petrol", "diesel" or "electric".

    `compliance`: the requirements that the control unit was designed to (SPN 1220); default: by the fuel.
    """
    designed = COMPLIANCE[fuel] if compliance is None else compliance
    source = StoreSource(store)
    lists: dict[int, Callable[[Trouble], bool]] = {
        DM6: lambda trouble: trouble.pending and trouble.code.emission,
        DM12: lambda trouble: trouble.confirmed and trouble.indicator,
        DM23: lambda trouble: trouble.confirmed and not trouble.indicator and trouble.code.emission,
        DM28: lambda trouble: trouble.permanent,
    }
    return {pgn: partial(_codes, store, source, belongs) for pgn, belongs in lists.items()} | {
        DM4: lambda: freeze_frames(store.troubles.values()),
        DM5: lambda: _readiness(store, source, fuel, designed),
        DM20: lambda: _performance(store, fuel),
        DM21: lambda: _distances(store),
        DM26: lambda: _trip(store, data, fuel),
    }


def _codes(store: TroubleStore, source: StoreSource, belongs: Callable[[Trouble], bool]) -> bytes:
    found = [code_of(trouble) for trouble in store.troubles.values() if belongs(trouble)]
    return message(source.lamps(), [code for code in found if code is not None])


def _readiness(store: TroubleStore, source: StoreSource, fuel: str, compliance: int) -> bytes:
    counts = (len(source.active()), len(source.previously_active()), compliance)
    return bytes(min(count, _SINGLE) for count in counts) + monitors(
        store.readiness.supported, store.readiness.incomplete(), fuel
    )


def _trip(store: TroubleStore, data: DataBus, fuel: str) -> bytes:
    since_start = data.read(AUXILIARY, AuxiliaryData.RUN_TIME)
    seconds = _double(since_start if since_start == since_start else 0.0)
    warm_ups = bytes((min(store.history.warm_ups_since_clear, _SINGLE),))
    readiness = store.readiness
    return seconds + warm_ups + monitors(readiness.supported, readiness.incomplete_this_cycle(), fuel)


def _performance(store: TroubleStore, fuel: str) -> bytes:
    performance, supported = store.performance, store.readiness.supported
    parts = [_double(performance.ignitions), _double(performance.general)]
    for group, spn in _MONITORS[fuel].items():
        if group in supported:
            parts.append((_FMI_OF_A_MONITOR | spn).to_bytes(3, "little"))
            parts += (_double(performance.completions[group]), _double(performance.general))
    return b"".join(parts).ljust(8, b"\xff")


def _distances(store: TroubleStore) -> bytes:
    history = store.history
    ways = (history.distance_with_indicator / 1e6, history.distance_since_clear / 1e6)
    times = (history.time_with_indicator / SECOND / 60, history.time_since_clear / SECOND / 60)
    return b"".join(map(_double, ways + times))


def monitors(supported: Iterable[str], incomplete: Iterable[str], fuel: str) -> bytes:
    """Return the five bytes of monitors that are there, and of those that are not complete."""
    places = _COMPRESSION if fuel == "diesel" else OTHERS
    there, missing = set(supported), set(incomplete)
    continuous = bits(there, CONTINUOUS) | bits(missing, CONTINUOUS) << 4
    return (
        bytes((continuous,)) + bits(there, places).to_bytes(2, "little") + bits(missing, places).to_bytes(2, "little")
    )


def freeze_frames(troubles: Iterable[Trouble]) -> bytes:
    """Return DM4: the frames in the order in which they were stored, as many as fit into a message."""
    stored = sorted(
        (trouble.frame.order, code.data + _values(trouble.frame.values))
        for trouble in troubles
        if trouble.frame is not None and (code := code_of(trouble)) is not None
    )
    frames = [bytes((len(frame),)) + frame for _, frame in stored]
    return b"".join(frames[: LONGEST // len(frames[0])]) if frames else _NO_FRAME


def _values(values: Mapping[int, bytes]) -> bytes:
    """Return the values of a freeze frame, by the PIDs that it was stored with."""
    intake, outside = values.get(0x0B), values.get(0x33)
    speed, vehicle, load, coolant = (values.get(pid) for pid in (0x0C, 0x0D, 0x04, 0x05))
    boost = b"\xff" if not intake or not outside else bytes((max(0, intake[0] - outside[0]) // 2,))
    return b"".join(
        (
            b"\xff",
            boost,
            b"\xff\xff" if not speed else _double(int.from_bytes(speed, "big") * 2),
            b"\xff" if not load else bytes((round(load[0] * 100 / 255),)),
            coolant[:1] if coolant else b"\xff",
            b"\xff\xff" if not vehicle else _double(vehicle[0] * 256),
        )
    )


def _double(value: float) -> bytes:
    """Return a value in two bytes, held at the highest one."""
    return min(int(value), _DOUBLE).to_bytes(2, "little")
