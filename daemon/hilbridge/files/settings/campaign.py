"""Settings of a campaign: which runs are made, what each is asked for, and what is kept."""

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BeforeValidator, Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Name, Settings, unit
from hilbridge.files.settings.faults import FaultSettings

MOST_RUNS: Final = 1_000_000

Value: TypeAlias = float | str | bool
Key: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z][\w.-]*$")]


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Names: TypeAlias = Annotated[list[Annotated[str, Field(min_length=1)]], BeforeValidator(_listed), Field(min_length=1)]


class RangeSettings(Settings):
    """Values between two ends, which are among those of a grid."""

    low: Annotated[float, Field(alias="from")]
    high: Annotated[float, Field(alias="to")]
    steps: Annotated[int | None, Field(ge=2, le=100_000, description="how many values in a grid")] = None
    scale: Annotated[Literal["linear", "log"], Field(description="log: evenly spread over the ratio of the ends")] = (
        "linear"
    )
    whole: Annotated[bool, Field(description="rounded to whole numbers")] = False

    @model_validator(mode="after")
    def _ascend(self) -> "RangeSettings":
        if self.high <= self.low:
            raise ConfigurationError(f"must be above 'from', {self.low:g}", ("to",))
        if self.scale == "log" and self.low <= 0:
            raise ConfigurationError("must be above 0 on a logarithmic scale", ("from",))
        return self


class DesignSettings(Settings):
    """How values of several keys are combined: all with all, or in `runs` samples of the space that they span."""

    kind: Annotated[
        Literal["grid", "random", "latin-hypercube", "sobol"],
        Field(description="sobol: a scrambled sequence, whose number of runs is a power of two"),
    ] = "grid"
    runs: Annotated[int | None, Field(ge=1, le=MOST_RUNS, description="of a sampled design")] = None
    seed: Annotated[int, Field(ge=0, description="of the samples")] = 0

    @model_validator(mode="after")
    def _counted(self) -> "DesignSettings":
        if self.kind == "grid" and self.runs is not None:
            raise ConfigurationError("a grid has as many runs as its values have combinations", ("runs",))
        if self.kind != "grid" and self.runs is None:
            raise ConfigurationError(f"is needed for the design {self.kind}", ("runs",))
        if self.kind == "sobol" and self.runs is not None and self.runs & (self.runs - 1):
            power = 1 << self.runs.bit_length() - 1
            raise ConfigurationError(f"needs a power of two: {power} or {2 * power}", ("runs",))
        return self


class FigureSettings(Settings):
    """A figure of a run: what an expression of data bus entries came to, looked at in every tick."""

    of: Annotated[str, Field(min_length=1, description="an expression, as in bench files")]
    take: Annotated[Literal["last", "lowest", "highest", "mean"], Field(description="over the run")] = "last"


class SearchSettings(Settings):
    """A search in place of a design: changes of inputs behind the steps of the scenario that violate its `always`."""

    inputs: Annotated[
        dict[Key, Annotated[list[Value], Field(min_length=1)] | RangeSettings],
        Field(min_length=1, description="entries that are set, each to values of a list or between two ends"),
    ]
    faults: Annotated[list[FaultSettings], Field(description="that may begin, as in the bench file")] = []
    changes: Annotated[int, Field(ge=1, le=200, description="of inputs in a run")] = 8
    over: Annotated[
        float, Field(gt=0, le=3600, description="time over which they are spread", json_schema_extra=unit("s"))
    ] = 10.0
    tries: Annotated[int, Field(ge=1, le=MOST_RUNS, description="runs until the search is given up")] = 200
    seed: Annotated[int, Field(ge=0, description="of the changes")] = 0


class CampaignSettings(Settings):
    """A campaign: every bench, vehicle and scenario with all values of the design and all seeds."""

    purpose: Annotated[str, Field(description="for the report")] = ""
    bench: Annotated[Names, Field(description="bench file or name, or several")]
    vehicle: Annotated[Names | None, Field(description="in place of the bench's own; several")] = None
    scenario: Annotated[Names, Field(description="scenario file or name, or several")]
    vary: Annotated[
        dict[Key, Annotated[list[Value], Field(min_length=1)] | RangeSettings],
        Field(description="values by parameter of the scenario, or by a key such as vehicle.body.mass or bench.rate"),
    ] = {}
    design: DesignSettings = DesignSettings()
    search: Annotated[
        SearchSettings | None, Field(description="in place of `vary` and `design`: for a violation of an `always`")
    ] = None
    seeds: Annotated[
        Annotated[int, Field(le=MOST_RUNS)] | list[Annotated[int, Field(ge=0)]],
        Field(description="how many, from 1, or which: for everything random in a run"),
    ] = 1
    figures: Annotated[dict[Name, FigureSettings], Field(description="what each row tells of its run")] = {}
    recordings: Annotated[
        Literal["all", "failures", "none"] | Annotated[int, Field(ge=0)],
        Field(
            description="of all runs, of those that failed, of none, or of so many that failed; the command of the "
            "campaign makes these runs a second time, on its own machine"
        ),
    ] = 100
    time_limit: Annotated[
        float,
        Field(gt=0, le=86_400, description="of one run; one that takes longer is ended", json_schema_extra=unit("s")),
    ] = 300.0
    memory_limit: Annotated[
        int | None,
        Field(
            ge=64,
            le=1 << 24,
            description="of one run, and of each program that it starts; programs with AddressSanitizer need more than "
            "there is, and so no limit",
            json_schema_extra=unit("MiB"),
        ),
    ] = None

    @model_validator(mode="after")
    def _spread(self) -> "CampaignSettings":
        sampled = self.design.kind != "grid"
        for key, values in self.vary.items():
            if isinstance(values, RangeSettings) and not sampled and values.steps is None:
                raise ConfigurationError("needs 'steps' in a grid", ("vary", key))
        if sampled and not self.vary:
            raise ConfigurationError(f"the design {self.design.kind} has no key to vary", ("design", "kind"))
        if self.search is not None:
            for key in ("vehicle", "vary", "figures"):
                if getattr(self, key):
                    raise ConfigurationError("a search changes inputs alone", (key,))
            for key, many in (("bench", self.bench), ("scenario", self.scenario), ("seeds", self.seed_list)):
                if len(many) > 1:
                    raise ConfigurationError("a search has one", (key,))
        if not self.seed_list:
            raise ConfigurationError("needs one seed at least", ("seeds",))
        return self

    @property
    def seed_list(self) -> list[int]:
        """The seeds of each point of the design."""
        return list(range(1, self.seeds + 1)) if isinstance(self.seeds, int) else self.seeds
