"""Settings of the trouble codes: which there are, and by what each is found. The file is config/codes.yaml."""

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Name, Settings
from hilbridge.files.settings.common import unit as measured_in
from hilbridge.files.settings.uds_keys import IdentifierKey

J2012 = Annotated[str, Field(pattern=r"^[PCBU][0-3][0-9A-F]{3}$")]
"""A code as people write it: P0301."""

Fuel = Literal["petrol", "diesel", "electric"]
"""The needs of a drive: petrol for spark ignition, diesel for compression ignition, electric without an engine."""

Group = Literal[
    "misfire",
    "fuel-system",
    "components",
    "catalyst",
    "heated-catalyst",
    "evaporative-system",
    "secondary-air",
    "oxygen-sensor",
    "oxygen-sensor-heater",
    "egr",
]
"""The monitors whose readiness is reported (SAE J1979, PID 01)."""

TestOutcome = Literal["failed", "held", "stored", "passed"]
"""The result of the test of a code, as a command reports it:

    failed   once, as its monitor does; the code is pending, or confirmed if one trip is enough
    held     now and in each later cycle, whatever its monitor finds and a tester clears, until a command clears the
             code or reports that its test has passed
    stored   failed in as many cycles as it takes: the code is confirmed at once
    passed   once; a held failure ends
"""

Quantity = Literal[
    "occurrences",
    "aging",
    "aging-left",
    "healing",
    "failed-cycles",
    "cycles-since-first-failed",
    "cycles-since-last-failed",
    "fault-detection",
    "max-fault-detection",
    "max-fault-detection-this-cycle",
]
"""A byte of an extended data record: counters of a code, as AUTOSAR's diagnostic event manager has them."""

_Seconds = Annotated[float, Field(ge=0, le=86_400)]
_Byte = Annotated[int, Field(ge=0, le=0xFF)]


class SnapshotSettings(Settings):
    """A snapshot record: values of the moment in which a test failed."""

    identifiers: Annotated[
        list[IdentifierKey] | None,
        Field(
            min_length=1,
            max_length=255,
            description="what it holds, as far as the control unit has it; F400 to F4FF are PIDs; default: the freeze "
            "frame of OBD-II, which keeps the first",
        ),
    ] = None
    keep: Annotated[Literal["first", "latest"], Field(description="which failure of the code it shows")] = "first"

    @model_validator(mode="after")
    def _has_a_moment(self) -> "SnapshotSettings":
        if self.identifiers is None and self.keep != "first":
            raise ConfigurationError("needs 'identifiers'", ("keep",))
        return self


Snapshots = dict[Annotated[str, Field(pattern=r"^([0-9A-E][0-9A-F]|F[0-9A-E])$")], SnapshotSettings]
"""By record number, two hexadecimal digits; 00 is the freeze frame of WWH-OBD."""

ExtendedData = dict[
    Annotated[str, Field(pattern=r"^([1-9A-E][0-9A-F]|0[1-9A-F]|F[0-9A-D])$")],
    Annotated[list[Quantity], Field(min_length=1)],
]
"""By record number, two hexadecimal digits; 90 to 9F are those of OBD."""


SNAPSHOTS: Final[Snapshots] = {"01": SnapshotSettings()}
EXTENDED_DATA: Final[ExtendedData] = {"01": ["occurrences"], "02": ["aging"]}
"""The records of codes for which nothing is said."""


class CodeSettings(Settings):
    """One trouble code, in the forms of OBD-II, UDS and J1939."""

    text: Annotated[str, Field(min_length=1, max_length=100, description="what it says, for people")]
    failure_type: Annotated[
        _Byte, Field(description="third byte of the UDS form: the failure type of SAE J2012-DA; 0 for none")
    ] = 0
    spn: Annotated[
        int | None, Field(ge=0, le=0x7FFFF, description="J1939: suspect parameter number; none: not reported")
    ] = None
    fmi: Annotated[int, Field(ge=0, le=31, description="J1939: failure mode; 31 for none that fits")] = 31
    fuels: Annotated[
        list[Fuel], Field(min_length=1, description="engines that may have it; electric: a vehicle without one")
    ] = ["petrol", "diesel", "electric"]
    emission: Annotated[bool, Field(description="reported by OBD-II, and lights the malfunction indicator")] = True
    trips: Annotated[int, Field(ge=1, le=2, description="driving cycles with the failure that confirm it")] = 2
    severity: Annotated[
        Literal["none", "maintenance", "next-halt", "immediately"],
        Field(description="when the driver should see to it (ISO 14229-1, annex D.3)"),
    ] = "maintenance"
    wwh_class: Annotated[
        int | None, Field(ge=0, le=4, description="class of the GTR for WWH-OBD: 0 none, 1 A, 2 B1, 3 B2, 4 C")
    ] = None
    functional_unit: Annotated[_Byte, Field(description="functional unit that services 19 08 and 19 09 tell")] = 0
    memory: Annotated[
        int | None,
        Field(
            ge=0, le=0xFF, description="user-defined memory that keeps it (19 17 to 19 19); default: the primary one"
        ),
    ] = None
    snapshots: Annotated[Snapshots | None, Field(description="in place of those of all codes")] = None
    extended_data: Annotated[ExtendedData | None, Field(description="in place of those of all codes")] = None

    @model_validator(mode="after")
    def _emission_codes_in_primary_memory(self) -> "CodeSettings":
        if self.memory is not None and self.emission:
            raise ConfigurationError("OBD-II reads the primary memory only: needs 'emission: false'", ("memory",))
        return self


