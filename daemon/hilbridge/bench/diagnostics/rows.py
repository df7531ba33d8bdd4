"""The rows of control units and of their trouble codes in a status."""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Final, NamedTuple

from hilbridge.base.common.rows import HEXADECIMAL, Counts, Family, counter, fact, gauge

_CODES: Final = Family("trouble_codes", "Trouble codes", ("unit", "state"))
_INDICATOR: Final = Family("malfunction_indicator", "Whether a malfunction indicator is on", ("unit",))
_DIAGNOSTICS: Final = Family("diagnostics_total", "What testers get", ("unit", "event"))


class UnitRow(NamedTuple):
    """A control unit: where it is reached, and whether it answers. `session` and `security` of UDS."""

    bus: Annotated[str, fact("bus")]
    addresses: Annotated[list[str], fact("requests and answers")]
    power: Annotated[str, fact()]
    awake: Annotated[bool, fact("state", texts=("asleep", "awake"))]
    session: Annotated[int | None, fact("session", unit=HEXADECIMAL)]
    security: Annotated[int, fact()]


class TesterRow(NamedTuple):
    """The counters of a control unit's services. `answered_after_ticks[n]`: answers that took n ticks to begin."""

    events: Annotated[Counts, counter("events", _DIAGNOSTICS)]
    answered_after_ticks: Annotated[Sequence[int] | None, counter()] = None


class CodesRow(NamedTuple):
    """The malfunction indicator, and the number of trouble codes in each state; a code may have several."""

    indicator: Annotated[bool, fact("indicator", _INDICATOR, texts=("off", "on"))]
    failing: Annotated[int, gauge("failing", _CODES)]
    pending: Annotated[int, gauge("pending", _CODES)]
    confirmed: Annotated[int, gauge("confirmed", _CODES)]
    permanent: Annotated[int, gauge("permanent", _CODES)]


CODE_STATES: Final = ("failing", "pending", "confirmed", "permanent")
"""The states of a trouble code, as fields of CodesRow and of the model."""


class TroubleRow(NamedTuple):
    """The status of a stored trouble code. `held`: a command lets its test fail; `frozen`: it has a freeze frame."""

    code: str
    text: str
    states: list[str]
    status: int
    occurrences: int
    frozen: bool
    held: bool


class MemoryRow(NamedTuple):
    """The trouble codes of a control unit, and whether its malfunction indicator is on."""

    indicator: Annotated[bool, fact("indicator", texts=("off", "on"))]
    stored: Annotated[list[TroubleRow], fact("trouble codes")]

    def counted(self) -> CodesRow:
        """Return the number of codes in each state."""
        states = Counter(state for code in self.stored for state in code.states)
        return CodesRow(self.indicator, **{state: states[state] for state in CODE_STATES})
