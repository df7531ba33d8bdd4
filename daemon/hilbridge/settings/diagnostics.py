"""Settings of the diagnostic servers."""

from typing import Annotated

from pydantic import Field

from hilbridge.settings.common import Name, Settings


class ObdSettings(Settings):
    """An OBD-II server (ISO 15765-4, 11-bit: requests 7DF and 7E0, answers 7E8)."""

    bus: Annotated[Name, Field(description="one of 'buses'")]


class DiagnosticsSettings(Settings):
    """Diagnostic servers; they need a rate of 100 Hz or more."""

    obd: Annotated[ObdSettings | None, Field(description="OBD-II server")] = None
