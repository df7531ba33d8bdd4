"""systemd as commands see it: a script in the place of `systemctl`, which shows the units that a test describes."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hilbridge.commands import service_unit

Show = Callable[..., None]
"""A function that takes the properties of each unit."""


def systemctl(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Show:
    """Put a `systemctl` in the path, and have the machine run by systemd."""
    folder.mkdir()
    monkeypatch.setattr(service_unit, "BOOTED", folder)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    def show(*properties: dict[str, str]) -> None:
        blocks = ["\n".join(f"{name}={value}" for name, value in each.items()) for each in properties]
        (folder / "answer").write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
        (folder / "systemctl").write_text(f"#!/bin/sh\ncat {folder}/answer\n", encoding="utf-8")
        (folder / "systemctl").chmod(0o755)

    return show


def unit(bench: Path | str, name: str = "hilbridge.service", user: str = "", process: int = 0) -> dict[str, str]:
    """A unit as systemd 252 shows it."""
    command = f"path=/usr/bin/hilbridge ; argv[]=/usr/bin/hilbridge run {bench}"
    return {
        "Id": name,
        "LoadState": "loaded",
        "ActiveState": "active" if process else "inactive",
        "MainPID": str(process),
        "User": user,
        "LimitRTPRIO": "40",
        "LimitMEMLOCK": "infinity",
        "ExecStart": f"{{ {command} ; ignore_errors=no ; start_time=[n/a] ; pid=0 }}",
    }
