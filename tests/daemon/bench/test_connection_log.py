"""What is said about the ways in: when something changes, and what is counted once a second at most."""

from typing import Any

from hilbridge.bench.connection_log import ConnectionLog, trouble_of
from hilbridge.bus.bus import Bus
from hilbridge.codec.frame import Frame
from hilbridge.common.units import SECOND
from hilbridge.links.elm327_server import TerminalStatistics
from hilbridge.plan.id_conflicts import IdConflicts

from ..plan.planning import Solo

MILLISECOND = SECOND // 1000


class Reports:
    """Keeps what is told: milliseconds, event, and the fields asked for."""

    def __init__(self) -> None:
        self.told: list[tuple[int, str, dict[str, Any]]] = []

    def info(self, t: int, event: str, **fields: Any) -> None:
        self.told.append((t // MILLISECOND, event, fields))

    warning = info


class ScanTools:
    """A way in that always works."""

    trouble = ""

    def __init__(self) -> None:
        self.statistics = TerminalStatistics()

    def describe(self) -> str:
        return "scan tools"


class Socket:
    """A door that is no part of the bench."""

    turned_away = 0


def test_a_bus_has_the_trouble_of_its_link_and_of_what_cuts_it() -> None:
    """All of it, in words; none while it works."""
    bus, link = Bus("can"), ScanTools()
    assert trouble_of(bus, link) == ""
    link.trouble = "unplugged"
    assert trouble_of(bus, link) == "unplugged"
    bus.cuts.append("bus off (fault 1)")
    assert trouble_of(bus, link) == "bus off (fault 1), unplugged"


def test_who_is_turned_away_is_told_once_a_second() -> None:
    """At every way in by itself, with the attempts since it was told last; nothing while there are none."""
    reports, tools, control = Reports(), ScanTools(), Socket()
    announcements = ConnectionLog(reports, {}, {"scan tool port": [tools]}, {})
    announcements.watch("control socket", control)
    for millisecond in range(4000):
        tools.statistics.turned_away += 1000 < millisecond <= 2500
        control.turned_away += millisecond == 1500
        announcements.look(millisecond * MILLISECOND)
    assert [(t, event, fields["at"], fields["attempts"]) for t, event, fields in reports.told] == [
        (2000, "clients turned away", "scan tools", 1000),
        (2000, "clients turned away", "control socket", 1),
        (3000, "clients turned away", "scan tools", 500),
    ]


def test_a_way_that_is_lost_and_comes_back_is_told_each_time() -> None:
    """At once, with the reason."""
    reports, tools = Reports(), ScanTools()
    announcements = ConnectionLog(reports, {}, {"scan tool port": [tools]}, {})
    announcements.introduce()
    for millisecond, trouble in enumerate(("", "unplugged", "unplugged", "", "")):
        tools.trouble = trouble
        announcements.look(millisecond * MILLISECOND)
    assert reports.told == [
        (0, "scan tool port open", {"port": "scan tools"}),
        (1, "link lost", {"link": "scan tools", "reason": "unplugged"}),
        (3, "link back", {"link": "scan tools"}),
    ]


class Gate:
    """An armed one."""

    armed = True


def test_another_sender_is_told_once() -> None:
    """With the identifier and the message that the bench sends itself; who goes on sending is only counted."""
    solo, reports = Solo("cyclic", period=10), Reports()
    solo.play(range(101))
    id_conflicts = IdConflicts([solo.frame], Gate())
    announcements = ConnectionLog(reports, {}, {}, {}, {"powertrain": id_conflicts})
    for second in range(3):
        id_conflicts.note(105 * MILLISECOND, 0, True, Frame(solo.frame.can_id, b""))
        announcements.look(second * SECOND)
    message = solo.frame.outgoing.message
    assert reports.told == [(0, "another sender", {"bus": "powertrain", "id": "0x1", "message": message})]
