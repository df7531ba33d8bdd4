"""Commands are carried out, and each is answered with one line of JSON."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control.command_handler import CommandHandler
from hilbridge.files.settings.dtc import TestOutcome
from hilbridge.files.settings.faults import FaultSettings
from hilbridge.files.settings.start import StartSettings
from hilbridge.frames.codec.frame import EXTENDED, FD, Frame

T = 5_000_000_000
BUS_DOWN: dict[str, Any] = {"kind": "link", "bus": "cam", "effect": "down"}


class Daemon:
    """A host whose doings are kept in a list."""

    def __init__(self) -> None:
        self.done: list[Any] = []
        self.armed = False

    def request_stop(self) -> None:
        self.done.append("stop")

    def request_reload(self) -> int:
        self.done.append("reload")
        return 3

    def set_all(self, values: Mapping[str, float | str], until: int | None, by: str | None) -> None:
        if "nothing" in values:
            raise ConfigurationError("unknown entry 'nothing'")
        self.done += [(entry, value, until, by) for entry, value in values.items()]

    def set(self, entry: str, value: float | str, until: int | None, by: str | None, rate: float | None) -> None:
        if entry == "nothing":
            raise ConfigurationError("unknown entry 'nothing'")
        self.done.append((entry, value, until, by) if rate is None else (entry, value, until, by, rate))

    def release(self, entry: str | None) -> None:
        self.done.append(entry)

    def tune(self, values: Mapping[str, Any]) -> None:
        if "wheels" in values:
            raise ConfigurationError("unknown key", ("values", "wheels"))
        self.done.append(values)

    def begin(self, start: StartSettings, t: int, by: str | None) -> None:
        self.done.append((start.speed, t, by))

    def set_date(self, date: datetime, t: int, *, smoothly: bool) -> None:
        self.done.append((date.isoformat(), t, smoothly))

    def ask(self, bus: str, question: bytes, t: int) -> int:
        self.done.append((bus, question, t))
        return 4

    def transmit(self, frame: Frame, origin: None) -> None:
        self.done.append(frame)

    def release_of(self, by: str) -> None:
        self.done.append(f"release of {by}")

    def clear_of(self, by: str, t: int) -> None:
        self.done.append(f"clear of {by} at {t}")

    def add(self, settings: FaultSettings, t: int, by: str | None) -> int:
        if settings.at == 0:
            raise ConfigurationError("unknown bus 'cam'", ("bus",))
        self.done.append((settings, t, by))
        return 7

    def clear(self, number: int | None, t: int) -> None:
        self.done.append((number, t))


class Troubles:
    """Trouble codes whose doings are kept in a list."""

    def __init__(self, done: list[Any]) -> None:
        self.done = done

    def set(self, ecu: str, code: str, result: TestOutcome, t: int) -> None:
        self.done.append((ecu, code, result, t))

    def clear(self, ecu: str | None) -> None:
        self.done.append(ecu)


@pytest.fixture
def daemon() -> Daemon:
    return Daemon()


def tell(daemon: Daemon, **command: Any) -> Any:
    controller = CommandHandler(
        daemon, daemon, daemon, {"can": daemon}, {"can": daemon}, daemon, Troubles(daemon.done), daemon
    )
    return json.loads(controller.handle(json.dumps(command).encode(), T))


@pytest.mark.parametrize("command", ["status", "fault-list", "record-stop", "scenario-stop"])
def test_what_is_no_input_is_not_for_the_bench(daemon: Daemon, command: str) -> None:
    """Questions, recordings and scenarios are the run's."""
    assert tell(daemon, command=command) == {"error": f"{command}: only a run of its own can do that"}


def test_trouble_codes_are_set_and_cleared(daemon: Daemon) -> None:
    assert tell(daemon, command="trouble-set", ecu="engine", code="P0301") == {}
    assert tell(daemon, command="trouble-set", ecu="engine", code="P0301", result="held") == {}
    assert tell(daemon, command="trouble-clear", ecu="engine") == {}
    assert tell(daemon, command="trouble-clear") == {}
    assert daemon.done == [("engine", "P0301", "failed", T), ("engine", "P0301", "held", T), "engine", None]
    assert "code" in tell(daemon, command="trouble-set", ecu="engine", code="P301")["error"]


def test_an_engine_is_tuned_or_refused_with_the_parameter(daemon: Daemon) -> None:
    values = {"peak_rpm_torque": 210.0, "can_stall": True, "table_torque": [1.0, 2.0]}
    assert tell(daemon, command="tune-engine", values=values) == {}
    assert daemon.done == [values]
    assert tell(daemon, command="tune-engine", values={"wheels": 5}) == {"error": "values.wheels: unknown key"}


def test_a_hold_lasts_from_now_for_so_many_seconds(daemon: Daemon) -> None:
    """Or, without a time, until it is released."""
    assert tell(daemon, command="set", entry="input.Throttle", value=0.5, seconds=1.5) == {}
    tell(daemon, command="set", entry="road.Slope", value=0.1)
    tell(daemon, command="set", entry="input.Brake", value=1.0, rate=2.5)
    tell(daemon, command="release", entry="road.Slope")
    tell(daemon, command="release")
    assert daemon.done == [
        ("input.Throttle", 0.5, T + 1_500_000_000, None),
        ("road.Slope", 0.1, None, None),
        ("input.Brake", 1.0, None, None, 2.5),
        "road.Slope",
        None,
    ]


