"""Commands without waiting: in their order, a few under way, and none lost without being told."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hilbridge.faces.xcp import command_stream
from hilbridge.faces.xcp.command_stream import OUTSTANDING, CommandStream


class Door:
    """A control socket that is served by hand."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(str(path))
        self.listener.listen()
        self.client: socket.socket | None = None

    def read(self) -> list[Any]:
        if self.client is None:
            self.listener.settimeout(10)
            self.client, _ = self.listener.accept()
            self.client.settimeout(10)
        return [json.loads(line) for line in self.client.recv(1 << 16).splitlines()]

    def answer(self, *lines: bytes) -> None:
        assert self.client is not None
        self.client.sendall(b"".join(line + b"\n" for line in lines))

    def close(self) -> None:
        for one in (self.listener, self.client):
            if one is not None:
                one.close()


@pytest.fixture
def stream(door: Door) -> Iterator[CommandStream]:
    stream = CommandStream(door.path)
    yield stream
    stream.close()


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    door = Door(tmp_path / "control.sock")
    yield door
    door.close()


def test_a_few_commands_are_under_way_and_the_next_waits_for_an_answer(door: Door, stream: CommandStream) -> None:
    assert [stream.send({"number": number}) for number in range(OUTSTANDING + 1)] == [True] * OUTSTANDING + [False]
    assert door.read() == [{"number": number} for number in range(OUTSTANDING)]
    door.answer(b"{}")
    assert stream.send({"number": 9})
    assert not stream.send({"number": 10})
    assert door.read() == [{"number": 9}]


def test_refusals_are_counted_once(door: Door, stream: CommandStream) -> None:
    stream.send({})
    stream.send({})
    door.read()
    door.answer(b'{"error": "no"}', b"{}")
    assert stream.refusals() == 1
    assert stream.refusals() == 0


def test_the_end_waits_for_answers_but_not_for_ever(
    door: Door, stream: CommandStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_stream, "SETTLING", 0.05)
    stream.settle()
    stream.send({})
    door.read()
    door.answer(b"{}")
    stream.settle()
    assert [stream.send({}) for _ in range(OUTSTANDING)] == [True] * OUTSTANDING
    stream.settle()
    assert not stream.send({})


def test_a_bench_that_is_gone_is_found_again(door: Door, stream: CommandStream, tmp_path: Path) -> None:
    assert not CommandStream(tmp_path / "nobody.sock").send({})
    assert stream.send({})
    door.read()
    assert door.client is not None
    door.client.close()
    door.client = None
    assert stream.send({"again": 1})
    assert door.read() == [{"again": 1}]


def test_an_answer_that_never_comes_ends_the_connection(stream: CommandStream, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(OUTSTANDING):
        stream.send({})
    assert not stream.send({})
    monkeypatch.setattr(command_stream, "PATIENCE", -1.0)
    assert stream.send({"again": 1})
