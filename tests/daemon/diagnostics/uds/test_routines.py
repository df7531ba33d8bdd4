"""The routines behind service 31."""

from vehiclesim.channels import AUXILIARY, AuxiliaryData, VehicleData

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
