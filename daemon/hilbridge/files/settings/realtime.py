"""Settings of real time."""

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Settings

_MOST_PROCESSORS: Final = 8192
"""CONFIG_NR_CPUS of the largest kernels."""


class RealTimeSettings(Settings):
    """Scheduling of the tick. What the machine refuses makes ticks later; `hilbridge doctor` explains it."""

    scheduler: Annotated[
        Literal["fifo", "rr", "other"],
        Field(description="scheduler class: SCHED_FIFO, SCHED_RR, or that of every ordinary program"),
    ] = "fifo"
    priority: Annotated[
        int,
        Field(ge=1, le=98, description="of fifo and rr; interrupt threads, which deliver the frames, usually have 50"),
    ] = 40
    affinity: Annotated[
        list[Annotated[int, Field(ge=0, lt=_MOST_PROCESSORS)]],
        Field(description="processors that the tick may run on, e.g. isolated ones; default: as it was started"),
    ] = []

    @model_validator(mode="after")
    def _each_processor_once(self) -> "RealTimeSettings":
        if len(set(self.affinity)) < len(self.affinity):
            raise ConfigurationError("names a processor twice", ("affinity",))
        return self
