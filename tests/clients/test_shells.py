"""Shells complete the words of `hilbridge`, and man(1) reads its page: bash, zsh, fish and mandoc as they are."""

import subprocess
from pathlib import Path
from typing import Final

import pytest

from ..program import hilbridge

COMPLETED: Final = {
    "hilbridge repl": "replay",
    "hilbridge run clus": "cluster",
    "hilbridge run --dur": "--duration",
    "hilbridge ctl get vehicle.EngineRp": "vehicle.EngineRpm",
    "hilbridge ctl scen": "scenario",
}

BASH: Final = """
source "$1"
read -ra COMP_WORDS <<<"$2"
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_shtab_hilbridge
printf '%s\\n' "${COMPREPLY[@]}"
"""

FISH: Final = "source $argv[1]; complete -C $argv[2]"

ZSH: Final = """
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; fpath=(${1:h} \\$fpath); autoload -Uz compinit; compinit -u -D; print READ''Y"
zpty -r shell output '*READY*'
zpty -w -n shell $2$'\\t'
zpty -r shell output "*$3*" && print -r -- $3
"""


def printed(*command: object) -> str:
    run = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.fixture(scope="module", params=["bash", "zsh", "fish"])
def shell(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A shell, and its script under the name that the shell looks for."""
    script: Path = tmp_path_factory.mktemp(request.param) / "_hilbridge"
    script.write_text(hilbridge("completion", request.param).stdout)
    return request.param, script


@pytest.mark.parametrize("line", COMPLETED)
def test_a_shell_completes_a_line(line: str, shell: tuple[str, Path]) -> None:
    """Commands, benches, options, entries and actions, when the tabulator is pressed."""
    name, script = shell
    program = {"bash": BASH, "zsh": ZSH, "fish": FISH}[name]
    words = [program, script, line] if name == "fish" else [program, name, script, line, COMPLETED[line]]
    assert COMPLETED[line] in printed(name, "-c", *words)


def test_the_manual_is_without_fault(tmp_path: Path) -> None:
    """mandoc has nothing to complain about but the date, which a page that is made anew with each build has not."""
    page = tmp_path / "hilbridge.1"
    page.write_text(hilbridge("manual").stdout)
    complaints = subprocess.run(
        ["mandoc", "-T", "lint", "-W", "warning", page], capture_output=True, text=True, check=False
    )
    assert [line for line in complaints.stdout.splitlines() if "missing date" not in line] == []
    assert "hilbridge ctl fault add" in printed("mandoc", "-T", "utf8", page)
