"""python-OBD on the ELM327 of the running diagnostics bench: all that it reads agrees with the data bus.

The data bus is read from the snapshots that the program writes for its observer, every 5 ms.
"""

import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import obd  # type: ignore[import-untyped]  # it has no types
import pytest
import yaml

from hilbridge.boundary.observe.events import Snapshot
from hilbridge.boundary.observe.rings import Rings
from vehiclesim.channels import NAN
from vehiclesim.entries import ENTRIES, find

from ..program import CHECKOUT, PATIENCE, Program, running
from .testers import command, diagnostics_bench, start_engine, wait_for

FASTER = 20
"""Times real time."""

WARM = 70.0
"""[°C] of the coolant: a warm-up counts."""

PUMP_CURRENT = (
    (0.65, 0.70, 0.80, 0.90, 1.016, 1.18, 1.43, 1.70, 2.42, 10.0),
    (-2.22, -1.82, -1.11, -0.50, 0.0, 0.33, 0.67, 0.94, 1.38, 2.54),
)
"""Bosch LSU 4.2, data sheet: lambda, pump current [mA]."""


def pump_current(ratio: float) -> float:
    """[mA] on straight lines between the points of the data sheet."""
    return float(np.interp(ratio, *PUMP_CURRENT))


class Agreement(NamedTuple):
    """Value = curve(entry) · factor in steps of `resolution`, all in python-OBD's unit; the curve only rises."""

    entry: str
    resolution: float
    factor: float = 1.0
    curve: Callable[[float], float] = float


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
    "THROTTLE_POS": Agreement("auxiliary.ThrottlePosition", 100 / 255, curve=lambda share: 14 + 72 * share),
    "RUN_TIME": Agreement("auxiliary.RunTime", 1.0),
    "FUEL_LEVEL": Agreement("auxiliary.FuelShare", 100 / 255, 100.0),
    "BAROMETRIC_PRESSURE": Agreement("road.AirPressure", 1.0),
    "CATALYST_TEMP_B1S1": Agreement("auxiliary.CatalystTemperature", 0.1),
    "CONTROL_MODULE_VOLTAGE": Agreement("auxiliary.BatteryVoltage", 0.001),
    "ABSOLUTE_LOAD": Agreement("auxiliary.AbsoluteLoad", 100 / 255, 100.0),
    "COMMANDED_EQUIV_RATIO": Agreement("auxiliary.CommandedLambda", 2 / 65536, 0.0000305 * 65536 / 2),  # it rounds
    "RELATIVE_THROTTLE_POS": Agreement("auxiliary.ThrottlePosition", 100 / 255, curve=lambda share: 72 * share),
    "AMBIANT_AIR_TEMP": Agreement("road.AmbientTemperature", 1.0),
    "THROTTLE_POS_B": Agreement("auxiliary.ThrottlePosition", 100 / 255, curve=lambda share: 44 + 50 * share),
    "ACCELERATOR_POS_D": Agreement("input.Throttle", 100 / 255, curve=lambda share: 15 + 65 * share),
    "ACCELERATOR_POS_E": Agreement("input.Throttle", 100 / 255, curve=lambda share: 7.5 + 32.5 * share),
    "THROTTLE_ACTUATOR": Agreement("auxiliary.ThrottleCommand", 100 / 255, 100.0),
    "RELATIVE_ACCEL_POS": Agreement("input.Throttle", 100 / 255, curve=lambda share: 65 * share),
    "OIL_TEMP": Agreement("auxiliary.OilTemperature", 1.0),
    "FUEL_RATE": Agreement("auxiliary.FuelFlow", 0.05),
    "O2_B1S2": Agreement("auxiliary.RearOxygenVoltage", 0.005),
    "O2_S1_WR_CURRENT": Agreement(
        "auxiliary.Lambda", 1 / 256, curve=lambda ratio: float(np.interp(ratio, *PUMP_CURRENT))
    ),
    "DISTANCE_SINCE_DTC_CLEAR": Agreement("auxiliary.Trip", 1.0, 0.001),  # the store was empty at the start
    "TIME_SINCE_DTC_CLEARED": Agreement("auxiliary.RunTime", 1.0, 1 / 60),  # the engine was started once
    "WARMUPS_SINCE_DTC_CLEAR": Agreement(
        "auxiliary.CoolantTemperature", 0.0, curve=lambda coolant: float(coolant >= WARM)
    ),
}
"""By python-OBD's names; resolutions of SAE J1979."""

