"""The values of a vehicle at one instant, by which tables encode frames and needles are judged."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

RESTING: Final[Mapping[str, float]] = {
    "input.Key": 0,
    "input.Throttle": 0,
    "input.Brake": 0,
    "input.Clutch": 0,
    "input.Handbrake": 0,
    "vehicle.Speed": 0,
    "vehicle.EngineRpm": 0,
    "vehicle.ThrottleSignal": 0,
    "vehicle.EngineWorking": 0,
    "vehicle.EngineTorque": 0,
    "vehicle.EngineStarting": 0,
    "vehicle.GearboxGear": 0,
    "vehicle.EngineFuelRate": 0,
    "vehicle.FuelConsumption": 0,
    "vehicle.AbsEngaged": 0,
    "vehicle.EscEngaged": 0,
    "vehicle.TcsEngaged": 0,
    "chassis.WheelSpeedFrontLeft": 0,
    "chassis.WheelSpeedFrontRight": 0,
    "chassis.WheelSpeedRearLeft": 0,
    "chassis.WheelSpeedRearRight": 0,
    "chassis.Acceleration": 0,
    "chassis.LateralAcceleration": 0,
    "chassis.YawRate": 0,
    "chassis.SteeringWheelAngle": 0,
    "chassis.BrakePressure": 0,
    "auxiliary.PulsesFrontLeft": 0,
    "auxiliary.PulsesFrontRight": 0,
    "auxiliary.PulsesRearLeft": 0,
    "auxiliary.PulsesRearRight": 0,
    "auxiliary.CoolantTemperature": 90,
    "auxiliary.OilTemperature": 90,
    "auxiliary.TransmissionTemperature": 60,
    "auxiliary.IntakeTemperature": 20,
    "auxiliary.OilPressure": 300,
    "auxiliary.BatteryVoltage": 14,
    "auxiliary.ChargeIndicator": 0,
    "auxiliary.Lambda": 1,
    "auxiliary.IntakePressure": 40,
    "auxiliary.FuelShare": 0.5,
    "auxiliary.FuelLevel": 25,
    "auxiliary.FuelFlow": 0,
    "auxiliary.FuelUsed": 0,
    "auxiliary.Odometer": 0,
    "auxiliary.Trip": 0,
    "auxiliary.IndicatorLamp": 0,
    "road.AmbientTemperature": 20,
    "road.AirPressure": 101.3,
    "body.LeftTurn": 0,
    "body.RightTurn": 0,
    "body.LeftTurnLamp": 0,
    "body.RightTurnLamp": 0,
    "body.HazardLights": 0,
    "body.TurnSignal": 0,
    "body.SideLights": 0,
    "body.DippedBeam": 0,
    "body.MainBeam": 0,
    "body.FrontFogLights": 0,
    "body.RearFogLights": 0,
    "body.DoorFrontLeft": 0,
    "body.DoorFrontRight": 0,
    "body.DoorRearLeft": 0,
    "body.DoorRearRight": 0,
    "body.Bonnet": 0,
    "body.Boot": 0,
    "body.BeltDriver": 1,
    "body.BeltPassenger": 1,
    "body.BeltRearLeft": 1,
    "body.BeltRearCentre": 1,
    "body.BeltRearRight": 1,
    "body.ParkingBrake": 0,
    "body.CruiseState": 0,
    "body.CruiseSpeed": 0,
    "body.DriveMode": 0,
    "body.SelectorShown": 0,
    "body.Wiper": 0,
    "body.Dimming": 1,
    "body.SpeedUnit": 0,
    "body.TemperatureUnit": 0,
    "body.ConsumptionUnit": 0,
    "body.Language": 0,
    "clock.Year": 2026,
    "clock.Month": 1,
    "clock.Day": 1,
    "clock.Weekday": 4,
    "clock.Hour": 0,
    "clock.Minute": 0,
    "clock.Second": 0,
    "clock.DayOfYear": 1,
}
"""The entries of the data bus that tables use, with the values of a car that stands."""

_SHORT: Final = {name.partition(".")[2]: name for name in RESTING}


@dataclass(frozen=True, slots=True)
class Car:
    """The values of one instant, by their names: `car.EngineRpm` is the entry `vehicle.EngineRpm`, in its unit."""

    values: Mapping[str, float]

    def __getattr__(self, name: str) -> float:
        if name not in _SHORT:
            raise AttributeError(name)
        return self.values[_SHORT[name]]

    @property
    def kmh(self) -> float:
        """Speed [km/h], never below zero."""
        return abs(self.Speed) * 3.6

    @property
    def ignition(self) -> bool:
        """Whether terminal 15 is on."""
        return self.Key >= 0

    @property
    def doors(self) -> bool:
        """Whether any of the four is open."""
        return any(
            (self.DoorFrontLeft, self.DoorFrontRight, self.DoorRearLeft, self.DoorRearRight),
        )

    def needle(self, name: str) -> float:
        """What a needle or display should show."""
        return {
            "rpm": self.EngineRpm,
            "speed": self.kmh,
            "coolant": self.CoolantTemperature,
            "oil": self.OilTemperature,
            "fuel": self.FuelShare * 100.0,
            "outside": self.AmbientTemperature,
            "battery": self.BatteryVoltage,
            "lambda": min(self.Lambda, 6.5),
        }[name]
