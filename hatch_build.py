"""Compiles vehiclesim, and what a tick of the daemon goes through, with mypyc while a wheel is built.

A wheel is compiled when this machine can compile C extensions, and pure Python otherwise; one line says which and why.
HILBRIDGE_PURE=1 asks for the pure wheel. An editable install stays interpreted, so that an edit takes effect at once.
The .py files stay in the wheel beside the extensions: hilbridge.base.model_build can go back to them.

Every wheel has a bill of materials (CycloneDX, PEP 770): hilbridge itself, and what is inside the extensions.

Compiling takes two to four minutes. Each stage begins with a line `hilbridge: ...`, which `pip --verbose` shows.
"""

import contextlib
import importlib.metadata
import json
import os
import shlex
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INTERPRETED = {"__init__.py", "parameters"}
"""Not compiled of the model: packages themselves, and dataclasses whose annotations are read while the program runs."""

TICK = {
    "base": ["clock"],
    "bench": [
        "bench",
        "clusters",
        "control_units",
        "dialogue",
        "lost_controls",
        "run_date",
        "standing_parts",
        "wiring",
    ],
    "bench/diagnostics/dtc": ["drive_cycle", "misfires", "monitor_status", "monitors", "store", "trouble"],
    "bench/diagnostics/elm327": ["adapters"],
    "bench/diagnostics/isotp": ["server"],
    "bench/diagnostics/j1939": [
        "address_claim",
        "broadcast_control",
        "command_arbiter",
        "controller_application",
        "diagnostic_messages",
        "network",
    ],
    "bench/drive": ["driver", "dynamics", "gears", "manual", "technique", "trace"],
    "bench/faults": ["injector"],
    "bench/gateway": ["gateway"],
    "bench/inputs": ["arbiter", "demo_driver", "source"],
    "boundary/links": ["embedded", "poller"],
    "boundary/observe": ["reporter"],
    "boundary/record": ["boundary"],
    "frames/bus": ["bus", "busload", "gate"],
    "frames/codec": ["custom", "pgn"],
    "frames/plan": [
        "active",
        "bulb_check",
        "cycle_statistics",
        "event_frame",
        "id_conflicts",
        "on_request",
        "once",
        "plan",
        "planned",
        "raw",
        "terminals",
        "turning",
    ],
    "frames/protection": ["checksum", "counter", "crc", "position", "protector"],
    "frames/transport": ["transport", "transport_sessions"],
    "runs": ["loop"],
    "runs/run": ["virtual"],
}
"""Modules of hilbridge that are compiled, by folder: those that nearly every tick goes through."""

TRIED = [(3, 11), (3, 12), (3, 13), (3, 14)]
"""As `requires-python` says, which pip compares only with a wheel that is built."""

COMPILER_ARGUMENTS = ["-ffp-contract=off", "-fvisibility=hidden", "-Wno-all"]
"""Without contraction, as a fused multiply-add rounds once where Python rounds twice: every machine gets the same bits.

Hidden are functions that only this extension calls: the compiler may inline them, which makes a tick a sixth quicker.
Without the warnings that many Pythons ask for (-Wall): GCC looks for them longer than it compiles, and with -w as well.
"""


