"""The JSON form in which a store of trouble codes survives restarts; boundary/record/state.py has the version of it.

Data with any error is refused as a whole.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

_Count = Annotated[int, Field(ge=0, lt=1 << 63)]
_Byte = Annotated[int, Field(ge=0, le=0xFF)]
_Word = Annotated[int, Field(ge=0, le=0xFFFF)]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class StoredFrame(_Form):
    """A freeze frame: bytes in hexadecimal by PID in hexadecimal."""

    order: _Count
    values: dict[
        Annotated[str, Field(pattern=r"^[0-9A-F]{2}$")], Annotated[str, Field(pattern=r"^([0-9a-f]{2}){1,8}$")]
    ]


class StoredTrouble(_Form):
    """A trouble code."""

    failing: bool
    failed_since_clear: bool
    tested_since_clear: bool
    pending: bool
    confirmed: bool
    indicator: bool
    permanent: bool
    occurrences: _Byte
    passed_cycles: _Byte
    warm_ups: _Byte
    failed_cycles: _Byte
    cycles_since_first_failed: _Byte
    cycles_since_last_failed: _Byte
    max_detection: _Byte
    first_failed: _Count
    last_failed: _Count
    last_confirmed: _Count
    frame: StoredFrame | None
    snapshots: dict[
        Annotated[str, Field(pattern=r"^[0-9]{1,3}$")],
        dict[
            Annotated[str, Field(pattern=r"^[0-9A-F]{4}$")],
            Annotated[str, Field(pattern=r"^([0-9a-f]{2})*$", max_length=8192)],
        ],
    ]


class StoredHistory(_Form):
    """The MIL counters: distances [mm], times [ns] and warm-ups."""

    distance_with_indicator: _Count
    time_with_indicator: _Count
    distance_since_clear: _Count
    time_since_clear: _Count
    warm_ups_since_clear: _Byte


class StoredPerformance(_Form):
    """In-use performance."""

    ignitions: _Word
    general: _Word
    completions: dict[str, _Word]


class StoredTroubleMemory(_Form):
    """A store of trouble codes."""

    troubles: dict[str, StoredTrouble]
    completed: list[str]
    misfires: dict[str, Annotated[float, Field(ge=0, lt=1e18, allow_inf_nan=False)]]
    history: StoredHistory
    performance: StoredPerformance


def read_stored(data: object) -> StoredTroubleMemory:
    """Return the stored state. ValueError, with the reason in one line: it is invalid."""
    try:
        return StoredTroubleMemory.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        raise ValueError(f"stored trouble codes cannot be used: {place}: {first['msg']}") from None
