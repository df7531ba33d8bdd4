"""The lamps that the content of a frame lights: those of its signals that are sent as anything but 0."""

from hilbridge.frames.plan.selection import Outgoing


def lit_lamps(outgoing: Outgoing, content: bytes) -> dict[str, str]:
    """Return the lamps that the content of a frame lights, each with the signal and its source."""
    if not outgoing.lights or outgoing.codec is None or len(content) < outgoing.codec.length:
        return {}
    values = outgoing.codec.decode(content)
    texts = {row.signal: row.text for row in outgoing.assignments}
    return {
        lamp: f"{signal} ({texts[signal]})"
        for signal, lamps in outgoing.lights.items()
        if values.get(signal)
        for lamp in lamps
    }
