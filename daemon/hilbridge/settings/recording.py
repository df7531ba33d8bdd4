"""Settings of recordings."""

from typing import Annotated

from pydantic import Field

from hilbridge.settings.common import Settings, unit


class RecordingSettings(Settings):
    """How a recording is cut into segments, and how many are kept. One that has lost its first cannot be replayed."""

    segment: Annotated[
        int, Field(ge=1, le=1_000_000, description="size of a segment", json_schema_extra=unit("MB"))
    ] = 32
    segments: Annotated[int | None, Field(ge=2, description="so many are kept, the newest; default: all")] = None
    size: Annotated[
        int | None,
        Field(
            ge=1, le=1_000_000, description="of all segments that are kept; default: any", json_schema_extra=unit("MB")
        ),
    ] = None
