"""The common settings of faults of all kinds: when they begin, how long they last, what they hit."""

from typing import Annotated, Final

from pydantic import Field

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Settings, unit

LONGEST_DELAY: Final = 10_000
"""[ms]"""


class TimedFault(Settings):
    """When a fault begins, and how long it lasts."""

    at: Annotated[
        float,
        Field(
            ge=0,
            le=1e9,
            description="begins so long after the start of the run, or after the command",
            json_schema_extra=unit("s"),
        ),
    ] = 0.0
    duration: Annotated[
        float | None,
        Field(alias="for", gt=0, le=1e9, description="default: until it is cleared", json_schema_extra=unit("s")),
    ] = None


def refuse(settings: Settings, key: str, foreign: bool, owner: str) -> None:
    """ConfigurationError, with the key: it is given, and it does nothing, because it belongs to another effect."""
    if foreign and key in settings.model_fields_set and getattr(settings, key) is not None:
        raise ConfigurationError(f"belongs to 'effect: {owner}'", (key,))
