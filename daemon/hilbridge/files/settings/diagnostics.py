"""Settings of what answers testers: control units, nodes of J1939, ELM327s."""

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.addresses import LOOPBACK
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import IpAddress, Name, Settings, UserFunction
from hilbridge.files.settings.common import unit as measured_in
from hilbridge.files.settings.units import IsoTpSettings, Printable, UnitSettings

Text = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[ -)+-~]+$")]
"""Printable, without the `*` that ends a field."""


ELM327_PORT: Final = 35_000
"""The port of Wi-Fi adapters."""


BAUDRATE: Final = 38_400
"""[bit/s] of an ELM327 as it is delivered."""


Elm327Way = int | Annotated[str, Field(pattern=r"^(pty|/[^\x00]+)$")]


_LAST_PORT: Final = 65_535


class J1939CalibrationSettings(Settings):
    """A calibration (software and data) of a control unit."""

    id: Annotated[Printable, Field(max_length=16, description="calibration id")]
    cvn: Annotated[int, Field(ge=0, le=0xFFFFFFFF, description="its verification number")]


class J1939CertificationSettings(Settings):
    """The certification of an engine (DM56)."""

    year: Annotated[int, Field(ge=1980, le=2099, description="model year")]
    family: Annotated[Text, Field(max_length=50, description="certification engine family")]


class J1939MemorySettings(Settings):
    """Memory that tools read, write and erase with DM14 to DM16: that of a control unit of UDS."""

    unit: Annotated[Name, Field(description="one of 'units', with 'uds': its 'memory' and the levels of it")]
    provider: Annotated[
        UserFunction | None,
        Field(
            description="FILE.py:FUNCTION beside the bench file, or MODULE:FUNCTION, called with (level, seed), both "
            "numbers; its result is the key, 0 to 65535; none: places that need a level are closed"
        ),
    ] = None


class J1939NodeSettings(Settings):
    """The NAME of a control unit (SAE J1939-81), and what it reports of itself. Its address is set at the bus."""

    function: Annotated[
        int, Field(ge=0, le=255, description="0 engine, 3 transmission, 9 brakes, 12/13 retarder of engine/driveline")
    ]
    arbitrary_address: Annotated[
        bool, Field(description="takes an address of 128…247 when it loses its own; else it falls silent then")
    ] = False
    industry_group: Annotated[int, Field(ge=0, le=7, description="1: on-highway")] = 1
    vehicle_system: Annotated[int, Field(ge=0, le=127)] = 0
    vehicle_system_instance: Annotated[int, Field(ge=0, le=15)] = 0
    function_instance: Annotated[int, Field(ge=0, le=31)] = 0
    ecu_instance: Annotated[int, Field(ge=0, le=7)] = 0
    manufacturer: Annotated[int, Field(ge=0, le=0x7FF, description="code of the maker")] = 0
    identity: Annotated[int, Field(ge=0, le=0x1FFFFF, description="serial number")] = 1
    memory: Annotated[J1939MemorySettings | None, Field(description="access to memory; none: refused")] = None
    software: Annotated[list[Text], Field(min_length=1, max_length=8, description="SOFT: its fields")] = ["hilbridge"]
    part_number: Annotated[Text | None, Field(description="ECUID: default its name")] = None
    calibrations: Annotated[
        list[J1939CalibrationSettings], Field(max_length=8, description="DM19; none: not answered")
    ] = []
    certification: Annotated[J1939CertificationSettings | None, Field(description="DM56; none: not answered")] = None


