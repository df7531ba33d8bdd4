"""Settings of imported FMUs: co-simulation units of FMI that a bench runs beside or in place of its vehicle."""

from typing import Annotated, Final

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Milliseconds, Settings, UserFile, unit

MOST: Final = 1000
"""Variables in one direction."""

_Text = Annotated[str, Field(min_length=1, max_length=500)]

Variables = Annotated[dict[_Text, _Text], Field(max_length=MOST)] | Annotated[list[_Text], Field(max_length=MOST)]


class FmuSettings(Settings):
    """A co-simulation FMU of FMI 2.0 or 3.0, in a process of its own (docs/guides/fmi.md)."""

    file: Annotated[UserFile, Field(description="the FMU; it is code, which has to be trusted")]
    sha256: Annotated[
        str | None,
        Field(
            description="of the file, which is refused if it is another; a recording has it in place of the file",
            pattern=r"^[0-9a-f]{64}$",
        ),
    ] = None
    inputs: Annotated[
        Variables,
        Field(description="by the names of its input variables: entries that they take; a list: of the same names"),
    ] = {}
    outputs: Annotated[
        Variables,
        Field(description="by the names of its variables: entries that take them; a list: of the same names"),
    ]
    start: Annotated[
        dict[_Text, float],
        Field(description="by the names of its variables: values before it is initialised", max_length=MOST),
    ] = {}
    step: Annotated[
        Milliseconds | None,
        Field(description="from one exchange of values to the next; default: a tick", json_schema_extra=unit("ms")),
    ] = None
    timeout: Annotated[
        float,
        Field(
            gt=0,
            le=3600,
            description="by the wall clock, for its start and for an answer: then it counts as hung, and is ended",
            json_schema_extra=unit("s"),
        ),
    ] = 10.0

    @model_validator(mode="after")
    def _named_once(self) -> "FmuSettings":
        for key, variables in (("inputs", self.inputs), ("outputs", self.outputs)):
            if len(set(variables)) < len(variables):
                raise ConfigurationError("names one twice", (key,))
        if not self.outputs:
            raise ConfigurationError("must not be empty", ("outputs",))
        return self

    @property
    def reads(self) -> dict[str, str]:
        """The entry that each input variable takes."""
        return _pairs(self.inputs)

    @property
    def writes(self) -> dict[str, str]:
        """The entry that takes each variable."""
        return _pairs(self.outputs)


def _pairs(variables: Variables) -> dict[str, str]:
    return variables if isinstance(variables, dict) else {name: name for name in variables}