def test_a_holder_gives_back_entries_and_faults(daemon: Daemon) -> None:
    """One command for both; who has set and added them is told with them."""
    tell(daemon, command="set", entry="road.Slope", value=0.1, by="scenario hill")
    tell(daemon, command="fault-add", fault=BUS_DOWN | {"at": 1.5}, by="scenario hill")
    assert tell(daemon, command="give-back", by="scenario hill") == {}
    held, (_, _, by), *given = daemon.done
    assert (held, by) == (("road.Slope", 0.1, None, "scenario hill"), "scenario hill")
    assert given == ["release of scenario hill", f"clear of scenario hill at {T}"]


def test_a_bus_is_armed_and_disarmed(daemon: Daemon) -> None:
    assert tell(daemon, command="arm", bus="can") == {}
    assert daemon.armed
    tell(daemon, command="arm", bus="can", armed=False)
    assert not daemon.armed


def test_the_only_bus_is_armed_without_its_name(daemon: Daemon) -> None:
    assert tell(daemon, command="arm") == {}
    assert daemon.armed
    tell(daemon, command="arm", bus=None, armed=False)
    assert not daemon.armed


def test_of_several_buses_one_must_be_named(daemon: Daemon) -> None:
    """The refusal lists them, and none is armed."""
    handler = CommandHandler(
        daemon, daemon, daemon, {"one": daemon, "two": daemon}, {}, daemon, Troubles(daemon.done), daemon
    )
    answer = json.loads(handler.handle(b'{"command": "arm"}', T))
    assert answer == {"error": "name the bus: there is one, two"}
    assert not daemon.armed


def test_a_vehicle_begins_in_a_state(daemon: Daemon) -> None:
    assert tell(daemon, command="begin", start={"speed": 80}, by="scenario hill") == {}
    assert daemon.done == [(80.0, T, "scenario hill")]


def test_a_frame_is_put_on_a_bus(daemon: Daemon) -> None:
    """Of either length of identifier, classic or FD; one that no controller could send is refused with its key."""
    assert tell(daemon, command="send", bus="can", id=0x123, data="010a") == {}
    tell(daemon, command="send", bus="can", id=0x123, extended=True, data="00" * 12, fd=True)
    assert daemon.done == [Frame(0x123, b"\x01\x0a"), Frame(0x123 | EXTENDED, bytes(12), FD)]
    assert tell(daemon, command="send", bus="cam", id=1)["error"] == "there is no bus 'cam' (there is can)"
    assert (
        tell(daemon, command="send", bus="can", id=0x800)["error"] == "id: identifier 800 has 29 bits: it is extended"
    )
    assert tell(daemon, command="send", bus="can", id=1, data="00" * 12)["error"] == "data: no frame has 12 bytes"
    assert "data" in tell(daemon, command="send", bus="can", id=1, data="0")["error"]


def test_stop_asks_the_host(daemon: Daemon) -> None:
    assert tell(daemon, command="stop") == {}
    assert daemon.done == ["stop"]


def test_a_reload_is_answered_with_the_number_of_its_request(daemon: Daemon) -> None:
    assert tell(daemon, command="reload") == {"request": 3}
    assert daemon.done == ["reload"]


def test_faults_are_added_and_cleared(daemon: Daemon) -> None:
    """With the time of the tick; a refusal names the key."""
    assert tell(daemon, command="fault-add", fault=BUS_DOWN | {"at": 1.5}) == {"fault": 7}
    assert tell(daemon, command="fault-add", fault=BUS_DOWN) == {"error": "bus: unknown bus 'cam'"}
    tell(daemon, command="fault-clear", number=7)
    tell(daemon, command="fault-clear")
    (settings, added, _), *cleared = daemon.done
    assert (settings.bus, settings.at, added) == ("cam", 1.5, T)
    assert cleared == [(7, T), (None, T)]


def test_a_refusal_says_why(daemon: Daemon) -> None:
    """Whoever refuses: the command's form, or the part that is to carry it out."""
    assert tell(daemon, command="set", entry="nothing", value=1) == {"error": "unknown entry 'nothing'"}
    assert tell(daemon, command="arm", bus="cam") == {"error": "there is no bus 'cam' (there is can)"}
    assert "did you mean" in tell(daemon, command="stauts")["error"]


def test_a_question_is_answered_with_its_number(daemon: Daemon) -> None:
    """What comes of it is in the status, later."""
    assert tell(daemon, command="ask", bus="can", request="22F190") == {"request": 4}
    assert daemon.done == [("can", bytes.fromhex("22F190"), T)]
    assert "request" in tell(daemon, command="ask", bus="can", request="2")["error"]


def test_a_date_is_set_at_once_or_smoothly(daemon: Daemon) -> None:
    """A local one; with a time zone, or of no calendar, it is refused."""
    assert tell(daemon, command="date", date="2026-11-27T10:00:00.5", smoothly=True) == {}
    assert daemon.done[0][0] == "2026-11-27T10:00:00.500000"
    assert daemon.done[0][2] is True
    for date in ("2026-11-27T10:00:00+01:00", "2026-02-30T10:00:00", "today", ""):
        assert "date" in tell(daemon, command="date", date=date)["error"]


def test_several_entries_are_held_by_one_command(daemon: Daemon) -> None:
    also = {"input.Brake": 0, "Key": "start"}
    assert tell(daemon, command="set", entry="Throttle", value=0.5, also=also, seconds=1, by="XCP") == {}
    until = T + 1_000_000_000
    assert daemon.done == [
        ("Throttle", 0.5, until, "XCP"),
        ("input.Brake", 0, until, "XCP"),
        ("Key", "start", until, "XCP"),
    ]
    many = {f"entry {number}": 0 for number in range(64)}
    assert "also" in tell(daemon, command="set", entry="Throttle", value=0.5, also=many)["error"]
