"""PIDs and InfoTypes of the bench file in a control unit: masks, freeze frames and decoders follow."""

from typing import Any

import obd  # type: ignore[import-untyped]
import pytest
from obd.protocols.protocol import Message  # type: ignore[import-untyped]

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.units import UnitSettings

from ..control_units import ENGINE, Bench


def bench(**own: Any) -> Bench:
    """The engine's control unit of the template, with keys of its own over it."""
    assert ENGINE.obd is not None
    plain = ENGINE.model_dump(by_alias=True, exclude_unset=True)
    for key, value in own.items():
        plain["obd"][key] = {**plain["obd"].get(key, {}), **value} if isinstance(value, dict) else value
    return Bench(UnitSettings.model_validate(plain))


def decoded(car: Bench, name: str) -> Any:
    """What python-OBD makes of the answer."""
    command = obd.commands[name]
    message = Message([])
    message.data = bytearray(bytes((0x41, command.pid)) + car.data_of(command.pid))
    return command.decode([message]).magnitude


def masked(car: Bench, service: int) -> set[int]:
    """The numbers in the masks of a service, followed from base to base."""
    found: set[int] = set()
    base: int | None = 0
    while base is not None:
        frame = " 00" if service == 2 else ""
        answer = bytes.fromhex(car.ask(f"{service:02x} {base:02x}{frame}") or "")
        bits = int.from_bytes(answer[-4:], "big")
        found |= {base + 1 + i for i in range(32) if bits >> (31 - i) & 1}
        base = base + 0x20 if bits & 1 else None
    return {number for number in found if number % 0x20}


def test_python_obd_reads_what_the_bench_file_says() -> None:
    """A constant, an expression, an entry of another kind; the others stay as they were."""
    car = bench(
        pids={
            "0C": {"EngineRPM": {"constant": 1234.5}},
            "05": {"CoolantTemperature": {"expression": "auxiliary.OilTemperature - 10"}},
            "11": {"ThrottlePosition": {"from": "input.Throttle", "table": [[0, 12], [1, 85]]}},
        }
    )
    car.set(auxiliary_OilTemperature=95_000, input_Throttle=5_000, vehicle_Speed=10_000)
    assert decoded(car, "RPM") == pytest.approx(1234.5)
    assert decoded(car, "COOLANT_TEMP") == pytest.approx(85.0)
    assert decoded(car, "THROTTLE_POS") == pytest.approx(48.5, abs=0.2)
    assert decoded(car, "SPEED") == pytest.approx(36.0)


def test_a_dropped_pid_is_in_no_mask_and_an_added_one_is() -> None:
    """Of a template, or computed; the masks lead on to a PID behind the last one so far."""
    before = masked(bench(), 1)
    car = bench(pids={"0C": None, "A6": None, "51": None, "C3": {"Mine": {"constant": 5, "length": 1}}})
    assert masked(car, 1) == before - {0x0C, 0xA6, 0x51} | {0xC3}
    assert car.ask("01 0c") == "7f 01 12"
    assert car.ask("01 c3") == "41 c3 05"


def test_a_signal_of_the_monitor_status_may_be_held() -> None:
    """MIL and 3 codes, while readiness stays that of the store."""
    plain, car = bench().data_of(0x01), bench(pids={"01": {"MIL": {"constant": 1}, "DTCCount": {"constant": 3}}})
    assert plain[0] == 0
    assert car.data_of(0x01) == b"\x83" + plain[1:]


def test_freeze_frames_have_the_pids_of_the_bench_file() -> None:
    """The value at the time of the fault; without those that are dropped."""
    car = bench(pids={"0C": {"EngineRPM": {"expression": "vehicle.EngineRpm * 2"}}, "05": None})
    car.start()
    car.store.report("P0301", True, car.t)
    car.store.report("P0301", True, car.t)
    car.set(vehicle_EngineRpm=3_000_000)
    assert car.ask("02 0c 00") == "42 0c 00 19 00"  # 2 x 800 rpm in quarters
    assert car.ask("02 05 00") == "7f 02 12"


def test_a_freeze_frame_may_have_other_pids() -> None:
    """One of the bench's own, and one that is not answered."""
    car = bench(freeze_frame=["0C", "C3", "CD"], pids={"C3": {"Mine": {"constant": 5, "length": 1}}})
    car.start()
    car.store.report("P0301", True, car.t)
    car.store.report("P0301", True, car.t)
    assert masked(car, 2) == {0x02, 0x0C, 0xC3}
    assert car.ask("02 c3 00") == "42 c3 00 05"


def test_info_types_are_data() -> None:
    """An engine serial number, 0D, behind its count; the name, 0A, dropped; both in the mask."""
    serial = {"Count": {"constant": 1, "length": 1}, "Serial": {"text": "ESN-4711", "length": 17}}
    car = bench(information={"0D": serial, "0A": None})
    assert masked(car, 9) == masked(bench(), 9) - {0x0A} | {0x0D}
    assert bytes.fromhex(car.ask("09 0d") or "") == b"\x49\x0d\x01ESN-4711" + bytes(9)
    assert car.ask("09 0a") == "7f 09 12"


def test_an_info_type_that_is_not_available_is_not_answered() -> None:
    """And not in the mask."""
    car = bench(information={"0D": {"Odometer": {"from": "auxiliary.Lambda", "length": 4}}})
    car.set(auxiliary_Lambda=-(2**31))
    assert 0x0D not in masked(car, 9)
    assert car.ask("09 0d") == "7f 09 12"


@pytest.mark.parametrize("table", ["pids", "information"])
def test_mistakes_are_told_with_their_place(table: str) -> None:
    """Counted from the section `obd`."""
    with pytest.raises(ConfigurationError, match="EngineRpm") as raised:
        bench(**{table: {"CD": {"Mine": {"from": "vehicle.EngineRmp"}}}})
    assert raised.value.place == (table, "CD", "Mine", "from")