class J1939Settings(Settings):
    """Control units that claim addresses, answer requests, report trouble codes and take commands (SAE J1939).

    On request: what the plan sends, VI, SOFT, CI, ECUID; of engine and transmission DM1, 2, 4, 5, 6, 12, 20, 21, 23 to
    29 and 31 from their trouble codes, DM30 on DM7, and DM3 and DM11, which clear. DM13 stops broadcasts. TSC1, ERC1,
    EBC1 and XBR act on engine, retarder and brakes.
    """

    bus: Annotated[Name, Field(description="one of 'buses'; it needs a 'source_address'")]
    nodes: Annotated[
        dict[str, J1939NodeSettings], Field(min_length=1, description="by the node's name in the bus's database")
    ]
    vin: Annotated[
        str | None,
        Field(pattern=r"^[A-HJ-NPR-Z0-9]{17}$", description="VI of the engine's control unit; default: not answered"),
    ] = None
    reference_torque: Annotated[
        float | None,
        Field(
            gt=0,
            description="100 % of the torques in TSC1; default: the highest of the engine's data sheet",
            json_schema_extra=measured_in("Nm"),
        ),
    ] = None


class StnSettings(Settings):
    """The identity of an STN11xx, the chip of OBDLink adapters."""

    firmware: Annotated[Printable, Field(max_length=40, description="answer to STI")] = "STN1110 v4.2.1"
    device: Annotated[Printable, Field(max_length=40, description="answer to STDI")] = "OBDLink SX r4.2"
    serial: Annotated[Printable, Field(max_length=20, description="answer to STSN")] = "111000000001"


class Elm327Settings(Settings):
    """An ELM327 between scan tools and a bus: python-OBD and apps connect to it as to an adapter."""

    bus: Annotated[Name, Field(description="one of 'buses'")]
    ways: Annotated[
        list[Elm327Way],
        Field(min_length=1, description="TCP ports (0: any free one), pty, serial ports such as /dev/rfcomm0"),
    ] = [ELM327_PORT, "pty"]
    address: Annotated[
        IpAddress,
        Field(
            description="IP address of the TCP ports; 0.0.0.0: every network of this machine, for a phone; there is no "
            "password, so whoever reaches it may ask, clear trouble codes and do what the control units allow"
        ),
    ] = LOOPBACK
    baudrate: Annotated[
        int, Field(gt=0, le=10_000_000, description="of serial ports", json_schema_extra=measured_in("bit/s"))
    ] = BAUDRATE
    bitrate: Annotated[
        int,
        Field(
            gt=0,
            description="where the bus has none: decides which protocols work",
            json_schema_extra=measured_in("bit/s"),
        ),
    ] = 500_000
    identity: Annotated[Printable, Field(max_length=40, description="answer to ATI and ATZ")] = "ELM327 v1.4b"
    description: Annotated[Printable, Field(max_length=47, description="answer to AT@1")] = "OBDII to RS232 Interpreter"
    stn: Annotated[
        StnSettings | None,
        Field(
            description="it knows the ST commands of OBDLink adapters too ({}: by their defaults); default: it does not"
        ),
    ] = None
    waiting: Annotated[
        Literal["chip", "answer"],
        Field(
            description="how long for further answers: like the chip (about 20 ms), or no longer than the tick of the "
            "latest one, for control units that begin their answers at once"
        ),
    ] = "chip"

    @model_validator(mode="after")
    def _in_range(self) -> "Elm327Settings":
        for way in self.ways:
            if isinstance(way, int) and not 0 <= way <= _LAST_PORT:
                bound = "at least 0" if way < 0 else f"at most {_LAST_PORT}"
                raise ConfigurationError(f"must be {bound}, found {way}", ("ways",))
        return self


class DiagnosticsSettings(Settings):
    """Diagnostic servers; they need a rate of 100 Hz or more."""

    units: Annotated[
        dict[Name, UnitSettings],
        Field(description="by a name of your choice: control units that answer OBD-II, UDS or both"),
    ] = {}
    iso_tp: Annotated[
        IsoTpSettings, Field(description="the transport protocol of all units, as far as they do not say otherwise")
    ] = IsoTpSettings()
    codes: Annotated[str, Field(description="file of the trouble codes of all units: a name in config, or a path")] = (
        "codes"
    )
    j1939: Annotated[J1939Settings | None, Field(description="control units on a J1939 bus")] = None
    elm327: Annotated[list[Elm327Settings], Field(description="adapters that scan tools connect to")] = []
