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
        ("tests/daemon/configuration/test_reference.py", "tests/daemon/commands/test_values.py"),
    ),
    "codec": Room(("daemon/hilbridge/codec",), ("tests/daemon/codec",)),
    "protection": Room(("daemon/hilbridge/protection",), ("tests/daemon/protection",)),
    "isotp": Room(
        ("daemon/hilbridge/diagnostics/isotp",),
        ("tests/daemon/diagnostics/isotp", "tests/daemon/faults/test_faulty_unit.py"),
    ),
    "uds": Room(("daemon/hilbridge/diagnostics/uds",), ("tests/daemon/diagnostics/uds",)),
    "arbiter": Room(
        ("daemon/hilbridge/inputs/arbiter.py",),
        ("tests/daemon/inputs/test_arbiter.py", "tests/daemon/inputs/test_overrides.py"),
    ),
    "gate": Room(
        ("daemon/hilbridge/bus/gate.py", "daemon/hilbridge/bus/busload.py", "daemon/hilbridge/plan/gating.py"),
        ("tests/daemon/bus", "tests/daemon/plan/test_gating.py", "tests/daemon/bench/test_wiring.py"),
    ),
    "recorder": Room(
        ("daemon/hilbridge/record", "daemon/hilbridge/observe/recorder.py"),
        ("tests/daemon/record", "tests/daemon/observe/test_recorder.py"),
    ),
}
