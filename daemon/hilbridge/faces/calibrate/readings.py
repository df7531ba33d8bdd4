"""Where the raw readings of an input come from: a bench that runs, or its device, opened here."""

from collections.abc import Mapping
from typing import Final, Protocol

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.bench.inputs.controls import Control, find_control
from hilbridge.bench.inputs.events import EventSource
from hilbridge.bench.inputs.serial_line import SerialLineSource
from hilbridge.bench.inputs.signal_conditioner import Reading
from hilbridge.bench.inputs.source import PortSource
from hilbridge.boundary.links.event_port import EventPort
from hilbridge.boundary.links.input_port import InputPort
from hilbridge.boundary.links.serial_port import SerialPort
from hilbridge.client.sync_client import Client
from hilbridge.files.settings import BenchSettings, EvdevInput, InputSignal, InputSource, SerialInput
from hilbridge.files.settings.input_signals import fields_of
from hilbridge.frames.codec.custom import entries_of
from hilbridge.frames.codec.input_events import event_codes

_NOT_OWN: Final = ("unit", "scale", "offset")


RawReadings = Mapping[str, Reading | None]


class Readings(Protocol):
    """The raw readings of one input, by field."""

    def read(self, t: int) -> RawReadings:
        """Return the newest reading of each field; none yet: it is missing or None. `t`: the time [ns]."""

    @property
    def trouble(self) -> str:
        """Why nothing can be read at present; empty while it can."""

    def close(self) -> None:
        """End it."""


class RunningBench:
    """The readings of an input of a bench that runs, over its control socket."""

    trouble: Final = ""

    def __init__(self, client: Client, number: int) -> None:
        """`number`: of the source, counted from 0 in the order of the bench file."""
        self._client: Final = client
        self._number: Final = number

    def read(self, t: int) -> RawReadings:
        raw: RawReadings = self._client.status("sources")["sources"][self._number]["raw"]
        return raw

    def close(self) -> None:
        self._client.close()


class OwnDevice:
    """The readings of a port that no bench has open."""

    def __init__(self, settings: InputSource, place: KeyPath, bench: BenchSettings) -> None:
        """ConfigurationError, LinkError: it has no port of its own, or what is there cannot be it."""
        self._source: Final = _source(settings, place, bench)
        self._port: Final = _port(settings, place)

    @property
    def trouble(self) -> str:
        return self._port.trouble

    def read(self, t: int) -> RawReadings:
        data = self._port.poll(t)
        self._source.feed(data, t, self._port.trouble)
        return self._source.raw()

    def close(self) -> None:
        self._port.close()


def _source(settings: InputSource, place: KeyPath, bench: BenchSettings) -> PortSource:
    entries = entries_of(bench.custom)
    if isinstance(settings, EvdevInput):
        return EventSource(settings, place, entries)
    if isinstance(settings, SerialInput) and settings.port != "pty":
        return SerialLineSource(settings, place, entries)
    raise ConfigurationError("its readings are those of a running bench: start the bench first", place)


def _port(settings: InputSource, place: KeyPath) -> InputPort:
    if isinstance(settings, EvdevInput):
        return EventPort(settings.device, event_codes(settings))
    if isinstance(settings, SerialInput):
        return SerialPort(settings.port, settings.baudrate)
    raise ConfigurationError("it has no port", place)


def running_bench(bench: BenchSettings, number: int) -> RunningBench | None:
    """Return the readings of input `number` if the bench of this name runs; None: it does not."""
    try:
        client = Client(bench.name)
        there = len(client.status("sources")["sources"])
    except ConfigurationError:
        return None
    if there != sum(one.source != "demo-driver" for one in bench.inputs):
        raise ConfigurationError(f"bench {bench.name} runs with other inputs than this file: `hilbridge ctl reload`")
    return RunningBench(client, number)


def input_name(settings: InputSource) -> str:
    """Return what people call an input: its port, its device, its message."""
    for key in ("port", "device", "message"):
        if (name := getattr(settings, key, None)) is not None:
            return str(name)
    return settings.source


def find_input(bench: BenchSettings, wanted: str | None) -> int:
    """Return the place of an input in the bench file, by number from 1, port, device or source; None: the only one.

    ConfigurationError: there is none, or it is not clear which.
    """
    known = {i: one for i, one in enumerate(bench.inputs) if calibrated(one, bench)}
    if not known:
        raise ConfigurationError("the bench has no input with a pedal, a lever or a wheel to calibrate", ("inputs",))
    listed = ", ".join(f"{i + 1} ({one.source} {input_name(one)})" for i, one in known.items())
    found = [i for i, one in known.items() if wanted is None or wanted in (str(i + 1), input_name(one), one.source)]
    if len(found) != 1:
        raise ConfigurationError(f"which input? there are: {listed}")
    return found[0]


def calibrated(settings: InputSource, bench: BenchSettings) -> dict[str, tuple[Control, InputSignal, tuple[str, ...]]]:
    """Return the controls of an input that have two ends, with their fields, by their names in the bench file."""
    entries = entries_of(bench.custom)
    found = {}
    for name, signal in getattr(settings, "signals", {}).items():
        control = find_control(name, entries)
        plain = not (signal.button_fields or signal.values or signal.terminals or {*_NOT_OWN} & signal.model_fields_set)
        if control is not None and control.travel and plain:
            found[name] = (control, signal, fields_of(name, signal))
    return found
