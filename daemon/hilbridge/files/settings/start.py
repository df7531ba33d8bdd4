"""Settings of the state in which the vehicle begins a run."""

from typing import Annotated

from pydantic import Field

from hilbridge.files.settings.common import Settings, unit


class StartSettings(Settings):
    """The vehicle begins in motion, as if it had been driven there: engine running, clutch closed, wheels rolling.

    The controls are held where they keep the speed on a level road, until they are set or released.
    """

    speed: Annotated[float, Field(ge=0, le=400, description="0: the engine idles", json_schema_extra=unit("km/h"))] = (
        0.0
    )
    gear: Annotated[int | None, Field(ge=1, le=30, description="default: that of the driver, or of the automatic")] = (
        None
    )
    coolant: Annotated[
        float | None,
        Field(
            ge=-40, le=130, description="of coolant and oil; default: as after the drive", json_schema_extra=unit("°C")
        ),
    ] = None
