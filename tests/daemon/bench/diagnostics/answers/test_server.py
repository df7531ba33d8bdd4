"""Answers as data: what a tester hears of a control unit that has them, with and without a UDS server beside them."""

from typing import Any

import pytest
from pydantic import TypeAdapter

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.answers.server import AnswerServer, entered
from hilbridge.bench.diagnostics.answers.shadows import built_in_doubts
from hilbridge.bench.diagnostics.uds.server import UdsServer
from hilbridge.bench.diagnostics.uds.service import EcuInterface
from hilbridge.files.settings.answers import AnswerTable
from hilbridge.files.settings.uds import UdsSettings
from vehiclesim.databus import DataBus
from vehiclesim.entries import find

from ..uds.tester import Communication, Holds, Memory, spelt

TABLE: TypeAdapter[AnswerTable] = TypeAdapter(AnswerTable)
PLACE = ("answers",)


class Unit:
    """A control unit of fakes with answers, and a UDS server where it is wanted; requests and answers in digits."""

    def __init__(self, answers: Any, uds: dict[str, Any] | None = None) -> None:
        table = TABLE.validate_python(answers, strict=True)
        self.t = 0
        self.bus = DataBus()
        interface = EcuInterface(
            data=self.bus,
            troubles=Memory(),
            overrides=Holds(),
            communication=Communication(),
            read_obd=lambda _number: None,
        )
        self.uds = None if uds is None else UdsServer(UdsSettings.model_validate(uds), interface, (), entered(table))
        self.server = AnswerServer(table, self.bus, None if self.uds is None else self.uds.session, PLACE)

    def put(self, entry: str, raw: int) -> None:
        place = find(entry)
        assert place is not None
        channel, index = place
        self.bus.channels[channel][index] = raw

    def ask(self, request: str, *, functional: bool = False) -> str | None:
        """The answer; None for a request that is not one of these."""
        taken, answer = self.server.request(bytes.fromhex(request), functional, self.t)
        return spelt(answer) if taken else None

    def wait(self, milliseconds: int) -> list[tuple[int, str]]:
        heard = []
        for elapsed in range(1, milliseconds + 1):
            self.t += MILLISECOND
            answer = self.server.poll(self.t)
            if answer is not None:
                heard.append((elapsed, spelt(answer)))
        return heard


def test_bytes_and_what_was_captured() -> None:
    unit = Unit({"21 01": "61 01 00 FF", "3B {id} {rest*}": "7B {id}", "27 {n} {key:4}": "67 {n} {key}", "1A *": "5A"})
    assert unit.ask("21 01") == "61 01 00 FF"
    assert unit.ask("3B 90 41 42") == "7B 90"
    assert unit.ask("27 02 01 02 03 04") == "67 02 01 02 03 04"
    assert unit.ask("21 02") is None
    assert unit.server.statistics.answered == 3


def test_fields_follow_the_request_with_40_added_or_the_data() -> None:
    """Values of the data bus by hand: 0.5 of 1 as 2 bytes of 0.01 % is 5000, 12.5 V of 0.1 V little-endian 125."""
    fields = {
        "Charge": {"expression": "electric.TractionCharge * 100", "scale": 0.01},
        "Voltage": {"from": "auxiliary.BatteryVoltage", "scale": 0.1, "order": "little"},
        "Cells": {"constant": 3.7, "scale": 0.001, "times": 3},
        "Flag": {"constant": 1, "byte": 12, "bits": 1},
    }
    unit = Unit({"21 {id}": {"fields": fields}, "22 01 01": {"data": "62 01 01 FF", "fields": {"A": {"constant": 7}}}})
    unit.put("auxiliary.BatteryVoltage", 12_500)
    unit.put("electric.TractionCharge", 5000)
    assert unit.ask("21 07") == "61 07 13 88 7D 00 0E 74 0E 74 0E 74 00 00 80"
    assert unit.ask("22 01 01") == "62 01 01 FF 00 07"


