"""The routines behind service 31."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.uds_routines import RoutineSettings
from vehiclesim.channels import AUXILIARY, INPUT, NAN, VEHICLE, AuxiliaryData, InputData, VehicleData

from .tester import Tester, answers

MEASURING, ENDED = 0, 1


def test_the_self_test_counts_what_fails() -> None:
    """01 and the number; 00 and none once the test of the code has passed."""
    tester = Tester().extended()
    client = tester.client()
    assert answers(client.start_routine, 0x0200).routine_status_record == b"\x01\x01"
    tester.memory.troubles["P0301"].succeed()
    assert answers(client.get_routine_result, 0x0200).routine_status_record == b"\x01\x01"
    assert answers(client.start_routine, 0x0200).routine_status_record == b"\x00\x00"


def test_the_self_test_wants_the_vehicle_at_rest() -> None:
    """88, vehicle speed too high; backwards too."""
    tester = Tester().extended()
    for speed, answer in ((1000, "7F 31 88"), (-1000, "7F 31 88"), (0, "")):
        tester.bus.vehicle[VehicleData.SPEED] = speed
        assert tester.ask("31 01 02 00") == answer


def record(answer: object) -> tuple[int, int, int]:
    """State, fuel [ml], distance [m]."""
    data: bytes = getattr(answer, "routine_status_record")  # noqa: B009 - udsoncan adds it when it decodes
    return data[0], int.from_bytes(data[1:5], "big"), int.from_bytes(data[5:9], "big")


def test_consumption_is_measured_between_start_and_stop() -> None:
    """0.75 l over 12 km; what comes after the stop does not count."""
    tester = Tester().extended()
    client = tester.client()
    tester.bus.write(AUXILIARY, AuxiliaryData.FUEL_USED, 100.0)
    tester.bus.write(AUXILIARY, AuxiliaryData.ODOMETER, 50_000.0)
    assert record(answers(client.start_routine, 0x0201)) == (MEASURING, 0, 0)
    tester.bus.write(AUXILIARY, AuxiliaryData.FUEL_USED, 100.75)
    tester.bus.write(AUXILIARY, AuxiliaryData.ODOMETER, 62_000.0)
    assert record(answers(client.get_routine_result, 0x0201)) == (MEASURING, 750, 12_000)
    assert record(answers(client.stop_routine, 0x0201)) == (ENDED, 750, 12_000)
    tester.bus.write(AUXILIARY, AuxiliaryData.FUEL_USED, 102.0)
    assert record(answers(client.get_routine_result, 0x0201)) == (ENDED, 750, 12_000)
    assert tester.ask("31 02 02 01") == "7F 31 24"
    assert record(answers(client.start_routine, 0x0201)) == (MEASURING, 0, 0)


BLEEDING: dict[str, Any] = {
    "0300": {
        "duration": 1500,
        "conditions": [{"holds": "vehicle.Speed == 0", "refusal": 0x88}, "vehicle.EngineRpm < 2000"],
        "start": {"Status": {"constant": 0x10, "length": 1}},
        "stop": {},
        "results": {
            "Status": {"constant": 2, "bits": 4},
            "Pressed": {"expression": "input.Brake > 0.5", "bits": 4},
            "Engine": {"from": "vehicle.EngineRpm"},
        },
    }
}
"""Brakes are bled: 1.5 s at rest."""


def test_a_routine_of_the_bench_file_answers_with_its_fields() -> None:
    """78 within P2, the answer to the start after its duration; results are as they are when asked for."""
    tester = Tester(routines=BLEEDING).extended()
    assert tester.ask("31 01 03 00") == ""
    heard = tester.wait(1600)
    assert [text for _, text in heard] == ["7F 31 78", "71 01 03 00 10"]
    assert heard[1][0] == 1500
    tester.bus.write(VEHICLE, VehicleData.ENGINE_RPM, 800.0)
    tester.bus.write(INPUT, InputData.BRAKE, 0.6)
    assert answers(tester.client().get_routine_result, 0x0300).routine_status_record == b"\x21\x03\x20"
    assert tester.ask("31 02 03 00") == "71 02 03 00"
    assert tester.ask("31 02 03 00") == "7F 31 24"


def test_conditions_hold_at_the_start_and_while_it_runs() -> None:
    """The first one that does not hold refuses, with its own code or 22; an unknown value does not hold."""
    tester = Tester(routines=BLEEDING).extended()
    tester.bus.vehicle[VehicleData.SPEED] = 1000
    tester.bus.write(VEHICLE, VehicleData.ENGINE_RPM, 3000.0)
    assert tester.ask("31 01 03 00") == "7F 31 88"
    tester.bus.vehicle[VehicleData.SPEED] = 0
    assert tester.ask("31 01 03 00") == "7F 31 22"
    tester.bus.vehicle[VehicleData.ENGINE_RPM] = NAN
    assert tester.ask("31 01 03 00") == "7F 31 22"
    tester.bus.write(VEHICLE, VehicleData.ENGINE_RPM, 0.0)
    assert tester.ask("31 01 03 00") == ""
    tester.wait(500)
    tester.bus.vehicle[VehicleData.SPEED] = 1000
    assert tester.wait(10) == [(1, "7F 31 88")]
    assert tester.ask("31 03 03 00") == "7F 31 24"


def test_a_routine_without_keys_is_done_at_once() -> None:
    """And has neither a stop nor results."""
    tester = Tester(routines={"0300": {}}).extended()
    assert tester.ask("31 01 03 00") == "71 01 03 00"
    assert tester.ask("31 02 03 00") == tester.ask("31 03 03 00") == "7F 31 12"


ASYNCHRONOUS: dict[str, Any] = {
    "0300": {
        "asynchronous": True,
        "duration": 1500,
        "conditions": [{"holds": "vehicle.Speed == 0", "refusal": 0x88}],
        "start": {"Status": {"constant": 1, "length": 1}},
        "stop": {"Status": {"constant": 3, "length": 1}},
        "running": {"Status": {"constant": 2, "length": 1}, "Engine": {"from": "vehicle.EngineRpm"}},
        "results": {"Status": {"constant": 0, "length": 1}},
    },
    "0301": {"asynchronous": True, "duration": 100, "results": {}},
}


def status(answer: object) -> bytes:
    return bytes(getattr(answer, "routine_status_record"))  # noqa: B009 - udsoncan adds it when it decodes


def test_an_asynchronous_routine_runs_beside_other_requests() -> None:
    """71 at once and no 78; 03 tells that it runs, and its results after 1.5 s; other services answer meanwhile."""
    tester = Tester(routines=ASYNCHRONOUS).extended()
    client = tester.client()
    assert status(answers(client.start_routine, 0x0300)) == b"\x01"
    assert not tester.server.answering
    tester.bus.write(VEHICLE, VehicleData.ENGINE_RPM, 800.0)
    assert status(answers(client.get_routine_result, 0x0300)) == b"\x02\x03\x20"
    assert tester.ask("22 F1 86") == "62 F1 86 03"
    assert tester.wait(1499) == []
    assert status(answers(client.get_routine_result, 0x0300)) == b"\x02\x03\x20"
    assert tester.wait(1) == []
    assert status(answers(client.get_routine_result, 0x0300)) == b"\x00"


def test_an_asynchronous_routine_is_stopped() -> None:
    """After it there are no results; a second stop, and a stop of what was never started, are out of sequence."""
    tester = Tester(routines=ASYNCHRONOUS).extended()
    assert tester.ask("31 02 03 00") == "7F 31 24"
    assert tester.ask("31 03 03 00") == "7F 31 24"
    tester.ask("31 01 03 00")
    tester.wait(500)
    assert status(answers(tester.client().stop_routine, 0x0300)) == b"\x03"
    tester.wait(1500)
    assert tester.ask("31 03 03 00") == "7F 31 24"
    assert tester.ask("31 02 03 00") == "7F 31 24"


def test_a_condition_ends_an_asynchronous_routine() -> None:
    """Though it holds again when the tester asks; a new start begins anew."""
    tester = Tester(routines=ASYNCHRONOUS).extended()
    tester.ask("31 01 03 00")
    tester.wait(10)
    tester.bus.vehicle[VehicleData.SPEED] = 1000
    assert tester.ask("31 01 03 00") == "7F 31 88"
    tester.wait(1)
    tester.bus.vehicle[VehicleData.SPEED] = 0
    tester.wait(10)
    assert tester.ask("31 03 03 00") == "7F 31 88"
    assert tester.ask("31 02 03 00") == "7F 31 24"
    assert tester.ask("31 01 03 00") == "71 01 03 00 01"
    tester.wait(1500)
    assert tester.ask("31 03 03 00") == "71 03 03 00 00"


def test_an_asynchronous_routine_ends_with_its_session_and_at_a_reset() -> None:
    tester = Tester(routines=ASYNCHRONOUS).extended()
    tester.ask("31 01 03 00")
    assert tester.ask("10 01").startswith("50 01")
    assert tester.server.idle
    tester.extended()
    assert tester.ask("31 03 03 00") == "7F 31 24"
    tester.ask("31 01 03 00")
    tester.server.restart()
    assert tester.server.idle


def test_an_asynchronous_routine_without_fields_of_its_own() -> None:
    """03 is refused while it runs, 02 not supported; several run at a time."""
    tester = Tester(routines=ASYNCHRONOUS).extended()
    assert tester.ask("31 01 03 01") == "71 01 03 01"
    assert tester.ask("31 01 03 00") == "71 01 03 00 01"
    assert tester.ask("31 03 03 01") == "7F 31 24"
    assert tester.ask("31 02 03 01") == "7F 31 12"
    tester.wait(100)
    assert tester.ask("31 03 03 01") == "71 03 03 01"
    assert tester.ask("31 03 03 00")[:11] == "71 03 03 00"


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"asynchronous": True}, "needs 'duration'"),
        ({"running": {}}, "needs 'asynchronous'"),
        ({"asynchronous": True, "duration": 1, "running": {}}, "needs 'results'"),
        ({"asynchronous": True, "duration": 1, "hook": "a:b"}, "knows no end"),
    ],
)
def test_keys_of_asynchronous_routines_that_do_not_fit(settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        RoutineSettings.model_validate(settings)


ECHO = """
def echo(value, function, option):
    if option == b"!":
        raise ValueError
    return None if option == b"?" else bytes((function, int(value("vehicle.GearboxGear")))) + option
