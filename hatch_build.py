"""Compiles vehiclesim with mypyc while a wheel is built.

A wheel is compiled when this machine can compile C extensions, and pure Python otherwise; one line says which and why.
HILBRIDGE_PURE=1 asks for the pure wheel. An editable install stays interpreted, so that an edit takes effect at once.
The .py files stay in the wheel beside the extensions: hilbridge.model_build can go back to them.
"""

import contextlib
import os
import shlex
import shutil
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INTERPRETED = {"__init__.py", "parameters"}
"""Not compiled: packages themselves, and dataclasses whose annotations are read while the program runs."""

COMPILER_ARGUMENTS = ["-ffp-contract=off"]
"""A fused multiply-add rounds once where Python rounds twice; without it every machine gets the same bits."""


class CompileVehicle(BuildHookInterface[Any]):
    """The custom hook of the wheel target."""

    def dependencies(self) -> list[str]:
        """mypy is fetched only where it will be used."""
        return [] if reason_for_pure() else ["mypy[mypyc]>=1.18,<3", "setuptools>=77"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the compiled modules to a standard wheel, and gives it this platform's tag."""
        if version == "editable":
            return
        if reason := reason_for_pure():
            self.app.display_warning(f"hilbridge: vehiclesim is not compiled: {reason}")
            return
        self._folder = tempfile.TemporaryDirectory(prefix="hilbridge-build-")
        output = Path(self._folder.name)
        with contextlib.chdir(Path(self.root, "sim")):
            files = Path("vehiclesim").rglob("*.py")
            modules = sorted(str(file) for file in files if not INTERPRETED & set(file.parts))
            compile_modules(modules, output)
        for extension in output.glob("lib/**/*.so"):
            build_data["force_include"][str(extension)] = str(extension.relative_to(output / "lib"))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        self.app.display_info(f"hilbridge: vehiclesim is compiled, {len(modules)} modules")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """The extensions are in the wheel now."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


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


def compile_modules(modules: list[str], output: Path) -> None:
    """Python -> C -> extensions under `output`/lib; a module that mypyc refuses ends the build with its message."""
    from mypyc.build import mypycify  # a dependency of compiled wheels only
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    extensions = mypycify(
        ["--config-file=", *modules], opt_level="2", target_dir=str(output / "c"), group_name="vehiclesim"
    )
    for extension in extensions:
        # mypyc's -Werror is for its own developers: a newer compiler's new warning is no reason to fail here
        extension.extra_compile_args = [a for a in extension.extra_compile_args if a != "-Werror"] + COMPILER_ARGUMENTS
    command = build_ext(Distribution({"name": "vehiclesim", "ext_modules": extensions}))
    command.build_lib = str(output / "lib")
    command.build_temp = str(output / "objects")
    command.ensure_finalized()
    command.run()
