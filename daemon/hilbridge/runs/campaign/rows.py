"""A row of the results as it is believed: of a run of this campaign, with what such a row has, as a campaign writes it.

What does not fit is never taken for a result; the run is made again.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal, NoReturn

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from hilbridge.base.common.errors import dotted, quoted
from hilbridge.runs.campaign.play import Row, line
from hilbridge.runs.campaign.runs import CampaignRun

SETTLED: Final = frozenset(("passed", "failed", "not tried"))
"""Verdicts that another attempt would come to as well; runs with others are made again."""

_Count = Annotated[int, Field(ge=0)]


class RowError(ValueError):
    """A line is no row of a run of this campaign; `run`: the run that it names, if it names one at all."""

    def __init__(self, why: str, run: str = "") -> None:
        super().__init__(why)
        self.run: Final = run


class StrangeRunError(RowError):
    """A row is of a run that this campaign does not have, as it is now."""


class _RowOfRun(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

    run: str
    bench: str
    vehicle: str | None
    scenario: str
    set: dict[str, Any]
    seed: int
    reason: str


class _Trouble(_RowOfRun):
    """A run without a verdict."""

    verdict: Literal["refused", "hung", "died", "lost"]


class _Finished(_RowOfRun):
    """A run that has come to its end."""

    verdict: Literal["passed", "failed", "not tried"]
    limits: dict[str, dict[str, float]]
    steps: Annotated[list[_Count], Field(min_length=2, max_length=2)]
    duration: Annotated[float, Field(ge=0)]
    figures: dict[str, float | None]
    frames: _Count
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


_ROW: Final[TypeAdapter[_Finished | _Trouble]] = TypeAdapter(
    Annotated[_Finished | _Trouble, Field(discriminator="verdict")]
)


class Rows:
    """The rows that a campaign can have: `runs` by their names, and the names of its figures."""

    def __init__(self, runs: Mapping[str, CampaignRun], figures: frozenset[str]) -> None:
        self._runs: Final = runs
        self._figures: Final = figures

    def read(self, content: bytes) -> Row:
        """Return the row of a line. RowError: it is none of a run of this campaign, or StrangeRunError."""
        row = _parsed(content)
        name = str(row["run"])
        if name not in self._runs:
            raise StrangeRunError(f"run {quoted(name)} is none of this campaign as it is now", name)
        for why in self._faults(row, self._runs[name]):
            raise RowError(why, name)
        return row

    def _faults(self, row: Row, run: CampaignRun) -> Iterator[str]:
        try:
            checked = _ROW.validate_python(row)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False)[0]
            place = dotted(tuple(step for step in first["loc"] if step not in SETTLED))
            yield f"{place}: {first['msg']}" if place else first["msg"]
            return
        if _sorted({key: row[key] for key in run.keys}) != _sorted(run.keys):
            yield "bench, vehicle, scenario, values or seed are not those of the run that it names"
        if isinstance(checked, _Finished):
            if checked.figures.keys() != self._figures:
                yield "figures are not those that the campaign asks for"
            passed, steps = checked.steps
            if (checked.verdict == "passed") != (passed == steps) or passed > steps:
                yield "steps do not fit the verdict"
            if checked.verdict == "passed" and (checked.reason or checked.limits):
                yield "a run that passed has no reason"


def _parsed(content: bytes) -> Row:
    """Return the object of a line that has the bytes which a campaign writes. RowError: it is another line."""
    try:
        row = json.loads(content.decode(), parse_constant=_refuse)
        whole = isinstance(row, dict) and isinstance(row.get("run"), str)
        if not whole:
            raise RowError("is no row of a run")
        if line(row) != content:
            raise RowError("is not as a campaign writes it", row["run"])
    except RowError:
        raise
    except (ValueError, RecursionError):  # those of Unicode among them
        raise RowError("is no whole line of JSON" if content.endswith(b"\n") else "is cut off") from None
    return dict(row)


def _refuse(word: str) -> NoReturn:
    raise RowError(f"{word} is no value of a row")


def _sorted(keys: Mapping[str, Any]) -> str:
    return json.dumps(keys, sort_keys=True)
