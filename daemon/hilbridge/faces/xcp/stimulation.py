"""STIM lists (ASAM MCD-1 XCP, DAQ lists of direction STIM): what a master sends at an event becomes inputs.

    packet = [ numbers of ODT and DAQ list | time stamp in the first ODT, where the list has them | values ]

The packets of a list are gathered until all of its ODTs are there; at the next event of the list they are held as
written values are, with one command for all lists of the event. Where none are there, or the bench is still busy with
those before, the inputs keep the last ones: that event is counted as late, and the first of several is told to the
master. Before its first values a list is not late. The time stamp of the master is not looked at.
"""

from collections.abc import Sequence
from typing import Final

from hilbridge.faces.xcp.calibration import Calibration
from hilbridge.faces.xcp.daq import DaqLists
from hilbridge.faces.xcp.packets import EV, EV_STIM_TIMEOUT, XcpError, word

_OF_LIST: Final = 1
"""The number in the event packet is that of a DAQ list."""

_TIMEOUT: Final = 0


class Stimulation:
    """Holds the values of the STIM lists of a session. `news`: event packets for the master."""

    def __init__(self, lists: DaqLists, inputs: Calibration) -> None:
        self.news: Final[list[bytes]] = []
        self._lists: Final = lists
        self._inputs: Final = inputs

    def take(self, packet: bytes) -> bool:
        """Take a packet; return False if it is of no STIM list that runs, too short, or beyond the limits of an entry.

        Then none of the list's values is held until all of its ODTs have come again.
        """
        found = self._lists.stim_packet(packet)
        if found is None:
            return False
        one, odt, part = found
        inbox = one.inbox
        if odt == 0:
            inbox.parts.clear()
        inbox.parts[odt] = part
        if len(inbox.parts) < len(one.targets):
            return True
        parts, inbox.parts = inbox.parts, {}
        values: dict[str, float] = {}
        try:
            for number, entries in enumerate(one.targets):
                values |= self._inputs.values(entries, parts[number])
        except XcpError:
            return False
        inbox.values, inbox.has_begun = values, True
        return True

    def refusals(self) -> int:
        """Return how many times the bench has refused values since the last call."""
        return self._inputs.refusals()

    def occur(self, occurs: Sequence[bool]) -> tuple[int, int]:
        """Hold what has come for the events that occur in a tick; return how many lists were held, and were late."""
        due = [
            (number, one)
            for number, one in self._lists.stimulating()
            if one.event is not None and occurs[one.event] and one.inbox.has_begun
        ]
        values = {path: value for _, one in due for path, value in one.inbox.values.items()}
        is_held = bool(values) and self._inputs.stimulate(values)
        held = 0
        for number, one in due:
            inbox = one.inbox
            is_late = not (is_held and inbox.values)
            if is_late and not inbox.is_late:
                self.news.append(bytes((EV, EV_STIM_TIMEOUT, _OF_LIST, _TIMEOUT)) + word(number))
            inbox.is_late = is_late
            if not is_late:
                inbox.values, held = {}, held + 1
        return held, len(due) - held
