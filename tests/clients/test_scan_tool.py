"""python-OBD on the ELM327 of the running diagnostics bench: all that it reads agrees with the data bus.

The data bus is read from the snapshots that the program writes for its observer after every tick.
"""

import math
import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import obd  # type: ignore[import-untyped]  # it has no types
import pytest

from hilbridge.observe.events import Snapshot
from hilbridge.observe.rings import Rings
from vehiclesim.channels import ENTRIES, NAN, find

from ..program import Program, running
from .testers import command, diagnostics_bench, start_engine, wait_for


class Agreement(NamedTuple):
    """Value = entry · factor, told in steps of `resolution`, all in python-OBD's unit."""

    entry: str
    resolution: float
    factor: float = 1.0
    highest: float = math.inf


AGREEMENTS = {
    "ENGINE_LOAD": Agreement("vehicle.EngineLoad", 100 / 255, 100.0),
    "COOLANT_TEMP": Agreement("auxiliary.CoolantTemperature", 1.0),
    "SHORT_FUEL_TRIM_1": Agreement("auxiliary.ShortFuelTrim", 100 / 128, 100.0),
    "LONG_FUEL_TRIM_1": Agreement("auxiliary.LongFuelTrim", 100 / 128, 100.0),
    "INTAKE_PRESSURE": Agreement("auxiliary.IntakePressure", 1.0),
    "RPM": Agreement("vehicle.EngineRpm", 0.25),
    "SPEED": Agreement("vehicle.Speed", 1.0, 3.6),
    "TIMING_ADVANCE": Agreement("auxiliary.IgnitionAdvance", 0.5),
    "INTAKE_TEMP": Agreement("auxiliary.IntakeTemperature", 1.0),
    "MAF": Agreement("auxiliary.AirMassFlow", 0.01),
    "THROTTLE_POS": Agreement("vehicle.ThrottleSignal", 100 / 255, 100.0),
    "RUN_TIME": Agreement("auxiliary.RunTime", 1.0),
    "FUEL_LEVEL": Agreement("auxiliary.FuelShare", 100 / 255, 100.0),
    "BAROMETRIC_PRESSURE": Agreement("road.AirPressure", 1.0),
    "CATALYST_TEMP_B1S1": Agreement("auxiliary.CatalystTemperature", 0.1),
    "CONTROL_MODULE_VOLTAGE": Agreement("auxiliary.BatteryVoltage", 0.001),
    "ABSOLUTE_LOAD": Agreement("auxiliary.AbsoluteLoad", 100 / 255, 100.0),
    "COMMANDED_EQUIV_RATIO": Agreement("auxiliary.CommandedLambda", 2 / 65536, 0.0000305 * 65536 / 2),  # it rounds
    "RELATIVE_THROTTLE_POS": Agreement("vehicle.ThrottleSignal", 100 / 255, 100.0),
    "AMBIANT_AIR_TEMP": Agreement("road.AmbientTemperature", 1.0),
    "THROTTLE_POS_B": Agreement("vehicle.ThrottleSignal", 100 / 255, 100.0),
    "ACCELERATOR_POS_D": Agreement("input.Throttle", 100 / 255, 100.0),
    "ACCELERATOR_POS_E": Agreement("input.Throttle", 100 / 255, 100.0),
    "THROTTLE_ACTUATOR": Agreement("vehicle.ThrottleSignal", 100 / 255, 100.0),
    "RELATIVE_ACCEL_POS": Agreement("input.Throttle", 100 / 255, 100.0),
    "OIL_TEMP": Agreement("auxiliary.OilTemperature", 1.0),
    "FUEL_RATE": Agreement("auxiliary.FuelFlow", 0.05),
}
"""By python-OBD's names; resolutions of SAE J1979."""

NO_ENTRY = {
    *("PIDS_A", "PIDS_B", "PIDS_C", "STATUS", "FUEL_STATUS", "O2_SENSORS", "O2_B1S2", "OBD_COMPLIANCE", "FUEL_TYPE"),
    *(
        "DISTANCE_W_MIL",
        "O2_S1_WR_CURRENT",
        "WARMUPS_SINCE_DTC_CLEAR",
        "DISTANCE_SINCE_DTC_CLEAR",
        "STATUS_DRIVE_CYCLE",
    ),
    *("RUN_TIME_MIL", "TIME_SINCE_DTC_CLEARED"),
}
"""Masks, states and counters, which are no quantity of the data bus."""


