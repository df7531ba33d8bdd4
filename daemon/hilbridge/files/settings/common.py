"""The common ground of all settings: frozen classes, units, rates and names."""

import ipaddress
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.units import MILLISECOND, SECOND

RATES: Final = tuple(rate for rate in range(10, 1001) if SECOND % rate == 0)
"""[Hz] whose period is a whole number of nanoseconds."""


def completes(words: str) -> dict[str, Any]:
    """Name the list of words that editors offer for a text (files/configuration/completion.py)."""
    return {"completes": words}


def unit(unit: str) -> dict[str, Any]:
    return {"unit": unit}


def paired(value: Any) -> Any:
    """Return a list as a tuple: YAML has no tuples."""
    return tuple(value) if isinstance(value, list) else value


def require_curve(points: Sequence[tuple[float, float]], key: str) -> None:
    """Check the points of a curve, where there are any. ConfigurationError: one alone, or not ascending."""
    first = [point for point, _ in points]
    if first and (len(first) < 2 or first != sorted(set(first))):
        raise ConfigurationError("needs two points or more, the first numbers ascending", (key,))


def _whole_period(rate: int) -> int:
    if rate not in RATES:
        lower = max((known for known in RATES if known < rate), default=RATES[0])
        upper = min((known for known in RATES if known > rate), default=RATES[-1])
        raise ConfigurationError(f"{rate} Hz has no period in whole nanoseconds; nearest rates: {lower} and {upper}")
    return rate


Milliseconds = Annotated[float, Field(gt=0, le=3_600_000)]
Rate = Annotated[int, Field(ge=RATES[0], le=RATES[-1]), AfterValidator(_whole_period)]
NAME_RULE: Final = "letters, digits, '_' and '-', beginning with a letter"
Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")]


def _ip_address(text: str) -> str:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        raise ValueError(f"{text!r} is no IP address") from None
    return text


IpAddress = Annotated[str, AfterValidator(_ip_address)]


def _beside(name: str, info: ValidationInfo) -> str:
    file, _, function = name.rpartition(":")
    folder = (info.context or {}).get("folder")
    return f"{Path(folder) / file}:{function}" if file.endswith(".py") and folder is not None else name


UserFunction = Annotated[str, Field(pattern=r"^([A-Za-z_][\w.]*|[^\x00:]+\.py):[A-Za-z_]\w*$"), AfterValidator(_beside)]
"""A function of the user: `FILE.py:FUNCTION` beside the bench file, or `MODULE:FUNCTION` of an installed package.

The folder of the bench file is `folder` of the context of the validation.
"""


def _file_beside(name: str, info: ValidationInfo) -> str:
    folder = (info.context or {}).get("folder")
    return name if folder is None else str(Path(folder) / name)


UserFile = Annotated[str, Field(pattern=r"^[^\x00]+$"), AfterValidator(_file_beside)]
"""A file beside the bench file, or a path."""


class Settings(BaseModel):
    """The base of all settings: frozen; an unknown key is an error."""

    # A class that only others contain needs no validator of its own; one that is asked for is built then.
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True)


def in_whole_ticks(milliseconds: float, tick: int, place: KeyPath = ()) -> int:
    """Return a period in nanoseconds: a whole number of ticks, and not 0.

    ConfigurationError: it is no multiple of `tick` [ns]; the nearest ones are named.
    """
    nanoseconds = round(milliseconds * MILLISECOND)
    below, remainder = divmod(nanoseconds, tick)
    if nanoseconds and not remainder:
        return nanoseconds
    size = tick / MILLISECOND
    nearest = " or ".join(f"{count * size:g} ms" for count in (below, below + 1) if count)
    raise ConfigurationError(
        f"{milliseconds:g} ms is no multiple of the tick ({size:g} ms at {SECOND // tick} Hz); nearest: {nearest}",
        place,
    )
