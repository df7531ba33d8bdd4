"""The parts of a bench fit together: periods and ticks, names and buses, ports and their one user."""

from typing import Any

import pytest

from hilbridge.base.common.errors import KeyPath, dotted
from hilbridge.files.configuration.consistency import doubts, findings
from hilbridge.files.settings import BenchSettings

EMBEDDED = {"interface": "embedded", "database": "car.dbc"}
KEY: dict[str, Any] = {"signals": {"Key": {}}}


def problems(**keys: Any) -> dict[str, str]:
    """Key path and reason of everything that does not fit in a bench."""
    settings = BenchSettings.model_validate({"name": "test", "vehicle": "car", **keys}, strict=True)
    return {dotted(error.place): error.message for error in findings(settings)}


def places(**keys: Any) -> list[str]:
    return list(problems(**keys))


def test_a_bench_without_buses_and_inputs_fits() -> None:
    """The least that a bench can be."""
    assert problems() == {}


@pytest.mark.parametrize(("rate", "period", "fits"), [(1000, 7, True), (1000, 7.5, False), (400, 7.5, True)])
def test_a_period_is_a_whole_number_of_ticks(rate: int, period: float, fits: bool) -> None:
    """7.5 ms are three ticks at 400 Hz and none at 1000 Hz."""
    bus = EMBEDDED | {"messages": {"M": {"period": period}}}
    assert places(rate=rate, buses={"one": bus}) == ([] if fits else ["buses.one.messages.M.period"])


def test_an_interface_is_one_that_python_can_knows() -> None:
    """A misspelt one is reported with its neighbour, before a driver is asked."""
    bus = {"interface": "kvasr", "channel": 0}
    assert problems(buses={"one": bus}) == {
        "buses.one.interface": "there is no interface 'kvasr'; did you mean 'kvaser'?"
    }
    assert problems(buses={"one": {"interface": "virtual", "channel": 0}}) == {}


@pytest.mark.parametrize(
    ("one", "two", "place"),
    [
        ({"interface": "socketcan", "channel": "can0"}, {"interface": "socketcan", "channel": "can0"}, "channel"),
        ({"interface": "embedded", "slcan": 29536}, {"interface": "embedded", "slcan": 29536}, "slcan"),
        ({"interface": "embedded", "slcan": 0}, {"interface": "embedded", "slcan": 0}, None),
        ({"interface": "embedded"}, {"interface": "embedded"}, None),
        ({"interface": "kvaser", "channel": 0}, {"interface": "vector", "channel": 0}, None),
        ({"interface": "socketcan", "channel": "can0"}, {"interface": "socketcan", "channel": "can1"}, None),
    ],
)
def test_two_buses_share_neither_channel_nor_port(one: dict[str, Any], two: dict[str, Any], place: str | None) -> None:
    """The second one is reported; port 0 means any free port and may stand twice."""
    assert places(buses={"one": one, "two": two}) == ([f"buses.two.{place}"] if place else [])


def test_two_inputs_do_not_share_a_serial_port() -> None:
    """Each would get half of the lines; a pseudo terminal is made for each."""
    port = {"source": "serial", "port": "/dev/ttyACM0", **KEY}
    assert problems(inputs=[port, port]) == {"inputs[1].port": "the same serial port as inputs[0]"}
    terminal = {"source": "serial", "port": "pty", **KEY}
    assert problems(inputs=[terminal, terminal]) == {}


def test_an_input_message_comes_from_a_bus_that_exists_and_has_a_database() -> None:
    """Without a database nobody knows where the signals lie."""
    buses = {"one": EMBEDDED, "two": {"interface": "embedded"}}
    inputs = [{"source": "can", "bus": bus, "message": "M", **KEY} for bus in ("one", "two", "on")]
    assert problems(buses=buses, inputs=inputs) == {
        "inputs[1].bus": "bus 'two' has no database that describes 'M'",
        "inputs[2].bus": "there is no bus 'on'; did you mean 'one'?",
    }


def test_there_is_one_demo_driver_and_it_comes_last() -> None:
    """It yields to every source before it; behind it nobody would be heard."""
    demo, serial = {"source": "demo-driver"}, {"source": "serial", "port": "pty", **KEY}
    assert places(inputs=[serial, demo]) == []
    assert places(inputs=[demo, serial]) == ["inputs[0].source"]
    assert places(inputs=[demo, demo]) == ["inputs[0].source"]


ENGINE = {"addresses": [{"request": 0x7E0, "answer": 0x7E8}], "obd": {"role": "engine"}}


