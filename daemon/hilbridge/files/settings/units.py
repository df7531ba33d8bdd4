"""Settings of the control units that answer testers: addresses, transport protocol, OBD-II, UDS, trouble codes."""

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.answers import AnswerTable, patterns_of
from hilbridge.files.settings.common import Name, Settings, completes
from hilbridge.files.settings.common import unit as measured_in
from hilbridge.files.settings.conditions import ConditionSettings
from hilbridge.files.settings.dtc import J2012, CodeSettings, ExtendedData, MonitorSettings, Snapshots
from hilbridge.files.settings.obd_data import ByteKey, DataTable
from hilbridge.files.settings.odx import OdxSettings
from hilbridge.files.settings.uds import UdsSettings

Vin = Annotated[str, Field(pattern=r"^[A-HJ-NPR-Z0-9]{17}$", description="vehicle identification number, ISO 3779")]


Printable = Annotated[str, Field(pattern=r"^[ -~]+$")]


FrameSize = Literal[8, 12, 16, 20, 24, 32, 48, 64]
"""[byte] TX_DL: data bytes of a full frame."""


Byte = Annotated[int, Field(ge=0, le=0xFF)]


Identifier = Annotated[int, Field(ge=0, le=0x1FFF_FFFF)]
"""A CAN identifier; above 0x7FF it has 29 bits."""


Role = Literal["engine", "transmission"]


TESTER: Final = 0xF1
"""Source address of an external tester (ISO 15765-4)."""


NORMAL_FIXED: Final = 0x18DA0000
MIXED: Final = 0x18CE0000
"""29-bit identifiers of physical requests (ISO 15765-2), without the addresses."""

ALL_UNITS: Final = 0x33
"""Target address of functional requests of OBD (ISO 15765-4)."""


class AddressSettings(Settings):
    """Where a control unit hears requests and where it answers (ISO 15765-2:2016, 10.3).

    Normal addressing has `request` and `answer`, extended addressing `target` besides, mixed addressing `extension`.
    Normal fixed addressing has `address`: 0x10 is 18DA10F1 and 18DAF110; with `extension` it is mixed addressing of
    29 bits, 18CE10F1 and 18CEF110.
    """

    request: Annotated[
        Identifier | None, Field(description="identifier of requests to it, e.g. 0x7E0; above 0x7FF it has 29 bits")
    ] = None
    answer: Annotated[Identifier | None, Field(description="identifier of its answers, e.g. 0x7E8")] = None
    functional: Annotated[
        Identifier | None,
        Field(
            description="identifier of requests to all units; default: 0x7DF or 0x18DB33F1 in normal addressing, else "
            "none; null: it hears none"
        ),
    ] = None
    address: Annotated[Byte | None, Field(description="its address, part of 29-bit identifiers")] = None
    target: Annotated[
        Byte | None, Field(description="extended addressing: its address, the first byte of requests")
    ] = None
    source: Annotated[
        Byte, Field(description="the tester's address: part of 29-bit identifiers, or the first byte of answers")
    ] = TESTER
    functional_target: Annotated[
        Byte | None,
        Field(
            description="address of all units: with 'address' default 0x33; with 'target' default none, and requests "
            "to it come on 'functional' or else 'request'"
        ),
    ] = None
    extension: Annotated[
        Byte | None, Field(description="mixed addressing: address extension, the first byte of all frames")
    ] = None

    @model_validator(mode="after")
    def _of_one_kind(self) -> "AddressSettings":
        """Refuse a key that would not be read."""
        given = self.model_fields_set
        if self.address is not None:
            strangers = {"request", "answer", "functional", "target"} & given
            if strangers:
                raise ConfigurationError("does not go with 'address'", (min(strangers),))
            return self
        for key in ("request", "answer"):
            if getattr(self, key) is None:
                raise ConfigurationError("is missing: an address has 'request' and 'answer', or 'address'", (key,))
        if self.request == self.answer:
            raise ConfigurationError("is the identifier of requests too", ("answer",))
        if self.target is None and (strangers := {"source", "functional_target"} & given):
            raise ConfigurationError("needs 'address' or 'target'", (min(strangers),))
        if self.target is not None and self.extension is not None:
            raise ConfigurationError("does not go with 'target'", ("extension",))
        if self.target is not None and self.functional is not None and self.functional_target is None:
            raise ConfigurationError("needs 'functional_target', the first byte of such requests", ("functional",))
        return self


_CONTROL_BYTES: Final = 5
"""SAE J1979: data A to E."""

