"""`hilbridge mend`: a wrong bench file is watched until it is right; what the check cannot see is tried again."""

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hilbridge.boundary.control import socket_paths
from hilbridge.commands import mend, service_unit
from hilbridge.commands.cli import main
from hilbridge.commands.mend import Mending, Tries, faults, fingerprint

from .systemd import Show, systemctl, unit

GOOD = "name: lab\nvehicle: compact\ncockpit: {enabled: false}\n"
WRONG = GOOD.replace("compact", "no-such-car")
PATIENCE = 60.0


@pytest.fixture
def run_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "run"
    folder.mkdir()
    for module in (socket_paths, mend, service_unit):
        monkeypatch.setattr(module, "SYSTEM", folder)
    monkeypatch.setattr(mend, "_LOOK", 0.01)
    return folder


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    folder = tmp_path / "etc"
    folder.mkdir()
    file = folder / "bench.yaml"
    file.write_text(GOOD)
    return file


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Show:
    return systemctl(tmp_path / "bin", monkeypatch)


@pytest.fixture
def watch() -> Iterator[list[threading.Thread]]:
    """Threads that have ended when the test does."""
    threads: list[threading.Thread] = []
    yield threads
    for each in threads:
        each.join(PATIENCE)
        assert not each.is_alive()


def begin(mending: Mending, threads: list[threading.Thread]) -> threading.Thread:
    thread = threading.Thread(target=mending.until_right, daemon=True)
    threads.append(thread)
    thread.start()
    return thread


def until_it_says(mending: Mending, text: str) -> None:
    end = time.monotonic() + PATIENCE
    while text not in " ".join(mending.reasons):
        assert time.monotonic() < end, mending.reasons
        time.sleep(0.01)


def test_a_wrong_file_is_waited_for_and_its_faults_are_those_of_the_check(
    systemd: Show, bench: Path, run_folder: Path, watch: list[threading.Thread]
) -> None:
    """Another fault after the first is told in its place; a file beside it counts like the bench file."""
    systemd(unit(bench) | {"StatusText": "not started: of the start"})
    bench.write_text(WRONG)
    mending = Mending(bench, "hilbridge.service")
    thread = begin(mending, watch)
    until_it_says(mending, "bench.yaml:2: vehicle: ")
    bench.write_text(GOOD + "rate: fast\n")
    until_it_says(mending, "bench.yaml:4: rate: ")
    bench.write_text(GOOD.replace("compact", "./own.yaml"))
    until_it_says(mending, "own.yaml")
    assert thread.is_alive()
    (bench.parent / "own.yaml").write_text("name: own\n")
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert (run_folder / "hilbridge.service.tried").read_text().split()[0] == fingerprint(bench)


def test_what_the_check_does_not_find_is_tried_again_with_pauses_and_at_once_when_it_changes(
    systemd: Show, bench: Path, run_folder: Path, watch: list[threading.Thread], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The start refuses what the check cannot see: no loop results from it, and the reason is that of the start."""
    monkeypatch.setattr(mend, "_FIRST_PAUSE", 1000.0)
    monkeypatch.setattr(mend, "_LONGEST_PAUSE", 1000.0)
    systemd(unit(bench) | {"StatusText": "not started: cannot record into /r: No space left on device"})
    Mending(bench, "hilbridge.service").until_right()  # mended between the start and this, for all it knows
    again = Mending(bench, "hilbridge.service")
    thread = begin(again, watch)
    until_it_says(again, "cannot record into /r")
    until_it_says(again, "the check finds nothing wrong in")
    time.sleep(0.1)
    assert thread.is_alive()
    bench.write_text(f"{GOOD}rate: 100\n")
    thread.join(PATIENCE)
    assert not thread.is_alive()


def test_a_failure_that_passes_is_tried_again_by_itself(
    systemd: Show, bench: Path, run_folder: Path, watch: list[threading.Thread], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody touches the file."""
    monkeypatch.setattr(mend, "_FIRST_PAUSE", 0.05)
    systemd(unit(bench) | {"StatusText": "not started: cannot record into /r: No space left on device"})
    for number in (1, 2, 3):
        begin(Mending(bench, "hilbridge.service"), watch).join(PATIENCE)
        assert (run_folder / "hilbridge.service.tried").read_text().split()[1] == str(number)


def test_the_pauses_double_up_to_ten_minutes() -> None:
    """10, 20, 40 ... 600 s; other files are due at once, and so is a bench that ran in between."""
    tries, pauses = Tries(), []
    for _ in range(9):
        tries = tries.next_after("a", now=tries.last + 600)
        pauses.append(tries.pause("a", tries.last))
        assert tries.pause("a", tries.last + pauses[-1]) == 0
    assert pauses == [10, 20, 40, 80, 160, 320, 600, 600, 600]
    assert tries.pause("b", tries.last) == 0
    assert tries.next_after("b", tries.last).number == 1
    assert tries.next_after("a", tries.last + 3600).number == 1


def test_without_the_packages_of_the_page_it_waits_all_the_same(
    systemd: Show,
    bench: Path,
    run_folder: Path,
    watch: list[threading.Thread],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """And says what is to be installed for a page."""
    monkeypatch.setitem(sys.modules, "hilbridge.faces.cockpit.mending_page", None)  # as an import that fails
    systemd(unit(bench))
    bench.write_text(WRONG)
    mending = Mending(bench, "hilbridge.service")
    thread = begin(mending, watch)
    until_it_says(mending, "no-such-car")
    bench.write_text(GOOD)
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert "there is no page, which is not installed: " in capsys.readouterr().out
    assert not (run_folder / "hilbridge.service.page").exists()


@pytest.mark.parametrize("content", ["", "nonsense", "a b c", "a 99999999999 nan", "\0" * 50])
def test_a_note_of_the_starts_that_is_damaged_is_none(
    systemd: Show, bench: Path, run_folder: Path, content: str
) -> None:
    systemd(unit(bench))
    (run_folder / "hilbridge.service.tried").write_text(content)
    Mending(bench, "hilbridge.service").until_right()
    assert (run_folder / "hilbridge.service.tried").read_text().split()[:2] == [fingerprint(bench), "1"]


def test_the_address_of_the_page_is_for_the_group_alone_and_goes_with_it(
    systemd: Show, bench: Path, run_folder: Path, watch: list[threading.Thread]
) -> None:
    systemd(unit(bench))
    bench.write_text("name: lab\nvehicle: no-such-car\ncockpit: {port: 0}\n")
    mending = Mending(bench, "hilbridge.service")
    thread = begin(mending, watch)
    file = run_folder / "hilbridge.service.page"
    end = time.monotonic() + PATIENCE
    while not file.exists():
        assert time.monotonic() < end
        time.sleep(0.01)
    assert file.read_text().startswith("http://127.0.0.1:")
    assert file.stat().st_mode & 0o777 == 0o640
    bench.write_text(GOOD)
    thread.join(PATIENCE)
    assert not file.exists()


def test_a_unit_without_a_bench_is_an_error(
    systemd: Show, run_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    systemd(unit(""))
    assert main(["mend"]) == 2
    assert "systemd knows no bench file of hilbridge.service" in capsys.readouterr().err


def test_the_faults_of_a_bench_that_is_not_there(tmp_path: Path) -> None:
    assert "none.yaml" in " ".join(faults(tmp_path / "none.yaml"))