def test_a_value_that_is_not_available_is_refused() -> None:
    unit = Unit({"21 01": {"fields": {"Speed": {"from": "request.EngineRpm"}}}})
    assert unit.ask("21 01") == "7F 21 22"


def test_refusals_silence_and_functional_requests() -> None:
    """Functional requests get no refusal that only says "not supported" (ISO 14229-1, 8.7)."""
    unit = Unit({"21 01": {"refuse": "security access denied"}, "21 02": {"refuse": 0x12}, "21 03": {"silent": True}})
    assert [unit.ask(f"21 0{n}") for n in (1, 2, 3)] == ["7F 21 33", "7F 21 12", ""]
    assert [unit.ask(f"21 0{n}", functional=True) for n in (1, 2, 3)] == ["7F 21 33", "", ""]


def test_answers_in_turn() -> None:
    """The last one stays, or the first one follows; a loss of power begins anew."""
    turns = ["61 01 00", {"refuse": 0x21}, "61 01 01"]
    unit = Unit({"21 01": {"turns": turns}, "21 02": {"turns": turns, "cycle": True}})
    assert [unit.ask("21 01") for _ in range(5)] == ["61 01 00", "7F 21 21", "61 01 01", "61 01 01", "61 01 01"]
    assert [unit.ask("21 02") for _ in range(5)] == ["61 01 00", "7F 21 21", "61 01 01", "61 01 00", "7F 21 21"]
    unit.server.restart()
    assert [unit.ask("21 01"), unit.ask("21 02")] == ["61 01 00", "61 01 00"]


def test_a_delay_with_response_pending() -> None:
    """78 at once and evenly; busy meanwhile, but for tester present; the bytes are those of the end."""
    charge = {"expression": "electric.TractionCharge * 100", "length": 1}
    unit = Unit({"21 01": {"fields": {"Charge": charge}, "delay": 300, "pending": 3}, "21 02": "61 02"})
    assert unit.ask("21 01") == "7F 21 78"
    assert [unit.ask("21 02"), unit.ask("3E 80"), unit.ask("22 F1 90")] == ["7F 21 21", "", "7F 22 21"]
    assert unit.wait(150) == [(100, "7F 21 78")]
    unit.put("electric.TractionCharge", 10_000)
    assert unit.wait(200) == [(50, "7F 21 78"), (150, "61 01 64")]
    assert unit.server.idle
    assert unit.ask("21 02") == "61 02"


def test_pending_without_a_delay_and_a_delay_without_pending() -> None:
    unit = Unit({"21 01": {"data": "61 01", "pending": 2}, "21 02": {"data": "61 02", "delay": 5}})
    assert unit.ask("21 01") == "7F 21 78"
    assert unit.wait(4) == [(1, "7F 21 78"), (2, "61 01")]
    assert unit.ask("21 02") == ""
    assert unit.wait(9) == [(5, "61 02")]


def test_the_first_case_whose_conditions_are_there() -> None:
    """Else the last one's reason refuses; a condition has its code."""
    cases = [
        {"data": "61 01 AA", "sessions": ["C0"]},
        {"data": "61 01 BB", "security": 1},
        {"data": "61 01 CC", "conditions": [{"holds": "input.Key == 1", "refusal": 0x88}]},
    ]
    unlock = {"data": "67 02", "unlocks": 1}
    unit = Unit({"21 01": cases, "10 C0": {"data": "50 C0", "enters": "C0"}, "27 02 *": unlock})
    assert unit.ask("21 01") == "7F 21 88"
    unit.put("input.Key", 1)
    assert unit.ask("21 01") == "61 01 CC"
    assert unit.ask("27 02 01") == "67 02"
    assert unit.ask("21 01") == "61 01 BB"
    assert unit.ask("10 C0") == "50 C0"
    assert unit.ask("21 01") == "61 01 AA"


