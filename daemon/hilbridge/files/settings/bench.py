"""Settings of a bench: the whole file, and the sections of its control socket, page, metrics and recordings."""

from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any, Final, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field, model_validator

from hilbridge.base.common.addresses import LOOPBACK, is_loopback
from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.base.common.units import SECOND
from hilbridge.files.settings.boards import BoardSettings
from hilbridge.files.settings.buses import BusSettings
from hilbridge.files.settings.common import (
    NAME_RULE,
    RATES,
    IpAddress,
    Name,
    Rate,
    Settings,
    completes,
    unit,
)
from hilbridge.files.settings.custom import CustomEntries
from hilbridge.files.settings.diagnostics import DiagnosticsSettings
from hilbridge.files.settings.doip import DoipSettings
from hilbridge.files.settings.fabric import FabricSettings
from hilbridge.files.settings.faults import FaultSettings
from hilbridge.files.settings.fmu import FmuSettings
from hilbridge.files.settings.gateway import RouteSettings
from hilbridge.files.settings.inputs import InputSource
from hilbridge.files.settings.lines import SerialBus
from hilbridge.files.settings.lockstep import LockstepClient
from hilbridge.files.settings.outputs import OutputSettings
from hilbridge.files.settings.realtime import RealTimeSettings
from hilbridge.files.settings.secrets import Token
from hilbridge.files.settings.xcp import XcpSettings

BEGIN: Final = "2026-01-01T08:00:00"
"""The date at which a run on the virtual clock begins."""


def local_date(text: str) -> str:
    """Return the text of a local date. ValueError: it is none."""
    with suppress(ValueError):
        if datetime.fromisoformat(text).tzinfo is None:
            return text
    raise ValueError(f"{text!r} is no local date and time such as {BEGIN}")


def _time_zone(name: str) -> str:
    with suppress(LookupError, ValueError, OSError):
        ZoneInfo(name)
        return name
    raise ValueError(f"{quoted(name)} is no time zone of this machine, such as Europe/Berlin")


def _require_token(what: str, address: str, token: Token | None) -> None:
    if not is_loopback(address) and token is None:
        raise ConfigurationError(f"{what} at {address} needs a token of 16 characters or more", ("token",))


class MetricsSettings(Settings):
    """An HTTP port: /metrics for Prometheus; /healthz and /readyz say how the run is. By default on loopback."""

    address: Annotated[IpAddress, Field(description="IP address to listen at; all but loopback needs a token")] = (
        LOOPBACK
    )
    port: Annotated[int, Field(ge=1, le=65535, description="TCP port")] = 8099
    token: Annotated[
        Token | None, Field(description="secret that each request carries: Authorization: Bearer TOKEN")
    ] = None

    @model_validator(mode="after")
    def _needs_token(self) -> "MetricsSettings":
        _require_token("a port for metrics", self.address, self.token)
        return self


class ControlSettings(Settings):
    """A Unix socket where `hilbridge ctl` reaches the running bench."""

    socket: Annotated[
        str | None, Field(description="path; default: NAME.sock in /run/hilbridge, or in the user's run directory")
    ] = None
    mode: Annotated[
        str, Field(pattern=r"^0?[0-7]{3}$", description="who may use it: the permissions of the socket, octal")
    ] = "660"
    enabled: Annotated[bool, Field(description="whether there is one")] = True


class RecordingSettings(Settings):
    """How a recording is cut into segments, and how many are kept. One that has lost its first cannot be replayed.

    A segment that is full is packed beside the run (`record.000000.z`), to about a third; `size` is what lies on the
    disk.
    """

    segment: Annotated[
        int, Field(ge=1, le=1_000_000, description="size of a segment", json_schema_extra=unit("MB"))
    ] = 32
    segments: Annotated[int | None, Field(ge=2, description="so many are kept, the newest; default: all")] = None
    size: Annotated[
        int,
        Field(
            ge=1,
            le=1_000_000,
            description="of all segments that are kept: beyond it the oldest go; the last 500 MB of the disk, or the "
            "last twentieth of a small one, stay free in any case",
            json_schema_extra=unit("MB"),
        ),
    ] = 10_000


class CockpitSettings(Settings):
    """A page for browsers: the instruments, the driver's controls, frames, trouble codes. By default on loopback."""

    enabled: Annotated[bool, Field(description="whether there is one")] = True
    address: Annotated[IpAddress, Field(description="IP address to listen at; all but loopback needs a token")] = (
        LOOPBACK
    )
    port: Annotated[
        int, Field(ge=0, le=65535, description="TCP port, by default the first free one from 8090 on; 0: any")
    ] = 8090
    token: Annotated[
        Token | None,
        Field(
            description="secret that opens the page: http://ADDRESS:PORT/?token=TOKEN; on loopback by default one "
            "that is kept beside the stored state; it is in the log, and `hilbridge page` opens it"
        ),
    ] = None
    hosts: Annotated[
        list[Annotated[str, Field(pattern=r"^[a-z0-9.-]{1,253}$")]],
        Field(description="names, besides IP addresses, under which browsers reach a page that is not on loopback"),
    ] = []
    read_only: Annotated[bool, Field(description="the page shows and changes nothing")] = False
    rate: Annotated[
        int, Field(ge=1, le=60, description="updates per second of what moves", json_schema_extra=unit("Hz"))
    ] = 30

    @property
    def is_loopback(self) -> bool:
        """Only programs of this machine reach it."""
        return is_loopback(self.address)

    @model_validator(mode="after")
    def _needs_token(self) -> "CockpitSettings":
        if self.enabled:
            _require_token("a page", self.address, self.token)
        return self


