"""Settings of the resets of a control unit (ISO 14229-1, service 11)."""

from typing import Annotated

from pydantic import Field

from hilbridge.files.settings.common import Settings, unit


class ResetSettings(Settings):
    """Service 11: after its answer the control unit is silent for a time, as one that starts anew."""

    time: Annotated[
        float,
        Field(ge=0, le=60_000, description="without hearing or answering anything", json_schema_extra=unit("ms")),
    ] = 0.0
    shutdown_time: Annotated[
        int | None,
        Field(
            ge=0,
            le=0xFE,
            description="what 11 04, rapid power shutdown, answers; default: 04 and 05 are not supported",
            json_schema_extra=unit("s"),
        ),
    ] = None