def test_two_control_units_do_not_hear_the_same_requests() -> None:
    """On one bus; the address byte of extended addressing tells them apart too."""
    buses = {"one": EMBEDDED, "two": EMBEDDED}
    clock, radio = ({"request": 0x6F1, "answer": 0x600 + at, "target": at} for at in (0x60, 0x63))
    units = {name: ENGINE | {"bus": bus} for name, bus in (("engine", "one"), ("other", "two"), ("again", "one"))}
    units["clock"] = {"bus": "one", "uds": {}, "addresses": [clock]}
    units["radio"] = {"bus": "one", "uds": {}, "addresses": [radio, clock]}
    assert problems(buses=buses, diagnostics={"units": units}) == {
        "diagnostics.units.again.addresses[0]": "requests to it are those to engine",
        "diagnostics.units.radio.addresses[1]": "requests to it are those to clock",
    }


def test_a_unit_may_hear_several_testers() -> None:
    """18DA28F1 and 18DA28F2; the same of mixed addressing, and a unit beside it that another tester asks."""
    one = {"bus": "one", "uds": {}}
    units = {
        "telematics": one | {"addresses": [{"address": 0x28}, {"address": 0x28, "source": 0xF2}]},
        "mixed": one | {"addresses": [{"address": 0x28, "extension": 1, "source": at} for at in (0xF1, 0xF2)]},
        "other": one | {"addresses": [{"address": 0x28, "source": 0xF3}]},
    }
    assert problems(buses={"one": EMBEDDED}, diagnostics={"units": units}) == {}


def test_an_address_written_as_identifiers_is_the_same_address() -> None:
    """And the tester's address of extended addressing is in the answers alone."""
    by_hand = {"request": 0x18DA28F2, "answer": 0x18DAF228}
    extended = {"request": 0x6F1, "answer": 0x612, "target": 0x12}
    one = {"bus": "one", "uds": {}}
    units = {
        "a": one | {"addresses": [{"address": 0x28, "source": 0xF2}, extended]},
        "b": one | {"addresses": [by_hand, extended | {"source": 0xF2}]},
    }
    assert problems(buses={"one": EMBEDDED}, diagnostics={"units": units}) == {
        f"diagnostics.units.b.addresses[{index}]": "requests to it are those to a" for index in (0, 1)
    }


def test_diagnostics_need_a_bus_and_a_fast_tick() -> None:
    """ISO 15765-4 allows 50 ms for an answer; from 100 Hz on there are ticks enough in it."""
    units: dict[str, Any] = {"units": {"engine": ENGINE | {"bus": "one"}}}
    assert places(rate=100, buses={"one": EMBEDDED}, diagnostics=units) == []
    assert places(rate=80, buses={"one": EMBEDDED}, diagnostics=units) == ["diagnostics.units.engine"]
    assert problems(diagnostics=units) == {"diagnostics.units.engine.bus": "there is no bus 'one'; known: none"}
    assert places(rate=10, buses={"one": EMBEDDED}) == []


def test_every_finding_has_a_place() -> None:
    """So that each can be reported with its line."""
    settings = BenchSettings.model_validate(
        {"name": "test", "vehicle": "car", "rate": 10, "diagnostics": {"units": {"engine": ENGINE | {"bus": "none"}}}}
    )
    found: list[KeyPath] = [error.place for error in findings(settings)]
    assert found
    assert all(found)


@pytest.mark.parametrize(
    ("address", "doubtful"),
    [(None, False), ("127.0.0.2", False), ("::1", False), ("0.0.0.0", True)],
)
def test_a_scan_tool_port_that_other_machines_reach_is_seen(address: str | None, *, doubtful: bool) -> None:
    """It has no password."""
    elm327 = {"bus": "a", "ways": [0]} | ({"address": address} if address else {})
    keys = {"buses": {"a": EMBEDDED}, "diagnostics": {"elm327": [elm327]}}
    settings = BenchSettings.model_validate({"name": "test", "vehicle": "car", **keys}, strict=True)
    found = [dotted(doubt.place) for doubt in doubts(settings)]
    assert found == (["diagnostics.elm327[0].address"] if doubtful else [])


def test_an_address_is_one() -> None:
    elm327 = {"bus": "a", "address": "everywhere"}
    with pytest.raises(ValueError, match="'everywhere' is no IP address"):
        BenchSettings.model_validate({"name": "test", "vehicle": "car", "diagnostics": {"elm327": [elm327]}})
