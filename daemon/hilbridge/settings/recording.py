"""Settings of recordings."""

from typing import Annotated

from pydantic import Field

from hilbridge.settings.common import Settings, unit

_Megabytes = Annotated[int, Field(ge=1, le=1_000_000, json_schema_extra=unit("MB"))]


class RecordingSettings(Settings):
    """How a recording is cut into segments, and how many are kept. One that has lost its first cannot be replayed."""

    segment: Annotated[_Megabytes, Field(description="size of a segment")] = 32
    segments: Annotated[int | None, Field(ge=2, description="so many are kept, the newest; default: all")] = None
    size: Annotated[_Megabytes | None, Field(description="of all segments that are kept; default: any")] = None
