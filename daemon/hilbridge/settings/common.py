"""What all settings share: frozen classes, units, rates and names."""

from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from hilbridge.common.errors import ConfigurationError
from hilbridge.common.units import SECOND

RATES: Final = tuple(rate for rate in range(10, 1001) if SECOND % rate == 0)
"""[Hz] whose period is a whole number of nanoseconds."""


def unit(unit: str) -> dict[str, Any]:
    return {"unit": unit}


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


class Settings(BaseModel):
    """Frozen; a key that nobody knows is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)
