"""The A2L file of a bench (ASAM MCD-2 MC 1.6): its entries at their XCP addresses, and how a master reaches them.

Each entry is a MEASUREMENT, a signed 32-bit integer with a COMPU_METHOD:

    number    RAT_FUNC     integer = resolution * value
    states    TAB_VERB     a COMPU_VTAB of the integers and their names

Where the bench may be written, entries with limits are CHARACTERISTICs too, `hold.` before the name: a value that a
master writes is held over the inputs while it is connected. Parameters of the engine: parameters.py.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.bench.xcp.event_channels import event_channels
from hilbridge.bench.xcp.memory_map import LARGEST, MemoryMap
from hilbridge.bench.xcp.parameter_map import ParameterMap
from hilbridge.desk.a2l.interface import CanIdentifiers, XcpPlace, if_data
from hilbridge.desk.a2l.parameters import LAYOUTS, objects_of, segment_of
from hilbridge.desk.a2l.text import number, text
from vehiclesim.channels import NAN
from vehiclesim.entries import Entries, Entry

ENCODING: Final = "latin-1"
"""The encoding that readers of A2L expect; a character beyond it becomes a question mark."""

_A2ML: Final = Path(__file__).with_name("xcpplus.aml")


class Method(NamedTuple):
    """A COMPU_METHOD: that of numbers by resolution and unit, or of states."""

    name: str
    resolution: int
    unit: str
    codes: tuple[tuple[int, str], ...]


def a2l_of(
    name: str,
    entries: Entries,
    rate: int,
    place: XcpPlace | CanIdentifiers,
    *,
    write: bool,
    parameters: ParameterMap | None = None,
) -> str:
    """Return the A2L file of a bench of that name, with `rate` ticks per second, whose slave is at `place`.

    `parameters`: those of the engine that may be calibrated, if any.
    """
    methods = _methods(entries)
    shared = list(dict.fromkeys(methods.values()))
    project = _identifier(name)
    blocks = [
        f"  /begin MODULE {project} {text(name)}",
        _A2ML.read_text(encoding="ascii").rstrip(),
        _MODULE_HEAD,
        *(() if parameters is None else (LAYOUTS, segment_of(parameters))),
        if_data(place, event_channels(rate), write=write, has_pages=parameters is not None),
        *map(_method, shared),
        *(_table(method) for method in shared if method.codes),
        *_objects(entries, methods, write=write),
        *(() if parameters is None else objects_of(parameters)),
        *_groups(entries),
        "  /end MODULE",
    ]
    head = f"ASAP2_VERSION 1 61\n/begin PROJECT {project} {text(f'The bench {name}, by hilbridge')}"
    return "\n".join((head, *blocks, "/end PROJECT", ""))


_MODULE_HEAD: Final = """\
    /begin MOD_COMMON "least significant byte first"
      BYTE_ORDER MSB_LAST
      ALIGNMENT_BYTE 1
      ALIGNMENT_WORD 2
      ALIGNMENT_LONG 4
      ALIGNMENT_INT64 8
      ALIGNMENT_FLOAT32_IEEE 4
      ALIGNMENT_FLOAT64_IEEE 8
    /end MOD_COMMON
    /begin RECORD_LAYOUT RL_SLONG
      FNC_VALUES 1 SLONG COLUMN_DIR DIRECT
    /end RECORD_LAYOUT"""


def _objects(entries: Entries, methods: dict[str, Method], *, write: bool) -> Iterator[str]:
    for address, entry in MemoryMap(entries).addresses():
        method, limits = methods[entry.path], " ".join(map(number, _limits(entry)))
        yield f"""\
    /begin MEASUREMENT {entry.path} {text(_meaning(entry))}
      SLONG {method.name} 0 0 {limits}
      ECU_ADDRESS {address:#x}
    /end MEASUREMENT"""
        if write and entry.limits is not None:
            yield f"""\
    /begin CHARACTERISTIC hold.{entry.path} {text(f"Held over the inputs: {entry.meaning}")}
      VALUE {address:#x} RL_SLONG 0 {method.name} {limits}
    /end CHARACTERISTIC"""


def _groups(entries: Entries) -> Iterator[str]:
    """Yield a GROUP of the measurements of each channel."""
    for channel in entries.channels:
        if channel:
            names = "\n        ".join(entry.path for entry in channel)
            yield f"""\
    /begin GROUP {channel[0].channel} "" ROOT
      /begin REF_MEASUREMENT
        {names}
      /end REF_MEASUREMENT
    /end GROUP"""


def _methods(entries: Entries) -> dict[str, Method]:
    """Return the method of each entry by its path; entries with the same resolution and unit share one."""
    shared: dict[tuple[int, str, tuple[tuple[int, str], ...]], Method] = {}
    methods = {}
    for entry in entries.all():
        key = (entry.resolution, entry.unit, entry.codes)
        if key not in shared:
            shared[key] = Method(f"CM_{'states' if entry.codes else 'number'}_{len(shared)}", *key)
        methods[entry.path] = shared[key]
    return methods


def _method(method: Method) -> str:
    kind = "TAB_VERB" if method.codes else "RAT_FUNC"
    digits = max(len(str(method.resolution)) - 1, 0)
    body = f"COMPU_TAB_REF VT_{method.name}" if method.codes else f"COEFFS 0 {method.resolution} 0 0 0 1"
    return f"""\
    /begin COMPU_METHOD {method.name} "" {kind} "%.{digits}" {text(method.unit)}
      {body}
    /end COMPU_METHOD"""


def _table(method: Method) -> str:
    rows = "\n      ".join(f"{number} {text(state)}" for number, state in method.codes)
    return f"""\
    /begin COMPU_VTAB VT_{method.name} "" TAB_VERB {len(method.codes)}
      {rows}
      DEFAULT_VALUE "not available"
    /end COMPU_VTAB"""


def _limits(entry: Entry) -> tuple[float, float]:
    """Return the range of an entry: of one that is computed, all its integers but that for `not available`."""
    if entry.limits is not None:
        return entry.limits
    if entry.codes:
        return min(number for number, _ in entry.codes), max(number for number, _ in entry.codes)
    return (NAN + 1) / entry.resolution, LARGEST / entry.resolution


def _meaning(entry: Entry) -> str:
    return f"{entry.meaning} ({NAN} means not available)" if entry.rest == NAN else entry.meaning


def _identifier(name: str) -> str:
    """Return a name as an identifier of A2L."""
    return "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in f"bench_{name}")
