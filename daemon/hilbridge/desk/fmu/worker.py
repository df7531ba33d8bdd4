"""The process inside an FMU that has the vehicle: reads messages from a socket, and answers each (native/vehicle.h).

    python3 -I -S worker.py DESCRIPTOR

It imports vehiclesim and the standard library alone, from the folders beside it:

    runtime/       the interpreter
    model/         vehiclesim
    vehicle.bin    the vehicle's parameters
    unit.json      `step` [s], and of each variable channel, id, lowest and highest value (null of an output)

An input that was not changed is not written again: what the vehicle itself takes back, as a gear step, stays so.
"""

import io
import json
import pickle
import socket
import struct
import sys
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from vehiclesim import Vehicle

_HEAD: Final = struct.Struct("<BI")
_LONGEST: Final = 64 << 20
_NEAR: Final = 1e-6
"""Share of a step by which the time asked for may differ from whole steps."""


class Stream(Protocol):
    """A source of messages, which takes the answers."""

    def read(self, size: int, /) -> bytes: ...

    def write(self, data: bytes, /) -> int: ...

    def flush(self) -> None: ...


class Answering(Protocol):
    """A thing that has the values of a unit, and answers its messages."""

    def values(self) -> "array[float]": ...

    def answer(self, letter: bytes, body: bytes) -> bytes: ...


class _Data(pickle.Unpickler):
    """Reads numbers, texts and lists of these: no class, so no code of the author of a state."""

    def find_class(self, module: str, name: str) -> Any:
        raise ValueError(f"a state has no {module}.{name}")


class Unit:
    """A vehicle and the values of its variables."""

    def __init__(self, folder: Path) -> None:
        description = json.loads((folder / "unit.json").read_text(encoding="utf-8"))
        self._parameters: Final = (folder / "vehicle.bin").read_bytes()
        self._identity: Final = description["identity"]
        self._step: Final = float(description["step"])
        self._variables: Final = [tuple(row) for row in description["variables"]]
        self._vehicle = self._build()
        self._written = self.values()

    def _build(self) -> "Vehicle":
        from vehiclesim import Vehicle

        return Vehicle(pickle.loads(self._parameters))  # noqa: S301 - of the unit itself, as this file

    def values(self) -> "array[float]":
        """Return all values, in the unit of each."""
        read = self._vehicle.data.read
        return array("d", [read(channel, index) for channel, index, _, _, _ in self._variables])

    def answer(self, letter: bytes, body: bytes) -> bytes:
        """Do what a message asks for; return the body of the answer. ValueError: what is wrong, for people."""
        if letter == b"g":
            return self._save()
        if letter == b"p":
            self._restore(body)
        elif letter == b"r":
            self._vehicle = self._build()
        elif letter == b"v":
            self._write(body)
        elif letter == b"s":
            (seconds,) = struct.unpack_from("<d", body)
            self._write(body[8:])
            self._advance(seconds)
        else:
            raise ValueError(f"unknown message {letter!r}")
        self._written = self.values()
        return self._written.tobytes()

    def _write(self, body: bytes) -> None:
        """Write the inputs that differ from what the importer has seen last."""
        wanted = array("d", body)
        if len(wanted) != len(self._variables):
            raise ValueError(f"{len(wanted)} values in place of {len(self._variables)}")
        data = self._vehicle.data
        for (channel, index, lowest, highest, path), value, before in zip(
            self._variables, wanted, self._written, strict=True
        ):
            if value == before or (value != value and before != before) or lowest is None:
                continue
            if value == value and not lowest <= value <= highest:
                raise ValueError(f"{path}: {value:g} is beyond {lowest:g} to {highest:g}")
            if value == value:
                data.set(channel, index, round(value * data.entries.at((channel, index)).resolution))
            else:
                data.write(channel, index, value)

    def _advance(self, seconds: float) -> None:
        """Advance by whole steps of the model, and by a shorter one for what is left."""
        if not 0.0 <= seconds <= 86400.0:
            raise ValueError(f"a step of {seconds:g} s")
        count = round(seconds / self._step)
        if abs(seconds - count * self._step) > _NEAR * self._step:
            count = int(seconds / self._step)
        for _ in range(count):
            self._vehicle.step(self._step)
        rest = seconds - count * self._step
        if rest > _NEAR * self._step:
            self._vehicle.step(rest)

    def _save(self) -> bytes:
        return pickle.dumps((self._identity, self._vehicle.get_state_vars(), self._vehicle.data.channels))

    def _restore(self, body: bytes) -> None:
        try:
            identity, state, channels = _Data(io.BytesIO(body)).load()
        except Exception as error:  # noqa: BLE001 - a foreign state may be anything
            raise ValueError(f"that is no state of this unit: {error}") from None
        if identity != self._identity:
            raise ValueError("that is a state of another unit")
        for channel, values in zip(self._vehicle.data.channels, channels, strict=True):
            channel[:] = values
        self._vehicle.set_state_vars(state)
        for channel, values in zip(self._vehicle.data.channels, channels, strict=True):
            channel[:] = values


def serve(stream: Stream, unit: Answering) -> None:
    """Answer messages until the stream ends."""
    _reply(stream, unit.values().tobytes())
    while head := stream.read(_HEAD.size):
        letter, length = _HEAD.unpack(head)
        if length > _LONGEST:
            return
        body = stream.read(length)
        try:
            _reply(stream, unit.answer(bytes((letter,)), body))
        except (ValueError, ArithmeticError, KeyError) as error:
            refuse(stream, str(error))


def refuse(stream: Stream, words: str) -> None:
    """Answer that something is wrong."""
    _reply(stream, words.encode(), failed=True)


def _reply(stream: Stream, body: bytes, *, failed: bool = False) -> None:
    stream.write(_HEAD.pack(failed, len(body)) + body)
    stream.flush()


def main() -> None:
    folder = Path(sys.argv[0]).resolve().parent
    sys.path.insert(0, str(folder / "model"))
    with socket.socket(fileno=int(sys.argv[1])) as ours, ours.makefile("rwb") as stream:
        serve(stream, Unit(folder))


if __name__ == "__main__":
    main()
