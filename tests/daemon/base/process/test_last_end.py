"""How the run before ended, as `ExecStopPost=` of the unit writes it; results are those of systemd.exec(5)."""

from pathlib import Path

import pytest

from hilbridge.base.process.last_end import VARIABLE, LastEnd, read_last_end

UNITS = sorted((Path(__file__).parents[4] / "systemd").glob("hilbridge[.@]*"))


def read(path: Path, text: str) -> LastEnd | None:
    path.write_text(text, encoding="utf-8")
    return read_last_end({VARIABLE: str(path)})


@pytest.mark.parametrize(
    ("line", "is_failure", "says"),
    [
        ("success exited 0", False, "in good order"),
        ("watchdog dumped ABRT", True, "watchdog"),
        ("exit-code exited 1", True, "exit status 1"),
        ("signal killed KILL", True, "signal KILL"),
        ("core-dump dumped SEGV", True, "signal SEGV"),
        ("oom-kill killed KILL", True, "memory"),
        ("resources exited 0", True, "resources"),
    ],
)
def test_each_result_of_a_service_has_words(tmp_path: Path, line: str, is_failure: bool, says: str) -> None:
    end = read(tmp_path / "end", line + "\n")
    assert end is not None
    assert end.is_failure is is_failure
    assert says in end.words


@pytest.mark.parametrize("text", ["", "\n", "watchdog", "a b c d", "a \x1b[31m c"])
def test_what_says_nothing_is_no_end(tmp_path: Path, text: str) -> None:
    """A file that was cut, or is of somebody else."""
    assert read(tmp_path / "end", text) is None


def test_nothing_is_known_where_nothing_was_noted(tmp_path: Path) -> None:
    """Without a service manager, and after a boot."""
    assert read_last_end({}) is None
    assert read_last_end({VARIABLE: str(tmp_path / "none")}) is None


@pytest.mark.parametrize("unit", UNITS, ids=[unit.name for unit in UNITS])
def test_the_unit_names_the_file_that_it_writes(unit: Path) -> None:
    lines = unit.read_text(encoding="utf-8").splitlines()
    name = f"Environment={VARIABLE}="
    (path,) = [line.removeprefix(name) for line in lines if line.startswith(name)]
    (writes,) = [line for line in lines if line.startswith("ExecStopPost=")]
    assert writes.endswith(f">{path}'")
