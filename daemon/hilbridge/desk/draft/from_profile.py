"""Drafts a bench for a profile: the bus of that receiver, and as comments what of its frames may be changed."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Any, Final

from hilbridge.desk.draft.from_database import Way
from hilbridge.files.configuration.profiles import Profile
from hilbridge.files.settings.profiles import CONFIDENCE

SLCAN_PORT: Final = 29537
"""TCP port of an embedded bus, as of the bench `cluster`."""

_WIDTH: Final = 118

_WINS: Final = "  # a key of a frame here goes before the profile's; null leaves a frame out"

_BODY: Final = """
name: {name}
rate: 1000                      # ticks per second
vehicle: {vehicle}

buses:
  {bus}:
    profile: {profile}
{way}
{frames}
inputs:
  - source: demo-driver
"""


def draft_profile(profile: Profile, named: str, name: str, bus: str, way: Way) -> str:
    """Return the text of a bench with a bus for a profile, which the bench file calls `named`."""
    body = _BODY.format(
        name=name,
        vehicle=profile.settings.vehicle,
        bus=bus,
        profile=named,
        way="\n".join(_way(way)),
        frames="\n".join(_frames(profile)),
    )
    return "\n".join(_header(profile, named, name, way)) + "\n" + body


def _header(profile: Profile, named: str, name: str, way: Way) -> Iterator[str]:
    settings = profile.settings
    yield from _comment(
        f"{settings.title}: its frames are those of the profile {named}; `hilbridge profiles {named}` has its wiring, "
        "its sources and what it was tested on."
    )
    yield "#"
    yield from _comment(f"Confidence {settings.confidence}: {CONFIDENCE[settings.confidence]}.")
    yield "#"
    if way.interface == "embedded":
        rate = settings.bus.get("bitrate")
        speed = f", {rate / 1000:g} kbit/s" if rate else ""
        yield from _comment(
            "The bus is embedded, where any program may look at the frames. For the real thing exchange two lines "
            f"of the bus: the interface (socketcan), and the port for a channel (can0{speed})."
        )
    yield from _comment(f"Hardware is listen-only until `hilbridge ctl --bench {name} arm`, or `armed: true` below.")
    for note in settings.notes:
        yield "#"
        yield from _comment(note)


def _comment(text: str) -> list[str]:
    return wrap(
        text, _WIDTH, initial_indent="# ", subsequent_indent="# ", break_long_words=False, break_on_hyphens=False
    )


def _way(way: Way) -> Iterator[str]:
    yield f"    interface: {way.interface}"
    yield f"    slcan: {SLCAN_PORT}" if way.interface == "embedded" else f"    channel: {way.channel or 'can0'}"
    if way.bitrate:
        yield f"    bitrate: {way.bitrate}"


def _frames(profile: Profile) -> Iterator[str]:
    """Yield a comment for each frame: its name and period, and behind them what shows that it is there."""
    for section in ("messages", "raw"):
        frames: dict[str, Any] = profile.settings.bus.get(section, {})
        if frames:
            yield f"    # {section}:{_WINS}"
        for name, frame in frames.items():
            period = f"{{period: {frame['period']}}}" if "period" in frame else "{}"
            identifier = [f"0x{frame['id']:03X}"] if "id" in frame else []
            effects = [f"{key} {', '.join(frame[key])}" for key in ("feeds", "darkens") if key in frame]
            row = f"    #   {name}: {period}"
            told = "; ".join([*identifier, *effects])
            yield f"{row:<43} # {told}" if told else row
