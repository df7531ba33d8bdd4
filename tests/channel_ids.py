"""Writes `sim/vehiclesim/channels.py` from `sim/vehiclesim/entries.csv`: `python -m tests.channel_ids --write`.

The ids are constants in a module of their own because the compiler puts them into the code as numbers.
"""

import csv
import re
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "sim/vehiclesim"
TABLE = FOLDER / "entries.csv"
MODULE = FOLDER / "channels.py"

CHANNELS = {
    "input": "the positions of the driver's controls.",
    "vehicle": "the sensors of engine, transmission and driving aids.",
    "settings": 'overrides that a driver or a test may set. 0 is "no override" everywhere.',
    "auxiliary": "further values of clusters and scan tools. Integrals have 64 bits.",
    "chassis": "the motion over ground, as brake and steering modules measure it.",
    "request": 'requests of external control units to engine and brakes. NAN is "no request".',
    "road": "road and weather.",
    "fault": "the severity of each fault, 0 (NAN for a position) without one.",
    "body": "lights, doors, belts, and what the driver has chosen at cluster and levers.",
    "clock": "date and time of the run. They rest where a run on the virtual clock begins.",
    "electric": "motor and traction battery of a vehicle that has them; else not available.",
    "custom": "",
}
"""The channels in the order of their numbers, with what they are. The last one has no ids of its own."""

_HEAD = '''"""The numbers of the data bus's channels, and the ids of their entries, as constants of the compiler.

Generated from entries.csv by `python -m tests.channel_ids --write`.
"""

from typing import Final

'''

_NUMBERS = '''
NAN: Final = -2147483647
"""Integer that stands for "not a number"."""

UNAVAILABLE_LOAD: Final = -1
"""Integer of EngineLoad while the load is unknown (every other value uses NAN)."""

FULL_TRAVEL: Final = 10000
"""Resolution of every position of a control, and so the integer of one that is fully pressed."""
'''


def module() -> str:
    """Return the text of the module."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    text = _HEAD + "".join(f"{name.upper()}: Final = {number}\n" for number, name in enumerate(CHANNELS))
    names = "".join(f'    "{name}",\n' for name in CHANNELS)
    text += f'\nCHANNELS: Final = (\n{names})\n"""The names of the channels, by number."""\n{_NUMBERS}'
    for channel, content in CHANNELS.items():
        if entries := [row["name"] for row in rows if row["channel"] == channel]:
            title = channel.capitalize()
            text += f'\n\nclass {title}Data:\n    """Ids of the {title} channel: {content}"""\n\n'
            text += "".join(f"    {constant(name)}: Final = {index}\n" for index, name in enumerate(entries))
    return text


def constant(name: str) -> str:
    """Return the constant of an entry: `ENGINE_RPM` of `EngineRpm`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        MODULE.write_text(module(), encoding="utf-8")
    else:
        sys.exit(MODULE.read_text(encoding="utf-8") != module())
