"""What pages hold: to whom it belongs, how it is renewed, what becomes of it when they go."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from hilbridge.faces.cockpit.control import ControlClient
from hilbridge.faces.cockpit.overrides import LIFE, PageOverrides
from hilbridge.faces.cockpit.roster import Roster

THROTTLE = "input.Throttle"


class Daemon(ControlClient):
    """Takes every command; refuses values above 1."""

    def __init__(self) -> None:
        super().__init__(None)
        self.commands: list[dict[str, Any]] = []

    async def ask(self, command: dict[str, Any]) -> dict[str, Any]:
        self.commands.append(command)
        value = command.get("value", 0)
        return {"error": "not within 0..1"} if isinstance(value, float) and value > 1 else {}

    def said(self, kind: str) -> list[Any]:
        return [command.get("value", command.get("entry")) for command in self.commands if command["command"] == kind]


def play(story: Callable[[Daemon, PageOverrides], Awaitable[None]], pace: float = 1.0) -> Daemon:
    """A story with holds that are renewed meanwhile."""
    daemon = Daemon()

    async def whole() -> None:
        roster = Roster()
        for page in ("page", "one", "other"):
            roster.join(page, "192.0.2.7")
        holds = PageOverrides(daemon, roster, pace)
        renewing = asyncio.create_task(holds.run())
        await story(daemon, holds)
        renewing.cancel()

    asyncio.run(whole())
    return daemon


async def renewed(daemon: Daemon, times: int) -> None:
    """Waits for so many further commands."""
    wanted = len(daemon.commands) + times
    async with asyncio.timeout(20):
        while len(daemon.commands) < wanted:
            await asyncio.sleep(0.01)


def test_a_hold_is_bounded_and_said_again_before_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(daemon: Daemon, holds: PageOverrides) -> None:
        await holds.set("page", THROTTLE, 0.4)
        await holds.set("page", THROTTLE, 0.5)
        await renewed(daemon, 2)

    monkeypatch.setattr("hilbridge.faces.cockpit.overrides._RENEWAL", 0.01)
    daemon = play(story)
    assert daemon.said("set")[:4] == [0.4, 0.5, 0.5, 0.5]
    assert {command["seconds"] for command in daemon.commands} == {LIFE}


def test_the_life_of_a_hold_is_counted_in_time_of_the_run() -> None:
    """At ten times real time, ten times as much of it goes by until it is said again."""

    async def story(_daemon: Daemon, holds: PageOverrides) -> None:
        await holds.set("page", THROTTLE, 0.4)

    assert play(story, pace=10.0).commands[0]["seconds"] == 10 * LIFE


def test_what_was_refused_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The value before stays held."""

    async def story(daemon: Daemon, holds: PageOverrides) -> None:
        await holds.set("page", THROTTLE, 0.4)
        assert "error" in await holds.set("page", THROTTLE, 7.0)
        await renewed(daemon, 1)

    monkeypatch.setattr("hilbridge.faces.cockpit.overrides._RENEWAL", 0.01)
    assert play(story).said("set")[:3] == [0.4, 7.0, 0.4]


def test_a_page_that_goes_gives_back_what_nobody_took_over() -> None:
    """Of two pages that turned the wheel, the later one has it."""

    async def story(_daemon: Daemon, holds: PageOverrides) -> None:
        for page, entry in (("one", THROTTLE), ("one", "input.Brake"), ("other", THROTTLE)):
            await holds.set(page, entry, 0.5)
        await holds.leave("one")
        await holds.leave("one")

    daemon = play(story)
    assert [command["by"] for command in daemon.commands if command["command"] == "set"][-1] == "viewer 3 (192.0.2.7)"
    assert [command for command in daemon.commands if command["command"] != "set"] == [
        {"command": "give-back", "by": "viewer 2 (192.0.2.7)"}
    ]