class BenchSettings(Settings):
    """A bench: one vehicle, its buses and its inputs."""

    name: Annotated[Name, Field(description=NAME_RULE)]
    rate: Annotated[
        Rate, Field(description="ticks per second", json_schema_extra={"unit": "Hz", "enum": list(RATES)})
    ] = 1000
    seed: Annotated[int, Field(ge=0, description="for everything random, and written into the manifest")] = 0
    clock: Annotated[
        str | None,
        AfterValidator(lambda text: text and local_date(text)),
        Field(
            description="local date and time at which the entries `clock.` begin; default: that of this machine at the "
            f"start, which a replay repeats; {BEGIN} on the virtual clock"
        ),
    ] = None
    clock_follows: Annotated[
        Literal["at-once", "smoothly", "no"] | None,
        Field(
            description="how the entries `clock.` follow the clock of this machine in real time, when it is set and "
            "when daylight saving begins or ends; smoothly: up to a minute of difference is made up for, a second in "
            "ten, and more at once; default: at-once, or no where `clock` names a date"
        ),
    ] = None
    time_zone: Annotated[
        str | None,
        AfterValidator(lambda name: name and _time_zone(name)),
        Field(description="of the entries `clock.` in real time, such as Europe/Berlin; default: that of this machine"),
    ] = None
    vehicle: Annotated[
        str,
        Field(description="name of a file in config/vehicles, or a path", json_schema_extra=completes("vehicle")),
    ]
    buses: Annotated[dict[Name, BusSettings], Field(description="by a name of your choice: the CAN buses")] = {}
    gateway: Annotated[
        dict[Name, RouteSettings], Field(description="by a name of your choice: routes of frames from bus to bus")
    ] = {}
    custom: CustomEntries = {}
    inputs: Annotated[list[InputSource], Field(description="the driver's controls, highest priority first")] = []
    outputs: Annotated[
        dict[Name, OutputSettings], Field(description="by a name of your choice: values on serial lines")
    ] = {}
    boards: Annotated[
        dict[Name, BoardSettings], Field(description="by a name of your choice: microcontrollers that make signals")
    ] = {}
    lines: Annotated[
        dict[Name, SerialBus], Field(description="by a name of your choice: serial buses, such as K-bus and LIN")
    ] = {}
    parts: Annotated[
        dict[Name, Any],
        Field(description="by the name that an installed package has declared: parts of packages beyond hilbridge"),
    ] = {}
    diagnostics: Annotated[DiagnosticsSettings, Field(description="diagnostic servers")] = DiagnosticsSettings()
    doip: Annotated[
        DoipSettings | None, Field(description="control units over TCP and UDP, ISO 13400-2; default: they are not")
    ] = None
    xcp: Annotated[
        XcpSettings | None,
        Field(description="the data bus for measurement and calibration tools, ASAM XCP; default: it is not"),
    ] = None
    lockstep: Annotated[
        dict[Name, LockstepClient],
        Field(
            description="by a name of your choice: control units under test that a run on the virtual clock waits for"
        ),
    ] = {}
    fmu: Annotated[
        dict[Name, FmuSettings],
        Field(
            description="by a name of your choice: co-simulation FMUs, which take entries and give others",
            max_length=16,
        ),
    ] = {}
    faults: Annotated[list[FaultSettings], Field(description="what goes wrong, and when")] = []
    control: Annotated[ControlSettings, Field(description="the control socket")] = ControlSettings()
    cockpit: Annotated[CockpitSettings, Field(description="the page for browsers")] = CockpitSettings()
    metrics: Annotated[MetricsSettings | None, Field(description="for Prometheus; default: there are none")] = None
    fabric: Annotated[
        FabricSettings | None, Field(description="for `hilbridge lab`, on Zenoh; default: the bench is not there")
    ] = None
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
            description="file that keeps the odometer, trouble codes ... from run to run, with a name that ends in "
            ".json; none: nothing is kept; default: NAME.json in $STATE_DIRECTORY, or in $XDG_STATE_HOME/hilbridge",
            min_length=1,
            pattern=r"^([^\x00]*\.json|none)$",
        ),
    ] = None

    @property
    def serial_outputs(self) -> dict[str, OutputSettings | BoardSettings]:
        """The outputs and the boards, by name."""
        return {**self.outputs, **self.boards}

    @property
    def period(self) -> int:
        """[ns] of one tick."""
        return SECOND // self.rate

    @property
    def follows_clock(self) -> bool:
        """Whether the date follows the clock of the machine in real time."""
        return self.clock is None if self.clock_follows is None else self.clock_follows != "no"

    @property
    def begin(self) -> datetime:
        """The local date and time at which a run begins."""
        return datetime.fromisoformat(self.clock or BEGIN)
