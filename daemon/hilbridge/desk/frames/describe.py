"""The frames of a profile as data for other programs: bits, scales, counters and checksums, without a bench.

The bits of a number are runs of neighbours, its lowest first: [byte, bit of the byte, bit of the number, mask].
"""

from collections.abc import Iterator
from functools import reduce
from operator import or_
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from cantools.database.can import Signal

from hilbridge.bench.bench import Bench
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.profiles import Profile
from hilbridge.files.settings.protection import ChecksumSettings
from hilbridge.frames.codec.codec import CompiledMessage
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK, FD
from hilbridge.frames.codec.layout import occupied
from hilbridge.frames.codec.mapping import Assignment
from hilbridge.frames.codec.sources import Channels, FixedSource
from hilbridge.frames.plan.selection import Outgoing
from hilbridge.frames.protection.build import resolved
from hilbridge.frames.protection.position import Places, Position

_MOST_NUMBERS: Final = 256
"""Numbers of a counter that are listed; longer ones are counted on."""

_BENCH: Final = "name: frames\nvehicle: {vehicle}\nbuses: {{cluster: {{profile: {profile}, interface: embedded}}}}\n"


def describe_frames(profile: Profile) -> dict[str, Any]:
    """Return the frames of a profile, and what the profile says about itself."""
    bench = bench_of(profile)
    frames = [_frame(one.outgoing, bench) for one in bench.wiring.plan.frames]
    known = {frame["name"]: frame for frame in profile.facts().pop("frames")}
    for frame in frames:
        frame["known"] = known.get(frame["name"])
    told = {key: value for key, value in profile.facts().items() if key != "frames"}
    bitrate = profile.settings.bus.get("bitrate")
    return told | {"bitrate": bitrate, "never_send": profile.settings.bus.get("never_send", []), "frames": frames}


def bench_of(profile: Profile) -> Bench:
    """Return a bench of the profile alone, on an embedded bus."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "bench.yaml")
        named = profile.name if profile.is_installed else str(profile.path.resolve())
        file.write_text(_BENCH.format(vehicle=profile.settings.vehicle, profile=named), encoding="utf-8")
        return Bench(load_bench(str(file)))


def moving(frame: Outgoing, channels: Channels) -> list[Assignment]:
    """Return the signals of a frame whose number may change; those that are constant are in its bytes."""
    rest = int.from_bytes(frame.encode(channels), "little")
    checked = reduce(or_, (int.from_bytes(lit(channels), "little") ^ rest for _, lit in frame.lamps), 0)
    return [
        one
        for one in frame.assignments
        if frame.codec is not None
        and one.signal not in frame.protected
        and (not isinstance(one.source, FixedSource) or occupied(frame.codec.layouts[one.signal]) & checked)
    ]


def _frame(frame: Outgoing, bench: Bench) -> dict[str, Any]:
    channels = bench.vehicle.data.channels
    rest = bytearray(frame.encode(channels))
    signals = [] if frame.codec is None else list(_signals(frame, frame.codec, channels))
    for signal in signals:
        for byte, _, _, mask in signal["bits"]:
            rest[byte] &= ~mask
    period = frame.sending.period
    return {
        "name": frame.message,
        "id": frame.can_id & EXTENDED_MASK,
        "extended": bool(frame.can_id & EXTENDED),
        "fd": bool(frame.flags & FD),
        "length": frame.length,
        "send": frame.sending.kind,
        "period_ms": None if period is None else period / 1e6,
        "data": rest.hex(" "),
        "paged": frame.codec is not None and any(one.multiplexer_ids for one in frame.codec.layouts.values()),
        "events": [{"code": one.code, "name": one.name} for one in frame.events.events] if frame.events else [],
        "signals": signals,
        "protection": list(_protection(frame)),
        "feeds": list(frame.feeds),
        "darkens": list(frame.darkens),
    }


def _signals(frame: Outgoing, codec: CompiledMessage, channels: Channels) -> Iterator[dict[str, Any]]:
    for one in moving(frame, channels):
        layout = codec.layouts[one.signal]
        yield {
            "name": one.signal,
            "bits": runs(Position([layout])),
            "width": layout.length,
            "signed": layout.is_signed,
            "scale": layout.scale,
            "offset": layout.offset,
            "unit": layout.unit,
            "from": one.text,
            "lights": list(frame.lights.get(one.signal, ())),
        } | _start(layout)


def _start(layout: Signal) -> dict[str, Any]:
    return {"start": layout.start, "order": "big" if layout.byte_order == "big_endian" else "little"}


def _protection(frame: Outgoing) -> Iterator[dict[str, Any]]:
    place = (*frame.place, "protection")
    for recipe, counters, checksum in resolved(frame.protection, frame.codec, frame.can_id, frame.length, place):
        listed = [
            {"bits": runs(position), "numbers": [numbers.number(count) for count in range(numbers.size)]}
            for numbers, position in counters
            if numbers.size <= _MOST_NUMBERS
        ]
        second = recipe.counter.second if recipe.counter is not None else None
        settings = recipe.checksum
        yield {
            "counters": listed,
            "longer_counters": len(counters) - len(listed),
            "second_counts_rounds": second is not None and second.advance == "round",
            "constants": [constant.at.model_dump() | {"number": constant.number} for constant in recipe.constants],
            "checksum": None
            if settings is None or checksum is None
            else settings.model_dump(exclude={"at", "fields"}, exclude_none=True)
            | {"bits": runs(checksum), "fields": [{"bits": runs(one)} for one in _fields(settings, frame)]},
        }


def _fields(settings: ChecksumSettings, frame: Outgoing) -> list[Position]:
    places = Places(frame.codec, frame.length)
    return [places.position([one], frame.place) for one in settings.fields]


def runs(position: Position) -> list[list[int]]:
    """Return the bits of a number as runs of neighbours."""
    return [[run.byte, run.target, run.source, run.mask] for run in position.pieces]
