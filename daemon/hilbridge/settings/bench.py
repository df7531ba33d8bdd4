"""The whole bench file."""

from typing import Annotated

from pydantic import Field

from hilbridge.common.units import SECOND
from hilbridge.settings.buses import BusSettings
from hilbridge.settings.cockpit import CockpitSettings
from hilbridge.settings.common import NAME_RULE, RATES, Name, Rate, Settings, unit
from hilbridge.settings.control import ControlSettings
from hilbridge.settings.diagnostics import DiagnosticsSettings
from hilbridge.settings.faults import FaultSettings
from hilbridge.settings.inputs import InputSource
from hilbridge.settings.metrics import MetricsSettings
from hilbridge.settings.realtime import RealTimeSettings
from hilbridge.settings.recording import RecordingSettings


class BenchSettings(Settings):
    """A bench: one vehicle, its buses and its inputs."""

    name: Annotated[Name, Field(description=NAME_RULE)]
    rate: Annotated[
        Rate, Field(description="ticks per second", json_schema_extra={"unit": "Hz", "enum": list(RATES)})
    ] = 1000
    seed: Annotated[int, Field(ge=0, description="for everything random, and written into the manifest")] = 0
    vehicle: Annotated[str, Field(description="name of a file in config/vehicles, or a path")]
    buses: Annotated[dict[Name, BusSettings], Field(description="by a name of your choice: the CAN buses")] = {}
    inputs: Annotated[list[InputSource], Field(description="the driver's controls, highest priority first")] = []
    diagnostics: Annotated[DiagnosticsSettings, Field(description="diagnostic servers")] = DiagnosticsSettings()
    faults: Annotated[list[FaultSettings], Field(description="what goes wrong, and when")] = []
    control: Annotated[ControlSettings, Field(description="the control socket")] = ControlSettings()
    cockpit: Annotated[CockpitSettings, Field(description="the page for browsers")] = CockpitSettings()
    metrics: Annotated[MetricsSettings | None, Field(description="for Prometheus; default: there are none")] = None
    realtime: Annotated[RealTimeSettings, Field(description="how the tick gets its processor in time")] = (
        RealTimeSettings()
    )
    recording: Annotated[RecordingSettings, Field(description="recordings, where one is asked for")] = (
        RecordingSettings()
    )
    shutdown: Annotated[
        float,
        Field(
            ge=0,
            le=60,
            description="at the end of the run: for so long at most the buses go on, with key and terminals off, until "
            "each frame has shown it and its after_run is over",
            json_schema_extra=unit("s"),
        ),
    ] = 5.0
    state: Annotated[
        str | None,
        Field(
            description="file that keeps the odometer, trouble codes ... from run to run; none: nothing is kept; "
            "default: NAME.json in $STATE_DIRECTORY, or in $XDG_STATE_HOME/hilbridge",
            min_length=1,
            pattern=r"^[^\x00]*$",
        ),
    ] = None

    @property
    def period(self) -> int:
        """[ns] of one tick."""
        return SECOND // self.rate
