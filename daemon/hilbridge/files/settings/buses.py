"""Settings of CAN buses."""

from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field, model_validator

from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.files.settings.common import Name, Settings, completes, unit
from hilbridge.files.settings.frames import MessageMap, RangeRule
from hilbridge.files.settings.identifiers import IdentifierRange
from hilbridge.files.settings.protection import OneOrMore, Preset, as_list
from hilbridge.files.settings.reports import AskedUnit, Report
from hilbridge.files.settings.traffic import ProtectedFrame, RawFrame, RestBusSettings

SlcanWay = int | Literal["pty"]
SourceAddress = Annotated[int, Field(ge=0, le=253)]
"""Address of a J1939 control unit; 254 stands for none, 255 for all."""
_LAST_PORT: Final = 65_535

_HARMFUL: Final = ("spy://", "alt://")
"""pyserial opens the file in `spy://LINE?file=NAME` for writing, and calls the class in `alt://LINE?class=NAME`."""

ADAPTER: Final = "adapter:"
"""Before the serial number or the path of an adapter, in place of the name of its interface, which has no colon."""

_LIBRARIES: Final = ("dll", "override_library_name")
"""Parameters of usb2can and neovi: a path of a shared library, which would be loaded as code."""


class BusSettings(Settings):
    """One CAN bus: how it is reached, and which messages of which database are sent on it."""

    profile: Annotated[
        str | None,
        Field(
            description="a receiver on this bus: name of a file in config/clusters, or a path; its keys hold where "
            "none of the same name stands here, and null leaves one out",
            json_schema_extra=completes("profile"),
        ),
    ] = None
    interface: Annotated[
        str,
        Field(
            description="embedded, socketcan, or any interface name of python-can",
            pattern=r"^[a-z0-9_-]+$",
            json_schema_extra=completes("interface"),
        ),
    ]
    channel: Annotated[
        str | int | None,
        Field(
            description="e.g. vcan0; not for embedded; of socketcan also adapter:SERIAL or adapter:PATH, with #N for "
            "its channel N: the interface of this adapter, whatever name it has got (`hilbridge doctor` lists them; "
            "PATH: one or more folders below /sys/devices, as 1-2:1.0)"
        ),
    ] = None
    bitrate: Annotated[
        int | None,
        Field(
            ge=1000,
            description="for interfaces that set it; embedded: of the wires that it stands for, for the load",
            json_schema_extra=unit("bit/s"),
        ),
    ] = None
    fd: Annotated[bool, Field(description="CAN FD frames may be sent and received")] = False
    options: Annotated[
        dict[str, str | int | float | bool], Field(description="further parameters, handed to python-can as they are")
    ] = {}
    slcan: Annotated[
        SlcanWay | list[SlcanWay] | None,
        Field(description="embedded only: loopback TCP port for SLCAN clients (0: any), or pty; or a list of these"),
    ] = None
    socketcand: Annotated[
        int | None,
        Field(
            ge=0,
            le=_LAST_PORT,
            description="embedded only: loopback TCP port for socketcand clients (0: any), who open the bus by name",
        ),
    ] = None
    database: Annotated[
        str | list[str] | None,
        Field(
            description="file in dbc/, or a path (DBC, KCD, ARXML, SYM); or a list of these",
            json_schema_extra=completes("database"),
        ),
    ] = None
    wait: Annotated[
        Literal["late", "required"],
        Field(
            description="for an interface that is missing at the start: late: the run begins, and awaits it as after a "
            "loss; required: it does not begin without (exit status 1, after which a service is started again)"
        ),
    ] = "late"
    transmit: Annotated[
        list[str], Field(description="nodes of the database whose messages are sent, as far as these have a period")
    ] = []
    messages: Annotated[
        dict[str, MessageMap],
        Field(
            description="by name: messages that are sent, with what differs from the database; "
            "a message here needs no 'transmit'"
        ),
    ] = {}
    range: Annotated[
        RangeRule,
        Field(
            description="database: a value beyond a signal's minimum and maximum is held there, and counted, and a "
            "sample of an input beyond it does not count; raw: the bits alone bound it, less what is reserved for 'not "
            "available' and 'error'"
        ),
    ] = "database"
    protection: Annotated[
        list[Preset],
        BeforeValidator(as_list),
        OneOrMore,
        Field(
            description="preset of every message with a signal of the name CHECKSUM and no 'protection' of its own; "
            "of several the first that knows the frame"
        ),
    ] = []
    source_address: Annotated[
        SourceAddress | dict[str, SourceAddress] | None,
        Field(description="J1939: of all frames, or by node of the database; default: as in the database"),
    ] = None
    raw: Annotated[
        dict[Name, RawFrame], Field(description="by a name of your choice: frames that no database describes")
    ] = {}
    reports: Annotated[
        dict[str, Report],
        Field(description="by a name of your choice: frames that the cluster sends itself, to compare with the model"),
    ] = {}
    diagnostics: Annotated[
        AskedUnit | None, Field(description="the cluster's control unit, as `hilbridge explain --codes` asks it")
    ] = None
    rest_bus: Annotated[RestBusSettings | None, Field(description="a log that is played beside the frames")] = None
    hardware: Annotated[
        bool | None,
        Field(
            description="whether real control units may be on the bus; default: by the interface; of socketcan a run "
            "in real time reads the kind of link from the kernel: vcan and vxcan are not, whatever their name, and "
            "all else is, also any on the virtual clock, and an interface that is not there yet: when it comes and is "
            "virtual, its bus is armed"
        ),
    ] = None
    armed: Annotated[
        bool, Field(description="hardware only: frames are sent from the start; else after `hilbridge ctl arm`")
    ] = False
    never_send: Annotated[
        list[IdentifierRange] | None,
        Field(description="identifiers that never leave; default: 0x6B4 where vw-mqb or vw-mlb is used, else none"),
    ] = None
    allow: Annotated[
        list[IdentifierRange] | None, Field(description="the only identifiers that may leave; default: all")
    ] = None
    load_budget: Annotated[
        float | None,
        Field(
            gt=0,
            le=100,
            description="of the bus's time that own frames may take; default: 80 on hardware",
            json_schema_extra=unit("%"),
        ),
    ] = None
    odometer: Annotated[
        bool,
        Field(description="hardware only: frames that make a real odometer count (Odometer, DistancePulses) are sent"),
    ] = False

    @property
    def database_files(self) -> list[str]:
        """The files of `database`, however many."""
        if self.database is None:
            return []
        return self.database if isinstance(self.database, list) else [self.database]

    def source_address_of(self, node: str | None) -> int | None:
        """Return the J1939 address of a node of the database, where one is given."""
        if isinstance(self.source_address, dict):
            return None if node is None else self.source_address.get(node)
        return self.source_address

    @property
    def is_hardware(self) -> bool:
        """Whether real control units may be on the bus: it leaves this machine, as far as these settings say."""
        if self.hardware is not None:
            return self.hardware
        return self.interface not in ("embedded", "virtual")

    @property
    def presets(self) -> set[str]:
        """The presets that protect frames of this bus."""
        frames: list[MessageMap | RawFrame | ProtectedFrame] = [*self.messages.values(), *self.raw.values()]
        frames += self.rest_bus.protection if self.rest_bus is not None else []
        return {one.preset for frame in frames for one in frame.protection if one.preset is not None} | {
            *self.protection
        }

    @property
    def slcan_ways(self) -> list[SlcanWay]:
        """The ways in of `slcan`, however many."""
        if self.slcan is None:
            return []
        return self.slcan if isinstance(self.slcan, list) else [self.slcan]

    @model_validator(mode="after")
    def _ways_in(self) -> "BusSettings":
        for key, given, port in (
            ("slcan", self.slcan is not None, "an SLCAN port"),
            ("socketcand", self.socketcand is not None, "a socketcand port"),
        ):
            if given and self.interface != "embedded":
                words = f"only an embedded bus has {port}, and the interface is {quoted(self.interface)}"
                raise ConfigurationError(words, (key,))
        if self.socketcand is not None and self.fd:
            raise ConfigurationError("the protocol of socketcand has no CAN FD, and this bus has", ("socketcand",))
        for way in self.slcan_ways:
            if way != "pty" and not 0 <= way <= _LAST_PORT:
                bound = "at least 0" if way < 0 else f"at most {_LAST_PORT}"
                raise ConfigurationError(f"must be {bound}, found {way}", ("slcan",))
        return self

    @model_validator(mode="after")
    def _harmless(self) -> "BusSettings":
        """A bench file opens no file and names no code by what a library makes of a channel or a parameter."""
        if str(self.channel).strip().lower().startswith(_HARMFUL):
            words = f"{self.channel!r} is no line: pyserial would write a file, or call what it names"
            raise ConfigurationError(words, ("channel",))
        for option in _LIBRARIES:
            if option in self.options:
                raise ConfigurationError(
                    "names a shared library: a bench file names no code in this way", ("options", option)
                )
        return self

    @model_validator(mode="after")
    def _by_adapter(self) -> "BusSettings":
        if isinstance(self.channel, str) and self.channel.startswith(ADAPTER) and self.interface == "socketcan":
            adapter, mark, number = self.channel.removeprefix(ADAPTER).partition("#")
            if not adapter.strip("/") or (mark and not (number.isascii() and number.isdecimal())):
                words = f"{quoted(self.channel)} names no adapter: {ADAPTER}SERIAL or {ADAPTER}PATH, and #0, #1 ..."
                raise ConfigurationError(f"{words} for one of its channels", ("channel",))
        return self

    @model_validator(mode="after")
    def _consistent(self) -> "BusSettings":
        if self.interface == "embedded":
            for key in ("channel", "options"):
                if getattr(self, key) not in (None, {}):
                    raise ConfigurationError(f"an embedded bus has no {key}", (key,))
        elif self.channel is None:
            raise ConfigurationError(f"interface {self.interface} needs a channel, e.g. can0", ("channel",))
        if not self.database:
            for key in ("transmit", "messages", "source_address"):
                if getattr(self, key) not in ([], {}, None):
                    raise ConfigurationError("needs a 'database' that describes the messages", (key,))
        return self
