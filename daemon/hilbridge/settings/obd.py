"""Settings of OBD-II: which control units answer, and what they say of themselves."""

from typing import Annotated, Literal

from pydantic import Field

from hilbridge.settings.common import Name, Settings
from hilbridge.settings.uds import UdsSettings

Vin = Annotated[str, Field(pattern=r"^[A-HJ-NPR-Z0-9]{17}$", description="vehicle identification number, ISO 3779")]

Printable = Annotated[str, Field(pattern=r"^[ -~]+$")]


class CalibrationSettings(Settings):
    """A calibration (software and data) of a control unit."""

    id: Annotated[Printable, Field(max_length=16, description="calibration id")]
    cvn: Annotated[
        int | None,
        Field(ge=0, le=0xFFFFFFFF, description="its verification number; default: CRC-32 of id and vehicle parameters"),
    ] = None


class EcuSettings(Settings):
    """A control unit that answers OBD-II; the engine's is 7E0/7E8 and 10 hex, the transmission's 7E1/7E9 and 18 hex."""

    role: Annotated[Literal["engine", "transmission"], Field(description="what it controls")]
    vin: Annotated[Vin | None, Field(description="service 09; the engine's control unit is expected to know it")] = None
    calibrations: Annotated[list[CalibrationSettings], Field(min_length=1, max_length=8, description="service 09")] = [
        CalibrationSettings(id="HILBRIDGE-1")
    ]
    name: Annotated[
        Printable | None, Field(max_length=15, description="text of the ECU name in service 09; default: by its role")
    ] = None
    standard: Annotated[
        Literal["OBD-II", "EOBD", "EOBD and OBD-II", "JOBD"], Field(description="requirements it was designed to")
    ] = "EOBD"
    uds: Annotated[UdsSettings | None, Field(description="its UDS server; default: none")] = None


class ObdSettings(Settings):
    """OBD-II on CAN (ISO 15765-4, SAE J1979)."""

    bus: Annotated[Name, Field(description="one of 'buses'")]
    identifiers: Annotated[
        Literal["11-bit", "29-bit", "both"],
        Field(description="which requests are heard; ISO 15765-4 knows one of them"),
    ] = "11-bit"
    ecus: Annotated[list[EcuSettings], Field(min_length=1, max_length=8, description="control units that answer")] = [
        EcuSettings(role="engine", vin="WHBZZZ1EZSA000007")
    ]
    clear_while_running: Annotated[
        bool, Field(description="service 04 is done while the engine runs; else it is refused, conditions not correct")
    ] = True
    codes: Annotated[str, Field(description="file of trouble codes: a name in config, or a path")] = "codes"
