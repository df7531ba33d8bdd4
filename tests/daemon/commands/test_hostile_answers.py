"""Commands that read what a running bench answers, and answers of programs that are no bench of this version.

The whole way: a Unix socket that answers bytes, the command line, what is printed.
"""

import io
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.rows import layout_of
from hilbridge.bench.outputs.part import OutputRow
from hilbridge.bench.rows import BusRow
from hilbridge.boundary.control.answers import read_answer
from hilbridge.commands.cli import main
from hilbridge.commands.ctl_status import print_status
from hilbridge.faces.top.screen import render
from hilbridge.faces.top.top_view import TopView

from ...strange_answers import HOSTILE, OBJECTS, STATUS, WORDLESS, awkward, hostile

LAYOUTS = {"buses": layout_of(BusRow, "bus").plain(), "outputs": layout_of(OutputRow, "output").plain()}
ACTING = set("\x1b\x07\x9b\u202e\r\x00")
SCENARIO = "{}/scenario.yaml"
COMMANDS = {
    "status": ["status", "--frames"],
    "status as JSON": ["--json", "status"],
    "get": ["get", "vehicle.EngineRpm"],
    "get as JSON": ["--json", "get", "vehicle.EngineRpm"],
    "watch": ["watch", "vehicle.EngineRpm", "--count", "1"],
    "watch as JSON": ["--json", "watch", "vehicle.EngineRpm", "--count", "1"],
    "set": ["set", "input.Throttle", "0.5"],
    "release": ["release"],
    "arm": ["arm"],
    "faults": ["fault", "list"],
    "fault": ["fault", "add", "link", "can", "down"],
    "troubles": ["trouble", "list"],
    "recordings": ["record", "list"],
    "record": ["record", "start"],
    "record stop": ["record", "stop"],
    "reload": ["reload"],
    "scenario": ["scenario", "start", SCENARIO, "--wait"],
    "stop": ["stop"],
}
ANSWER: dict[str, Any] = {
    **STATUS,
    "entries": {"vehicle": {"vehicle.EngineRpm": {"value": 800.0, "unit": "rpm"}}},
    "cluster": {"can": {"question": {"request": 1, "outcome": "answered", "answer": "zz"}}},
    "recordings": "/nonexistent",
    "reload": {"last": {"request": 1, "outcome": "refused", "reason": "r", "took_ms": None}},
    "verdicts": [{"outcome": "passed", "seen": "s", "begin": None, "end": 5}],
    "request": 1,
}


@contextmanager
def answering(path: Path, answer: bytes) -> Iterator[None]:
    """Each line that comes to a socket is answered by the same bytes, and the connection is closed."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen(32)

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with suppress(OSError), connection, connection.makefile("rb") as stream:  # who has heard enough goes
                    stream.readline()
                    connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def carry_out(words: list[str], folder: Path, answer: bytes) -> int:
    (folder / "scenario.yaml").write_text("steps: [{expect: '1'}]\n", encoding="utf-8")
    path = folder / "x.sock"
    with answering(path, answer):
        try:
            return main(["ctl", "--bench", str(path), *(word.format(folder) for word in words)])
        except SystemExit as usage:  # a command line of an older form would hide what this is about
            raise AssertionError(words) from usage


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("answer", [*WORDLESS.values(), *OBJECTS.values()], ids=[*WORDLESS, *OBJECTS])
def test_what_is_no_answer_ends_a_command_in_words(
    words: list[str], answer: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = carry_out(words, tmp_path, answer + b"\n")
    printed = capsys.readouterr()
    if answer in WORDLESS.values():
        assert status == 2
        assert "answer" in printed.err
    assert status in (0, 2)
    assert not set(printed.out + printed.err) & ACTING


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("refused", [False, True])
def test_hostile_text_is_shown_and_not_done(
    words: list[str], refused: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = {"error": HOSTILE, "place": [HOSTILE], "sought": [HOSTILE, [HOSTILE]]} if refused else hostile(ANSWER)
    status = carry_out(words, tmp_path, json.dumps(answer).encode() + b"\n")
    printed = capsys.readouterr()
    assert status == 2 if refused else status in (0, 1, 2)
    assert not set(printed.out + printed.err) & ACTING
    assert not any(line.startswith("elbakcah") for line in (printed.out + printed.err).splitlines())
    if refused:
        assert r"\x1b]0;owned\x07" in printed.err


def statuses() -> Iterator[Any]:
    for part, content in STATUS.items():
        for other in awkward({part: content}):
            rest = {name: one for name, one in STATUS.items() if name != part}
            yield read_answer(json.dumps(rest | other).encode(), {"command": "status", "parts": None})


def test_any_status_is_printed_as_far_as_it_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    number = 0
    for status in statuses():
        number += 1
        print_status(status | {"layouts": LAYOUTS})
        printed = capsys.readouterr().out
        assert ("unreadable: " in printed) == ("unreadable" in status)
        if "buses" in status and status["buses"] == STATUS["buses"]:
            assert "armed" in printed
    assert number > 1000


def test_a_layout_of_somebody_else_costs_its_table_at_most(capsys: pytest.CaptureFixture[str]) -> None:
    """Any value in the place of any of its parts: the table is printed, or named among what cannot be read."""
    for plain in awkward(LAYOUTS):
        print_status(read_answer(json.dumps(STATUS | {"layouts": plain}).encode(), {"command": "status"}))
        printed = capsys.readouterr().out
        assert "bench desk" in printed
        assert not ACTING & set(printed)


def test_any_status_is_drawn_or_refused_in_words() -> None:
    """The lists, the lamps and the rates, with one status of the bench before it."""
    console = Console(file=io.StringIO(), width=120, height=40, force_terminal=True)
    drawn = 0
    for number, status in enumerate(statuses()):
        view = TopView()
        view.take(read_answer(json.dumps(hostile(STATUS)).encode(), {"command": "status", "parts": None}))
        try:
            view.take(status)
        except ConfigurationError:
            continue
        for chosen in view.lists:
            picture = render(view, chosen, 0, (120, 40))
            if number % 25 == 0:
                console.print(picture)
                drawn += 1
        assert bool(view.unreadable) == ("unreadable" in status)
    assert drawn > 50


def test_what_a_terminal_is_drawn_has_no_text_that_acts() -> None:
    output = io.StringIO()
    view = TopView()
    view.take(read_answer(json.dumps(hostile(STATUS)).encode(), {"command": "status", "parts": None}))
    for chosen in view.lists:
        Console(file=output, width=400, height=60, no_color=True).print(render(view, chosen, 0, (400, 60)))
    assert "owned" in output.getvalue()
    assert not set(output.getvalue()) & ACTING


def test_an_answer_without_end_is_given_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = carry_out(["status"], tmp_path, b" " * (5 << 20))
    assert status == 2
    assert "no more than 4194304 are read" in capsys.readouterr().err


def test_an_answer_that_comes_by_the_byte_is_given_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each byte comes in time, the whole of them never."""
    monkeypatch.setattr("hilbridge.client.talks.TIMEOUT", 0.3)
    ended = threading.Event()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "x.sock"))
        listener.listen()

        def drip() -> None:
            with suppress(OSError), listener.accept()[0] as connection:
                while not ended.wait(0.02):
                    connection.sendall(b" ")

        thread = threading.Thread(target=drip)
        thread.start()
        try:
            assert main(["ctl", "--bench", str(tmp_path / "x.sock"), "status"]) == 2
        finally:
            ended.set()
            thread.join()
    assert "does not answer" in capsys.readouterr().err