class DataBus(threading.Thread):
    """The extremes of every entry since `forget`, from the snapshots of the running program."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        folder = Path(f"/proc/{program.process.pid}/fd")
        memory = next(each for each in folder.iterdir() if "memfd:hilbridge-rings" in str(each.readlink()))
        self._rings = Rings(os.open(memory, os.O_RDWR | os.O_CLOEXEC))
        self._seen: list[Snapshot] = []
        self.ended = False

    def run(self) -> None:
        while not self.ended:
            content = self._rings.snapshots.get()
            if content is not None:
                self._seen.append(Snapshot.decode(content))
            time.sleep(0.002)

    def forget(self) -> None:
        self._seen = self._seen[-1:]

    def extremes(self, path: str) -> tuple[float, float]:
        """Of an entry, in its unit."""
        place = find(path)
        assert place is not None
        channel, index = place
        raw = [snapshot.channels[channel][index] for snapshot in list(self._seen)]
        values = [value for value in raw if value != NAN] or [0]
        resolution = ENTRIES[channel][index].resolution
        return min(values) / resolution, max(values) / resolution


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bench")


@pytest.fixture(scope="module")
def program(folder: Path) -> Iterator[Program]:
    with running(diagnostics_bench(folder)) as started:
        yield started
        started.stop()


@pytest.fixture(scope="module")
def way(program: Program, folder: Path) -> dict[str, str]:
    """How the ELM327 is reached, on a pseudo terminal and by TCP."""
    text = program.wait_for("scan tool port open")["port"]
    start_engine(folder)
    pty, tcp = re.search(r"/dev/pts/\d+", text), re.search(r"127\.0\.0\.1:\d+", text)
    assert pty
    assert tcp
    return {"pty": pty[0], "tcp": f"socket://{tcp[0]}"}


@contextmanager
def scan_tool(way: str) -> Iterator[obd.OBD]:
    """As python-OBD's manual says; a socket needs a baud rate that nobody uses."""
    options: dict[str, Any] = {"baudrate": 38400, "protocol": "6"} if way.startswith("socket") else {}
    client = obd.OBD(way, fast=False, timeout=5, **options)
    try:
        assert client.status() == obd.OBDStatus.CAR_CONNECTED
        yield client
    finally:
        client.close()


@pytest.mark.parametrize("kind", ["pty", "tcp"])
def test_every_value_of_the_supported_set_agrees_with_the_data_bus(
    program: Program, way: dict[str, str], kind: str
) -> None:
    """Within the resolution of its PID, between the extremes of the bus while it was asked; NO_ENTRY are left out."""
    bus = DataBus(program)
    bus.start()
    try:
        with scan_tool(way[kind]) as client:
            supported = {one.name for one in client.supported_commands if one.mode == 1}
            assert supported == AGREEMENTS.keys() | NO_ENTRY
            for name, (entry, resolution, factor, highest) in AGREEMENTS.items():
                bus.forget()
                answer = client.query(obd.commands[name])
                low, high = (min(value * factor, highest) for value in bus.extremes(entry))
                assert not answer.is_null(), name
                assert low - resolution <= answer.value.magnitude <= high + resolution, name
    finally:
        bus.ended = True
        bus.join()


def test_trouble_codes_are_read_and_cleared(program: Program, folder: Path, way: dict[str, str]) -> None:
    """A stuck throttle: confirmed in the first driving cycle, with the indicator."""
    with scan_tool(way["pty"]) as client:
        fault = command(folder, "fault-add", fault={"kind": "physics", "entry": "StuckThrottle", "value": 0.9})
        wait_for(lambda: "P2111" in [code for code, _ in client.query(obd.commands.GET_DTC).value])
        assert client.query(obd.commands.STATUS).value.MIL
        command(folder, "fault-clear", number=fault["fault"])
        time.sleep(1)
        client.query(obd.commands.CLEAR_DTC)
        assert client.query(obd.commands.GET_DTC).value == []
        assert not client.query(obd.commands.STATUS).value.MIL
