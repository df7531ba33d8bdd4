"""The same sources give the same bytes, whoever builds them, where and when: the pure wheel, and the source archive.

A compiled wheel depends on the compiler too, and is not compared.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from ..program import CHECKOUT

BUILT = ("hilbridge-*.whl", "hilbridge-*.tar.gz")


def copy(folder: Path, *, mask: int, time: int, backwards: bool) -> None:
    """The files of the checkout that git knows, in an order, with a umask, and of a time."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    for name in sorted(listed.strip("\0").split("\0"), reverse=backwards):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(CHECKOUT / name, target)
        target.chmod((0o777 if os.access(CHECKOUT / name, os.X_OK) else 0o666) & ~mask)
        os.utime(target, (time, time))


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The folders of two builds."""
    folders = []
    for mask, time, backwards, zone in (
        (0o022, 1_000_000_000, False, "UTC"),
        (0o077, 1_700_000_001, True, "Asia/Tokyo"),
    ):
        source = tmp_path_factory.mktemp("source") / zone.rpartition("/")[2]
        copy(source, mask=mask, time=time, backwards=backwards)
        output = tmp_path_factory.mktemp("built")
        words = ["-m", "hatchling", "build", "--target", "sdist", "--target", "wheel", "--directory", str(output)]
        environment = os.environ | {"HILBRIDGE_PURE": "1", "TZ": zone}
        environment.pop("SOURCE_DATE_EPOCH", None)
        subprocess.run(
            [sys.executable, *words], cwd=source, env=environment, umask=mask, check=True, capture_output=True
        )
        folders.append(output)
    return folders


@pytest.mark.parametrize("pattern", BUILT)
def test_two_builds_are_alike_to_the_byte(builds: list[Path], pattern: str) -> None:
    first, second = (next(folder.glob(pattern)) for folder in builds)
    assert first.name == second.name
    assert first.read_bytes() == second.read_bytes()


def test_a_wheel_has_its_bill_of_materials_where_tools_look_for_it(builds: list[Path]) -> None:
    """In `.dist-info/sboms` (PEP 770), by the schema of CycloneDX; the pure wheel is made of hilbridge alone."""
    with zipfile.ZipFile(next(builds[0].glob(BUILT[0]))) as wheel:
        (name,) = (name for name in wheel.namelist() if ".dist-info/sboms/" in name)
        text = wheel.read(name).decode()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    bill = json.loads(text)
    assert bill["metadata"]["component"]["name"] == "hilbridge"
    assert bill["components"] == []