def test_the_drivers_controls_are_handed_over_as_they_stand() -> None:
    """From page to page, without a moment in which nobody holds them; what is no control of the driver stays."""

    async def story(daemon: Daemon, holds: PageOverrides) -> None:
        await holds.set("one", THROTTLE, 0.5)
        await holds.set("one", "road.Slope", 0.1)
        await holds.hand_over("one", "other")
        assert daemon.commands[-1] == {
            "command": "set",
            "entry": THROTTLE,
            "value": 0.5,
            "seconds": LIFE,
            "by": "viewer 3 (192.0.2.7)",
        }
        await holds.renew("one")
        assert daemon.commands[-1]["entry"] == "road.Slope"

    play(story)


def test_a_key_is_held_at_its_rate_and_let_go_when_another_page_takes_the_wheel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """W is down on a page that another one takes the wheel from; the clutch that is worked for it stays worked."""

    async def story(daemon: Daemon, holds: PageOverrides) -> None:
        await holds.set("one", THROTTLE, 1, 1.6)
        await holds.set("one", "input.Clutch", "automatic")
        assert daemon.commands[0] == {
            "command": "set", "entry": THROTTLE, "value": 1, "rate": 1.6, "seconds": LIFE, "by": "viewer 2 (192.0.2.7)",
        }  # fmt: skip
        await renewed(daemon, 2)
        assert daemon.commands[-2] | {"seconds": LIFE} == daemon.commands[0]
        daemon.commands.clear()
        await holds.hand_over("one", "other")
        now = {command["entry"]: command for command in daemon.commands}
        assert (now[THROTTLE]["value"], now[THROTTLE]["rate"]) == (0, 1.6)
        assert now["input.Clutch"]["value"] == "automatic"
        assert "rate" not in now["input.Clutch"]

    monkeypatch.setattr("hilbridge.faces.cockpit.overrides._RENEWAL", 0.05)
    play(story)


def test_what_is_given_back_is_not_said_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(daemon: Daemon, holds: PageOverrides) -> None:
        for entry in (THROTTLE, "input.Brake"):
            await holds.set("page", entry, 0.5)
        await holds.release("input.Brake")
        await renewed(daemon, 3)
        await holds.release(None)
        daemon.commands.clear()
        await asyncio.sleep(0.05)
        assert daemon.commands == []

    monkeypatch.setattr("hilbridge.faces.cockpit.overrides._RENEWAL", 0.01)
    play(story)


def test_a_step_of_the_gear_paddle_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(daemon: Daemon, holds: PageOverrides) -> None:
        await holds.set("page", "input.GearShift", 1)
        await holds.set("page", THROTTLE, 0.5)
        await renewed(daemon, 3)

    monkeypatch.setattr("hilbridge.faces.cockpit.overrides._RENEWAL", 0.01)
    entries = [command["entry"] for command in play(story).commands]
    assert entries.count("input.GearShift") == 1


def test_a_page_that_hangs_lets_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what it holds, and of the wheel; one that says that it is there does not, nor one that never said so."""
    monkeypatch.setattr("hilbridge.faces.cockpit.overrides.SILENCE", 0.5)
    monkeypatch.setattr("hilbridge.faces.cockpit.overrides._RENEWAL", 0.1)
    drivers: list[object] = []

    async def story(daemon: Daemon, holds: PageOverrides) -> None:
        roster = holds._roster
        roster.driver = "page"
        holds.note("page")
        for page, entry in (("page", THROTTLE), ("one", "road.Slope"), ("other", "body.Horn")):
            await holds.set(page, entry, 0.4)
        async with asyncio.timeout(20):
            while "give-back" not in [command["command"] for command in daemon.commands]:
                holds.note("one")
                await asyncio.sleep(0.02)
        drivers.append(roster.driver)
        daemon.commands.clear()
        await renewed(daemon, 6)
        assert {command["entry"] for command in daemon.commands if command["command"] == "set"} <= {
            "road.Slope", "body.Horn",
        }  # fmt: skip

    play(story)
    assert drivers == [None]