class CompileTick(BuildHookInterface[Any]):
    """The custom hook of the wheel target."""

    def dependencies(self) -> list[str]:
        """mypy is fetched only where it will be used."""
        refuse_other_python(sys.version_info)
        return [] if reason_for_pure() else ["mypy[mypyc]>=1.18,<3", "setuptools>=77"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the compiled modules to a standard wheel, and gives it this platform's tag."""
        if version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory(prefix="hilbridge-build-")
        output = Path(self._folder.name)
        reason = reason_for_pure()
        bill = output / "hilbridge.cdx.json"
        bill.write_text(bill_of_materials(self.metadata.version, compiled=not reason), encoding="utf-8")
        build_data["sbom_files"].append(str(bill))
        if reason:
            self.app.display_warning(f"hilbridge: vehicle model and tick are not compiled: {reason}")
            return
        with contextlib.chdir(self.root):
            model = [str(file) for file in Path("sim/vehiclesim").rglob("*.py") if not INTERPRETED & set(file.parts)]
            tick = [Path("daemon/hilbridge", folder, f"{name}.py") for folder, names in TICK.items() for name in names]
            modules = [*sorted(model), *map(str, tick)]
            compile_modules(modules, output, lambda stage: self.app.display_info(f"hilbridge: {stage}"))
        for extension in output.glob("lib/**/*.so"):
            build_data["force_include"][str(extension)] = str(extension.relative_to(output / "lib"))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        self.app.display_info(f"hilbridge: vehicle model and tick are compiled, {len(modules)} modules")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """What was made for it is in the wheel now."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


def refuse_other_python(version: tuple[int | str, ...]) -> None:
    """Ends the build in words on a Python that hilbridge has not been tried on."""
    if version[:2] not in TRIED:
        *first, last = (".".join(map(str, numbers)) for numbers in TRIED)
        this = ".".join(map(str, version[:3]))
        sys.exit(f"hilbridge needs Python {', '.join(first)} or {last}; this is Python {this} ({sys.executable})")


def reason_for_pure() -> str | None:
    """Why this wheel is not compiled, or None."""
    if os.environ.get("HILBRIDGE_PURE") == "1":
        return "HILBRIDGE_PURE=1"
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        return f"there is no C compiler ({compiler})"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "the C headers of Python are missing (Debian: python3-dev)"
    return None


def bill_of_materials(version: str, *, compiled: bool) -> str:
    """Return what the wheel is made of as CycloneDX; what it needs beside it stands in its own metadata, in ranges.

    mypyc puts the C code of its runtime library into the extensions (mypy's LICENSE: MIT, parts of CPython's).
    """
    purl = f"pkg:pypi/hilbridge@{version}"
    parts: list[dict[str, Any]] = []
    if compiled:
        mypy = importlib.metadata.version("mypy")
        parts = [
            {
                "type": "library",
                "bom-ref": f"pkg:pypi/mypy@{mypy}#mypyc/lib-rt",
                "name": "mypyc runtime library",
                "version": mypy,
                "purl": f"pkg:pypi/mypy@{mypy}#mypyc/lib-rt",
                "licenses": [{"expression": "MIT AND PSF-2.0"}],
            }
        ]
    whole = {
        "type": "application",
        "bom-ref": purl,
        "name": "hilbridge",
        "version": version,
        "purl": purl,
        "licenses": [{"expression": "MIT"}],
    }
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"lifecycles": [{"phase": "build"}], "component": whole},
        "components": parts,
        "compositions": [{"aggregate": "complete", "assemblies": [purl]}],
    }
    return json.dumps(bill, indent=1) + "\n"


def compile_modules(modules: list[str], output: Path, show: Callable[[str], None]) -> None:
    """Python -> C -> extensions under `output`/lib; a module that mypyc refuses ends the build with its message.

    The first extension has the code of all modules; the others, one for each module, lead into it.
    """
    from mypyc.build import mypycify  # a dependency of compiled wheels only
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    show(f"translating {len(modules)} modules into C")
    # libraries that are not there while the wheel is built count as untyped
    options = ["--config-file=", "--ignore-missing-imports"]
    extensions = mypycify(
        [*options, *modules], opt_level="2", debug_level="0", target_dir=str(output / "c"), group_name="hilbridge"
    )
    for extension in extensions:
        # mypyc's -Werror is for its own developers: a newer compiler's new warning is no reason to fail here
        extension.extra_compile_args = [a for a in extension.extra_compile_args if a != "-Werror"] + COMPILER_ARGUMENTS

    class ShownBuild(build_ext):
        def build_extensions(self) -> None:
            # Some Pythons link extensions with the path of their own libraries, which is that of this machine alone.
            linker = [argument for argument in self.compiler.linker_so if not argument.startswith("-Wl,-rpath")]
            self.compiler.set_executables(linker_so=linker)
            super().build_extensions()

        def build_extension(self, ext: Extension) -> None:
            size = sum(Path(source).stat().st_size for source in ext.sources) >> 10
            show(f"compiling {ext.name}, {size} KiB of C, {extensions.index(ext) + 1} of {len(extensions)}")
            super().build_extension(ext)

    command = ShownBuild(Distribution({"name": "hilbridge", "ext_modules": extensions}))
    command.build_lib = str(output / "lib")
    command.build_temp = str(output / "objects")
    command.parallel = os.cpu_count()
    command.ensure_finalized()
    command.run()
