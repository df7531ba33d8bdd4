"""Settings of the trouble codes: which there are, and by what each is found. The file is config/codes.yaml."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from hilbridge.common.errors import ConfigurationError
from hilbridge.settings.common import Name, Settings, unit

J2012 = Annotated[str, Field(pattern=r"^[PCBU][0-3][0-9A-F]{3}$")]
"""A code as people write it: P0301."""

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
"""What a command reports of the test of a code:

    failed   once, as its monitor does; the code is pending, or confirmed if one trip is enough
    held     now and in each later cycle, whatever its monitor finds and a tester clears, until a command clears the
             code or reports that its test has passed
    stored   failed in as many cycles as it takes: the code is confirmed at once
    passed   once; a held failure ends
"""

_Seconds = Annotated[float, Field(ge=0, le=86_400)]
_Byte = Annotated[int, Field(ge=0, le=0xFF)]


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
    emission: Annotated[bool, Field(description="reported by OBD-II, and lights the malfunction indicator")] = True
    trips: Annotated[int, Field(ge=1, le=2, description="driving cycles with the failure that confirm it")] = 2


class FiledCodeSettings(CodeSettings):
    """A trouble code of a file that is for several control units."""

    ecu: Annotated[Name, Field(description="the control unit that keeps it: its name, or its role in OBD-II")] = (
        "engine"
    )


class TestResultSettings(Settings):
    """The place where service 06 reports the measurement of a monitor."""

    monitor: Annotated[int, Field(gt=0, le=0xFF, description="OBD monitor id")]
    test: Annotated[int, Field(gt=0, le=0xFF, description="test id; 0x80 and above are the manufacturer's")]
    unit: Annotated[_Byte, Field(description="unit and scaling id of SAE J1979")]


class MonitorSettings(Settings):
    """A value that is watched, and within which limits it should be."""

    code: Annotated[J2012, Field(description="one of 'codes'")]
    group: Annotated[Group, Field(description="the readiness that it belongs to")] = "components"
    fuels: Annotated[
        list[Literal["petrol", "diesel"]], Field(min_length=1, description="engines that are watched so")
    ] = ["petrol", "diesel"]
    when: Annotated[str, Field(description="expression that is not 0 while the value means something")] = "1"
    value: Annotated[
        str | None,
        Field(description="expression of data bus entries; {idle_rpm}, {limit_rpm} and {nominal_voltage} are figures"),
    ] = None
    observed: Annotated[
        str | None, Field(description="in place of 'value': what the bench's inputs know, such as Throttle.tracks")
    ] = None
    minimum: float | None = None
    maximum: float | None = None
    time: Annotated[
        _Seconds,
        Field(
            description="how long the value is beyond a limit until the test has failed", json_schema_extra=unit("s")
        ),
    ] = 0.0
    pass_time: Annotated[
        _Seconds, Field(description="how long it is within until the test has passed", json_schema_extra=unit("s"))
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
