"""A bench in Robot Framework: a library of keywords over the verbs of the clients.

    *** Settings ***
    Library    hilbridge.testing.robot.Bench

    *** Test Cases ***
    The Engine Starts
        Start Bench    demo
        Set Entry    input.Key    1
        Wait Until    vehicle.EngineWorking    timeout=5
        Entry Should Be    vehicle.EngineRpm    800    tolerance=400

`Start Bench` begins a virtual bench inside of Robot, `Connect To Bench` reaches one that runs. A bench is of one suite,
and ends with it. Nothing of Robot Framework is imported: it makes keywords of the methods, and converts arguments by
their types.
"""

import os
from pathlib import Path
from typing import ClassVar, Final

from hilbridge.bench.scenario.engine import StepOutcome
from hilbridge.bench.scenario.report import Report
from hilbridge.client.sync_client import AnyClient, Client
from hilbridge.files.configuration.scenariofile import parameter
from hilbridge.testing.any_bench import AnyBench
from hilbridge.testing.bench import VirtualBench

_ABSOLUTE: Final = 1e-9


class Bench:
    """Keywords of one bench."""

    ROBOT_LIBRARY_SCOPE: ClassVar = "SUITE"
    ROBOT_LISTENER_API_VERSION: ClassVar = 3

    def __init__(self) -> None:
        self.ROBOT_LIBRARY_LISTENER = self
        self._bench: AnyClient | None = None

    def end_suite(self, _data: object, _result: object) -> None:
        """End the bench with its suite: a call of Robot Framework's, not a keyword."""
        self.end_bench()

    end_suite.robot_not_keyword = True  # type: ignore[attr-defined]

    # -- which bench ------------------------------------------------------------------------------------------------

    def start_bench(
        self, bench: str = "demo", *values: str, seed: int | None = None, demo_driver: bool = False
    ) -> None:
        """Begin a virtual bench by its name or file, in place of one that is there.

        ``values``: values in place of those of the files, as ``vehicle.body.mass=1400``.
        """
        self.end_bench()
        changed = dict(parameter(one) for one in values)
        self._bench = VirtualBench(bench, set=changed, seed=seed, demo_driver=demo_driver)

    def connect_to_bench(self, bench: str | None = None) -> None:
        """Reach a bench that runs, by its name or the path of its control socket; the only one if none is said."""
        self.end_bench()
        self._bench = Client(bench, by=f"Robot Framework, process {os.getpid()}")

    def end_bench(self) -> None:
        """End a virtual bench, or give back what is held of one that runs, and leave it."""
        bench, self._bench = self._bench, None
        if bench is not None:
            with bench:
                """Its end gives back what is held."""

    # -- values -----------------------------------------------------------------------------------------------------

    def get_entry(self, entry: str) -> float:
        """Return the value of an entry of the data bus in its unit."""
        return self._one.get(entry)

    def set_entry(self, entry: str, value: float | str, seconds: float | None = None) -> None:
        """Hold an entry at a value or a named position: until it is released, or for some seconds."""
        self._one.set(entry, value, seconds)

    def release_entry(self, entry: str | None = None) -> None:
        """Return an entry, or all of them, to the bench's inputs."""
        self._one.release(entry)

    def entry_should_be(self, entry: str, expected: float, tolerance: float = _ABSOLUTE) -> None:
        """Fail unless an entry is within ``tolerance`` of the expected value."""
        value = self._one.get(entry)
        if not abs(value - expected) <= tolerance:
            raise AssertionError(f"{entry} is {value:g}, not {expected:g} ± {tolerance:g}")

    # -- time -------------------------------------------------------------------------------------------------------

    def advance(self, seconds: float) -> None:
        """Let time of the bench pass."""
        self._one._pause(seconds)

    def wait_until(self, condition: str, timeout: float = 10.0) -> float:
        """Wait until a condition holds, as ``vehicle.EngineRpm > 500``; return how long it took in seconds."""
        return self._one.wait_until(condition, timeout)

    def drive(self, speed: float, gear: int | None = None) -> None:
        """Drive to a speed in km/h."""
        self._one.drive(speed, gear)

    # -- scenarios, faults, testers ---------------------------------------------------------------------------------

    def play_scenario(self, scenario: str) -> None:
        """Play a packaged scenario or a file; fail with the steps that have failed."""
        report: Report = self._one.scenario(scenario)
        if not report.passed:
            lines = [
                f"line {row.line}: {row.title}: {row.seen}"
                for row in report.rows
                if row.outcome not in (StepOutcome.PASSED, StepOutcome.NOT_NEEDED)
            ]
            raise AssertionError("\n".join([f"{report.name}: {report.verdict}", *lines]))

    def add_fault(self, *words: str, seconds: float | None = None) -> int:
        """Inject a fault as ``hilbridge ctl fault add`` takes it; return its number."""
        keys = {} if seconds is None else {"seconds": seconds}
        return self._one.fault(" ".join(words), **keys)

    def clear_fault(self, number: int | None = None) -> None:
        """End a fault, or all of them."""
        self._one.clear(number)

    def arm_bus(self, bus: str | None = None, armed: bool = True) -> None:
        """Let a bus transmit, or make it listen only."""
        self._one.arm(bus, armed=armed)

    def ask_unit(self, request: str, ecu: str | None = None) -> str:
        """Ask a control unit of a virtual bench by UDS, in hexadecimal as ``22 F1 90``; return its answer."""
        if not isinstance(self._one, AnyBench):
            raise AssertionError("a bench that runs is asked by 'Ask Behind Bus'")
        return self._one.uds(bytes.fromhex(request), ecu=ecu).hex(" ").upper()

    def ask_behind_bus(self, bus: str, request: str) -> str:
        """Ask the control unit behind a bus, services 19 and 22 in hexadecimal; return its answer."""
        return self._one.ask(bus, bytes.fromhex(request)).hex(" ").upper()

    def record(self, folder: Path | None = None) -> str:
        """Start a recording; return its folder."""
        return str(self._one.record(folder))

    @property
    def _one(self) -> AnyClient:
        if self._bench is None:
            raise AssertionError("there is no bench: begin with 'Start Bench' or 'Connect To Bench'")
        return self._bench
