"""What a scan tool takes a vehicle for, by python-OBD's decoders: an electric car has no engine, and says so."""

from pathlib import Path
from typing import Any

import obd  # type: ignore[import-untyped]
import pytest
from obd.protocols.protocol import Message  # type: ignore[import-untyped]

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.testing import NegativeAnswerError, VirtualBench

from ..program import CHECKOUT

OF_AN_ENGINE = ("MISFIRE_MONITORING", "FUEL_SYSTEM_MONITORING", "CATALYST_MONITORING", "OXYGEN_SENSOR_MONITORING")


def seen(bench: VirtualBench, name: str) -> Any:
    """What python-OBD makes of the answer to one of its commands."""
    command = obd.commands[name]
    message = Message([])
    message.data = bytearray(b"A" + bytes((command.pid,)) + bench.obd(command.pid))
    return command.decode([message])


@pytest.mark.parametrize(
    ("name", "fuel"), [("electric", "Electric"), ("hybrid", "Hybrid gasoline"), ("demo", "Gasoline")]
)
def test_a_vehicle_says_what_drives_it(name: str, fuel: str) -> None:
    """PID 51."""
    with VirtualBench(name) as bench:
        bench.set("input.Key", 0)
        bench.advance(1)
        assert seen(bench, "FUEL_TYPE") == fuel


def test_an_electric_car_is_ready_and_has_no_monitor_of_an_engine() -> None:
    """Of PID 01 comprehensive components alone are left, which complete with the key on."""
    with VirtualBench("electric") as bench:
        bench.set("input.Key", 0)
        bench.advance(15)
        status = seen(bench, "STATUS")
        bench.set("input.Brake", 0.5)
        bench.set("input.Key", 1)
        bench.advance(0.5)
        bench.set("input.Key", 0)
        bench.advance(61)
        assert seen(bench, "TIME_SINCE_DTC_CLEARED").magnitude == 1
    assert not any(getattr(status, test).available for test in OF_AN_ENGINE)
    assert (status.COMPONENT_MONITORING.available, status.COMPONENT_MONITORING.complete) == (True, True)
    assert status.ignition_type == "spark"


@pytest.mark.parametrize("pid", [0x13, 0x15, 0x61, 0x62, 0x63, 0x64])
def test_an_electric_car_does_not_answer_what_an_engine_does(pid: int) -> None:
    with VirtualBench("electric") as bench:
        bench.set("input.Key", 0)
        bench.advance(1)
        with pytest.raises(NegativeAnswerError):
            bench.obd(pid)


def test_an_electric_car_has_no_code_of_an_engine() -> None:
    """19 02 FF; those of the pedals, the brake and the supply stay."""
    with VirtualBench("electric") as bench:
        bench.set("input.Key", 0)
        bench.advance(1)
        answer = bench.uds(bytes.fromhex("1902FF"))
    codes = {answer[place : place + 2].hex() for place in range(3, len(answer), 4)}
    assert "0560" in codes
    assert codes.isdisjoint({"0171", "0172", "0300", "0301", "0304", "0420", "0128", "0217", "2111", "1460"})


def test_a_monitor_of_an_engine_on_an_electric_car_is_an_error(tmp_path: Path) -> None:
    text = (CHECKOUT / "config/benches/electric.yaml").read_text(encoding="utf-8")
    monitor = "{cat: {code: P0420, value: '1', maximum: 2, fuels: [petrol]}}"
    own = f"{{unit: electric-drive, bus: powertrain, codes: {{P0420: {{text: Catalyst}}}}, monitors: {monitor}}}"
    file = tmp_path / "bench.yaml"
    file.write_text(text.replace("{unit: electric-drive, bus: powertrain}", own), encoding="utf-8")
    with pytest.raises(ConfigurationError, match="it is of petrol; the vehicle's drive is electric") as error:
        VirtualBench(file)
    assert "monitors.cat" in str(error.value)
