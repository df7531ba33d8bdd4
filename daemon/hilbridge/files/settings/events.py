"""Settings of events: many payloads in turn on one identifier."""

from typing import Annotated

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Milliseconds, Settings, unit


class EventSettings(Settings):
    """A message to the driver: its number, and when it is on."""

    code: Annotated[float, Field(description="its number, for the signal that `code` of the section names")]
    when: Annotated[
        str,
        Field(
            min_length=1,
            description="expression; the event is on while it is not 0: auxiliary.CoolantTemperature > 118; off while "
            "it is not available",
        ),
    ]


class EventsSettings(Settings):
    """Messages to the driver that share one frame, as check control: each is sent when it comes on and goes off.

    What is on is sent again every `repeat`, so that a receiver that wakes up late knows too. A frame carries one event;
    the one that has waited longest goes first. With `period` the frame goes in cycles besides: with the event that came
    on last, or as it is while none is on.
    """

    code: Annotated[str, Field(description="signal of the frame that carries the number of an event")]
    active: Annotated[dict[str, float | str], Field(description="what further signals say of an event that is on")] = {}
    inactive: Annotated[
        dict[str, float | str] | None,
        Field(description="what they say when it goes off; default: nothing is sent then"),
    ] = None
    slot: Annotated[
        Milliseconds, Field(description="from frame to frame at least, in whole ticks", json_schema_extra=unit("ms"))
    ]
    repeat: Annotated[
        Milliseconds,
        Field(
            description="an event that is on is sent again after so long; with `one_at_a_time` each of several is "
            "shown for so long",
            json_schema_extra=unit("ms"),
        ),
    ]
    one_at_a_time: Annotated[
        bool, Field(description="an event goes off before another comes on; several take turns, a new one is next")
    ] = False
    members: Annotated[
        dict[str, EventSettings], Field(alias="list", min_length=1, description="by a name of your choice: the events")
    ]

    @model_validator(mode="after")
    def _in_time(self) -> "EventsSettings":
        count = 2 if self.one_at_a_time else len(self.members)
        if count * self.slot > self.repeat:
            what = "an event and its end" if self.one_at_a_time else f"{count} events"
            reason = f"{what} take {count * self.slot:g} ms, one every {self.slot:g} ms; 'repeat' is {self.repeat:g} ms"
            raise ConfigurationError(reason, ("repeat",) if self.one_at_a_time else ("list",))
        return self

    @model_validator(mode="after")
    def _distinct(self) -> "EventsSettings":
        known: dict[float, str] = {}
        for name, one in self.members.items():
            other = known.setdefault(one.code, name)
            if other != name:
                reason = f"has the code of {other}; one event with 'or' in 'when' stands for both"
                raise ConfigurationError(reason, ("list", name, "code"))
        return self
