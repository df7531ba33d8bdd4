"""Settings of the fabric, on which a bench is seen and commanded from elsewhere."""

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Settings, UserFile, unit

MEETING_PORT: Final = 29600
"""The TCP port of 127.0.0.1 where the benches of a machine meet."""

Changing: TypeAlias = Literal[
    "begin",
    "date",
    "set",
    "release",
    "give-back",
    "arm",
    "send",
    "ask",
    "fault-add",
    "fault-clear",
    "tune-engine",
    "trouble-set",
    "trouble-clear",
    "reload",
    "record-start",
    "record-stop",
    "scenario-start",
    "scenario-stop",
    "stop",
]
"""A command of the control socket that changes something."""

_OF_A_SCENARIO: Final[tuple[Changing, ...]] = (
    "set",
    "release",
    "arm",
    "send",
    "fault-add",
    "fault-clear",
    "trouble-set",
    "trouble-clear",
)
"""The commands that the steps of a scenario can stand for."""


class FabricSettings(Settings):
    """The bench on Zenoh: `hilbridge lab` finds, follows and commands it. By default on loopback, to look at only."""

    port: Annotated[
        int, Field(ge=1, le=65535, description="TCP port of 127.0.0.1 where the benches of this machine meet")
    ] = MEETING_PORT
    config: Annotated[
        UserFile | None,
        Field(
            description="Zenoh's own configuration (JSON5), beside the bench file: addresses, TLS, access rules; "
            "it replaces the meeting on loopback",
        ),
    ] = None
    rate: Annotated[
        int,
        Field(
            ge=1,
            le=50,
            description="values of the data bus are published so often, while somebody listens",
            json_schema_extra=unit("Hz"),
        ),
    ] = 10
    allow: Annotated[
        list[Changing], Field(description="commands that are taken from there, by name; default: none but questions")
    ] = []

    @model_validator(mode="after")
    def _scenarios_do_all(self) -> "FabricSettings":
        missing = [name for name in _OF_A_SCENARIO if name not in self.allow]
        if "scenario-start" in self.allow and missing:
            raise ConfigurationError(
                f"a scenario can do all of it, so 'scenario-start' needs {', '.join(missing)} too", ("allow",)
            )
        return self