FUEL_SYSTEM = {
    1: "Open loop due to insufficient engine temperature",
    2: "Closed loop, using oxygen sensor feedback to determine fuel mix",
    4: "Open loop due to engine load OR fuel cut due to deceleration",
    8: "Open loop due to system failure",
}
"""What PID 03 tells, by the bit that auxiliary.FuelSystem has."""

OTHERS = {
    *("PIDS_A", "PIDS_B", "PIDS_C"),  # against what is answered
    *("STATUS", "STATUS_DRIVE_CYCLE", "DISTANCE_W_MIL", "RUN_TIME_MIL"),  # against the store of trouble codes
    *("FUEL_STATUS", "O2_SENSORS", "OBD_COMPLIANCE", "FUEL_TYPE"),  # states, and what the car is
}
"""Names whose values are no quantities; a test of their own compares each."""

TESTS = {
    "misfire": "MISFIRE_MONITORING",
    "fuel-system": "FUEL_SYSTEM_MONITORING",
    "components": "COMPONENT_MONITORING",
    "catalyst": "CATALYST_MONITORING",
    "heated-catalyst": "HEATED_CATALYST_MONITORING",
    "evaporative-system": "EVAPORATIVE_SYSTEM_MONITORING",
    "secondary-air": "SECONDARY_AIR_SYSTEM_MONITORING",
    "oxygen-sensor": "OXYGEN_SENSOR_MONITORING",
    "oxygen-sensor-heater": "OXYGEN_SENSOR_HEATER_MONITORING",
    "egr": "EGR_VVT_SYSTEM_MONITORING",
}
"""Groups of monitors in config/codes.yaml, by python-OBD's names."""


