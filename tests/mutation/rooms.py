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
    "newer-parts": Room(
        (
            "sim/vehiclesim/electric",
            "sim/vehiclesim/aids/abs.py",
            "sim/vehiclesim/aids/esc.py",
            "sim/vehiclesim/transmission/automatic.py",
        ),
        ("tests/sim",),
        tuple(f"tests/sim/test_{name}.py" for name in DRIVES),
        ("tests/daemon/files/configuration/test_reference.py",),
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
    "telemetry": Room(
        (
            "daemon/hilbridge/bench/inputs/udp.py",
            "daemon/hilbridge/bench/inputs/layout.py",
            "daemon/hilbridge/bench/inputs/formats",
            "daemon/hilbridge/boundary/links/udp_port.py",
        ),
        (
            "tests/daemon/bench/inputs/test_udp.py",
            "tests/daemon/bench/inputs/formats",
            "tests/daemon/boundary/links/test_udp_port.py",
        ),
    ),
    "board": Room(
        (
            "daemon/hilbridge/bench/inputs/board.py",
            "daemon/hilbridge/bench/inputs/serial_line.py",
            "daemon/hilbridge/bench/outputs/board.py",
            "daemon/hilbridge/frames/codec/board_packets.py",
        ),
        (
            "tests/daemon/bench/inputs/test_board.py",
            "tests/daemon/bench/inputs/test_serial_line.py",
            "tests/daemon/bench/outputs",
        ),
    ),
    "outputs": Room(("daemon/hilbridge/bench/outputs",), ("tests/daemon/bench/outputs",)),
    "gateway": Room(("daemon/hilbridge/bench/gateway",), ("tests/daemon/bench/gateway",)),
    "faults": Room(("daemon/hilbridge/bench/faults",), ("tests/daemon/bench/faults",)),
    "clone": Room(("daemon/hilbridge/desk/clone",), ("tests/daemon/desk/clone",)),
    "learn": Room(("daemon/hilbridge/desk/learn",), ("tests/daemon/desk/learn",)),
    "databases": Room(
        tuple(
            f"daemon/hilbridge/frames/codec/{name}.py"
            for name in ("database", "dbc_dialects", "dbc_file", "dbc_repair", "dbc_statements", "inventory", "partial")
        ),
        ("tests/daemon/frames/codec",),
    ),
    "campaign": Room(
        ("daemon/hilbridge/runs/campaign",),
        ("tests/daemon/runs/campaign",),
        ("tests/daemon/runs/campaign/test_engines.py", "tests/daemon/runs/campaign/test_short_lived_workers.py"),
    ),
    "lockstep": Room(("daemon/hilbridge/boundary/lockstep",), ("tests/daemon/boundary/lockstep",)),
    "trust": Room(("daemon/hilbridge/base/trust",), ("tests/daemon/base/trust",)),
    "fabric": Room(
        ("daemon/hilbridge/faces/fabric",),
        ("tests/daemon/faces/fabric",),
        ("tests/daemon/faces/fabric/test_process.py",),
    ),
    "state": Room(
        tuple(
            f"daemon/hilbridge/boundary/{name}.py"
            for name in (
                "observe/state_writer",
                "record/state",
                "record/state_backup",
                "record/state_lock",
                "record/state_start",
            )
        ),
        tuple(
            f"tests/daemon/boundary/record/test_state{name}.py"
            for name in ("", "_backup", "_faults", "_lock", "_start")
        ),
    ),
    "packed": Room(
        tuple(f"daemon/hilbridge/boundary/record/{name}.py" for name in ("packed", "packer")),
        tuple(f"tests/daemon/boundary/record/test_{name}.py" for name in ("packed", "packer")),
    ),
    "logs": Room(("daemon/hilbridge/boundary/logs",), ("tests/daemon/boundary/logs",)),
    "lines": Room(
        ("daemon/hilbridge/bench/lines", "daemon/hilbridge/desk/draft/from_ldf.py"),
        ("tests/daemon/bench/lines", "tests/daemon/desk/draft/test_from_ldf.py"),
    ),
    "xcp": Room(
        ("daemon/hilbridge/bench/xcp", "daemon/hilbridge/faces/xcp"),
        ("tests/daemon/bench/xcp", "tests/daemon/faces/xcp"),
        ("tests/daemon/faces/xcp/test_process.py",),
    ),
    "mcp": Room(("daemon/hilbridge/faces/mcp",), ("tests/daemon/faces/mcp",)),
    "vss": Room(
        (
            *(f"daemon/hilbridge/faces/vss/{name}.py" for name in ("publication", "signals", "target")),
            "daemon/hilbridge/files/settings/vss.py",
        ),
        ("tests/daemon/faces/vss", "tests/daemon/files/configuration/test_vss.py"),
    ),
    "packs": Room(
        ("daemon/hilbridge/base/packs.py", "daemon/hilbridge/desk/packs"),
        ("tests/daemon/base/test_packs.py", "tests/daemon/desk/packs"),
    ),
    "answers": Room(
        ("daemon/hilbridge/bench/diagnostics/answers", "daemon/hilbridge/files/settings/answers.py"),
        ("tests/daemon/bench/diagnostics/answers", "tests/daemon/files/settings/test_answers.py"),
    ),
    "a2l": Room(("daemon/hilbridge/desk/a2l",), ("tests/daemon/desk/a2l",)),
    "fmu": Room(("daemon/hilbridge/desk/fmu",), ("tests/daemon/desk/fmu",)),
    "fmu-import": Room(
        tuple(f"daemon/hilbridge/{wing}/fmu" for wing in ("files", "boundary", "bench")),
        tuple(f"tests/daemon/{wing}/fmu" for wing in ("files", "boundary", "bench")),
    ),
    "odx": Room(("daemon/hilbridge/files/odx",), ("tests/daemon/files/odx",)),
    "links": Room(
        ("daemon/hilbridge/boundary/links", "daemon/hilbridge/bench/adapters.py"),
        ("tests/daemon/boundary/links", "tests/daemon/bench/test_adapters.py"),
        tuple(
            f"tests/daemon/boundary/links/test_{name}.py"
            for name in ("doors_slcan_pty", "helper", "helper_process", "python_can", "serial_port_pty")
        ),
    ),
    "doip": Room(
        ("daemon/hilbridge/bench/doip", "daemon/hilbridge/boundary/links/doip_server.py"),
        ("tests/daemon/bench/doip", "tests/daemon/boundary/links/test_doip_server.py"),
    ),
    "control": Room(("daemon/hilbridge/boundary/control",), ("tests/daemon/boundary/control",)),
    "client": Room(("daemon/hilbridge/client",), ("tests/daemon/client",)),
    "metrics": Room(
        ("daemon/hilbridge/boundary/observe/http_port.py", "daemon/hilbridge/boundary/observe/bench_archive.py"),
        ("tests/daemon/boundary/observe",),
    ),
    "page": Room(("daemon/hilbridge/faces/cockpit",), ("tests/daemon/faces/cockpit",)),
    "files": Room(
        ("daemon/hilbridge/files/configuration", "daemon/hilbridge/base/common"),
        ("tests/daemon/files/configuration", "tests/daemon/base/common"),
    ),
    "recorder": Room(
        ("daemon/hilbridge/boundary/record", "daemon/hilbridge/boundary/observe/recorder.py"),
        ("tests/daemon/boundary/record", "tests/daemon/boundary/observe/test_recorder.py"),
    ),
}
