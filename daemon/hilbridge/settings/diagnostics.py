"""Settings of the diagnostic servers."""

from typing import Annotated

from pydantic import Field

from hilbridge.settings.common import Settings
from hilbridge.settings.elm327 import Elm327Settings
from hilbridge.settings.isotp import IsoTpSettings
from hilbridge.settings.j1939 import J1939Settings
from hilbridge.settings.obd import ObdSettings


class DiagnosticsSettings(Settings):
    """Diagnostic servers; they need a rate of 100 Hz or more."""

    obd: Annotated[ObdSettings | None, Field(description="OBD-II control units")] = None
    iso_tp: Annotated[IsoTpSettings, Field(description="the transport protocol of the control units")] = IsoTpSettings()
    j1939: Annotated[J1939Settings | None, Field(description="control units on a J1939 bus")] = None
    elm327: Annotated[list[Elm327Settings], Field(description="adapters that scan tools connect to")] = []
