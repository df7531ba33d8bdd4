"""config/benches/truck.yaml: the parameter groups carry the data bus, decoded by cantools."""

from pathlib import Path
from typing import Any

import cantools
import pytest
import yaml
from cantools.database.can import Database

from hilbridge.files.settings import BenchSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.codec.pgn import split
from hilbridge.frames.plan.plan import FramePlan
from vehiclesim.databus import DataBus
from vehiclesim.entries import find

CHECKOUT = Path(__file__).parents[4]
DBC = CHECKOUT / "dbc" / "j1939.dbc"

#   data bus entry                 value
STATE = {
    "input.Key": 0,
    "input.Throttle": 0.6,
    "input.Brake": 0.5,
    "input.Handbrake": 1.0,
    "input.Clutch": 0.0,
    "input.Retarder": 2,
    "vehicle.EngineRpm": 1500.0,
    "vehicle.EngineTorque": 1000.0,
    "vehicle.EngineLoad": 0.5,
    "vehicle.EngineWorking": 1,
    "vehicle.Speed": -20.0,
    "vehicle.TransmissionRpm": -900.0,
    "vehicle.GearboxGear": -2,
    "vehicle.GearboxShifting": 1,
    "vehicle.ClutchLock": 0.9,
    "vehicle.RetarderTorque": 1750.0,
    "vehicle.AbsEngaged": 1,
    "chassis.TrailerConnected": 1,
    "chassis.FrontAxleLoad": 68_647.0,
    "chassis.RearAxleLoad": 107_873.0,
    "chassis.TrailerAxleLoad": 215_746.0,
    "chassis.HitchLoad": 98_067.0,
    "chassis.TrailerAbsEngaged": 1,
    "clock.Elapsed": 1.5,
    "body.CruiseState": 2,
    "body.CruiseSpeed": 25.0,
    "auxiliary.ThrottlePosition": 0.4,
    "auxiliary.FrictionTorque": 100.0,
    "auxiliary.FuelFlow": 18.0,
    "auxiliary.CoolantTemperature": 85.0,
    "auxiliary.OilTemperature": 92.0,
    "auxiliary.OilPressure": 400.0,
    "auxiliary.EngineHours": 50.0,
    "auxiliary.EngineRevolutions": 3_000_000,
    "auxiliary.Trip": 10_000.0,
    "auxiliary.IntakePressure": 250.0,
    "auxiliary.IntakeTemperature": 45.0,
    "auxiliary.BatteryVoltage": 27.6,
    "auxiliary.BatteryCurrent": -12.0,
    "auxiliary.FuelShare": 0.8,
    "road.AmbientTemperature": 15.0,
    "road.AirPressure": 100.0,
}

#   what a receiver reads, with the resolution of the standard; torques in % of 2200 Nm and 3500 Nm
EXPECTED: dict[str, dict[str, Any]] = {
    "EEC1": {
        "EngineTorqueMode": "AcceleratorPedal",
        "DriverDemandPercentTorque": 60,
        "ActualEnginePercentTorque": 50,
        "EngineSpeed": 1500,
        "EngineStarterMode": "Finished",
    },
    "EEC2": {
        "AcceleratorPedalLowIdleSwitch": "No",
        "AcceleratorPedalPosition1": 60,
        "EnginePercentLoadAtCurrentSpeed": 50,
    },
    "EEC3": {"NominalFrictionPercentTorque": 5},
    "ETC1": {
        "TransmissionDrivelineEngaged": "Yes",
        "TransmissionShiftInProcess": "Yes",
        "TransmissionOutputShaftSpeed": 900,
        "PercentClutchSlip": 10,
    },
    "ETC2": {"TransmissionCurrentGear": -2},
    "CCVS1": {
        "ParkingBrakeSwitch": "On",
        "WheelBasedVehicleSpeed": 72,
        "BrakeSwitch": "On",
        "ClutchSwitch": "Off",
        "CruiseControlActive": "On",
        "CruiseControlSetSpeed": 90,
    },
    "LFE1": {"EngineFuelRate": 18, "EngineInstantaneousFuelEconomy": 4, "EngineThrottleValve1Position": 40},
    "ET1": {"EngineCoolantTemperature": 85, "EngineOilTemperature1": 92},
    "EFL_P1": {"EngineOilPressure": 400},
    "VD": {"TripDistance": 10},
    "AMB": {"BarometricPressure": 100, "AmbientAirTemperature": 15},
    "IC1": {"EngineIntakeManifold1Pressure": 150, "EngineIntakeManifold1Temperature": 45},
    "VEP1": {"NetBatteryCurrent": -12, "BatteryPotential": 27.6, "KeyswitchBatteryPotential": 27.6},
    "DD": {"FuelLevel1": 80},
    "ERC1": {"RetarderTorqueMode": "OperatorSelection", "ActualRetarderPercentTorque": -50},
    "EBC1": {
        "AntiLockBrakingActive": "Yes",
        "EbsBrakeSwitch": "On",
        "BrakePedalPosition": 50,
        "TrailerAbsStatus": "Active",
        "TrailerAbsWarningSignal": "Off",
    },
    "VW": {"AxleLocation": "Axle2", "AxleWeight": 11_000, "TrailerWeight": 32_000},
}


@pytest.fixture(scope="module")
def sent() -> dict[str, dict[str, Any]]:
    """What the plan has sent after a second, and what HOURS says when it is asked for, by message."""
    content = yaml.safe_load((CHECKOUT / "config" / "benches" / "truck.yaml").read_text())
    bench = BenchSettings.model_validate({key: content[key] for key in ("name", "vehicle", "buses")})
    data, frames = DataBus(), list[Frame]()
    for path, value in STATE.items():
        place = find(path)
        assert place is not None
        data.write(*place, value)
    bus = Bus("truck")
    bus.attach_observer(lambda _t, _bus, _outside, frame: frames.append(frame))
    plan = FramePlan(bench, {"truck": load_database(DBC)}, data, {"truck": bus})
    for t in range(0, 1_000_000_000, 1_000_000):
        plan.publish(t)
        bus.exchange(t)
    for planned in plan.frames:
        if planned.outgoing.message == "HOURS":
            assert planned.send_on_request(1_000_000_000)
    bus.exchange(1_000_000_000)
    database = cantools.database.load_file(DBC)
    assert isinstance(database, Database)
    names = {split(message.frame_id).pgn: message for message in database.messages}
    messages = {names[split(frame.can_id).pgn]: frame.data for frame in frames}
    return {message.name: message.decode_simple(content) for message, content in messages.items()}


@pytest.mark.parametrize("message", EXPECTED)
def test_a_receiver_reads_what_the_data_bus_holds(sent: dict[str, dict[str, Any]], message: str) -> None:
    """In the units of the standard."""
    for name, value in EXPECTED[message].items():
        found = sent[message][name]
        assert str(found) == value if isinstance(value, str) else found == pytest.approx(value, abs=0.01), name


def test_hours_and_revolutions_are_told_on_request(sent: dict[str, dict[str, Any]]) -> None:
    """0.05 h and 1000 turns are the steps."""
    assert sent["HOURS"]["EngineTotalHoursOfOperation"] == pytest.approx(50)
    assert sent["HOURS"]["EngineTotalRevolutions"] == 3_000_000
