"""The calibration segment in an A2L file: its pages, and an object for each parameter of the engine, `tune.` before it.

    number, count, state    CHARACTERISTIC VALUE
    table                   CHARACTERISTIC CURVE over the AXIS_PTS of its speeds, COM_AXIS: several curves share them

No parameter that may change while the vehicle runs has two axes, so there is no MAP.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from hilbridge.bench.xcp.parameter_map import AXES, BASE, EPK_ADDRESS, Parameter, ParameterMap
from hilbridge.desk.a2l.interface import SEGMENT, VERSION
from hilbridge.desk.a2l.text import number, text

_LARGEST: Final = 3.4e38
_INPUT: Final = "vehicle.EngineRpm"
"""The measurement that the speeds of a table are compared with."""

LAYOUTS: Final = """\
    /begin RECORD_LAYOUT RL_FLOAT
      FNC_VALUES 1 FLOAT32_IEEE COLUMN_DIR DIRECT
    /end RECORD_LAYOUT
    /begin RECORD_LAYOUT RL_AXIS
      AXIS_PTS_X 1 FLOAT32_IEEE INDEX_INCR DIRECT
    /end RECORD_LAYOUT"""


def segment_of(parameters: ParameterMap) -> str:
    """Return the MOD_PAR with the segment and its pages."""
    pages = "\n".join(
        f"""\
            /begin PAGE {page:#04x}
              ECU_ACCESS_DONT_CARE XCP_READ_ACCESS_DONT_CARE XCP_WRITE_ACCESS_{access}
              INIT_SEGMENT 0x00
            /end PAGE"""
        for page, access in enumerate(("DONT_CARE", "NOT_ALLOWED"))
    )
    return f"""\
    /begin MOD_PAR "the engine, while it runs"
      ADDR_EPK {EPK_ADDRESS:#x}
      EPK {text(parameters.epk)}
      /begin MEMORY_SEGMENT {SEGMENT} "page 0: what a master writes; page 1: the vehicle file"
        DATA RAM INTERN {BASE:#x} {len(parameters):#x} -1 -1 -1 -1 -1
        /begin IF_DATA XCPplus {VERSION:#06x}
          /begin SEGMENT 0x00 0x02 0x00 0x00 0x00
            /begin CHECKSUM XCP_CRC_32
              MAX_BLOCK_SIZE 0x10000
            /end CHECKSUM
{pages}
          /end SEGMENT
        /end IF_DATA
      /end MEMORY_SEGMENT
    /end MOD_PAR"""


def objects_of(parameters: ParameterMap) -> Iterator[str]:
    """Yield the methods of the parameters, their axes, the characteristics, and the group of them."""
    units = dict.fromkeys(one.note.unit for one in parameters.parameters if not one.states)
    methods = {unit: f"CM_parameter_{place}" for place, unit in enumerate(units)}
    for unit, name in methods.items():
        yield f"""\
    /begin COMPU_METHOD {name} "" IDENTICAL "%.7" {text(unit)}
    /end COMPU_METHOD"""
    axes = {one.name: one for one in parameters.parameters if one.name in AXES.values()}
    for one in parameters.parameters:
        if one.states:
            yield _states(one)
        if one.name in axes:
            yield f"""\
    /begin AXIS_PTS {_name(one)} {text(one.note.text)}
      {one.address:#x} {_INPUT} RL_AXIS 0 {methods[one.note.unit]} {one.cells} {_limits(one)}
    /end AXIS_PTS"""
        else:
            yield _characteristic(one, methods, axes)
    names = "\n        ".join(_name(one) for one in parameters.parameters if one.name not in axes)
    yield f"""\
    /begin GROUP tune.engine "parameters of the engine that runs" ROOT
      /begin REF_CHARACTERISTIC
        {names}
      /end REF_CHARACTERISTIC
    /end GROUP"""


def _characteristic(one: Parameter, methods: Mapping[str, str], axes: Mapping[str, Parameter]) -> str:
    method = f"CM_{_name(one)}" if one.states else methods[one.note.unit]
    layout = "RL_FLOAT" if one.kind == "number" else "RL_SLONG"
    axis = ""
    if one.is_table:
        points = axes[AXES[one.name]]
        axis = f"""
      /begin AXIS_DESCR COM_AXIS {_INPUT} {methods[points.note.unit]} {points.cells} {_limits(points)}
        AXIS_PTS_REF {_name(points)}
      /end AXIS_DESCR"""
    return f"""\
    /begin CHARACTERISTIC {_name(one)} {text(one.note.text)}
      {"CURVE" if one.is_table else "VALUE"} {one.address:#x} {layout} 0 {method} {_limits(one)}{axis}
    /end CHARACTERISTIC"""


def _states(one: Parameter) -> str:
    words = [("off", "on")[state] if isinstance(state, bool) else state for state in one.states]
    rows = "\n      ".join(f"{place} {text(word)}" for place, word in enumerate(words))
    return f"""\
    /begin COMPU_METHOD CM_{_name(one)} "" TAB_VERB "%.0" ""
      COMPU_TAB_REF VT_{_name(one)}
    /end COMPU_METHOD
    /begin COMPU_VTAB VT_{_name(one)} "" TAB_VERB {len(words)}
      {rows}
    /end COMPU_VTAB"""


def _name(one: Parameter) -> str:
    return f"tune.engine.{one.name}"


def _limits(one: Parameter) -> str:
    if one.states:
        return f"0 {len(one.states) - 1}"
    low, high = one.note.minimum, one.note.maximum
    return f"{number(-_LARGEST if low is None else low)} {number(_LARGEST if high is None else high)}"
