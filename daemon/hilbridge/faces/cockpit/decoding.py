"""Decoding of frames for display, by databases and raw frames of their bus: every value is text.

A named value is shown by its name, and NOTHING where the frame itself says "not available". A J1939 frame is decoded as
the message of its parameter group, whatever its source address.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from cantools.database.can import Message

from hilbridge.base.common.bundle_files import write_bundle
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.configuration.bundle import BENCH
from hilbridge.files.configuration.yamlfile import YamlFile
from hilbridge.files.settings.traffic import RawFrame
from hilbridge.frames.codec.codec import CompiledMessage, compile_message
from hilbridge.frames.codec.database import load_database, merged
from hilbridge.frames.codec.layout import Raw
from hilbridge.frames.codec.placed import with_raw_frames
from hilbridge.frames.codec.signals import SignalCodec

NOTHING: Final = "–"


class Signal(NamedTuple):
    """A signal as the page shows it."""

    name: str
    value: str
    unit: str
    raw: str = ""


class KnownMessage(NamedTuple):
    """A message of a database. `cycle` [ms]: None where the database states none."""

    codec: CompiledMessage
    cycle: float | None

    def signals(self, data: bytes) -> list[Signal]:
        """Decode the bytes of a frame; return nothing where they are too short for the message."""
        try:
            raws = self.codec.raw_numbers(data)
        except ValueError:
            return []
        codecs = self.codec.signals
        found = [
            Signal(
                self.codec.name_of(key),
                _text(codecs[key], raw),
                codecs[key].unit or "",
                f"{raw:g}" if raw % 1 else f"{raw:.0f}",
            )
            for key, raw in raws.items()
        ]
        return [*found, *(Signal(name, f"left out: {why}", "") for name, why in self.codec.left_out.items())]


class Decoder:
    """Decoder for one bus. Messages that cannot be read are left out: the bench has logged them at its start."""

    def __init__(self, files: Sequence[Path], raw: Mapping[str, Any] | None = None) -> None:
        """`files`: databases; `raw`: the raw frames of the bench file, as it has them."""
        self._by_mask: Final[dict[int, dict[int, KnownMessage]]] = {}
        with suppress(ConfigurationError):
            database = merged([load_database(file) for file in files]) if files else None
            frames = {name: RawFrame.model_validate(frame) for name, frame in (raw or {}).items()}
            known = with_raw_frames(database, frames)
            for message in known.messages:
                self._add(message)

    def _add(self, message: Message) -> None:
        with suppress(ConfigurationError):  # a container
            known = KnownMessage(compile_message(message), message.cycle_time)
            self._by_mask.setdefault(known.codec.mask, {}).setdefault(known.codec.matched, known)

    def find(self, can_id: int) -> KnownMessage | None:
        """Return the message of a frame with this identifier (with its flag), or None."""
        for mask, messages in self._by_mask.items():
            known = messages.get(can_id & mask)
            if known is not None:
                return known
        return None


def load_decoders(files: Mapping[str, bytes]) -> dict[str, Decoder]:
    """Return a decoder for each bus of a bench, whose files are given by name (bundle.py); takes seconds."""
    with TemporaryDirectory(prefix="hilbridge-") as folder:
        bench = Path(folder, BENCH)
        write_bundle(Path(folder), {BENCH: files[BENCH]})
        buses = YamlFile.load(bench).data["buses"]
        databases = {bus: one.get("database", ()) for bus, one in buses.items()}
        write_bundle(Path(folder), {name: files[name] for names in databases.values() for name in names})
        return {
            bus: Decoder([Path(folder, name) for name in names], buses[bus].get("raw", {}))
            for bus, names in databases.items()
        }


def _text(signal: SignalCodec, raw: Raw) -> str:
    if (name := signal.name_of(raw)) is not None:
        return name
    return f"{signal.to_physical(raw):.7g}" if signal.available(raw) else NOTHING
