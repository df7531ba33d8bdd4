"""What systemd says about units, drop-ins and rules without booting: `systemd-analyze` of Debian's package systemd."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parents[3] / "systemd"
BENCHES = ["hilbridge.service", "hilbridge@.service"]
UNITS = [*BENCHES, "hilbridge-mend@.service"]
DROP_INS = sorted(path.name for path in (SYSTEMD / "drop-ins").iterdir())

README = (SYSTEMD / "README.md").read_text(encoding="utf-8")

LIMIT = 1.6
"""Of 10, 0.1 of it for netlink; what systemd calls safe is below 2."""


def analyze(*arguments: object) -> str:
    run = subprocess.run(
        ["systemd-analyze", "--no-pager", *map(str, arguments)], capture_output=True, text=True, timeout=30, check=True
    )
    return run.stdout + run.stderr


def exposure(unit: Path) -> float:
    """The figure of `systemd-analyze security`."""
    found = re.search(r"Overall exposure level for .*: (\d+\.\d)", analyze("security", "--offline=true", unit))
    assert found
    return float(found[1])


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_hardly_exposed(unit: str) -> None:
    """And as much as README.md tells."""
    told = re.search(rf"^\| .*`{unit}`.* \| (\d\.\d) \|$", README, re.MULTILINE)
    assert told
    assert exposure(SYSTEMD / unit) == float(told[1]) <= LIMIT


@pytest.mark.parametrize("name", DROP_INS)
def test_a_drop_in_says_what_it_costs(name: str, tmp_path: Path) -> None:
    """The figure in its header, and in README.md, is what systemd finds for the unit with it."""
    unit = shutil.copy(SYSTEMD / "hilbridge.service", tmp_path)
    folder = tmp_path / "hilbridge.service.d"
    folder.mkdir()
    text = Path(shutil.copy(SYSTEMD / "drop-ins" / name, folder)).read_text(encoding="utf-8")
    told = re.search(r"^# Exposure (\d\.\d): systemd-analyze security hilbridge\.service$", text, re.MULTILINE)
    assert told
    assert exposure(Path(unit)) == float(told[1])
    assert f"| with `drop-ins/{name}` | {told[1]} |\n" in README


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_understands_every_line(unit: str, tmp_path: Path) -> None:
    """Unknown keys and wrong values are warnings of systemd, which would start the unit without them."""
    text = (SYSTEMD / unit).read_text(encoding="utf-8").replace("/usr/bin/hilbridge", "/bin/true")
    copy = tmp_path / unit.replace("@", "@bench")
    copy.write_text(text, encoding="utf-8")
    assert analyze("verify", "--man=no", copy) == ""


def test_the_two_units_differ_in_the_bench_alone() -> None:
    """Whoever hardens one must not forget the other."""
    plain, template = ((SYSTEMD / unit).read_text(encoding="utf-8").splitlines() for unit in BENCHES)
    differing = [line.partition("=")[0] for line, other in zip(plain, template, strict=True) if line != other]
    assert [key for key in differing if not key.startswith("#")] == ["Description", "ExecStart"]
