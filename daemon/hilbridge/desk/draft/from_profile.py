"""Drafts a bench for a profile: the bus of that receiver, and as comments what of its frames may be changed."""

from collections.abc import Iterator
from typing import Any, Final

from hilbridge.base.resources import Kind, find
from hilbridge.desk.draft.lines import HIGHEST_RATE, BusAccess, head_lines
from hilbridge.files.configuration.profiles import Profile
from hilbridge.files.configuration.yamltext import comment_lines, comment_text, quoted_text
from hilbridge.files.settings.profiles import CONFIDENCE
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.plan.schedule import busiest, spread

MOST_AT_ONCE: Final = 3
"""Frames in one tick of a bench that is drafted."""

SLCAN_PORT: Final = 29537
"""TCP port of an embedded bus, as of the bench `cluster`."""

_WHOLE: Final = ("period", "phase", "repetition_period", "slot")

_WINS: Final = "  # a key of a frame here goes before the profile's; null leaves a frame out"


def draft_profile(profile: Profile, named: str, name: str, bus: str, access: BusAccess) -> str:
    """Return the text of a bench with a bus for a profile, which the bench file calls `named`."""
    lines = [*_header(profile, named, name, access), "", *head_lines(name, profile.settings.vehicle, _rate(profile))]
    lines += [f"  {quoted_text(bus)}:", f"    profile: {quoted_text(named)}", *_access(access), *_frames(profile)]
    return "\n".join([*lines, *_wires(profile, named), "inputs:", "  - source: demo-driver", ""])


def _rate(profile: Profile) -> int:
    """Return the lowest rate [ticks/s] of 100, 200, 500 and 1000 that the frames of a profile need.

    Each time of a frame is a whole number of its ticks, the fastest frame has two of them to be spread over, and no
    tick has more than MOST_AT_ONCE frames, which would be a burst on the bus.
    """
    bus = profile.settings.bus
    times = [time for section in ("messages", "raw") for time in _times(bus.get(section, {}))]
    times += [time for one in (profile.settings.lines, profile.settings.boards) for time in _times(one)]
    cycles: dict[str, int] = {}
    if isinstance(name := bus.get("database"), str):
        database = load_database(find(Kind.DATABASE, name, profile.path))
        cycles = {message.name: message.cycle_time for message in database.messages if message.cycle_time}
        times += cycles.values()
    whole = [round(1000 * time) for time in times]  # [us]
    frames = {**bus.get("raw", {}), **bus.get("messages", {})}
    named = [(one or {}).get("period") or cycles.get(name) for name, one in frames.items()]
    periods = [round(1000 * period) for period in named if period]
    for rate in (100, 200, 500):
        tick = 1_000_000 // rate
        if not whole or 2 * tick > min(whole) or any(time % tick for time in whole):
            continue
        ticks = [period // tick for period in periods]
        if not ticks or busiest(ticks, spread(ticks)) <= MOST_AT_ONCE:
            return rate
    return HIGHEST_RATE


def _times(frames: Any) -> Iterator[float]:
    """Yield the times [ms] of frames that must be whole numbers of ticks."""
    if isinstance(frames, dict):
        for key, value in frames.items():
            if key in _WHOLE and isinstance(value, int | float) and value > 0:
                yield value
            else:
                yield from _times(value)


def _header(profile: Profile, named: str, name: str, access: BusAccess) -> Iterator[str]:
    settings = profile.settings
    yield from comment_lines(
        "",
        f"{settings.title}: its frames are those of the profile {named}; `hilbridge profiles {named}` has its wiring, "
        "its sources and what it was tested on.",
    )
    yield "#"
    yield from comment_lines("", f"Confidence {settings.confidence}: {CONFIDENCE[settings.confidence]}.")
    yield "#"
    if access.interface == "embedded":
        rate = settings.bus.get("bitrate")
        speed = f", {rate / 1000:g} kbit/s" if rate else ""
        yield from comment_lines(
            "",
            "The bus is embedded, where any program may look at the frames. For the real thing exchange two lines "
            f"of the bus: the interface (socketcan), and the port for a channel (can0{speed}).",
        )
    yield from comment_lines(
        "", f"Hardware is listen-only until `hilbridge ctl --bench {name} arm`, or `armed: true` below."
    )
    for note in settings.notes:
        yield "#"
        yield from comment_lines("", note)


def _access(access: BusAccess) -> Iterator[str]:
    yield f"    interface: {quoted_text(access.interface)}"
    if access.interface == "embedded":
        yield f"    slcan: {SLCAN_PORT}"
    else:
        yield f"    channel: {quoted_text(access.channel or 'can0')}"
    if access.bitrate:
        yield f"    bitrate: {access.bitrate}"


def _wires(profile: Profile, named: str) -> Iterator[str]:
    """Yield the serial buses and boards by which the receiver hears the rest, each at a pseudo terminal."""
    settings = profile.settings
    for section, wires, hint in (
        ("lines", settings.lines, "the device of the adapter, as /dev/ttyUSB0, then `hilbridge ctl arm NAME`"),
        ("boards", settings.boards, "the device of the board, as /dev/ttyACM0, then `hilbridge ctl arm NAME`"),
    ):
        if wires:
            yield f"{section}:"
        for name, one in wires.items():
            yield f"  {quoted_text(name)}:"
            yield f"    profile: {quoted_text(named)}"
            if "protocol" in one:
                yield f"    protocol: {quoted_text(one['protocol'])}"
            yield f"    port: pty                   # on wires: {hint.replace('NAME', name)}"


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
            row = f"    #   {comment_text(name)}: {period}"
            told = comment_text("; ".join([*identifier, *effects]))
            yield f"{row:<43} # {told}" if told else row
