"""A wrong value is reported in words that a newcomer understands: what is needed, what stands there, what to write."""

from pathlib import Path
from typing import Annotated

import pytest
from pydantic import Field, TypeAdapter, ValidationError

from hilbridge.base.common.errors import InvalidFileError
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.validation import explain

HEAD = "name: test\nvehicle: ./car.yaml\n"


def reasons(folder: Path, text: str) -> list[str]:
    """The error lines of a bench file without its name."""
    (folder / "car.yaml").write_text("name: car\n")
    file = folder / "bench.yaml"
    file.write_text(text)
    with pytest.raises(InvalidFileError) as caught:
        load_bench(str(file))
    return [line.removeprefix(f"{file}:") for line in str(caught.value).splitlines()]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("rate: fast", "rate: needs a whole number, found the text 'fast'"),
        ("rate: '500'", "rate: needs a whole number, found the text '500'; write 500"),
        ("rate: 0500", "rate: needs a whole number, found the text '0500'; write 500"),
        ("rate: 3D0", "rate: needs a whole number, found the text '3D0'; write 0x3D0"),
        ("rate: bad", "rate: needs a whole number, found the text 'bad'"),
        ("rate: 500.5", "rate: needs a whole number, found the number 500.5"),
        ("rate: true", "rate: needs a whole number, found true"),
        ("rate:", "rate: needs a whole number, found nothing; give a value or remove the key"),
        ("rate: [1]", "rate: needs a whole number, found a list"),
        ("rate: 2000", "rate: must be at most 1000 Hz, found 2000"),
        ("seed: -1", "seed: must be at least 0, found -1"),
        ("buses: [a]", "buses: needs keys with values, found a list"),
        ("inputs: {a: 1}", "inputs: needs a list, found keys with values; begin each of its items with '- '"),
        ("inputs: [demo-driver]", "inputs[0]: needs keys with values, found the text 'demo-driver'"),
        ("diagnostics: on", "diagnostics: needs keys with values, found the text 'on'"),
        (
            "faults: [{kind: route, route: up, effect: counter}]",
            "faults[0].effect: needs 'drop', 'delay', 'duplicate', 'length' or 'corrupt', found the text 'counter'",
        ),
        (
            "faults: [{kind: signal, bus: a, message: b, signal: [c], effect: stuck}]",
            "faults[0].signal: needs text, found a list",
        ),
        ("diagnostics: {units: {one: {}}}", "diagnostics.units.one.bus: is missing (one of 'buses')"),
    ],
)
def test_a_value_of_the_wrong_kind(tmp_path: Path, line: str, reason: str) -> None:
    """The sentence says what is needed and what was found."""
    assert reasons(tmp_path, f"{HEAD}{line}\n") == [f"3: {reason}"]


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ("{}", "interface: is missing (embedded, socketcan, or any interface name of python-can)"),
        (
            "{interface: CAN 0}",
            "interface: 'CAN 0' does not fit: embedded, socketcan, or any interface name of python-can",
        ),
        ("{interface: embedded, channel: x}", "channel: an embedded bus has no channel"),
        ("{interface: virtual, channel: 1.5}", "channel: needs text or a whole number, found the number 1.5"),
        ("{interface: embedded, fd: on}", "fd: needs true or false, found the text 'on'"),
        ("{interface: embedded, databse: x}", "databse: unknown key; did you mean 'database'?"),
        ("{interface: embedded, Slcan: 1}", "Slcan: unknown key; did you mean 'slcan'?"),
        ("{interface: embedded, slcan: 70000}", "slcan: must be at most 65535, found 70000"),
        (
            "{interface: embedded, messages: {M: {period: .inf}}}",
            "messages.M.period: needs a finite number, found the number inf",
        ),
        ("{interface: embedded, messages: {M: {period: 0}}}", "messages.M.period: must be greater than 0 ms, found 0"),
        (
            "{interface: embedded, messages: {M: {signals: {S: 3}}}}",
            "messages.M.signals.S: needs a data bus entry such as vehicle.EngineRpm, found the number 3",
        ),
        (
            "{interface: embedded, messages: {M: {perod: 3}}}",
            "messages.M.perod: unknown key; did you mean 'period'?",
        ),
    ],
)
def test_a_wrong_setting_of_a_bus(tmp_path: Path, keys: str, reason: str) -> None:
    """The key path leads to the setting, however deep, and units follow numbers."""
    assert reasons(tmp_path, f"{HEAD}buses:\n  one: {keys}\n") == [f"4: buses.one.{reason}"]


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        (
            "{source: cann}",
            "source: 'cann' is none of can, serial, board, evdev, udp, demo-driver; did you mean 'can'?",
        ),
        ("{bus: one}", "source: is missing: one of board, can, demo-driver, evdev, serial, udp"),
        ("{source: serial, port: x, signals: {}}", "signals: must not be empty"),
        ("{source: serial, port: '', signals: {Key: {}}}", "port: must not be empty"),
        (
            "{source: serial, port: x, format: cvs, signals: {Key: {}}}",
            "format: needs 'pairs', 'csv', 'json', 'nmea' or 'cobs', found the text 'cvs'; did you mean 'csv'?",
        ),
        (
            "{source: serial, port: x, signals: {Brake: {minimum: 0, maximum: 1, dead_zone: 0.5}}}",
            "signals.Brake.dead_zone: must be less than 0.5, found 0.5",
        ),
    ],
)
def test_a_wrong_setting_of_an_input(tmp_path: Path, keys: str, reason: str) -> None:
    """The kind of the input decides which keys there are."""
    assert reasons(tmp_path, f"{HEAD}inputs:\n  - {keys}\n") == [f"4: inputs[0].{reason}"]


def test_a_bus_needs_a_name_that_can_be_written_everywhere(tmp_path: Path) -> None:
    """Names go into file names, commands and metrics."""
    assert reasons(tmp_path, f"{HEAD}buses:\n  power train: {{interface: embedded}}\n") == [
        "4: buses.'power train': 'power train' does not fit: letters, digits, '_' and '-', beginning with a letter"
    ]


def test_what_is_missing_at_the_top_is_told_at_the_first_line(tmp_path: Path) -> None:
    """There is no better place."""
    assert reasons(tmp_path, "# nothing yet\nrate: 100\n") == [
        "2: name: is missing (letters, digits, '_' and '-', beginning with a letter)",
        "2: vehicle: is missing (name of a file in config/vehicles, or a path)",
    ]


def test_a_rule_without_a_sentence_of_its_own_is_told_in_pydantics_words() -> None:
    """A new kind of rule in the settings must not bring the loader down."""
    adapter = TypeAdapter(Annotated[list[int], Field(max_length=1)])
    with pytest.raises(ValidationError) as caught:
        adapter.validate_python([1, 2])
    (error,) = explain(caught.value, [1, 2], {})
    assert (error.place, error.message.endswith("not 2, found a list")) == ((), True)
