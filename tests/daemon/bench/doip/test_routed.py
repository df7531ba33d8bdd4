"""Control units beyond a bus: requests become frames there, and frames become answers."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError

from ....benches import Listener
from .rig import GROUP, TESTER, Car

ROUTED = "routed: {beyond: {logical_address: 0x1020, bus: can, unit: {request: 0x714, answer: 0x77E}}}"
"""The body's addresses on CAN: it is reached by frames, too."""

BEYOND = 0x1020


@pytest.fixture
def car(tmp_path: Path) -> Car:
    return Car(tmp_path, ROUTED)


def test_a_request_goes_by_frames_and_its_answer_comes_back(car: Car) -> None:
    """In several frames with flow control, as on any CAN; the acknowledgement comes at once."""
    client, listener = car.active(), Listener()
    car.bench.buses["can"].attach(listener)
    assert client.uds(BEYOND, "22 F1 90", 20) == ["ack", "1020: 62f190" + b"WHBZZZ1EZSA000007".hex()]
    assert [(one.can_id, one.data[0] >> 4) for one in listener.frames] == [
        (0x714, 0),
        (0x77E, 1),
        (0x714, 3),
        (0x77E, 2),
        (0x77E, 2),
    ]


def test_response_pending_comes_through(car: Car) -> None:
    client = car.active()
    client.uds(BEYOND, "10 03", 5)
    assert client.uds(BEYOND, "31 01 02 05", 300) == ["ack", "1020: 7f3178", "1020: 7101020564"]


def test_one_request_is_sent_at_a_time(car: Car) -> None:
    """A longer one waits for flow control: another tester is refused meanwhile."""
    car.bench.wiring.control_units.silent.append("body")
    first, second = car.active(), car.active(TESTER + 1)
    assert first.uds(BEYOND, "2E F1 98" + "00" * 20) == ["ack"]
    assert second.uds(BEYOND, "3E 00", source=TESTER + 1) == ["nack 05"]


def test_a_bus_that_is_not_armed_is_not_reached(car: Car) -> None:
    car.bench.gates["can"].armed = False
    assert car.active().uds(BEYOND, "3E 00") == ["nack 06"]


def test_a_group_is_that_of_the_units_of_the_bench(car: Car, tmp_path: Path) -> None:
    assert car.active().uds(GROUP, "3E 00") == ["ack", "1010: 7e00"]
    alone = Car(tmp_path, ROUTED, lambda text: text.replace("  units: {body: 0x1010, engine: 0x1001}\n", ""))
    assert alone.active().uds(GROUP, "3E 00") == ["nack 03"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("bus: can, unit", "bus: car, unit"), "unknown bus 'car'"),
        (("0x1020", "0x1010"), "is the address of body too"),
        (("0x1020", "0xE401"), "is no address of a control unit"),
        (("{beyond:", "{body:"), "has the name of one of 'units'"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, change: tuple[str, str], reason: str) -> None:
    with pytest.raises(ConfigurationError, match=reason):
        Car(tmp_path, ROUTED.replace(*change))
