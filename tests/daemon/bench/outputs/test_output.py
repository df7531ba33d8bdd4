"""An output: which values, when, and only while it is armed."""

from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.outputs.output import Output
from hilbridge.files.settings.outputs import OutputSettings
from vehiclesim.channels import NAN, VEHICLE, VehicleData
from vehiclesim.databus import DataBus
from vehiclesim.entries import STANDARD


class Port:
    """Keeps what it takes; takes nothing while `blocked`."""

    def __init__(self) -> None:
        self.is_open = True
        self.blocked = False
        self.taken: list[tuple[float, bytes]] = []

    def write(self, packet: bytes, t: int) -> bool:
        if not self.blocked:
            self.taken.append((t / MILLISECOND, packet))
        return not self.blocked


def settings(**keys: Any) -> OutputSettings:
    return OutputSettings.model_validate({"port": "pty", "values": {"rpm": "vehicle.EngineRpm"}} | keys)


def output(**keys: Any) -> Output:
    return Output("display", settings(**keys), MILLISECOND, ("outputs", "display"))


def bus(**values: float) -> DataBus:
    data = DataBus()
    for name, value in values.items():
        index = next(i for i, entry in enumerate(STANDARD.channels[VEHICLE]) if entry.name == name)
        data.vehicle[index] = round(value * STANDARD.channels[VEHICLE][index].resolution)
    return data


def text(one: Output, data: DataBus) -> str:
    return one.packet(data.channels).decode().strip()


def test_a_value_in_its_unit_scaled_and_with_its_decimals() -> None:
    """20 m/s are 72 km/h, 44.74 mph; scale and offset come after the unit."""
    values = {
        "kmh": {"from": "vehicle.Speed", "unit": "km/h"},
        "mph": {"from": "vehicle.Speed", "unit": "mph", "decimals": 3},
        "duty": {"from": "vehicle.Speed", "unit": "km/h", "scale": 2, "offset": 10, "decimals": 0},
        "twice": {"expression": "vehicle.Speed * 2"},
        "steps": {"from": "vehicle.Speed", "table": [[0, 0], [40, 100]], "decimals": 0},
        "gear": "vehicle.GearboxGear",
        "nine": {"constant": 9},
    }
    data = bus(Speed=20, GearboxGear=3)
    assert text(output(values=values), data) == "kmh=72.00 mph=44.739 duty=154 twice=40.00 steps=50 gear=3 nine=9"


def test_a_substitute_stands_for_what_is_not_available() -> None:
    data = DataBus()
    data.vehicle[VehicleData.ENGINE_RPM] = NAN
    values = {"a": "vehicle.EngineRpm", "b": {"from": "vehicle.EngineRpm", "substitute": -1, "scale": 2, "decimals": 0}}
    assert text(output(values=values), data) == "b=-1"


def test_packets_go_in_ticks_that_are_multiples_of_the_period() -> None:
    """After missed ticks one goes for all of them, and the rhythm stays."""
    one, port = output(period=5), Port()
    for tick in (*range(1, 12), 23, 24, 25, 26):
        one.publish(DataBus().channels, port, tick * MILLISECOND)
    assert [t for t, _ in port.taken] == [1, 5, 10, 23, 25]


def test_a_packet_in_every_tick() -> None:
    one, port = output(period=1), Port()
    for tick in range(1, 1001):
        one.publish(DataBus().channels, port, tick * MILLISECOND)
    assert len(port.taken) == one.statistics.passed == 1000


def test_hardware_is_silent_until_it_is_armed() -> None:
    one, port = output(port="/dev/ttyUSB0"), Port()
    one.publish(DataBus().channels, port, 20 * MILLISECOND)
    assert (port.taken, one.statistics.unarmed) == ([], 1)
    one.armed = True
    one.publish(DataBus().channels, port, 40 * MILLISECOND)
    assert len(port.taken) == 1
    assert output(port="/dev/ttyUSB0", armed=True).armed
    assert output().armed, "nobody is hurt by a pty"


def test_what_the_port_does_not_take_is_counted() -> None:
    one, port = output(), Port()
    port.blocked = True
    one.publish(DataBus().channels, port, 20 * MILLISECOND)
    assert (one.statistics.passed, one.statistics.dropped, one.statistics.unheard) == (0, 1, 0)
    port.is_open = False
    one.publish(DataBus().channels, port, 40 * MILLISECOND)
    assert (one.statistics.dropped, one.statistics.unheard) == (1, 1), "nobody was there"


def test_a_reload_leaves_it_armed_and_its_counters() -> None:
    before, after = output(port="/dev/ttyUSB0"), output(port="/dev/ttyUSB0", period=10)
    before.armed = True
    before.statistics.passed = 7
    after.take_over(before)
    assert after.armed
    assert after.statistics.passed == 7


def test_a_line_that_is_too_slow_is_a_doubt() -> None:
    """`rpm=0.00` and its end are 10 bytes, of 10 bits each: 100,000 bit/s in every tick of a millisecond."""
    one = output(port="/dev/ttyUSB0", baudrate=9600, period=1)
    (doubt,) = one.doubts(DataBus().channels)
    assert "need 100000 bit/s, and the line has 9600" in doubt
    assert not output(port="/dev/ttyUSB0", baudrate=115200, period=1).doubts(DataBus().channels)


@pytest.mark.parametrize(
    ("keys", "place", "message"),
    [
        ({"values": {"rpm": "vehicle.EngineSpeed"}}, ("values", "rpm", "from"), "unknown data bus entry"),
        ({"values": {"rpm": {"from": "vehicle.Speed", "unit": "bar"}}}, ("values", "rpm", "unit"), "pressure"),
        ({"values": {"rpm": {"expression": "1 +"}}}, ("values", "rpm", "expression"), "column"),
        ({"period": 2.5}, ("period",), "no multiple of the tick"),
        ({"format": "ardustim", "values": {"speed": "vehicle.EngineRpm"}}, ("values", "speed"), "unknown field"),
    ],
)
def test_errors_have_their_place(keys: dict[str, Any], place: tuple[str, ...], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as error:
        Output("display", settings(**keys), MILLISECOND, ("outputs", "display"))
    assert error.value.place == ("outputs", "display", *place)


def test_a_binary_packet_has_the_same_length_whatever_the_value() -> None:
    one, data = output(format="binary", fields=[{"name": "rpm", "type": "u16"}]), DataBus()
    for value in (NAN, 0, 2**31 - 1, -(2**31) + 1):
        data.vehicle[VehicleData.ENGINE_RPM] = value
        assert len(one.packet(data.channels)) == 2
