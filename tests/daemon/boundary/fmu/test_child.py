"""The process of an FMU with FMPy played: which call each type gets, by FMI 2.0.4, 2.1.7 and FMI 3.0, 2.2.6."""

import socket
import struct
import sys
from types import ModuleType
from typing import Any

import pytest

from hilbridge.boundary.fmu.child import serve


class Slave:
    """The face of FMPy's FMU3Slave: every call is noted; what is read is 7."""

    calls: list[tuple[Any, ...]]

    def __init__(self, **given: Any) -> None:
        Slave.calls = [("made", given["guid"], given["libraryPath"])]

    def __getattr__(self, name: str) -> Any:
        def call(*words: Any, **named: Any) -> Any:
            Slave.calls.append((name, *words, *named.values()))
            return [7] * len(words[0]) if name.startswith("get") else (False, False, False, 0.0)

        return call

    def instantiate(self, loggingOn: bool, logMessage: Any) -> None:  # noqa: N803 - names of FMPy
        self.say = logMessage


JOB: dict[str, Any] = {
    "name": "one",
    "version": 3,
    "token": "{one}",
    "identifier": "one",
    "library": "binaries/x86_64-linux/one.so",
    "folder": "/unpacked",
    "step": 0.01,
    "inputs": [(0, "float64"), (1, "int64"), (2, "boolean"), (3, "enumeration"), (4, "float32"), (5, "float64")],
    "outputs": [(6, "uint8"), (7, "float64"), (8, "uint8")],
    "starts": [(9, "int32")],
    "values": [3.0],
}


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> "tuple[socket.socket, socket.socket]":
    package, module = ModuleType("fmpy"), ModuleType("fmpy.fmi3")
    module.FMU3Slave = Slave  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "fmpy", package)
    monkeypatch.setitem(sys.modules, "fmpy.fmi3", module)
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def test_each_type_gets_its_call(ends: "tuple[socket.socket, socket.socket]") -> None:
    bench, theirs = ends
    with bench, theirs:
        bench.send(struct.pack("<I6d", 2, 0.5, 2.0, 1.0, 3.0, 0.25, 1.5))
        bench.shutdown(socket.SHUT_WR)
        serve(theirs, JOB)
        assert [bench.recv(100) for _ in range(2)] == [b"\0" + struct.pack("<3d", 7, 7, 7)] * 2
    read = [("getUInt8", [6, 8]), ("getFloat64", [7])]
    assert Slave.calls == [
        ("made", "{one}", "/unpacked/binaries/x86_64-linux/one.so"),
        ("setInt32", [9], [3]),
        ("enterInitializationMode",),
        ("exitInitializationMode",),
        *read,
        ("setFloat64", [0, 5], [0.5, 1.5]),
        ("setInt64", [1], [2]),
        ("setBoolean", [2], [True]),
        ("setInt64", [3], [3]),
        ("setFloat32", [4], [0.25]),
        ("doStep", 0.0, 0.01),
        ("doStep", 0.01, 0.01),
        *read,
        ("terminate",),
        ("freeInstance",),
    ]


def test_what_is_not_available_is_no_number_of_a_real_and_nothing_else(
    ends: "tuple[socket.socket, socket.socket]",
) -> None:
    bench, theirs = ends
    nan = float("nan")
    with bench, theirs:
        bench.send(struct.pack("<I6d", 1, nan, nan, nan, nan, nan, 1.0))
        bench.shutdown(socket.SHUT_WR)
        serve(theirs, JOB)
    assert repr([call for call in Slave.calls if call[0].startswith("set")][1:]) == repr(
        [("setFloat64", [0, 5], [nan, 1.0]), ("setFloat32", [4], [nan])]
    )


def test_a_failure_is_answered_with_what_the_library_has_said(
    ends: "tuple[socket.socket, socket.socket]", monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Any, **_named: Any) -> None:
        for number in range(9):
            self.say(None, 3, b"error", f"line {number}".encode())
        raise ArithmeticError("status 3")

    monkeypatch.setattr(Slave, "doStep", fail, raising=False)
    bench, theirs = ends
    with bench, theirs:
        bench.send(struct.pack("<I6d", 1, 0, 0, 0, 0, 0, 0))
        serve(theirs, JOB)
        bench.recv(100)
        assert bench.recv(1000) == b"\1status 3; line 4; line 5; line 6; line 7; line 8"


def test_one_that_asks_for_the_end_is_a_failure(
    ends: "tuple[socket.socket, socket.socket]", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Slave, "doStep", lambda *_, **__: (False, True, False, 0.0), raising=False)
    bench, theirs = ends
    with bench, theirs:
        bench.send(struct.pack("<I6d", 1, 0, 0, 0, 0, 0, 0))
        serve(theirs, JOB)
        bench.recv(100)
        assert bench.recv(1000) == b"\1it asks for the end of the simulation"
