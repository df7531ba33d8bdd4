"""Settings of what a control unit sends by itself: periodic identifiers (service 2A), answers on events (86)."""

from typing import Annotated

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Settings, unit

_Milliseconds = Annotated[float, Field(ge=1, le=600_000, json_schema_extra=unit("ms"))]


class RateSettings(Settings):
    """The three rates that a tester may ask for."""

    slow: Annotated[_Milliseconds, Field(description="rate 01")] = 1000.0
    medium: Annotated[_Milliseconds, Field(description="rate 02")] = 200.0
    fast: Annotated[_Milliseconds, Field(description="rate 03")] = 50.0

    @property
    def periods(self) -> dict[int, float]:
        """The periods [ms] by the number of the rate."""
        return {1: self.slow, 2: self.medium, 3: self.fast}


class PeriodicSettings(RateSettings):
    """Service 2A: identifiers F200 to F2FF, each sent by its low byte and its data until the session ends."""

    identifier: Annotated[
        int | None,
        Field(
            ge=0,
            le=0x1FFF_FFFF,
            description="CAN identifier of unsegmented frames (ISO 14229-3, type 2), above 0x7FF of 29 bits; default: "
            "single frames on the identifier of the answers (type 1)",
        ),
    ] = None
    most: Annotated[int, Field(ge=1, le=255, description="identifiers at once; more are refused with 31")] = 16


class EventSettings(RateSettings):
    """Service 86: answers on events, in a window of time. The rates are those of its timer (02)."""

    short_window: Annotated[
        float, Field(ge=0.1, le=86_400, description="03: how long an event is looked for", json_schema_extra=unit("s"))
    ] = 10.0
    medium_window: Annotated[
        float, Field(ge=0.1, le=86_400, description="04: the same", json_schema_extra=unit("s"))
    ] = 60.0
    long_window: Annotated[float, Field(ge=0.1, le=86_400, description="05: the same", json_schema_extra=unit("s"))] = (
        600.0
    )
    interval: Annotated[
        float, Field(ge=10, le=10_000, description="events are looked for so often", json_schema_extra=unit("ms"))
    ] = 100.0
    most: Annotated[int, Field(ge=1, le=32, description="events at once; more are refused with 31")] = 8

    @model_validator(mode="after")
    def _ascending(self) -> "EventSettings":
        if not self.short_window <= self.medium_window <= self.long_window:
            raise ConfigurationError("is longer than the next window", ("short_window",))
        return self