def test_a_session_of_its_own_ends_five_seconds_after_the_last_request() -> None:
    answers = {
        "10 C0": {"data": "50 C0", "enters": "C0"},
        "21 01": {"data": "61 01", "sessions": ["C0"]},
        "3E": "7E",
    }
    unit = Unit(answers)
    assert unit.ask("21 01") == "7F 21 7F"
    assert unit.ask("10 C0") == "50 C0"
    assert not unit.server.idle
    unit.wait(4990)
    assert unit.ask("3E") == "7E"
    unit.wait(4990)
    assert unit.ask("21 01") == "61 01"
    unit.wait(5001)
    assert unit.server.idle
    assert unit.ask("21 01") == "7F 21 7F"


def test_a_session_beside_a_uds_server_is_the_same_session() -> None:
    """C0 is none of service 10: it is entered by its answer, lasts S3 of the server, and `10 03` leaves it."""
    answers = {"10 C0": {"data": "50 C0", "enters": "C0"}, "21 01": {"data": "61 01", "sessions": ["C0", "03"]}}
    unit = Unit(answers, uds={})
    assert unit.uds is not None
    assert unit.ask("21 01") == "7F 21 7F"
    assert unit.ask("10 C0") == "50 C0"
    assert spelt(unit.uds.request(b"\x22\xf1\x86", False, unit.t)) == "62 F1 86 C0"
    assert unit.ask("21 01") == "61 01"
    assert spelt(unit.uds.request(b"\x10\x40", False, unit.t)) == "7F 10 12"
    assert spelt(unit.uds.request(b"\x10\x01", False, unit.t))[:5] == "50 01"
    assert unit.ask("21 01") == "7F 21 7F"


def test_a_session_that_nothing_enters_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="there is no session C0: nothing enters it") as error:
        Unit({"21 01": [{"data": "61 01", "sessions": ["C0"]}]})
    assert error.value.place == ("answers", "21 01", 0, "sessions")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ({"fields": {"A": {"from": "vehicle.Nothing"}}}, "vehicle.Nothing"),
        ({"fields": {"A": {"constant": 300, "length": 1}}}, "300"),
        ({"fields": {"A": {"constant": 0, "times": 3}, "A2": {"constant": 0}}}, "A2 is a field of its own"),
        ({"fields": {"A": {"data": "00" * 4090}, "B": {"data": "00" * 10}}}, "4102 bytes: an answer has 4095"),
        ({"data": "61", "conditions": ["vehicle.Nothing > 1"]}, "vehicle.Nothing"),
    ],
)
def test_what_only_the_bench_can_judge_is_refused_with_its_place(reply: dict[str, Any], reason: str) -> None:
    with pytest.raises(ConfigurationError, match=reason) as error:
        Unit({"21 01": reply})
    assert error.value.place[:2] == ("answers", "21 01")


def test_what_grows_beyond_a_message_is_refused_when_it_does() -> None:
    """Response too long: the request is 3,000 bytes, and comes back twice."""
    unit = Unit({"36 {data*}": "76 {data} {data}"})
    assert unit.ask("36" + "00" * 2000) == "76" + " 00" * 4000
    assert unit.ask("36" + "00" * 3000) == "7F 36 14"


def test_doubts_name_what_is_in_front_of_what() -> None:
    answers = {
        "21 0?": "61",
        "21 ?1": "61",
        "21 7F": [{"data": "61"}, {"data": "61 00"}],
        "22 F1 90": "62 F1 90",
        "22 AB CD": "62 AB CD",
        "10 03": "50 03",
        "10 C0": "50 C0",
        "2E *": {"refuse": 0x31},
        "18 *": "58 00",
    }
    unit = Unit(answers, uds={"identifiers": {"F190": {"text": "A"}}})
    doubts = {".".join(map(str, one.place[1:])): one.message for one in unit.server.doubts()}
    assert doubts == {
        "21 ?1": "a request that fits '21 0?' too is answered by that one: give a pattern for both",
        "21 7F.1": "is never given: the case before it always holds",
    }
    shadows = {one.place[1]: one.message for one in built_in_doubts(unit.server, None, unit.uds)}
    assert shadows == {
        "22 F1 90": "comes before 22 F1 90 of 'uds', which is not asked",
        "10 03": "comes before 10 03 of 'uds', which is not asked",
        "2E *": "comes before service 2E of 'uds', which is not asked",
    }
