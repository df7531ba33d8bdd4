"""Settings of what the control units behind a bus say themselves, a cluster above all, and of how they are asked."""

from typing import Annotated, Final

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Milliseconds, Settings, completes
from hilbridge.files.settings.common import unit as measured_in
from hilbridge.files.settings.identifiers import HIGHEST
from hilbridge.files.settings.traffic import SignalPlace

_STANDARD_HIGHEST: Final = 0x7FF

_Id = Annotated[int, Field(ge=0, le=HIGHEST)]
_AddressByte = Annotated[int, Field(ge=0, le=0xFF)]

USUAL_IDENTIFIERS: Final = (0xF187, 0xF189, 0xF18C, 0xF190, 0xF191, 0xF197)
"""Part number, software version, serial number, vehicle, hardware number, name of the system (ISO 14229-1, Annex C)."""

TESTER_ADDRESS: Final = 0xF1
"""The address of an external tester (ISO 15765-4)."""


class ReportedSignal(SignalPlace):
    """A signal of a frame that the cluster sends: where it lies, and what it should say.

    It differs where |said − compared| is beyond the larger of `tolerance` and `percent`, and beyond half a step.
    """

    compare: Annotated[
        str | None,
        Field(
            min_length=1,
            description="what it should say, computed from data bus entries in the signal's unit, "
            "e.g. vehicle.Speed * 3.6; default: it is only shown",
        ),
    ] = None
    tolerance: Annotated[float, Field(ge=0, description="of 'compare', in the signal's unit")] = 0
    percent: Annotated[
        float,
        Field(ge=0, le=100, description="of 'compare', of what it should say", json_schema_extra=measured_in("%")),
    ] = 0
    unit: Annotated[str, Field(description="for people", json_schema_extra=completes("unit"))] = ""

    @model_validator(mode="after")
    def _require_tolerance(self) -> "ReportedSignal":
        for key in ("tolerance", "percent"):
            if self.compare is None and key in self.model_fields_set:
                raise ConfigurationError("belongs to 'compare'", (key,))
        return self


class Report(Settings):
    """A frame that the cluster sends itself: its signals show what it made of ours. It changes nothing in the run."""

    id: Annotated[_Id, Field(description="identifier")]
    extended: Annotated[bool, Field(description="29 bits; default: above 0x7FF")] = False
    period: Annotated[
        Milliseconds | None,
        Field(
            description="the cluster's own: silent for three of them, it is said to be missing; default: any time",
            json_schema_extra=measured_in("ms"),
        ),
    ] = None
    signals: Annotated[
        dict[str, ReportedSignal], Field(min_length=1, description="by a name of your choice, e.g. Speed shown")
    ]

    @property
    def is_extended(self) -> bool:
        """Whether the identifier has 29 bits."""
        return self.extended or self.id > _STANDARD_HIGHEST


class AskedUnit(Settings):
    """The control unit behind the bus that `hilbridge explain --codes` asks by UDS, and where it answers.

    Identifiers above 0x7FF have 29 bits. Nothing but reading is ever asked.
    """

    request: Annotated[_Id, Field(description="identifier of requests to it, e.g. 0x714")]
    answer: Annotated[_Id, Field(description="identifier of its answers, e.g. 0x77E")]
    target: Annotated[
        _AddressByte | None,
        Field(description="extended addressing: its address, the first byte of requests; default: normal addressing"),
    ] = None
    source: Annotated[
        _AddressByte, Field(description="extended addressing: the tester's address, the first byte of answers")
    ] = TESTER_ADDRESS
    identifiers: Annotated[
        list[Annotated[int, Field(ge=0, le=0xFFFF)]],
        Field(max_length=64, description="data identifiers that say what it is (service 22)"),
    ] = list(USUAL_IDENTIFIERS)

    @model_validator(mode="after")
    def _two_directions(self) -> "AskedUnit":
        if self.request == self.answer:
            raise ConfigurationError("is the identifier of requests too", ("answer",))
        if self.target is None and "source" in self.model_fields_set:
            raise ConfigurationError("belongs to 'target'", ("source",))
        return self
