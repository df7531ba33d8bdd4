"""How the tests of the inputs use conditioners and serial settings."""

from collections.abc import Sequence
from typing import Any

from hilbridge.bench.inputs.signal_conditioner import Reading, Refused, SignalConditioner
from hilbridge.files.settings import SerialInput


def refusal(conditioner: SignalConditioner[Any], *readings: Reading | None) -> str | None:
    """Return the reason why these readings spoil a sample, None if they do not."""
    try:
        conditioner.evaluate(readings)
    except Refused as refused:
        return refused.reason
    return None


def convert(conditioner: SignalConditioner[Any], readings: Sequence[Reading | None], t: int = 0) -> int | None:
    """Return the bus integer of the readings of the time `t` [ns], None where they give no value."""
    value = conditioner.evaluate(readings)
    return None if value is None else conditioner.to_bus(value, t)


def serial(**keys: Any) -> SerialInput:
    """Return the settings of a serial input with these keys."""
    return SerialInput.model_validate({"source": "serial", "port": "p", "signals": {"Throttle": {}}, **keys})
