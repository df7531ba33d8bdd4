"""Settings of real time."""

from typing import Annotated, Final, Literal

from pydantic import Field, model_validator

from hilbridge.common.errors import ConfigurationError
from hilbridge.settings.common import Settings, unit

_MOST_PROCESSORS: Final = 8192
"""CONFIG_NR_CPUS of the largest kernels."""

Microseconds = Annotated[int, Field(ge=0, le=100_000)]


class RealTimeSettings(Settings):
    """How the tick gets its processor in time. What is refused costs punctuality; `hilbridge doctor` says why."""

    scheduler: Annotated[
        Literal["fifo", "rr", "other"],
        Field(description="scheduler class: SCHED_FIFO, SCHED_RR, or that of every ordinary program"),
    ] = "fifo"
    priority: Annotated[
        int,
        Field(ge=1, le=98, description="of fifo and rr; interrupt threads, which deliver the frames, usually have 50"),
    ] = 40
    lock_memory: Annotated[bool, Field(description="pages of memory are never taken away")] = True
    freeze_collector: Annotated[
        bool, Field(description="garbage is collected in slack time only; what exists at the start is left alone")
    ] = True
    huge_pages: Annotated[
        bool,
        Field(description="memory moves onto huge pages at the start, so that a tick looks up fewer addresses"),
    ] = True
    timer_slack: Annotated[
        int,
        Field(
            ge=1,
            le=1_000_000,
            description="how late a timer may fire, outside of fifo and rr; Linux has 50000",
            json_schema_extra=unit("ns"),
        ),
    ] = 1
    affinity: Annotated[
        list[Annotated[int, Field(ge=0, lt=_MOST_PROCESSORS)]],
        Field(description="processors that the tick may run on, e.g. isolated ones; default: as it was started"),
    ] = []
    spin: Annotated[
        int,
        Field(
            ge=0,
            le=1000,
            description="the last part before each deadline is waited through awake, which takes that share of a "
            "processor",
            json_schema_extra=unit("us"),
        ),
    ] = 0
    dma_latency: Annotated[
        Microseconds | Literal["any"],
        Field(
            description="processors enter no sleep that takes longer to wake from; any: they may",
            json_schema_extra=unit("us"),
        ),
    ] = 0

    @model_validator(mode="after")
    def _each_processor_once(self) -> "RealTimeSettings":
        if len(set(self.affinity)) < len(self.affinity):
            raise ConfigurationError("names a processor twice", ("affinity",))
        return self
