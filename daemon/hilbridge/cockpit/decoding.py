"""What the bytes of a frame say, by the databases of its bus: for people, so every value is text.

A name stands in place of the number that has one, NOTHING where the frame says itself that it has no value. In J1939 a
frame is a message of its parameter group, from whatever source address.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from cantools.database.can import Message

from hilbridge.codec.codec import CompiledMessage, compile_message
from hilbridge.codec.database import load_database, merged
from hilbridge.common.errors import ConfigurationError
from hilbridge.configuration.bundle import BENCH
from hilbridge.configuration.yamlfile import YamlFile

NOTHING: Final = "–"


class Signal(NamedTuple):
    """A signal as it is shown."""

    name: str
    value: str
    unit: str


class Known(NamedTuple):
    """A message of a database: `cycle` [ms] where one is said."""

    codec: CompiledMessage
    cycle: float | None

    def signals(self, data: bytes) -> list[Signal]:
        """Of a frame with these bytes; none of one that is too short for the message."""
        try:
            values, available = self.codec.decode(data, names=True), self.codec.decode_available(data)
        except ValueError:
            return []
        return [
            Signal(name, _text(value, name in available), self.codec.signals[name].unit or "")
            for name, value in values.items()
        ]


class Decoder:
    """The databases of one bus. What cannot be read of them is not decoded: the bench has said so when it started."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._by_mask: Final[dict[int, dict[int, Known]]] = {}
        with suppress(ConfigurationError):
            database = merged([load_database(file) for file in files])
            for message in database.messages:
                if message.name not in database.defects:
                    self._add(message)

    def _add(self, message: Message) -> None:
        with suppress(ConfigurationError):  # a container
            known = Known(compile_message(message), message.cycle_time)
            self._by_mask.setdefault(known.codec.mask, {}).setdefault(known.codec.matched, known)

    def find(self, can_id: int) -> Known | None:
        """The message that a frame with this identifier (and its flag) is."""
        for mask, messages in self._by_mask.items():
            known = messages.get(can_id & mask)
            if known is not None:
                return known
        return None


def load_decoders(files: Mapping[str, bytes]) -> dict[str, Decoder]:
    """For each bus of a bench, of which all files are given by name (bundle.py); this takes its time."""
    with TemporaryDirectory(prefix="hilbridge-") as folder:
        bench = Path(folder, BENCH)
        bench.write_bytes(files[BENCH])
        databases = {bus: one.get("database", ()) for bus, one in YamlFile.load(bench).data["buses"].items()}
        for name in {name for names in databases.values() for name in names}:
            Path(folder, name).write_bytes(files[name])
        return {bus: Decoder([Path(folder, name) for name in names]) for bus, names in databases.items()}


def _text(value: object, available: bool) -> str:
    if isinstance(value, int | float):
        return f"{value:.7g}" if available else NOTHING
    return str(value)
