"""Copies of the firmware's sources with one change each, which the exam must notice."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from .exam import compiled
from .makers import CHECKSUM, COUNTER, LENGTH, PACKAGE, QUALITY, RATE, Car
from .verdict import CALM, CONTROL


class Mutant(NamedTuple):
    """A change of a text in a file below opendbc/safety; the car that notices, and by which of its faults."""

    maker: str
    file: str
    old: str
    new: str
    fails: set[str]


MUTANTS: Final = {
    "counter-never-wrong": Mutant(
        "honda-nidec", "safety.h", "MAX_WRONG_COUNTERS = 5;", "MAX_WRONG_COUNTERS = 50;", {COUNTER}
    ),
    "checksum-not-compared": Mutant(
        "tesla", "safety.h", "valid_checksum = checksum_comp == checksum;", "valid_checksum = true;", {CHECKSUM}
    ),
    "quality-below-valid": Mutant(
        "rivian", "modes/rivian.h", "(msg->data[1] >> 6) == 0x1U", "(msg->data[1] >> 6) <= 0x1U", {QUALITY}
    ),
    "lag-ten-times-as-long": Mutant(
        "gm", "safety.h", "timestep * MAX_MISSED_MSGS, 1e6)", "timestep * MAX_MISSED_MSGS, 1e7)", {RATE, LENGTH}
    ),
    "shorter-frames-taken": Mutant(
        "mazda", "safety.h", "(length == addr_list[i].msg[idx].len)", "(length <= addr_list[i].msg[idx].len)", {LENGTH}
    ),
    "brake-not-heeded": Mutant("volkswagen-mqb", "safety.h", "if (brake_pressed && (", "if (false && (", {CONTROL}),
    "another-start-of-a-sum": Mutant(
        "ford", "modes/ford.h", "chksum = 0xFFU - chksum;", "chksum = 0xFEU - chksum;", {CALM}
    ),
    "another-final-xor": Mutant("hyundai", "modes/hyundai.h", "(chksum ^ 9U)", "(chksum ^ 8U)", {CALM}),
}


def listeners(folder: Path, cars: Sequence[Car]) -> dict[str, dict[str, Any]]:
    """Return clients with wrong firmware, compiled into the folder, for the buses of these cars."""
    clients = {}
    for name, mutant in MUTANTS.items():
        for car in cars:
            if car.name == mutant.maker:
                file = f"mutant-{name}"
                compiled(folder / file, _changed(folder / f"{file}-sources", mutant), sanitizers=False)
                mode, parameter, _, *buses = car.client["arguments"]
                verdicts = str(folder / f"{file}.verdicts")
                clients[file] = {**car.client, "firmware": file, "arguments": [mode, parameter, verdicts, *buses]}
    return clients


def _changed(folder: Path, mutant: Mutant) -> Path:
    """Return a folder with the changed sources."""
    shutil.copytree(PACKAGE / "safety", folder / "opendbc/safety", ignore=shutil.ignore_patterns("tests"))
    file = folder / "opendbc/safety" / mutant.file
    text = file.read_text(encoding="utf-8")
    assert mutant.old in text
    file.write_text(text.replace(mutant.old, mutant.new, 1), encoding="utf-8")
    return folder
