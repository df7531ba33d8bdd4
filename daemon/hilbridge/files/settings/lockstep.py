"""Settings of lockstep clients: control units under test that the virtual clock waits for."""

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Milliseconds, Settings, UserFile, UserFunction, unit

_WAYS: Final = ("python", "program", "firmware", "socket")


class LockstepClient(Settings):
    """A control unit under test: on the virtual clock the bench waits for it (docs/guides/lockstep.md)."""

    bus: Annotated[
        str | Annotated[list[str], Field(min_length=1, max_length=16)],
        Field(description="name of the bus that it is on; of firmware also a list of names"),
    ]
    python: Annotated[
        UserFunction | None,
        Field(description="class with `receive` and `tick` that runs inside the bench: FILE.py:CLASS, MODULE:CLASS"),
    ] = None
    program: Annotated[
        UserFile | None,
        Field(description="file that the bench starts: a program, a script, or a .py for its own Python"),
    ] = None
    firmware: Annotated[
        UserFile | None,
        Field(description="compiled program or shared library that includes the header of `hilbridge lockstep header`"),
    ] = None
    backend: Annotated[
        Literal["native", "labwired"] | None,
        Field(description="what runs the firmware; default: the first that runs a file of its kind"),
    ] = None
    chip: Annotated[
        str | None,
        Field(
            description="microcontroller that `labwired` emulates, by its name there: stm32f103", pattern=r"^[\w-]+$"
        ),
    ] = None
    clock: Annotated[
        float | None,
        Field(
            gt=0,
            le=1000,
            description="of its core, as the firmware sets it up; default: the highest of the chip",
            json_schema_extra=unit("MHz"),
        ),
    ] = None
    controllers: Annotated[
        list[str] | None,
        Field(description="its CAN controllers by their names there, one for each bus; default: from the first on"),
    ] = None
    board: Annotated[
        str | None,
        Field(description="its pins: one of 'boards' with `port: lockstep`; not of a class in Python"),
    ] = None
    socket: Annotated[
        str | None,
        Field(description="path where a program of yours connects, once", min_length=1, pattern=r"^[^\x00]*$"),
    ] = None
    arguments: Annotated[list[str | int | float], Field(description="of the class or the program, in their order")] = []
    every: Annotated[
        Milliseconds | None,
        Field(description="from one turn of the client to the next; default: a tick", json_schema_extra=unit("ms")),
    ] = None
    timeout: Annotated[
        float,
        Field(
            gt=0,
            le=3600,
            description="by the wall clock, for a turn of a program, and for it to connect; then the run ends",
            json_schema_extra=unit("s"),
        ),
    ] = 10.0
    silence: Annotated[
        int | None,
        Field(
            ge=1,
            description="ticks without a frame or a changed pin of the client, after which it counts as hung: the same "
            "tick in each run, also of a core in an endless loop; a whole number of its turns",
        ),
    ] = None

    @model_validator(mode="after")
    def _one_way(self) -> "LockstepClient":
        if sum(getattr(self, way) is not None for way in _WAYS) != 1:
            raise ConfigurationError(f"needs one of the keys {', '.join(_WAYS)}")
        if self.arguments and self.socket is not None:
            raise ConfigurationError("whoever starts the program gives it its arguments", ("arguments",))
        for key in ("backend", "chip"):
            if self.firmware is None and getattr(self, key) is not None:
                raise ConfigurationError("is of 'firmware'", (key,))
        if self.python is not None and self.board is not None:
            raise ConfigurationError("a class in Python has no pins: make it a program", ("board",))
        if self.firmware is None and not isinstance(self.bus, str):
            raise ConfigurationError("several buses are of 'firmware': a client of another kind has one", ("bus",))
        return self

    @model_validator(mode="after")
    def _chip(self) -> "LockstepClient":
        for key in ("clock", "controllers"):
            if self.chip is None and getattr(self, key) is not None:
                raise ConfigurationError("is of a microcontroller, which the key 'chip' names", (key,))
        if self.chip is not None and self.arguments:
            raise ConfigurationError("a microcontroller has none", ("arguments",))
        if self.controllers is not None and len(self.controllers) != len(self.buses):
            raise ConfigurationError("must be as many as its buses", ("controllers",))
        if self.controllers is not None and len(set(self.controllers)) < len(self.controllers):
            raise ConfigurationError("names one twice", ("controllers",))
        return self

    @property
    def buses(self) -> list[str]:
        """Return the names of its buses."""
        return [self.bus] if isinstance(self.bus, str) else self.bus
