"""comma's panda safety firmware, as it is in cars, judges the frames of a bench: its C, compiled for this machine.

The sources are those of the package opendbc. Each of its modes checks rate, length, counter, checksum and quality of
the messages that it reads, as makers.yaml counts; `board.c` is the board, and says what the firmware holds of each.
"""

import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ...program import hilbridge
from . import mutants
from .exam import ACCELERATES, ALLOWED, BRAKES, INVALID, MOVES, Run, compiled, disturb, drive
from .makers import KINDS, MAKERS, PACKAGE, RATE, Car, car, firmware_checks, messages
from .verdict import SETTLED, mistakes

SECONDS = 120.0
SHORT = 11.0
"""[s] after which the car moves."""

SEEN = {"brakes": BRAKES, "accelerates": ACCELERATES, "moves": MOVES}

pytestmark = pytest.mark.timeout(1800)  # [s]: a run takes a minute of processor, of a machine that others use too

makers = pytest.mark.parametrize(
    "maker",
    [
        pytest.param(name, marks=pytest.mark.nightly if settings.get("nightly") else ())
        for name, settings in MAKERS.items()
    ],
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the firmware is, and the runs are."""
    folder = tmp_path_factory.mktemp("panda")
    compiled(folder / "board")
    return folder


@pytest.fixture(scope="module")
def cars(folder: Path, request: pytest.FixtureRequest) -> list[Car]:
    """The cars of the tests that were chosen: one alone has a bench of its own."""
    specs = [getattr(item, "callspec", None) for item in request.session.items]
    chosen = {spec.params["maker"] for spec in specs if spec is not None and "maker" in spec.params} or set(MAKERS)
    return [car(name, folder / "board", folder) for name in MAKERS if name in chosen]


@pytest.fixture(scope="module")
def driven(folder: Path, cars: list[Car]) -> Run:
    """Two minutes of the demo driver, with brake and cruise control."""
    return drive(folder, cars, SECONDS)


@pytest.fixture(scope="module")
def disturbed(folder: Path, cars: list[Car]) -> Run:
    """A drive with all faults; wrong firmware listens too."""
    return disturb(folder, cars, mutants.listeners(folder, cars))


@makers
def test_every_receive_check_holds_in_two_minutes_of_a_drive(maker: str, cars: list[Car], driven: Run) -> None:
    """The firmware sees brake, accelerator and motion come and go, and lets control be while nobody brakes."""
    reports = list(driven.reports(maker, SETTLED, SECONDS))
    assert not {failed for report in reports for failed in report.failed}
    assert not any(report.state & INVALID for report in reports)
    blind = MAKERS[maker].get("blind", [])
    for what, bit in SEEN.items():
        assert {bool(report.state & bit) for report in reports} == ({False} if what in blind else {False, True})
    allowed = [bool(report.state & ALLOWED) for report in reports]
    assert set(allowed) == ({True} if "cruise" in blind else {False, True})
    (one,) = (one for one in cars if one.name == maker)
    assert mistakes(one, driven, maker, faults=False) == []


@makers
def test_each_fault_fails_its_own_check_and_no_other(maker: str, cars: list[Car], disturbed: Run) -> None:
    """Of the messages one after the other: frozen counter, wrong checksum, bad quality, silence, wrong length.

    A frame of another length is none of its message for the firmware: it is missed as if it did not come.
    """
    (one,) = (one for one in cars if one.name == maker)
    assert mistakes(one, disturbed, maker) == []


def test_two_runs_are_equal_to_the_byte(folder: Path, cars: list[Car]) -> None:
    """Frames and all else that a recording has, and what the firmware holds of them."""
    first, second = (drive(folder, cars, SHORT, "--record", folder / name) for name in ("first", "second"))
    assert first == second
    assert all(any(report.state & MOVES for report in first.said[one.name]) for one in cars if one.name != "body")
    records, again = (
        b"".join(each.read_bytes() for each in sorted((folder / name).glob("record.*"))) for name in ("first", "second")
    )
    assert len(records) > 0
    assert records == again


def test_a_replay_needs_no_firmware(tmp_path: Path, folder: Path) -> None:
    """What it sent is in the recording."""
    one = car("volkswagen-mqb", folder / "board", folder)
    disturb(folder, [one], {}, "--record", folder / "replayed")
    replay = hilbridge("replay", folder / "replayed", cwd=tmp_path)
    assert (replay.returncode, "identical" in replay.stdout) == (0, True), replay.stdout + replay.stderr


@pytest.mark.parametrize(("mutant", "maker"), [(name, one.maker) for name, one in mutants.MUTANTS.items()])
def test_wrong_firmware_is_caught(mutant: str, maker: str, cars: list[Car], disturbed: Run) -> None:
    """A copy of the C with one change fails where that change is, and only there."""
    (one,) = (one for one in cars if one.name == maker)
    found = mistakes(one, disturbed, f"mutant-{mutant}")
    assert found
    assert {mistake.kind for mistake in found} == mutants.MUTANTS[mutant].fails


# -- what is examined, and what is not --------------------------------------------------------------------------------


@makers
def test_all_that_the_firmware_checks_is_examined(maker: str, folder: Path, cars: list[Car]) -> None:
    """Each check has a message of the database; what is looked at is what makers.yaml counts."""
    settings = MAKERS[maker]
    rows = firmware_checks(folder / "board", settings["mode"], settings.get("parameter", 0))
    (one,) = (one for one in cars if one.name == maker)
    assert [check.number for check in one.checks] == sorted({int(row[0]) for row in rows})
    counted = Counter(kind for check in one.checks for kind in check.kinds)
    assert settings["checks"] == {"messages": counted[RATE], **{kind: counted[kind] for kind in KINDS[:3]}}
    named = {message.name for message in messages(settings["database"], folder).values()}
    assert {*settings["signals"], *settings.get("quality", {}), *settings.get("counter", {})} <= named


def test_no_mode_is_left_out(folder: Path, record_property: Callable[[str, object], None]) -> None:
    """A mode of the firmware is a car here, or it has no receive checks, or its number has no code."""
    left_out: dict[str, list[str]] = {"no receive checks": [], "no code": []}
    for name, number in declared_modes():
        run = subprocess.run([folder / "board", str(number), "0"], check=False, capture_output=True, text=True)
        if run.returncode:
            left_out["no code"].append(name)
        elif not run.stdout:
            left_out["no receive checks"].append(name)
        else:
            assert number in {settings["mode"] for settings in MAKERS.values()}, name
    for why, names in left_out.items():
        record_property(why, names)
    assert "SAFETY_SILENT" in left_out["no receive checks"]


def declared_modes() -> Iterator[tuple[str, int]]:
    """Yield the modes that the firmware's sources declare."""
    text = (PACKAGE / "safety/declarations.h").read_text(encoding="utf-8")
    for name, number in re.findall(r"^#define (SAFETY_[A-Z0-9_]+) (\d+)U$", text, re.MULTILINE):
        yield name, int(number)