class DataBus(threading.Thread):
    """The extremes of every entry since `forget`, from the snapshots of the running program."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        folder = Path(f"/proc/{program.process.pid}/fd")
        memory = next(each for each in folder.iterdir() if "memfd:hilbridge-rings" in str(each.readlink()))
        self._rings = Rings(os.open(memory, os.O_RDWR | os.O_CLOEXEC))
        self._seen: list[Snapshot] = []
        self._news = threading.Event()
        self.ended = False

    def run(self) -> None:
        last = None
        while not self.ended:
            content = self._rings.snapshots.get()
            if content is not None and content != last:
                last = content
                self._seen.append(Snapshot.decode(content))
                self._news.set()
            time.sleep(0.002)

    def forget(self) -> None:
        self._seen = self._seen[-1:]

    def extremes(self, path: str) -> tuple[float, float]:
        """Of an entry, in its unit."""
        values = self.values(path)
        return min(values), max(values)

    def around(self, path: str) -> tuple[float, float]:
        """The same with room for the ticks between two snapshots: as much as from one snapshot to the next."""
        values = self.values(path)
        room = max((abs(later - earlier) for earlier, later in pairwise(values)), default=0.0)
        return min(values) - room, max(values) + room

    def values(self, path: str) -> list[float]:
        """Of an entry, in its unit; the last one is from now or later, for the one before may have been under way."""
        for _ in range(2):
            self._news.clear()
            assert self._news.wait(PATIENCE)
        place = find(path)
        assert place is not None
        channel, index = place
        raw = [snapshot.channels[channel][index] for snapshot in list(self._seen)]
        values = [value for value in raw if value != NAN] or [0]
        resolution = ENTRIES[channel][index].resolution
        return [value / resolution for value in values]


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
    found = ways(program)
    start_engine(folder)
    return found


def ways(program: Program) -> dict[str, str]:
    """How the ELM327 is reached, on a pseudo terminal and by TCP."""
    text = program.wait_for("scan tool port open")["port"]
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


@contextmanager
def watched(program: Program) -> Iterator[DataBus]:
    bus = DataBus(program)
    bus.start()
    try:
        yield bus
    finally:
        bus.ended = True
        bus.join()


@pytest.fixture
def bus(program: Program) -> Iterator[DataBus]:
    with watched(program) as bus:
        yield bus


@pytest.mark.parametrize("kind", ["pty", "tcp"])
def test_every_value_of_the_supported_set_agrees_with_the_data_bus(
    bus: DataBus, way: dict[str, str], kind: str
) -> None:
    """Within the resolution of its PID, between the extremes of the bus while it was asked."""
    with scan_tool(way[kind]) as client:
        supported = {one.name for one in client.supported_commands if one.mode == 1}
        assert supported == AGREEMENTS.keys() | OTHERS
        for name, (entry, resolution, factor, curve) in AGREEMENTS.items():
            bus.forget()
            answer = client.query(obd.commands[name])
            low, high = (curve(value) * factor for value in bus.around(entry))
            assert not answer.is_null(), name
            assert low - resolution <= answer.value.magnitude <= high + resolution, name


def test_states_agree_with_the_data_bus_and_the_vehicle(bus: DataBus, way: dict[str, str]) -> None:
    """Petrol, a front and a rear oxygen sensor, EOBD; python-OBD counts the sensors from the wrong end of the byte."""
    with scan_tool(way["tcp"]) as client:
        bus.forget()
        assert client.query(obd.commands.FUEL_STATUS).value[0] in {
            FUEL_SYSTEM[round(value)] for value in bus.values("auxiliary.FuelSystem")
        }
        assert client.query(obd.commands.FUEL_TYPE).value == "Gasoline"
        assert client.query(obd.commands.OBD_COMPLIANCE).value == "EOBD (Europe)"
        _, *banks = client.query(obd.commands.O2_SENSORS).value
        sensors = [present for bank in banks for present in bank][::-1]
        assert sensors[:2] == [client.supports(obd.commands[name]) for name in ("O2_S1_WR_CURRENT", "O2_B1S2")]
        assert not any(sensors[2:])


DIESEL = {
    "FUEL_RAIL_PRESSURE_DIRECT": Agreement("auxiliary.RailPressure", 10.0),
    "FUEL_RAIL_PRESSURE_ABS": Agreement("auxiliary.RailPressure", 10.0, curve=lambda rail: rail + 101.3),
    "COMMANDED_EGR": Agreement("auxiliary.RecirculationCommand", 100 / 255, 100.0),
}
"""What a diesel has besides."""

WORDS = {0x70: (3, "auxiliary.BoostCommand", 0.03125, 0.0), 0x78: (3, "auxiliary.ExhaustTemperature", 0.1, -40.0)}
"""PIDs that python-OBD does not know, by SAE J1979: place of the first word in the answer, entry, scale and offset."""


def test_a_diesel_tells_rail_recirculation_boost_and_exhaust(tmp_path: Path) -> None:
    """Each agrees with the data bus; the recirculation error is that of a share that follows its command."""
    with running(diagnostics_bench(tmp_path, ("vehicle: compact ", "vehicle: 320d-g20 "))) as program:
        tcp = ways(program)["tcp"]
        start_engine(tmp_path)
        with watched(program) as bus, scan_tool(tcp) as client:
            assert client.query(obd.commands.FUEL_TYPE).value == "Diesel"
            for name, (entry, resolution, factor, curve) in DIESEL.items():
                bus.forget()
                answer = client.query(obd.commands[name])
                low, high = (curve(value) * factor for value in bus.around(entry))
                assert low - resolution <= answer.value.magnitude <= high + resolution, name
            assert -100.0 <= client.query(obd.commands.EGR_ERROR).value.magnitude <= 100.0
            for pid, (place, entry, scale, offset) in WORDS.items():
                bus.forget()
                data = client.query(asking_for(pid), force=True).value
                low, high = bus.around(entry)
                assert low - scale <= int.from_bytes(data[place : place + 2], "big") * scale + offset <= high + scale
        program.stop()


@pytest.mark.way_out("scan tool port")
def test_masks_promise_what_is_answered(way: dict[str, str]) -> None:
    """Every PID from 01 to 60 is asked for."""
    with scan_tool(way["tcp"]) as client:
        for base, name in ((0x00, "PIDS_A"), (0x20, "PIDS_B"), (0x40, "PIDS_C")):
            mask = list(client.query(obd.commands[name]).value)
            assert mask == [not client.query(asking_for(base + n), force=True).is_null() for n in range(1, 33)], name


def asking_for(pid: int) -> Any:
    """A command for any PID of service 01; the answer is left as it is."""
    return obd.OBDCommand(f"PID_{pid:02X}", "", b"01%02X" % pid, 0, lambda messages: messages[0].data, obd.ECU.ENGINE)


def test_the_status_is_that_of_the_store_of_trouble_codes(folder: Path, way: dict[str, str]) -> None:
    """Indicator and number of codes; the tests that config/codes.yaml has for a petrol engine, and which are done.

    Since the codes were cleared there was this one driving cycle: both statuses tell the same tests as done, those of
    the cycle no earlier than asked first and no later than asked last. The indicator was never on.
    """
    content = yaml.safe_load((CHECKOUT / "config/codes.yaml").read_text(encoding="utf-8"))
    groups = {
        TESTS[monitor.get("group", "components")]
        for monitor in content["monitors"].values()
        if "petrol" in monitor.get("fuels", ["petrol"])
        and "ecu" not in content["codes"][monitor["code"]]
        and "observed" not in monitor
    }
    with scan_tool(way["tcp"]) as client:
        names = ("STATUS", "STATUS_DRIVE_CYCLE", "STATUS")
        first, cycle, last = (client.query(obd.commands[name]).value for name in names)
        for status in (first, cycle, last):
            assert {name for name in TESTS.values() if getattr(status, name).available} == groups
        done = [{name for name in groups if getattr(status, name).complete} for status in (first, cycle, last)]
        assert done[0] <= done[1] <= done[2]
        store = command(folder, "status", parts=["troubles"])["troubles"]["engine"]
        confirmed = [one for one in store["stored"] if "confirmed" in one["states"]]
        assert (last.MIL, last.DTC_count) == (store["indicator"], len(confirmed)) == (False, 0)
        assert last.ignition_type == "spark"
        assert client.query(obd.commands.DISTANCE_W_MIL).value.magnitude == 0
        assert client.query(obd.commands.RUN_TIME_MIL).value.magnitude == 0


def test_trouble_codes_are_read_and_cleared(program: Program, folder: Path, way: dict[str, str]) -> None:
    """A stuck throttle: confirmed in the first driving cycle, with the indicator."""
    with scan_tool(way["pty"]) as client:
        fault = command(folder, "fault-add", fault={"kind": "physics", "entry": "StuckThrottle", "value": 0.9})
        wait_for(lambda: "P2111" in [code for code, _ in client.query(obd.commands.GET_DTC).value])
        status = client.query(obd.commands.STATUS).value
        store = command(folder, "status", parts=["troubles"])["troubles"]["engine"]
        assert (status.MIL, status.DTC_count) == (store["indicator"], len(store["stored"])) == (True, 1)
        command(folder, "fault-clear", number=fault["fault"])
        wait_for(lambda: "failing" not in states(folder, "P2111"))
        client.query(obd.commands.CLEAR_DTC)
        assert client.query(obd.commands.GET_DTC).value == []
        assert not client.query(obd.commands.STATUS).value.MIL


@pytest.mark.nightly
def test_distance_and_time_count_from_the_moment_the_indicator_comes_on(tmp_path: Path) -> None:
    """In whole kilometres and minutes of the running engine. The run is faster than time, for it takes a minute."""
    bench = diagnostics_bench(tmp_path, ("rate: 1000 ", "rate: 100 "))
    counted = {"DISTANCE_W_MIL": ("auxiliary.Trip", 1000), "RUN_TIME_MIL": ("auxiliary.RunTime", 60)}
    with running(bench, "--pace", FASTER) as program:
        way = ways(program)["tcp"]
        start_engine(tmp_path)
        with watched(program) as bus:
            fault = command(tmp_path, "fault-add", fault={"kind": "physics", "entry": "StuckThrottle", "value": 0.9})
            wait_for(lambda: command(tmp_path, "status", parts=["troubles"])["troubles"]["engine"]["indicator"])
            begun = {entry: bus.extremes(entry) for entry, _ in counted.values()}
            command(tmp_path, "fault-clear", number=fault["fault"])
            wait_for(lambda: all(bus.values(e)[-1] - begun[e][1] > whole for e, whole in counted.values()))
            with scan_tool(way) as client:
                for name, (entry, whole) in counted.items():
                    bus.forget()
                    told = client.query(obd.commands[name]).value.magnitude
                    (low, high), (earliest, latest) = bus.extremes(entry), begun[entry]
                    assert 1 <= (low - latest) // whole <= told <= (high - earliest) // whole
        program.stop()


def states(folder: Path, code: str) -> list[str]:
    """Of a code in the store of the engine's control unit."""
    stored = command(folder, "status", parts=["troubles"])["troubles"]["engine"]["stored"]
    return [state for one in stored if one["code"] == code for state in one["states"]]
