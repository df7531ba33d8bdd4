"""A bench in Jumpstarter: a driver for its exporter, and the client that a lease gives, with the verbs of the clients.

    export:                                     # of an exporter's file
      car:
        type: hilbridge.testing.jumpstarter.BenchDriver
        config: {bench: demo}                   # running: true, if it runs already

    with env() as client:                       # in `jmp shell`
        client.car.set("input.Key", "start")
        client.car.wait_until("vehicle.EngineWorking", 5)

What crosses gRPC are commands of the control socket and their answers, as lines of JSON: numbers of gRPC's values are
binary64, and times in ns do not fit. A lease may look, hold values, add faults and play scenarios; it never arms a bus,
ends a run or writes a file of the exporter. At its end all that it holds is given back.
"""

import json
import os
from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from threading import Lock
from typing import Any, Final

import click
from jumpstarter.client import DriverClient
from jumpstarter.client.core import DriverError
from jumpstarter.client.decorators import driver_click_group
from jumpstarter.driver import Driver, export
from pydantic.dataclasses import dataclass

from hilbridge.base.common.control_line import LONGEST_LINE
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.shape import MisfitError, fit, read_json
from hilbridge.boundary.control.lines import Answer, Command, encode_command
from hilbridge.client import talks
from hilbridge.client.sync_client import AnyClient, Client
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.testing.daemon_process import DaemonProcess

_HELD: Final = ("set", "fault-add")
"""Commands whose effect stays, for the lease that has given them."""

_TAKEN: Final = frozenset(
    (*_HELD, "status", "release", "give-back", "fault-list", "fault-clear", "ask", "scenario-start", "scenario-stop")
)

_KEPT_BACK: Final = "page"
"""The part of the status that opens the page to every reader."""


@dataclass(kw_only=True)
class BenchDriver(Driver):  # type: ignore[misc]
    """One bench of an exporter, made or reached by the first call of a lease.

    `bench`: a name or file, of which a daemon of its own is started in real time, without its demo driver and page, and
    ended with the lease. `running`: one that runs, by its name or the path of its control socket; None: the only one.
    `seed`: for all that is random on one of its own; None: its file's.

    ConfigurationError, of a call: there is no such bench, or it does not start.
    """

    bench: str | None = None
    running: bool = False
    seed: int | None = None
    _lock: Any = field(init=False, repr=False, default_factory=Lock)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.running and self.seed is not None:
            raise ConfigurationError("'seed' is for a bench that is started here, not for one that runs")
        self._client: Client | None = None
        self._daemon: DaemonProcess | None = None
        self._played: set[str] = set()

    @classmethod
    def client(cls) -> str:
        """Return the path of the client's class."""
        return "hilbridge.testing.jumpstarter.BenchClient"

    @export  # type: ignore[untyped-decorator]
    def holder(self) -> str:
        """Return for whom entries and faults of this lease are held."""
        return f"Jumpstarter, process {os.getpid()}"

    @export  # type: ignore[untyped-decorator]
    def exchange(self, line: str) -> str:
        """Give a command to the bench, a line of JSON; return its answer, also a refusal."""
        try:
            return json.dumps(self._give(fit(read_json(line.encode(), LONGEST_LINE), {})))
        except (ConfigurationError, MisfitError) as error:
            return json.dumps({"error": str(error)})

    def close(self) -> None:
        """End a daemon of its own; of a bench that runs, stop what the lease plays and give back what it holds."""
        super().close()
        with self._lock:
            bench, daemon, self._client, self._daemon = self._client, self._daemon, None, None
            if daemon is not None:
                daemon.end()
            elif bench is not None:
                with bench:  # its end gives back what is held
                    playing = bench.status("scenario")["scenario"] or {}
                    if playing.get("state") == "running" and playing["name"] in self._played:
                        bench.command("scenario-stop")
                    for name in self._played:
                        bench.command("give-back", by=f"scenario {name}")

    def _give(self, command: Command) -> Answer:
        name = command.get("command")
        if not isinstance(name, str) or name not in _TAKEN:
            raise ConfigurationError(f"{name!r} is not for a lease; on the exporter's machine: hilbridge ctl")
        if name in _HELD:
            command["by"] = self.holder()
        if name == "scenario-start":
            talks.refuse_arming(command.get("scenario"))
            self._played.add(str(command.get("name")))
        with self._lock:
            answer = self._reached().exchange(command)
        answer.pop(_KEPT_BACK, None)
        return answer

    def _reached(self) -> Client:
        if self._client is None:
            where = self.bench
            if not self.running:
                path = load_bench(self.bench or "demo").path
                self._daemon = DaemonProcess(path, self.seed, ["--no-demo-driver"])
                where = self._daemon.control_socket()
            self._client = Client(where, by=self.holder())
        return self._client


class BenchClient(AnyClient, DriverClient):  # type: ignore[misc]
    """The bench of a lease, with the verbs of `AnyClient`; scenarios and cycles are files of this side."""

    @cached_property
    def by(self) -> str | None:  # type: ignore[override]
        """The holder of what this lease leaves held."""
        name: str = self.call("holder")
        return name

    def close(self) -> None:
        """Leave the bench; what is held stays held until the lease ends, or `give_back` is called."""
        DriverClient.close(self)

    def exchange(self, command: Command) -> Answer:
        try:
            answer: str = self.call("exchange", encode_command(command).decode())
        except DriverError as error:
            raise talks.UnreachableError(f"the exporter does not answer: {error}") from None
        return talks.read(answer.encode(), command, "the exporter")

    def cli(self) -> Any:
        """Return the commands of `j NAME`."""

        @driver_click_group(self)  # type: ignore[untyped-decorator]
        def bench() -> None:
            """A hilbridge bench: a virtual vehicle and its buses. What is held stays held until the lease ends."""

        def add(name: str, text: str, action: Callable[..., object], *words: str) -> None:
            def carry_out(**given: str) -> None:
                try:
                    if (said := action(*given.values())) is not None:
                        click.echo(said)
                except (ConfigurationError, TimeoutError) as error:
                    raise click.ClickException(str(error)) from None

            arguments: list[click.Parameter] = [click.Argument([word]) for word in words]
            bench.add_command(click.Command(name, params=arguments, callback=carry_out, help=text))

        add("status", "Print the status as JSON.", lambda: json.dumps(self.status(), indent=2))
        add("get", "Print the value of an entry.", lambda entry: f"{self.get(entry):g}", "entry")
        add(
            "set",
            "Hold an entry at a value.",
            lambda entry, value: self.set(entry, _number_or_word(value)),
            "entry",
            "value",
        )
        add("wait", "Wait until a condition holds.", lambda text: f"{self.wait_until(text):.3f} s", "condition")
        add("scenario", "Play a scenario.", self._played, "scenario")
        add("fault", "Add a fault, as `hilbridge ctl fault add` has it; print its number.", self.fault, "words")
        add("clear", "End all faults.", self.clear)
        add("give-back", "Give back all that is held.", self.give_back)
        return bench

    def _played(self, scenario: str) -> str:
        """Play a scenario; return a line for each step. ConfigurationError, with these lines: one has not passed."""
        report = self.scenario(scenario)
        lines = [f"{row.outcome.value:<12}{row.title}" for row in report.rows]
        text = "\n".join([*lines, f"{report.name}: {report.verdict}"])
        if not report.passed:
            raise ConfigurationError(text)
        return text


def _number_or_word(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
