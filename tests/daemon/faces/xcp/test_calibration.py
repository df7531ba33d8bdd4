"""What a master writes: held, renewed and given back as the page's overrides are."""

import struct

import pytest

from hilbridge.faces.xcp.calibration import LIFE, RENEWAL, Calibration
from hilbridge.faces.xcp.packets import Error, XcpError
from vehiclesim.entries import STANDARD, Entry

from .rig import Bench


def entry(path: str) -> Entry:
    place = STANDARD.find(path)
    assert place is not None
    return STANDARD.at(place)


def begun() -> tuple[Bench, Calibration]:
    bench = Bench()
    calibration = Calibration(bench)
    calibration.begin("127.0.0.1:9")
    return bench, calibration


@pytest.mark.parametrize(
    ("path", "raw", "code"),
    [
        ("input.Throttle", 10_001, Error.OUT_OF_RANGE),
        ("input.Throttle", -(2**31), Error.OUT_OF_RANGE),
        ("input.Key", 2, Error.OUT_OF_RANGE),
        ("vehicle.Speed", 1000, Error.WRITE_PROTECTED),
    ],
)
def test_what_may_not_be_is_refused_and_never_sent(path: str, raw: int, code: Error) -> None:
    bench, calibration = begun()
    with pytest.raises(XcpError) as refused:
        calibration.write([entry("input.Brake"), entry(path)], struct.pack("<ii", 0, raw))
    assert refused.value.code == code
    assert not bench.commands


def test_a_value_is_renewed_until_it_is_given_back() -> None:
    """It ends by itself where it is not renewed: each one is held for longer than to its renewal."""
    assert RENEWAL < LIFE
    bench, calibration = begun()
    calibration.write([entry("input.Throttle")], struct.pack("<i", 2500))
    calibration.renew()
    assert bench.commands[0] == bench.commands[1]
    assert bench.commands[0]["seconds"] == LIFE
    calibration.give_back()
    calibration.renew()
    assert [one["command"] for one in bench.commands] == ["set", "set", "give-back"]


def test_a_step_of_the_gear_lever_is_made_once() -> None:
    bench, calibration = begun()
    calibration.write([entry("input.GearShift")], struct.pack("<i", 1))
    calibration.renew()
    assert len(bench.commands) == 1
    assert "seconds" not in bench.commands[0]


def test_what_the_bench_refuses_is_told_and_not_held() -> None:
    bench, calibration = begun()
    bench.refused = "input.Throttle"
    with pytest.raises(XcpError) as refused:
        calibration.write([entry("input.Throttle")], struct.pack("<i", 0))
    assert refused.value.code == Error.RESOURCE_TEMPORARY_NOT_ACCESSIBLE
    calibration.renew()
    assert len(bench.commands) == 1


def test_a_renewal_without_an_answer_is_made_again() -> None:
    """A control process that starts anew takes no value away; what the bench refuses is given up."""
    bench, calibration = begun()
    calibration.write([entry("input.Throttle"), entry("input.Brake")], struct.pack("<ii", 1, 2))
    bench.is_silent = True
    calibration.renew()
    bench.is_silent = False
    bench.commands.clear()
    bench.refused = "input.Brake"
    calibration.renew()
    calibration.renew()
    both, throttle, brake, last = bench.commands
    assert both["also"] == {"input.Brake": 0.0002}
    assert [one["entry"] for one in (throttle, brake, last)] == ["input.Throttle", "input.Brake", "input.Throttle"]
    assert not {"also"} & {*throttle, *brake, *last}


def test_a_write_without_an_answer_is_refused() -> None:
    bench, calibration = begun()
    bench.is_silent = True
    with pytest.raises(XcpError) as refused:
        calibration.write([entry("input.Throttle")], struct.pack("<i", 0))
    assert refused.value.code == Error.RESOURCE_TEMPORARY_NOT_ACCESSIBLE


def test_the_life_of_a_value_is_time_of_the_run() -> None:
    bench = Bench()
    calibration = Calibration(bench, pace=8.0)
    calibration.write([entry("input.Throttle")], struct.pack("<i", 0))
    assert bench.commands[0]["seconds"] == 8 * LIFE
