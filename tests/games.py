"""Datagrams of games, packed by hand from the games' documentation: nothing here knows hilbridge's layouts."""

import json
import struct
from dataclasses import dataclass


@dataclass
class GameCar:
    """What a game knows of its car, in SI units; gear -1 reverse, 0 neutral."""

    time: float = 1.0
    speed: float = 0.0
    rpm: float = 0.0
    gear: int = 0
    throttle: float = 0.0
    brake: float = 0.0
    clutch: float = 0.0
    steer: float = 0.0
    handbrake: bool = False
    main_beam: bool = False
    left: bool = False
    right: bool = False
    driving: bool = True


def outgauge(car: GameCar, identifier: int | None = None) -> bytes:
    """OutGaugePack of InSim.txt: time in ms, car, flags, gear 0 R 1 N 2 first, gauges, lamps, pedals, displays."""
    lamps = car.main_beam << 1 | car.handbrake << 2 | car.left << 5 | car.right << 6
    packet = struct.pack("<I4sHBB", round(car.time * 1000), b"XRT\0", 0xC000, car.gear + 1, 0)
    packet += struct.pack("<7f", car.speed, car.rpm, 0.4, 88.0, 0.5, 3.1, 95.0)
    packet += struct.pack("<2I3f", 0x7FF, lamps, car.throttle, car.brake, car.clutch)
    packet += struct.pack("16s16s", b"fuel 50%", b"")
    return packet if identifier is None else packet + struct.pack("<i", identifier)


def outsim(car: GameCar) -> bytes:
    """OutSimPack: time, angular velocity, heading pitch roll, acceleration, velocity (here 3:4 in x and y), place."""
    velocity = (0.6 * car.speed, 0.8 * car.speed, 0.0)
    return struct.pack("<I12f3i", round(car.time * 1000), *[0.0] * 9, *velocity, 65536, 0, 0)


def forza(car: GameCar, size: int = 311) -> bytes:
    """Data Out: 58 values of the sled (232 bytes), then the dash; Horizon has 12 bytes between them."""
    sled = struct.pack("<iI3f", car.driving, round(car.time * 1000), 8000.0, 800.0, car.rpm)
    sled += struct.pack("<3f3f", 0, 0, 0, 0, 0, car.speed) + bytes(232 - 44)
    if size == 232:
        return sled
    dash = struct.pack("<3f3f4f", 0, 0, 0, car.speed, 90_000.0, 200.0, 70, 70, 70, 70)
    dash += struct.pack("<7f", 14.5038, 0.5, 0, 0, 0, 0, 0)  # boost in psi: 1 bar
    pedals = [round(255 * share) for share in (car.throttle, car.brake, car.clutch, float(car.handbrake))]
    gear = 0 if car.gear < 0 else 11 if car.gear == 0 else car.gear
    dash += struct.pack("<HB4BBbbb", 1, 1, *pedals, gear, round(127 * car.steer), 0, 0)
    return (sled + (bytes(12) if size == 324 else b"") + dash).ljust(size, b"\0")


def codemasters(car: GameCar, floats: int = 66) -> bytes:
    """Floats in a row: 7 speed, 29 throttle, 30 steering, 31 brake, 32 clutch, 33 gear, 37 engine speed / 10."""
    values = [0.0] * floats
    values[0], values[7], values[37] = car.time, car.speed, car.rpm / 10
    values[29:34] = car.throttle, car.steer, car.brake, car.clutch, 10.0 if car.gear < 0 else car.gear
    return struct.pack(f"<{floats}f", *values)


def ets2(car: GameCar) -> bytes:
    """The JSON object of the telemetry server: km/h, steering positive to the left."""
    truck = {
        "speed": car.speed * 3.6,
        "engineRpm": car.rpm,
        "displayedGear": car.gear,
        "gameThrottle": car.throttle,
        "gameBrake": car.brake,
        "gameClutch": car.clutch,
        "gameSteer": -car.steer,
        "electricOn": True,
        "parkBrakeOn": car.handbrake,
        "lightsBeamHighOn": car.main_beam,
        "blinkerLeftActive": car.left,
        "blinkerRightActive": car.right,
        "placement": {"x": 1.0},
    }
    return json.dumps({"game": {"connected": True, "paused": not car.driving}, "truck": truck}).encode()


def simhub(car: GameCar) -> bytes:
    """The text of the guide's formula: km/h, percent, gears as words."""
    gear = "R" if car.gear < 0 else "N" if car.gear == 0 else str(car.gear)
    pedals = f"throttle={100 * car.throttle:.1f} brake={100 * car.brake:.1f} clutch={100 * car.clutch:.1f}"
    return f"speed={car.speed * 3.6:.2f} rpm={car.rpm:.0f} gear={gear} {pedals} ignition=1\n".encode()
