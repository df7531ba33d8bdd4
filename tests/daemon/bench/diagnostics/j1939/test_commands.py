"""The demands of TSC1, ERC1 and EBC1; the frames are encoded by hand from SAE J1939-71."""

from pathlib import Path

import pytest

from hilbridge.bench.diagnostics.j1939.commands import CommandDecoder, full_braking
from hilbridge.frames.codec.database import load_database
from vehiclesim import VehicleSettings
from vehiclesim.channels import AUXILIARY, AuxiliaryData, InputData, RequestData
from vehiclesim.databus import DataBus
from vehiclesim.parameters import BodySettings, BrakeSettings, WheelSettings

DATABASE = Path(__file__).parents[5] / "dbc" / "j1939.dbc"
REFERENCE = 2000.0  # Nm
FRICTION = 150.0  # Nm
FULL_BRAKING = 8.0  # m/s²


@pytest.fixture(scope="module")
def commands() -> CommandDecoder:
    data = DataBus()
    data.write(AUXILIARY, AuxiliaryData.FRICTION_TORQUE, FRICTION)
    return CommandDecoder(load_database(DATABASE), data, REFERENCE, FULL_BRAKING)


@pytest.mark.parametrize(
    ("frame", "demands"),
    [
        # override disabled
        ("FC E0 2E AF FF FF FF FF", {}),
        # 1500 rpm = 12000 = 2EE0 hex
        ("FD E0 2E FF FF FF FF FF", {RequestData.ENGINE_RPM: 1500.0}),
        # 50 % = 175 = AF hex, of 2000 Nm, less 150 Nm
        ("FE FF FF AF FF FF FF FF", {RequestData.ENGINE_TORQUE: 850.0}),
        # and 0.5 % in byte 6
        ("FE FF FF AF FF F4 FF FF", {RequestData.ENGINE_TORQUE: 860.0}),
        # limits: 1000 rpm = 8000 = 1F40 hex, 0 % = 125 = 7D hex
        (
            "FF 40 1F 7D FF FF FF FF",
            {RequestData.ENGINE_RPM_LIMIT: 1000.0, RequestData.ENGINE_TORQUE_LIMIT: -150.0},
        ),
        # a limit of torque alone
        ("FF FF FF E1 FF FF FF FF", {RequestData.ENGINE_TORQUE_LIMIT: 1850.0}),
        # not available, and in error
        ("FE FF FF FF FF FF FF FF", {}),
        ("FD FE FE FE FF FF FF FF", {}),
    ],
)
def test_tsc1_to_the_engine(commands: CommandDecoder, frame: str, demands: dict[int, float]) -> None:
    assert commands.engine(bytes.fromhex(frame)).demands == pytest.approx(demands)


@pytest.mark.parametrize(
    ("frame", "ratio"),
    [("FE FF FF 4B FF FF FF FF", 0.5), ("FE FF FF AF FF FF FF FF", 0.0), ("FD E0 2E 4B FF FF FF FF", None)],
)
def test_tsc1_to_a_retarder_asks_for_braking_torque(commands: CommandDecoder, frame: str, ratio: float | None) -> None:
    """-50 % = 75 = 4B hex; a driving torque is none; there is no speed to control."""
    assert commands.retarder(bytes.fromhex(frame)).demands == (
        {} if ratio is None else {RequestData.RETARDER_RATIO: ratio}
    )


def test_tsc1_tells_priority_and_rate(commands: CommandDecoder) -> None:
    """Bits 5 and 6 of byte 1; bits 1 to 3 of byte 5: 111 is the standard rate, 101 every 50 ms, 000 every second."""
    levels = [commands.engine(bytes((0xC2 | level << 4, *bytes(7)))).priority for level in range(4)]
    assert levels == [0, 1, 2, 3]
    rates = [commands.engine(bytes((0, 0, 0, 0, 0xF8 | rate, 0, 0, 0))).interval for rate in range(8)]
    assert rates == [1000, 750, 500, 250, 100, 50, 20, 10]


def test_the_torque_of_an_external_retarder_is_that_of_the_vehicle_s(commands: CommandDecoder) -> None:
    """Byte 2: -40 % = 85 = 55 hex."""
    demands = commands.external_retarder(bytes.fromhex("F1 55 FF FF FF FF FF FF")).demands
    assert demands == {RequestData.RETARDER_RATIO: 0.4}
    assert commands.external_retarder(bytes.fromhex("FF FF FF FF FF FF FF FF")).demands == {}


@pytest.mark.parametrize(
    ("frame", "demands"),
    [
        ("FF 7D FF FF FF FF FF FF", {RequestData.BRAKE_RATIO: 0.5}),
        ("FF FF FF FF FA FF FF FF", {RequestData.RETARDER_RATIO: 1.0}),
        ("FF FF FF FD FF FF FF FF", {RequestData.ENGINE_TORQUE_LIMIT: -REFERENCE}),
        ("FF FF FF DF FF FF FF FF", {RequestData.ALLOWED_FUEL_RATIO: 0.0}),
        ("FF FF FF CC FF FF FF FF", {}),
        ("FF FF FF FF FF FF FF FF", {}),
    ],
)
def test_an_external_brake_asks_for_brakes_retarder_idling_and_a_stop(
    commands: CommandDecoder, frame: str, demands: dict[int, float]
) -> None:
    """Pedal in byte 2, retarder selection in byte 5, interlock and shutdown in bits 1 and 5 of byte 4."""
    assert commands.external_brake(bytes.fromhex(frame)).demands == demands


@pytest.mark.parametrize(
    ("frame", "ratio"),
    [
        ("7F 5D E3 FF FF FF FF FF", 0.5),  # maximum mode
        ("7F 5D D3 FF FF FF FF FF", 0.7),  # addition mode: the driver's 20 % beside it
        ("7F 3D E3 FF FF FF FF FF", 1.0),
        ("7F 5D C3 FF FF FF FF FF", None),  # override disabled
        ("7F 5D F3 FF FF FF FF FF", None),
        ("00 80 E3 FF FF FF FF FF", None),  # +0.3 m/s²
        ("FF FF E3 FF FF FF FF FF", None),  # not available
        ("00 FE E3 FF FF FF FF FF", None),  # in error
    ],
)
def test_an_external_brake_request_is_a_share_of_full_braking(frame: str, ratio: float | None) -> None:
    """-4 m/s² = (15.687 - 4) * 2048 = 23935 = 5D7F hex, of 8 m/s²."""
    data = DataBus()
    data.input[InputData.BRAKE] = 2_000
    decoder = CommandDecoder(load_database(DATABASE), data, REFERENCE, FULL_BRAKING)
    command = decoder.brakes(bytes.fromhex(frame))
    expected = {} if ratio is None else {RequestData.BRAKE_RATIO: ratio}
    assert command.demands == pytest.approx(expected, abs=1e-4)
    assert (command.priority, command.interval) == (0, 40)


def test_full_braking_follows_from_brakes_wheels_and_mass() -> None:
    """2 * 31000 Nm on 0.5 m and 18 t: 6.9 m/s²."""
    settings = VehicleSettings(
        brakes=BrakeSettings(max_torque=31_000.0), wheels=WheelSettings(radius=0.5), body=BodySettings(mass=18_000.0)
    )
    assert full_braking(settings) == pytest.approx(6.889, abs=0.001)