Standard = Literal[
    "OBD-II",
    "OBD",
    "OBD and OBD-II",
    "OBD-I",
    "none",
    "EOBD",
    "EOBD and OBD-II",
    "EOBD and OBD",
    "EOBD, OBD and OBD-II",
    "JOBD",
    "JOBD and OBD-II",
    "JOBD and EOBD",
    "JOBD, EOBD and OBD-II",
    "EMD",
    "EMD+",
    "HD OBD-C",
    "HD OBD",
    "WWH OBD",
    "HD EOBD-I",
    "HD EOBD-I N",
    "HD EOBD-II",
    "HD EOBD-II N",
    "OBDBr-1",
    "OBDBr-2",
    "KOBD",
    "IOBD-I",
    "IOBD-II",
    "HD EOBD-VI",
]
"""Requirements that a control unit was designed to; "none": it is not to meet any. In the order of their numbers."""


class CalibrationSettings(Settings):
    """A calibration (software and data) of a control unit."""

    id: Annotated[Printable, Field(max_length=16, description="calibration id")]
    cvn: Annotated[
        int | None,
        Field(ge=0, le=0xFFFFFFFF, description="its verification number; default: CRC-32 of id and vehicle parameters"),
    ] = None


class ControlSettings(Settings):
    """A test or component that service 08 of OBD-II controls, by its test id; nothing of the vehicle changes."""

    data: Annotated[str, Field(description="data bytes of the answer, in hexadecimal", max_length=14)] = ""
    conditions: Annotated[
        list[ConditionSettings], Field(max_length=16, description="all must hold; else the request is refused")
    ] = []

    @property
    def content(self) -> bytes:
        """The data bytes."""
        return bytes.fromhex(self.data)

    @model_validator(mode="after")
    def _in_hexadecimal(self) -> "ControlSettings":
        try:
            content = self.content
        except ValueError:
            raise ConfigurationError("is not in hexadecimal, two digits for each byte", ("data",)) from None
        if len(content) > _CONTROL_BYTES:
            raise ConfigurationError(f"holds more than {_CONTROL_BYTES} bytes", ("data",))
        return self


class ObdSettings(Settings):
    """OBD-II on CAN (ISO 15765-4, SAE J1979) of one control unit."""

    role: Annotated[Role, Field(description="what it controls; trouble codes and J1939 know it by this")] = "engine"
    calibrations: Annotated[list[CalibrationSettings], Field(min_length=1, max_length=8, description="service 09")] = [
        CalibrationSettings(id="HILBRIDGE-1")
    ]
    name: Annotated[
        Printable | None, Field(max_length=15, description="text of the ECU name in service 09; default: by its role")
    ] = None
    standard: Annotated[
        Standard | None,
        Field(description="requirements it was designed to, PID 1C; default: EOBD, and none without an engine"),
    ] = None
    fuel: Annotated[
        Literal["ethanol", "methanol", "lpg", "cng", "propane", "hydrogen"] | None,
        Field(
            description="what a spark-ignition engine burns, for PID 51; default: petrol; of an electric drive "
            "hydrogen in a fuel cell"
        ),
    ] = None
    controls: Annotated[
        dict[Annotated[str, Field(pattern=r"^([02468ACE][1-9A-F]|[13579BDF][0-9A-F])$")], ControlSettings],
        Field(description="service 08, by test id in two hexadecimal digits; 01 is the evaporative system leak test"),
    ] = {}
    clear_while_running: Annotated[
        bool, Field(description="service 04 is done while the engine runs; else it is refused, conditions not correct")
    ] = True
    pids: Annotated[
        DataTable,
        Field(
            description="service 01, by two hexadecimal digits: signals of dbc/obd2.dbc by the name behind S01PIDxx_, "
            "or fields with a place of their own; those that are computed are there without being named, null drops one"
        ),
    ] = {}
    freeze_frame: Annotated[
        list[ByteKey] | None,
        Field(
            description="PIDs of a freeze frame, by two hexadecimal digits, as far as they are answered; default: "
            "those of SAE J1979 that say how the vehicle was driven"
        ),
    ] = None
    information: Annotated[
        DataTable,
        Field(description="service 09, InfoTypes by two hexadecimal digits: what follows the InfoType; null drops one"),
    ] = {}


