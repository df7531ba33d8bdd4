"""The effects of a change of session (ISO 14229-1, service 10, transitions between sessions), as one table.

    again    from the default session to itself       all that was begun ends
    leave    from it to another one                   answers on events end
    change   between others, also to the same one     answers on events end, security access is locked, and all else
                                                      goes on that the new session supports
    back     from another one to the default session  all that was begun ends

A transfer needs the security access that a change locks, so it ends with it; challenges and seeds are good for their
session. Services 28 and 85 go on in sessions that do not have them: testers switch them off before programming.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

from hilbridge.files.settings.uds_sessions import DEFAULT


class Transition(Enum):
    """A change of session, by its column in `TABLE`."""

    AGAIN = 0
    LEAVE = 1
    CHANGE = 2
    BACK = 3


class Outcome(Enum):
    """The fate of something that was begun: it goes on, ends where the new session does not permit it, or ends."""

    ON = auto()
    PERMITTED = auto()
    END = auto()


TABLE: Final[Mapping[str, tuple[Outcome, Outcome, Outcome, Outcome]]] = {
    #                      again              leave              change             back
    "security":           (Outcome.END,       Outcome.END,       Outcome.END,       Outcome.END),
    "authentication":     (Outcome.END,       Outcome.ON,        Outcome.ON,        Outcome.END),
    "challenge":          (Outcome.END,       Outcome.END,       Outcome.END,       Outcome.END),
    "events":             (Outcome.END,       Outcome.END,       Outcome.END,       Outcome.END),
    "periodic":           (Outcome.END,       Outcome.PERMITTED, Outcome.PERMITTED, Outcome.END),
    "communication":      (Outcome.END,       Outcome.ON,        Outcome.ON,        Outcome.END),
    "dtc-setting":        (Outcome.END,       Outcome.ON,        Outcome.ON,        Outcome.END),
    "control":            (Outcome.PERMITTED, Outcome.PERMITTED, Outcome.PERMITTED, Outcome.PERMITTED),
    "routines":           (Outcome.END,       Outcome.ON,        Outcome.ON,        Outcome.END),
    "transfer":           (Outcome.END,       Outcome.END,       Outcome.END,       Outcome.END),
}  # fmt: skip
"""By function and the number of the `Transition`."""


def transition(before: int, after: int) -> Transition:
    """Return the kind of a change from one session to another."""
    if before == DEFAULT:
        return Transition.AGAIN if after == DEFAULT else Transition.LEAVE
    return Transition.BACK if after == DEFAULT else Transition.CHANGE


def outcome(function: str, change: Transition) -> Outcome:
    """Return what happens to a function of `TABLE`."""
    return TABLE[function][change.value]
