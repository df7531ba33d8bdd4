"""The whole bench file."""

from typing import Annotated

from pydantic import Field

from hilbridge.settings.buses import BusSettings
from hilbridge.settings.common import MILLISECOND, NAME_RULE, NANOSECONDS, RATES, Name, Rate, Settings
from hilbridge.settings.diagnostics import DiagnosticsSettings
from hilbridge.settings.inputs import InputSource


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

    @property
    def period(self) -> int:
        """[ns] of one tick."""
        return NANOSECONDS // self.rate

    def period_problem(self, milliseconds: float) -> str | None:
        """Why a frame cannot be sent with this period [ms], or None: a period is a whole number of ticks."""
        nanoseconds = round(milliseconds * MILLISECOND)
        if nanoseconds and nanoseconds % self.period == 0:
            return None
        tick = self.period / MILLISECOND
        below = nanoseconds // self.period
        nearest = " or ".join(f"{count * tick:g} ms" for count in (below, below + 1) if count)
        return f"{milliseconds:g} ms is no multiple of the tick ({tick:g} ms at {self.rate} Hz); nearest: {nearest}"
