"""The routines behind service 31."""

from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
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
