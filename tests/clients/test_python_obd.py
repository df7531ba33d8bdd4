"""python-OBD finds a car behind the ELM327, on a pseudo terminal and on TCP, and reads what the ECUs say.

The car ticks in a thread of the test at 1 kHz, on the real clock.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import obd  # type: ignore[import-untyped]  # it has no types
import pytest

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.elm327.interpreter import Interpreter
from hilbridge.boundary.links.elm327_server import Elm327Server, open_doors
from vehiclesim.channels import AuxiliaryData, InputData

from ..daemon.bench.diagnostics.elm327.scan_tool import Car

LONGEST = 60.0
"""[s] after which a car stops ticking, whatever its client still waits for."""


class TickingCar:
    """A car with both ways in; `serial` and `tcp` are what python-OBD calls them."""

    def __init__(self, car: Car) -> None:
        self.car = car
        doors = open_doors([0, "pty"])
        self.server: Elm327Server[Interpreter] = Elm327Server(doors, car.adapters.plug_in, car.adapters.unplug)
        self.server.poll(car.t)  # from now on it listens
        self.tcp, self.serial = (door.describe().removeprefix("pty ") for door in doors)
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        stop = time.monotonic() + LONGEST
        while not self._end.is_set() and time.monotonic() < stop:
            self.server.poll(self.car.t)
            self.car.tick()
            self.server.flush(self.car.t - MILLISECOND)
            time.sleep(0.001)

    def stop(self) -> None:
        self._end.set()
        self._thread.join()
        self.server.close()


@contextmanager
def ticking(car: Car) -> Iterator[TickingCar]:
    running = TickingCar(car)
    try:
        yield running
    finally:
        running.stop()


@contextmanager
def connected(way: str, protocol: str | None = None) -> Iterator[obd.OBD]:
    """As its manual says: a pseudo terminal needs no more than its name, and a busy machine some patience [s]."""
    if way.startswith("socket:"):
        client = obd.OBD(way, baudrate=38400, protocol=protocol or "6", timeout=5)
    else:
        client = obd.OBD(way, protocol=protocol, timeout=5)
    try:
        yield client
    finally:
        client.close()


@pytest.mark.parametrize("way", ["serial", "tcp"])
def test_python_obd_connects_and_reads(way: str) -> None:
    """Supported commands, values, a VIN of several frames; the second query of each with the count of frames."""
    with ticking(Car()) as car, connected(getattr(car, way)) as client:
        assert client.status() == obd.OBDStatus.CAR_CONNECTED
        assert client.protocol_id() == "6"
        assert client.supports(obd.commands.RPM)
        for _ in range(2):
            assert client.query(obd.commands.RPM).value.to("rpm").magnitude == 0x1AF8 / 4
            assert client.query(obd.commands.COOLANT_TEMP).value.magnitude == 0x7B - 40
            vin = client.query(obd.commands.VIN, force=True).messages[0].data  # its own decoder drops the first letter
            assert vin[3:20] == b"1D4GP00R55B123456"
        assert client.query(obd.commands.ELM_VOLTAGE, force=True).value.magnitude == pytest.approx(12.6)
        assert client.query(obd.commands.ELM_VERSION, force=True).value == "ELM327 v1.4b"
        assert client.query(obd.commands.SPEED, force=True).is_null()


def test_python_obd_reads_an_obdlink_that_does_not_wait() -> None:
    """`waiting: answer` and `stn`: both control units answer, long messages are whole."""
    with ticking(Car(waiting="answer", stn={})) as car, connected(car.serial) as client:
        assert client.status() == obd.OBDStatus.CAR_CONNECTED
        for _ in range(3):
            assert client.query(obd.commands.RPM).value.magnitude == 0x1AF8 / 4
            messages = client.query(obd.commands.CALIBRATION_ID, force=True).messages
            assert {message.ecu for message in messages} >= {obd.ECU.ENGINE}
            vin = client.query(obd.commands.VIN, force=True).messages[0].data
            assert vin[3:20] == b"1D4GP00R55B123456"


def test_python_obd_finds_a_29_bit_car_by_itself() -> None:
    with ticking(Car(extended=True)) as car, connected(car.serial) as client:
        assert client.status() == obd.OBDStatus.CAR_CONNECTED
        assert client.protocol_id() == "7"
        assert client.query(obd.commands.RPM).value.magnitude == 0x1AF8 / 4


def test_clients_one_after_another() -> None:
    """Each finds the adapter as new, on either way."""
    with ticking(Car()) as car:
        for way in (car.serial, car.tcp, car.serial):
            with connected(way) as client:
                assert client.query(obd.commands.RPM).value.magnitude == 0x1AF8 / 4


def test_python_obd_tells_ignition_off_from_battery_gone() -> None:
    """With the key off the battery is still measured; below 6 V python-OBD takes the socket for empty."""
    car = Car()
    car.data.input[InputData.KEY] = -1
    with ticking(car) as running:
        with connected(running.serial) as client:
            assert client.status() == obd.OBDStatus.OBD_CONNECTED
        car.data.auxiliary[AuxiliaryData.BATTERY_VOLTAGE] = 0
        with connected(running.serial) as client:
            assert client.status() == obd.OBDStatus.ELM_CONNECTED
