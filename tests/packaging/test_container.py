"""The container definition: what it copies is enough to build, and what it starts is the program."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ..program import CHECKOUT, demo_bench, hilbridge, running

INSTRUCTIONS = [
    re.sub(r"\\\n\s*", " ", line).split(" ", 1)
    for line in re.findall(
        r"(?m)^[A-Z]+ (?:.*\\\n)*.*$", (CHECKOUT / "systemd/container/Containerfile").read_text(encoding="utf-8")
    )
]
"""Each instruction with its words, of both stages in their order."""


def words_of(name: str) -> list[str]:
    return [words for instruction, words in INSTRUCTIONS if instruction == name]


def test_what_is_copied_is_enough_to_build_the_wheel(tmp_path: Path) -> None:
    """From nothing but the copied files, as pip would; without the compiler, which other tests have."""
    for copied in words_of("COPY"):
        if copied.startswith("--from"):
            continue
        *sources, target = copied.split()
        for source in map(CHECKOUT.joinpath, sources):
            if source.is_dir():
                shutil.copytree(source, tmp_path / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, tmp_path / target)
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path / "wheel")]
    made = subprocess.run(
        build, cwd=tmp_path, env={**os.environ, "HILBRIDGE_PURE": "1"}, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    assert list((tmp_path / "wheel").glob("hilbridge-*.whl"))


def test_the_program_runs_as_a_user_without_rights() -> None:
    names = [instruction for instruction, _ in INSTRUCTIONS]
    assert words_of("USER") == ["hilbridge"]
    assert names.index("USER") < names.index("ENTRYPOINT"), "what starts comes after it"


def test_the_health_check_is_green_while_the_bench_runs_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its command is that of a checkout here; which bench it asks needs no name, as there is one in a container."""
    (check,) = words_of("HEALTHCHECK")
    program, *arguments = json.loads(check.partition("CMD ")[2])
    assert program == json.loads(words_of("ENTRYPOINT")[0])[0] == "hilbridge"
    assert json.loads(words_of("CMD")[0]) == ["run", "demo"]
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert hilbridge(*arguments).returncode == 2
    with running(demo_bench(tmp_path)) as program:
        program.wait_for("ready")
        assert hilbridge(*arguments).returncode == 0
