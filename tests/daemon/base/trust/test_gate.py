"""Code runs that somebody has trusted here, that came with the program, or that root has put into /etc/hilbridge."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hilbridge.base import resources
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.trust import gate, store
from hilbridge.base.trust.code import read_code
from hilbridge.base.trust.gate import UntrustedCodeError, everything_trusted, require_trust

OVERDRIVE = Path(__file__).parents[4] / "config/vehicles/overdrive.py"


@pytest.fixture(autouse=True)
def another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test begins as a process does."""
    monkeypatch.setattr(gate, "_GATE", gate._Gate())


@pytest.fixture
def code(tmp_path: Path) -> Path:
    file = tmp_path / "battery.py"
    file.write_text("def key(level, seed):\n    return seed\n")
    return file


def test_what_nobody_has_trusted_is_refused_and_remembered_for_the_question(code: Path) -> None:
    """The message names the file and the remedy."""
    with pytest.raises(UntrustedCodeError, match=r"battery\.py' is code that nobody has trusted .*hilbridge trust"):
        require_trust(code)
    assert [each.label for each in gate.take_refused()] == [str(code)]
    assert not gate.take_refused()
    assert not gate.passed()


def test_trust_is_of_the_text_wherever_it_lies_and_ends_with_a_change(code: Path, tmp_path: Path) -> None:
    store.add([read_code(code)])
    copy = tmp_path / "copies/another.py"
    copy.parent.mkdir()
    shutil.copy(code, copy)
    assert require_trust(copy).text == code.read_bytes()
    assert require_trust(code) == gate.passed()[0]
    code.write_text("def key(level, seed):\n    return 0\n")
    with pytest.raises(UntrustedCodeError):
        require_trust(code)


def test_everything_is_trusted_within_the_block_alone(code: Path, tmp_path: Path) -> None:
    with everything_trusted():
        require_trust(code)
    other = tmp_path / "other.py"
    other.write_text("")
    with pytest.raises(UntrustedCodeError):
        require_trust(other)
    assert not store.entries()


def test_what_came_with_the_program_is_trusted_and_so_is_its_copy_in_a_recording(tmp_path: Path) -> None:
    """Not what only has its name."""
    copy = tmp_path / "overdrive.py"
    shutil.copy(OVERDRIVE, copy)
    require_trust(OVERDRIVE)
    require_trust(copy)
    copy.write_text("import os\n")
    with pytest.raises(UntrustedCodeError):
        require_trust(copy)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to root")
@pytest.mark.parametrize("spoiled", ["battery.py", "benches", "."])
def test_what_root_has_put_into_etc_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: Path, spoiled: str
) -> None:
    """As long as nobody else may write the file, or exchange it in one of the folders above."""
    machine = tmp_path / "etc"
    (machine / "benches").mkdir(parents=True)
    file = machine / "benches/battery.py"
    shutil.copy(code, file)
    monkeypatch.setattr(resources, "_MACHINE", machine)
    assert resources.is_of_this_machine(file)
    assert not resources.is_of_this_machine(code)
    place = {"battery.py": file, "benches": file.parent, ".": machine}[spoiled]
    place.chmod(0o777)
    assert not resources.is_of_this_machine(file)
    place.chmod(0o755)
    os.chown(place, 1000, 1000)
    assert not resources.is_of_this_machine(file)


def test_a_list_that_others_may_write_counts_for_nothing(code: Path) -> None:
    store.add([read_code(code)])
    assert store.list_path().stat().st_mode & 0o777 == 0o600
    store.list_path().chmod(0o620)
    with pytest.raises(ConfigurationError, match="others may write it: nothing in it counts"):
        require_trust(code)


def test_trust_is_given_once_and_taken_away_by_the_path(code: Path) -> None:
    """Of all texts that the file has had."""
    store.add([read_code(code)])
    store.add([read_code(code)])
    code.write_text("x = 1\n")
    store.add([read_code(code)])
    assert [entry.label for entry in store.entries()] == [str(code)] * 2
    assert len(store.forget(str(code))) == 2
    with pytest.raises(UntrustedCodeError):
        require_trust(code)


@pytest.mark.parametrize("content", [b"", b"\0\xff\n", b"  \n\n", b"deadbeef"])
def test_a_damaged_list_trusts_nothing_and_takes_the_next(code: Path, content: bytes) -> None:
    store.add([])
    store.list_path().write_bytes(content)
    with pytest.raises(UntrustedCodeError):
        require_trust(code)
    store.add([read_code(code)])
    require_trust(code)


def test_the_folder_of_a_service_has_a_list_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: Path
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "lib"))
    store.add([read_code(code)])
    assert (tmp_path / "lib/trusted-code").read_text() == f"{read_code(code).digest}  {code}\n"


def test_two_that_trust_at_once_lose_nothing(tmp_path: Path) -> None:
    """Each reads the list and writes it anew."""
    codes = []
    for number in range(40):
        (tmp_path / f"own{number}.py").write_text(f"x = {number}")
        codes.append(read_code(tmp_path / f"own{number}.py"))
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda code: store.add([code]), codes))
    assert {entry.digest for entry in store.entries()} == {code.digest for code in codes}