class IsoTpSettings(Settings):
    """How control units speak ISO-TP (ISO 15765-2)."""

    timing: Annotated[
        Literal["iso-15765-2", "iso-15765-4"],
        Field(description="how long the other side is waited for: 1000 ms, or as OBD on CAN wants it, 75 and 150 ms"),
    ] = "iso-15765-2"
    block_size: Annotated[Byte, Field(description="frames of a request between two flow controls; 0: no limit")] = 0
    st_min: Annotated[
        float,
        Field(
            ge=0, le=127, description="least time between two frames of a request", json_schema_extra=measured_in("ms")
        ),
    ] = 0.0
    padding: Annotated[
        Byte | None, Field(description="fills frames up to eight bytes; null: they end with their data")
    ] = 0xCC
    frame_size: Annotated[
        FrameSize,
        Field(
            description="of a full frame of an answer to a request in CAN FD; answers have the format of their request",
            json_schema_extra=measured_in("bytes"),
        ),
    ] = 8
    longest: Annotated[
        int,
        Field(ge=8, le=1 << 20, description="request that there is room for", json_schema_extra=measured_in("bytes")),
    ] = 4095
    burst: Annotated[
        int, Field(ge=1, le=64, description="frames of an answer in a tick, where the tester allows it")
    ] = 4
    functional_flow_control: Annotated[
        bool, Field(description="flow control is taken on the functional identifier too; some testers send it there")
    ] = False
    while_busy: Annotated[
        Literal["ignore", "refuse"], Field(description="requests that come while an answer is under way")
    ] = "ignore"

    def overridden(self, own: "IsoTpSettings | None") -> "IsoTpSettings":
        """Return these settings with those that a unit gives of its own."""
        return self if own is None else self.model_copy(update={key: getattr(own, key) for key in own.model_fields_set})


class UnitKeys(Settings):
    """A template of a control unit, a file in config/units: what every car of that kind has, but for its bus."""

    addresses: Annotated[
        list[AddressSettings], Field(max_length=16, description="one or more, by the template or here: all are heard")
    ] = []
    power: Annotated[
        Literal["ignition", "battery"],
        Field(description="terminal it is awake by: ignition (15), or battery (30), which is always on"),
    ] = "ignition"
    nv_storage: Annotated[
        Literal["immediate", "shutdown"],
        Field(
            description="when what testers change is written: immediate: before the positive answer, with 'response "
            "pending' in the meantime; shutdown: when the ignition goes off, at a reset, and at the end of the run"
        ),
    ] = "immediate"
    iso_tp: Annotated[IsoTpSettings | None, Field(description="what differs from 'diagnostics.iso_tp', key by key")] = (
        None
    )
    vin: Annotated[Vin | None, Field(description="service 09 and identifier F190; default: not answered")] = None
    obd: Annotated[ObdSettings | None, Field(description="its OBD-II services; default: none")] = None
    uds: Annotated[UdsSettings | None, Field(description="its UDS server; default: none")] = None
    answers: Annotated[
        AnswerTable,
        Field(
            description="what it says to requests of any service, by patterns in hexadecimal; they come before 'obd' "
            "and 'uds'. Of several that fit, the one with the most given digits is taken"
        ),
    ] = {}
    codes: Annotated[
        dict[J2012, CodeSettings],
        Field(description="its own trouble codes, beside those of the file whose 'ecu' is its name or role"),
    ] = {}
    monitors: Annotated[
        dict[Name, MonitorSettings], Field(description="by a name of your choice: what finds its own trouble codes")
    ] = {}
    snapshots: Annotated[
        Snapshots | None,
        Field(description='records of its codes (19 03, 04, 05), by number: "01"; default: those of the file of codes'),
    ] = None
    extended_data: Annotated[
        ExtendedData | None,
        Field(description='counters of its codes (19 06, 16), by number: "01"; default: those of the file of codes'),
    ] = None

    @model_validator(mode="after")
    def _answers(self) -> "UnitKeys":
        if not self.addresses:
            raise ConfigurationError("is missing: where it hears requests and answers", ("addresses",))
        if self.obd is None and self.uds is None and not self.answers:
            raise ConfigurationError("it answers nothing: it has neither 'obd' nor 'uds' nor 'answers'")
        try:
            patterns_of(self.answers)
        except ConfigurationError as error:
            raise ConfigurationError(error.message, ("answers", *error.place)) from None
        return self


class UnitSettings(UnitKeys):
    """A control unit: a diagnostic server with its addresses, services and trouble codes."""

    unit: Annotated[
        str | None,
        Field(
            description="template: a name in config/units, or a path; its keys hold where the bench has no others",
            json_schema_extra=completes("template"),
        ),
    ] = None
    odx: Annotated[
        OdxSettings | None,
        Field(
            description="diagnostic database, FILE.pdx or FILE.odx-d: its services, identifiers, sessions and codes "
            "hold where the bench has no other keys; needs the extra 'odx'"
        ),
    ] = None
    bus: Annotated[Name, Field(description="one of 'buses'")]
    node: Annotated[
        str | None,
        Field(description="node of the bus's database that it is: service 28 switches its frames; default: all there"),
    ] = None

    @property
    def role(self) -> Role | None:
        """Its role in OBD-II, None without."""
        return None if self.obd is None else self.obd.role
