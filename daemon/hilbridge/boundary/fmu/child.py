"""The process of one FMU: FMPy (BSD licence) calls its library, step by step, as the bench asks over a socket.

    python -m hilbridge.boundary.fmu.child SOCKET PARENT JOB

JOB is a file that opening.py writes. A message is a packet: from the bench the number of steps (32 bit) and a double
for each input; back a byte 0 and a double for each output, or 1 and why it has failed, after which this process ends.
The first packet is an answer: the outputs once the FMU is initialised. The closed socket is the end.

What the library is depends on its author: it has all rights of this process, and may end it in any way.
"""

import json
import os
import signal
import socket
import struct
import sys
from pathlib import Path
from typing import Any, Final

from hilbridge.base.process.child_process import die_with
from hilbridge.files.fmu.description import REALS

STEPS: Final = struct.Struct("<I")
DONE: Final = b"\0"
FAILED: Final = b"\1"
LARGEST: Final = 1 << 16
"""[byte] A packet."""

_MOST_LINES: Final = 5
_LONGEST: Final = 1000

_NAMES: Final = {
    **{kind: kind.capitalize() for kind in ("real", "integer", "boolean")},
    **{f"{sign}int{bits}": f"{'UInt' if sign else 'Int'}{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "float64": "Float64",
    "float32": "Float32",
}


class Runner:
    """An FMU that is instantiated and initialised."""

    def __init__(self, job: dict[str, Any], said: list[str]) -> None:
        """`said`: where its last messages go. Exception: the library, or FMPy, says what is wrong."""
        self._said: Final = said
        self._two: Final = job["version"] == 2
        self._step: Final = float(job["step"])
        self._inputs: Final = [(int(reference), str(kind)) for reference, kind in job["inputs"]]
        self._outputs: Final = _grouped(job["outputs"])
        self._size: Final = len(job["outputs"])
        self._count = 0
        self._fmu: Final = self._made(job)
        for (reference, kind), value in zip(job["starts"], job["values"], strict=True):
            self._set(kind, [reference], [value])
        self._fmu.enterInitializationMode()
        self._fmu.exitInitializationMode()

    def _made(self, job: dict[str, Any]) -> Any:
        given = {
            "guid": job["token"],
            "unzipDirectory": job["folder"],
            "modelIdentifier": job["identifier"],
            "instanceName": job["name"],
            "libraryPath": str(Path(job["folder"], job["library"])),
        }
        if self._two:
            from fmpy import fmi2

            fmu = fmi2.FMU2Slave(**given)
            callbacks = fmi2.fmi2CallbackFunctions()
            defaults = fmi2.defaultCallbacks
            callbacks.allocateMemory, callbacks.freeMemory = defaults.allocateMemory, defaults.freeMemory
            callbacks.logger = fmi2.fmi2CallbackLoggerTYPE(self._log_two)
            fmu.instantiate(callbacks=callbacks, loggingOn=True)
            fmu.setupExperiment(startTime=0.0)
        else:
            from fmpy.fmi3 import FMU3Slave

            fmu = FMU3Slave(**given)
            fmu.instantiate(loggingOn=True, logMessage=self._log_three)
        return fmu

    def _log_two(self, _component: Any, _name: bytes, status: int, category: bytes, message: bytes) -> None:
        self._log_three(None, status, category, message)

    def _log_three(self, _environment: Any, _status: int, _category: bytes, message: bytes) -> None:
        self._said.append((message or b"").decode(errors="replace"))
        del self._said[:-_MOST_LINES]

    def outputs(self) -> bytes:
        """Return the outputs as doubles. ValueError: one is none."""
        values = [0.0] * self._size
        for kind, (places, references) in self._outputs.items():
            found = getattr(self._fmu, f"get{self._method(kind)}")(references)
            for place, value in zip(places, found, strict=True):
                values[place] = float(value)
        return struct.pack(f"<{self._size}d", *values)

    def advance(self, steps: int, values: tuple[float, ...]) -> None:
        """Take inputs, and go on. What is not available is no number: only reals take that, others stay."""
        wanted: dict[str, tuple[list[int], list[float]]] = {}
        for (reference, kind), value in zip(self._inputs, values, strict=True):
            if value == value or kind in REALS:
                references, numbers = wanted.setdefault(kind, ([], []))
                references.append(reference)
                numbers.append(value)
        for kind, (references, numbers) in wanted.items():
            self._set(kind, references, numbers)
        for _ in range(steps):
            point = self._count * self._step
            ended = self._fmu.doStep(currentCommunicationPoint=point, communicationStepSize=self._step)
            if isinstance(ended, tuple) and ended[1]:  # of FMI 3.0: event, end, early return, time
                raise RuntimeError("it asks for the end of the simulation")
            self._count += 1

    def _set(self, kind: str, references: list[int], values: list[float]) -> None:
        numbers: list[Any] = values if kind in REALS else [round(value) for value in values]
        if kind == "boolean":
            numbers = [bool(value) for value in values]
        getattr(self._fmu, f"set{self._method(kind)}")(references, numbers)

    def _method(self, kind: str) -> str:
        return ("Integer" if self._two else "Int64") if kind == "enumeration" else _NAMES[kind]

    def end(self) -> None:
        """Terminate the FMU."""
        self._fmu.terminate()
        self._fmu.freeInstance()


def _grouped(variables: list[tuple[int, str]]) -> dict[str, tuple[list[int], list[int]]]:
    """Return places and references by kind, so that each kind is read in one call."""
    groups: dict[str, tuple[list[int], list[int]]] = {}
    for place, (reference, kind) in enumerate(variables):
        places, references = groups.setdefault(kind, ([], []))
        places.append(place)
        references.append(reference)
    return groups


def serve(ours: socket.socket, job: dict[str, Any]) -> None:
    """Answer packets until the socket is closed, or the FMU fails."""
    said: list[str] = []
    try:
        runner = Runner(job, said)
        ours.send(DONE + runner.outputs())
        count = len(job["inputs"])
        while packet := ours.recv(LARGEST):
            (steps,) = STEPS.unpack_from(packet)
            runner.advance(steps, struct.unpack_from(f"<{count}d", packet, STEPS.size))
            ours.send(DONE + runner.outputs())
        runner.end()
    except ConnectionError:  # the bench has gone
        return
    except Exception as error:  # noqa: BLE001 - a foreign library, and FMPy, which raises Exception itself
        words = "; ".join([str(error) or type(error).__name__, *said])
        ours.send(FAILED + words[:_LONGEST].encode(errors="replace"))


def main() -> None:
    descriptor, parent, path = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    die_with(parent, signal.SIGKILL)
    os.set_inheritable(descriptor, False)
    os.dup2(2, 1)  # what the library prints is no output of the bench
    with socket.socket(fileno=descriptor) as ours:
        serve(ours, json.loads(path.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