class FiledCodeSettings(CodeSettings):
    """A trouble code of a file that is for several control units."""

    ecu: Annotated[Name, Field(description="the control unit that keeps it: its name, or its role in OBD-II")] = (
        "engine"
    )


class TestResultSettings(Settings):
    """The place where service 06 reports the measurement of a monitor."""

    monitor: Annotated[int, Field(gt=0, le=0xFF, description="OBD monitor id")]
    test: Annotated[int, Field(gt=0, le=0xFF, description="test id; 0x80 and above are the manufacturer's")]
    unit: Annotated[_Byte, Field(description="unit and scaling id of SAE J1979; the value is in its unit, times in s")]


class MonitorSettings(Settings):
    """A value that is watched, and within which limits it should be."""

    code: Annotated[J2012, Field(description="one of 'codes'")]
    group: Annotated[Group, Field(description="the readiness that it belongs to")] = "components"
    fuels: Annotated[
        list[Fuel], Field(min_length=1, description="engines that are watched so; electric: a vehicle without one")
    ] = ["petrol", "diesel", "electric"]
    when: Annotated[str, Field(description="expression that is not 0 while the value means something")] = "1"
    value: Annotated[
        str | None,
        Field(
            description="expression of data bus entries; {idle_rpm}, {limit_rpm}, "
            "{nominal_voltage} and {breathing} (displacement times volumetric efficiency, in l) are figures"
        ),
    ] = None
    observed: Annotated[
        str | None, Field(description="in place of 'value': what the bench's inputs know, such as Throttle.tracks")
    ] = None
    minimum: float | None = None
    maximum: float | None = None
    time: Annotated[
        _Seconds,
        Field(
            description="how long the value is beyond a limit until the test has failed",
            json_schema_extra=measured_in("s"),
        ),
    ] = 0.0
    pass_time: Annotated[
        _Seconds,
        Field(description="how long it is within until the test has passed", json_schema_extra=measured_in("s")),
    ] = 1.0
    result: Annotated[TestResultSettings | None, Field(description="place in service 06; none: not reported")] = None

    @model_validator(mode="after")
    def _complete(self) -> "MonitorSettings":
        if (self.value is None) == (self.observed is None):
            raise ConfigurationError("needs either 'value' or 'observed'", ("value",))
        if self.minimum is None and self.maximum is None:
            raise ConfigurationError("needs 'minimum' or 'maximum'", ("maximum",))
        return self


class TroubleCodesSettings(Settings):
    """The file of trouble codes."""

    codes: Annotated[dict[J2012, FiledCodeSettings], Field(description="by code, as SAE J2012 writes it")]
    monitors: Annotated[dict[Name, MonitorSettings], Field(description="by a name of your choice")] = {}
    snapshots: Annotated[Snapshots, Field(description='records of each code (19 03, 04, 05), by number: "01"')] = (
        SNAPSHOTS
    )
    extended_data: Annotated[
        ExtendedData, Field(description='records of each code (19 06, 16), by number: "01"; counters, a byte each')
    ] = EXTENDED_DATA
    readiness_groups: Annotated[
        dict[Group, _Byte], Field(description="numbers of the readiness groups in 19 56 (SAE J1979-DA)")
    ] = {}

    @model_validator(mode="after")
    def _known_codes(self) -> "TroubleCodesSettings":
        seen: dict[str, str] = {}
        results: dict[tuple[str, int, int], str] = {}
        for name, monitor in self.monitors.items():
            if monitor.code not in self.codes:
                raise ConfigurationError(f"{monitor.code} is none of 'codes'", ("monitors", name, "code"))
            if monitor.code in seen:
                raise ConfigurationError(f"{monitor.code} is found by {seen[monitor.code]} already", ("monitors", name))
            seen[monitor.code] = name
            if monitor.result is not None:
                key = (self.codes[monitor.code].ecu, monitor.result.monitor, monitor.result.test)
                if key in results:
                    raise ConfigurationError(f"the same test as {results[key]}", ("monitors", name, "result"))
                results[key] = name
        return self
