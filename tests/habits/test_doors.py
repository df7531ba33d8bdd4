"""A module that reads what others have made has its line in SECURITY.md, or `make lint` fails."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ..door_table import DOORS, Door
from ..doors import offences, primitives, readers
from ..program import CHECKOUT


def check(checkout: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.doors"]
    return subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)


def test_every_door_has_its_line() -> None:
    run = check(CHECKOUT)
    assert (run.stderr, run.returncode) == ("", 0)


NEW = {
    "daemon/hilbridge/parcel/opening.py": (
        "import zipfile\n",
        "hilbridge.parcel.opening reads by a new primitive (archive)",
    ),
    "daemon/hilbridge/base/clock.py": (
        "import subprocess as s\n",
        "hilbridge.base.clock reads by a new primitive (program)",
    ),
    "sim/vehiclesim/map.py": (
        "def f(p):\n    return p.read_bytes()\n",
        "vehiclesim.map reads by a new primitive (file)",
    ),
}
"""Doors that nobody has listed, and what is told of them."""


def test_a_new_door_is_noticed(tmp_path: Path) -> None:
    """In a copy of the checkout, in new modules and in one that has read nothing: each is told, with what to add."""
    for folder in ("daemon/hilbridge", "sim/vehiclesim"):
        shutil.copytree(CHECKOUT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "tests").mkdir()
    for name in ("tests/doors.py", "tests/door_table.py", "SECURITY.md"):
        shutil.copy(CHECKOUT / name, tmp_path / name)
    for file, (text, _) in NEW.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        with (tmp_path / file).open("a") as door:
            door.write(text)
    run = check(tmp_path)
    assert run.returncode == 1
    assert [line.partition(": add '")[0] for line in sorted(run.stderr.splitlines())] == sorted(
        words for _, words in NEW.values()
    )
    assert run.stderr.count("to a door of tests/door_table.py, with the test of hostile input") == len(NEW)


def test_a_list_that_is_older_than_the_table_is_noticed(tmp_path: Path) -> None:
    for folder in ("daemon", "sim", "tests"):
        (tmp_path / folder).mkdir()
    for name in ("tests/doors.py", "tests/door_table.py", "SECURITY.md"):
        shutil.copy(CHECKOUT / name, tmp_path / name)
    policy = tmp_path / "SECURITY.md"
    policy.write_text(policy.read_text().replace("| CAN frames |", "| CAN |"))
    assert "the list of SECURITY.md is another one: python -m tests.doors --write" in check(tmp_path).stderr


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("open('x')", "file"),
        ("from pathlib import Path\nPath('x').read_text()", "file"),
        ("from json import loads\nloads('1')", "json"),
        ("import json as j\nj.load(f)", "json"),
        ("import json\njson.dumps(1)", ""),
        ("from pickle import load", "code"),
        ("from importlib import import_module as i\ni('x')", "code"),
        ("import importlib\nimportlib.import_module('x')", "code"),
        ("__import__('x')", "code"),
        ("eval('1')", "code"),
        ("import numpy as np\nnp.load('x')", "numpy"),
        ("def f():\n    import tarfile", "archive"),
        ("import os\nos.system('x')", "program"),
        ("from os import system", "program"),
        ("import sqlite3", "table"),
        ("import xml.etree.ElementTree as ET", "xml"),
        ("import can", "can"),
        ("from cantools.database.can import Message", ""),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import can", ""),
        ("from urllib.request import urlopen", "socket"),
        ("import re\nre.compile('x')", ""),
    ],
)
def test_primitives_are_found_under_other_names(text: str, kinds: str) -> None:
    assert " ".join(sorted(primitives(text))) == kinds


def test_a_door_without_a_test_and_one_for_nothing_are_noticed() -> None:
    doors = [*DOORS, Door("parcels", {"hilbridge.base.clock": "file"})]
    assert sorted(offences(readers(CHECKOUT), doors)) == [
        "tests/door_table.py has 'hilbridge.base.clock' for file, which it does not use: take it out",
        "the door 'parcels' has no test",
    ]
