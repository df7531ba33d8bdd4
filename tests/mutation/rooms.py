"""The rooms whose tests are judged by mutants: their modules, and the tests that must kill them."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

CHECKOUT: Final = Path(__file__).parents[2]

ROOTS: Final = ("daemon", "sim")
"""Folders of the packages."""


class Room(NamedTuple):
    """Files and folders of the checkout."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()
    """Tests among these that are left out: they start programs, which run without the mutant, or take minutes."""
    pages: tuple[str, ...] = ()
    """Tests of the pages that say what constants and tables of the modules hold; such tests execute no line of them."""

    def modules(self) -> Iterator[tuple[str, Path]]:
        """Yield the name and the file of each module."""
        for source in self.sources:
            path = CHECKOUT / source
            for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
                dotted = ".".join(file.relative_to(CHECKOUT).with_suffix("").parts[1:])
                yield dotted.removesuffix(".__init__"), file

    def digest(self) -> str:
        """Return a checksum of the modules, the tests, and which of them are of the room."""
        content = hashlib.sha256()
        content.update(repr(self).encode())
        for place in (*self.sources, *self.tests, *self.pages):
            path = CHECKOUT / place
            for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
                content.update(f"{file.relative_to(CHECKOUT)}\0".encode() + file.read_bytes())
        return content.hexdigest()


DRIVES: Final = ("any_vehicle", "convergence", "driving", "energy", "readme", "shipped_vehicles", "whole_car")
"""Tests of whole cars."""

ROOMS: Final = {
    "model": Room(
        ("sim/vehiclesim",),
        ("tests/sim",),
        tuple(f"tests/sim/test_{name}.py" for name in DRIVES),
        ("tests/daemon/files/configuration/test_reference.py", "tests/daemon/commands/test_values.py"),
    ),
    "codec": Room(("daemon/hilbridge/frames/codec",), ("tests/daemon/frames/codec",)),
    "protection": Room(("daemon/hilbridge/frames/protection",), ("tests/daemon/frames/protection",)),
    "isotp": Room(
        ("daemon/hilbridge/bench/diagnostics/isotp",),
        ("tests/daemon/bench/diagnostics/isotp", "tests/daemon/bench/faults/test_faulty_unit.py"),
    ),
    "uds": Room(("daemon/hilbridge/bench/diagnostics/uds",), ("tests/daemon/bench/diagnostics/uds",)),
    "arbiter": Room(
        ("daemon/hilbridge/bench/inputs/arbiter.py",),
        ("tests/daemon/bench/inputs/test_arbiter.py", "tests/daemon/bench/inputs/test_overrides.py"),
    ),
    "gate": Room(
        (
            "daemon/hilbridge/frames/bus/gate.py",
            "daemon/hilbridge/frames/bus/busload.py",
            "daemon/hilbridge/frames/plan/gating.py",
        ),
        ("tests/daemon/frames/bus", "tests/daemon/frames/plan/test_gating.py", "tests/daemon/bench/test_wiring.py"),
    ),
    "logs": Room(("daemon/hilbridge/boundary/logs",), ("tests/daemon/boundary/logs",)),
    "recorder": Room(
        ("daemon/hilbridge/boundary/record", "daemon/hilbridge/boundary/observe/recorder.py"),
        ("tests/daemon/boundary/record", "tests/daemon/boundary/observe/test_recorder.py"),
    ),
}