"""


@pytest.mark.usefixtures("own_code")
def test_a_function_of_the_user_makes_the_answers(tmp_path: Path) -> None:
    """With the sub-function and the option of the request; None refuses, an exception is counted."""
    file = tmp_path / "routines.py"
    file.write_text(ECHO)
    tester = Tester(routines={"0300": {"hook": f"{file}:echo", "option": 1, "results": {}}}).extended()
    tester.bus.vehicle[VehicleData.GEARBOX_GEAR] = 4
    assert tester.ask("31 01 03 00 55") == "71 01 03 00 01 04 55"
    assert tester.ask("31 03 03 00") == "71 03 03 00 03 04"
    assert tester.ask("31 01 03 00 3F") == tester.ask("31 01 03 00 21") == "7F 31 22"
    assert tester.server.statistics.hook_failures == 1


def test_the_end_of_the_session_forgets_results() -> None:
    """24 in the next session."""
    tester = Tester(routines={"0300": {"results": {}}}).extended()
    tester.ask("31 01 03 00")
    assert tester.ask("31 03 03 00") == "71 03 03 00"
    tester.wait(5000)
    assert tester.extended().ask("31 03 03 00") == "7F 31 24"


@pytest.mark.parametrize(
    ("routine", "place"),
    [
        ({"start": {"A": "vehicle.Nothing"}}, ("start", "A", "from")),
        ({"results": {"A": {"constant": 1}, "B": {"constant": 1, "byte": 0}}}, ("results", "B")),
        ({"conditions": ["vehicle.Speed == 0", "vehicle.Speed <"]}, ("conditions", 1, "holds")),
        ({"hook": "nowhere.py:run"}, ("hook",)),
    ],
)
def test_mistakes_are_told_with_their_place(routine: dict[str, Any], place: tuple[str | int, ...]) -> None:
    """Fields, conditions and functions."""
    with pytest.raises(ConfigurationError) as raised:
        Tester(routines={"0300": routine})
    assert raised.value.place == ("uds", "routines", "0300", *place)
